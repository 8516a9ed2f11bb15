"""The forms that the results of a finished run take beside conformance.json, for people and for the tools around them."""

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

HTML, MARKDOWN, CTRF = "report.html", "summary.md", "ctrf.json"
STEP_SUMMARY = "GITHUB_STEP_SUMMARY"
"""Environment variable with the file that becomes the page of a step in GitHub Actions."""


def write_forms(document: Mapping[str, Any], folder: Path) -> None:
    """Write report.html, summary.md and ctrf.json, and add the summary to the page of the step where there is one.

    Args:
        document: the content of a conformance.json.
        folder: that it stands in.

    Raises:
        OSError: a file of the folder cannot be written.
    """
    # Only a process that gives a verdict needs these, and only once.
    from plumbline.reports.html.deliveries import deliveries  # noqa: PLC0415
    from plumbline.reports.html.latency import latencies  # noqa: PLC0415
    from plumbline.reports.html.page import page  # noqa: PLC0415
    from plumbline.reports.pages.ctrf import ctrf  # noqa: PLC0415
    from plumbline.reports.pages.markdown import markdown  # noqa: PLC0415
    from plumbline.spec import catalogue  # noqa: PLC0415

    summary = markdown(document, catalogue())
    write_whole(folder / HTML, page(document, catalogue(), deliveries(folder), latencies(folder)))
    write_whole(folder / MARKDOWN, summary)
    write_whole(folder / CTRF, json.dumps(ctrf(document, catalogue()), indent=1, ensure_ascii=False) + "\n")
    if step := os.environ.get(STEP_SUMMARY):
        # In a container the variable may name a file of the machine outside; the verdict must not be lost over that.
        with suppress(OSError), Path(step).open("a", encoding="utf-8") as file:
            file.write(summary)


def write_whole(path: Path, text: str) -> None:
    """Write a file whole or not at all; a reader that has the old one open reads it to its end.

    Raises:
        OSError: the folder cannot be made or written to.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with unfinished.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
