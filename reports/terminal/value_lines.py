"""Shows which classes of values the runs of some reports have sent."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from plumbline.reports.text import plural, printable, wrap

MAX_REPORTS = 20
"""Reports that are named; the others are counted."""


def values_lines(values: Mapping[str, Any], width: int = 100) -> Iterator[str]:
    """The classes of values as lines of text.

    Args:
        values: as `plumbline coverage --values --json` gives it.
        width: of running text, in characters.
    """
    reports, left_out = values["reports"], values["left_out"]
    without = f", without {plural(len(left_out), 'report')} that cannot be used" if left_out else ""
    yield f"classes of values in {plural(len(reports), 'report')}{without}"
    yield from _reports(reports)
    formats, operations = values["formats"], values["operations"]
    yield ""
    yield from wrap(
        f"{formats['sent']} of {formats['of']} classes were sent to some operation, and"
        f" {operations['sent']} of {operations['of']} counted at each operation that takes them; a"
        " class counts when the deployment accepted such a value",
        width,
    )
    for title, parts in _titled(formats["parts"], operations["parts"]):
        yield from ("", printable(title))
        names = max(len(printable(part["format"])) for part in parts)
        for part in parts:
            yield from _part(part, names, width)


def _titled(
    formats: Sequence[Mapping[str, Any]], operations: Sequence[Mapping[str, Any]]
) -> Iterator[tuple[str, list[Mapping[str, Any]]]]:
    yield "any operation", [*formats]
    for operation in dict.fromkeys(part["operation"] for part in operations):
        yield operation, [part for part in operations if part["operation"] == operation]


def _reports(reports: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    for report in reports[:MAX_REPORTS]:
        unfinished = "" if report["state"] == "finished" else f", {report['state']}"
        circumstances = (
            f"{report['tier']} tier, seed {report['seed']}, {report['started']}{unfinished}"
        )
        yield printable(f"  {report['report']}: {report['target']}, {circumstances}")
    if len(reports) > MAX_REPORTS:
        yield f"  and {len(reports) - MAX_REPORTS:,} more, see --json"


def _part(part: Mapping[str, Any], names: int, width: int) -> Iterator[str]:
    """The share of one format, and below it what is missing."""
    sent, of = len(part["sent"]), len(part["sent"]) + len(part["missing"])
    yield f"  {printable(part['format']).ljust(names)}  {sent:>3} of {of:>3}"
    if part["missing"]:
        text = printable(f"not sent: {'; '.join(part['missing'])}")
        yield from (f"    {line}" for line in wrap(text, width - 4))
