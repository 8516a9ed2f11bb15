"""The forms that the results of a finished run take beside conformance.json, for people and for the
tools around them.
"""

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from plumbline.reports.evidence.whole_files import ESCAPED, write_whole

HTML, MARKDOWN, CTRF = "report.html", "summary.md", "ctrf.json"
STEP_SUMMARY = "GITHUB_STEP_SUMMARY"
"""Environment variable with the file that becomes the page of a step in GitHub Actions."""


def write_forms(document: Mapping[str, Any], folder: Path) -> None:
    """Write report.html, summary.md and ctrf.json.

    Args:
        document: the content of a conformance.json.
        folder: that it stands in.

    Raises:
        OSError: a file of the folder cannot be written.
    """
    # Only a process that gives a verdict needs these, and only once.
    from plumbline.reports.html.delivery_timeline import deliveries  # noqa: PLC0415
    from plumbline.reports.html.latency import latencies  # noqa: PLC0415
    from plumbline.reports.html.page import page  # noqa: PLC0415
    from plumbline.reports.pages.ctrf import ctrf  # noqa: PLC0415
    from plumbline.reports.pages.markdown import markdown  # noqa: PLC0415
    from plumbline.spec import catalogue  # noqa: PLC0415

    write_whole(folder / HTML, page(document, catalogue(), deliveries(folder), latencies(folder)))
    write_whole(folder / MARKDOWN, markdown(document, catalogue()))
    write_whole(
        folder / CTRF, json.dumps(ctrf(document, catalogue()), indent=1, ensure_ascii=False) + "\n"
    )


def add_to_step(document: Mapping[str, Any]) -> None:
    """Add the summary of a run that is written down to the page of the pipeline's step, where there
    is one.
    """
    from plumbline.reports.pages.markdown import markdown  # noqa: PLC0415
    from plumbline.spec import catalogue  # noqa: PLC0415

    if step := os.environ.get(STEP_SUMMARY):
        # In a container the variable may name a file of the machine outside; the verdict must not
        # be lost over that.
        with suppress(OSError), Path(step).open("a", encoding="utf-8", errors=ESCAPED) as file:
            file.write(markdown(document, catalogue()))
