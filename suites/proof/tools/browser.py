"""Pages in Chromium, from files and without a network: on a screen and on a phone, in light and in
dark.

Of each page it tells how wide it is, which text is hard to read, and what the console says. The
contrast is that of WCAG 2, from the colours that the browser has computed; pictures behind a text
and text that a style makes are left out.
"""

import html
import json
import re
import shutil
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from .workshop import HERE, run

OPTIONS = ("--headless", "--no-sandbox", "--disable-gpu", "--host-resolver-rules=MAP * ~NOTFOUND")
FRAMES = (
    "--allow-file-access-from-files",
    "--virtual-time-budget=600000",
    "--enable-logging=stderr",
)
"""A page may look into its frames; time that passes without work is skipped; the console goes to
the standard error.
"""
WIDTHS, SCHEMES = (1280, 390), ("light", "dark")
MIN_CONTRAST = 4.5
"""Of text against what is behind it, for texts of every size."""
CONSOLE = re.compile(r":CONSOLE:\d+\] (.*)")


@dataclass(frozen=True)
class View:
    """A page at one width in one scheme.

    Attributes:
        shown: the page, the width and the scheme.
        overflow: pixels that it is wider than the screen, with every part of it unfolded.
        texts: elements with a text of their own that were looked at.
        faint: of these, the ones with too little contrast, each with its colours and its text.
        dark: whether text is lighter than what is behind it.
        styles: how many styles were loaded.
        found: what it says after a search in its table, if it has one.
    """

    shown: str
    overflow: int
    texts: int
    faint: Sequence[str]
    dark: bool
    styles: int
    found: str


@dataclass(frozen=True)
class Views:
    """Every page at every width in every scheme, and all that the console said meanwhile."""

    views: Sequence[View]
    said: Sequence[str]


def chromium() -> str:
    """The browser."""
    program = shutil.which("chromium") or shutil.which("google-chrome")
    assert program, "the proof of the pages needs Chromium or Chrome"
    return program


def drawn(page: Path, fragment: str = "") -> str:
    """A page as the browser has drawn it.

    Args:
        page: the file.
        fragment: what follows its address, such as `#broken`.
    """
    return run(
        chromium(), *OPTIONS, "--virtual-time-budget=20000", "--dump-dom", page.as_uri() + fragment
    )


def views(folder: Path, pages: Collection[str]) -> Views:
    """Look at pages of a folder."""
    probe = folder / "probe.html"
    shared = {"pages": [*pages], "widths": WIDTHS, "schemes": SCHEMES, "least": MIN_CONTRAST}
    probe.write_text(
        (HERE / "probe.html").read_text(encoding="utf-8").replace("{}", json.dumps(shared), 1),
        encoding="utf-8",
    )
    said = run(chromium(), *OPTIONS, *FRAMES, "--dump-dom", probe.as_uri())
    match = re.search(r'<pre id="seen">(.+?)</pre>', said, re.DOTALL)
    assert match, said
    return Views(
        [View(**load) for load in json.loads(html.unescape(match[1]))], CONSOLE.findall(said)
    )
