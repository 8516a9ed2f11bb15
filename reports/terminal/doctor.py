"""Shows what the doctor has found, before a run."""

from collections.abc import Iterator, Mapping
from typing import Any

from plumbline.reports.text import plural, printable, wrap

LABELS = {"ok": "ok", "note": "note", "warning": "warning", "problem": "PROBLEM"}
LABEL_WIDTH = max(map(len, LABELS.values()))


def doctor_lines(examination: Mapping[str, Any], width: int = 100) -> Iterator[str]:
    """What was found as lines of text: one for each thing that is well, and what to do below each
    other one.

    Args:
        examination: as `plumbline doctor --json` gives it.
        width: of running text, in characters.
    """
    yield printable(examination["target"])
    yield ""
    for check in examination["checks"]:
        label = f"{LABELS[check['state']]:{LABEL_WIDTH}}  "
        first, *rest = wrap(
            printable(f"{check['subject']}: {check['sentence']}"), width - len(label)
        )
        yield f"{label}{first}"
        if check["fix"]:
            # A field that the subject does not name by itself is named with the fix.
            field = f" [{check['field']}]" if check["field"] not in ("", check["subject"]) else ""
            rest += wrap(printable(f"-> {check['fix']}{field}"), width - len(label))
        yield from (f"{'':{len(label)}}{line}" for line in rest)
    yield from _proposed(examination, width)
    yield ""
    yield _foot(examination)


def _proposed(examination: Mapping[str, Any], width: int) -> Iterator[str]:
    """Lines for the profile, each in one piece, so that it can be copied from any terminal."""
    lines = [printable(check["line"]) for check in examination["checks"] if check["line"]]
    if lines:
        yield ""
        yield from wrap(
            "Proposed for [graphql] of the profile, from the schema. Look at each before you"
            " add it:",
            width,
        )
        yield from ("", *lines)


def _foot(examination: Mapping[str, Any]) -> str:
    sent = examination["requests"]
    counts = [plural(sent["deployment"], "request") + " to the deployment"]
    counts += [f"{sent['controller']} to the test controller"] if sent["controller"] else []
    parts = [
        plural(examination[f"{kind}s"], kind)
        for kind in ("problem", "warning", "note")
        if examination[f"{kind}s"]
    ]
    return f"{' and '.join(parts) or 'no problems'}; {', '.join(counts)}"
