"""A browser draws the reference that `plumbline docs` writes, from a file and without a network."""

import shutil
from pathlib import Path

from plumbline.fixtures.cli.main import main
from plumbline.fixtures.cli.static_site.files import REFERENCE
from plumbline.spec import openapi

from .browser import chromium, drawn
from .workshop import HERE, WORK, run

PAGES = ("index.html", "operations-createlead.html", "events-call.booked.html")
MAX_DRAWING_MS = 1_000


def test_reference_is_drawn_with_every_operation_and_event(tmp_path: Path) -> None:
    assert main(["docs", str(tmp_path)]) == 0
    text = drawn(tmp_path / REFERENCE)
    operations = [
        operation["summary"] for item in openapi()["paths"].values() for operation in item.values()
    ]
    missing = [name for name in (*operations, *openapi()["webhooks"]) if f">{name}" not in text]
    assert missing == []
    assert 'role="search"' in text


def test_pages_are_drawn_in_less_than_a_second(tmp_path: Path) -> None:
    """As the browser measures it; the reference on one page takes longer, since Redoc draws it."""
    assert main(["docs", str(tmp_path)]) == 0
    shutil.copy(HERE / "timing.mjs", WORK)
    pages = [(tmp_path / name).as_uri() for name in PAGES]
    times = run("node", "timing.mjs", chromium(), *pages).split()
    assert len(times) == len(PAGES)
    assert max(map(int, times)) < MAX_DRAWING_MS
