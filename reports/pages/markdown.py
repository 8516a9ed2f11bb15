"""The summary of a run in Markdown, for the page that a pipeline shows beside its log.

Such pages obey Markdown and some HTML, so everything that a deployment has sent stands in code
spans, where nothing is obeyed.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from plumbline.reports.pages.overview import Overview
from plumbline.reports.text import named, plural, shorten

if TYPE_CHECKING:
    from plumbline.spec import Catalogue

MAX_ROWS = 30
"""Requirements shown under one title; the report has all."""
MAX_CELL_LENGTH = 120
MAX_TRAFFIC_LENGTH = 2000


def markdown(document: Mapping[str, Any], catalogue: "Catalogue") -> str:
    """The content of a conformance.json as a page of Markdown."""
    return "\n".join(_lines(Overview(document, catalogue)))


def code(text: str, limit: int = MAX_CELL_LENGTH) -> str:
    """A text as a code span that nothing in it can end, but a bar within a table."""
    text = shorten(text, limit)
    fence = "`" * (max(map(len, re.findall("`+", text)), default=0) + 1)
    padding = " " if text[:1] in {"", "`", " "} or text[-1:] in {"`", " "} else ""
    return f"{fence}{padding}{text}{padding}{fence}"


def cell_of(text: str) -> str:
    """The text as a cell of a table: a bar has an odd number of backslashes before it, so that it
    ends no cell.
    """
    return re.sub(
        r"(\\*)\|",
        lambda match: match[1] + ("\\" if len(match[1]) % 2 == 0 else "\\\\") + "|",
        text,
    )


def _lines(overview: Overview) -> Iterator[str]:
    run = overview.document
    yield f"## Plumbline: {overview.word}"
    yield ""
    totals = run["totals"]
    yield (
        f"**{totals['passed']} of {totals['of']}** requirements exercised and passed."
        f" {overview.scope} {run['reason']}"
    )
    for stamp in overview.stamps:
        yield f"\n> **{stamp}**"
    yield ""
    yield from _table(
        ("class", "passed", "of", "other verdicts"),
        (
            (class_.id, class_.passed, class_.of, class_.rest)
            for class_ in overview.classes
            if class_.claimed
        ),
    )
    for title, entries in overview.broken.items():
        yield from ("", f"### {title} ({len(entries)})", "")
        yield from _table(
            ("requirement", "operation", "expected", "received"), map(_broken, entries[:MAX_ROWS])
        )
        if len(entries) > MAX_ROWS:
            yield f"\nand {len(entries) - MAX_ROWS} more in the report"
    if own := run["own_checks"]:
        yield from ("", f"### Own checks, beside the contract ({len(own)})", "")
        yield from _table(
            ("check", "verdict", "sentence"),
            ((check["id"], check["verdict"], code(check["sentence"])) for check in own),
        )
    for title, count, gaps in overview.gaps:
        yield from ("", f"### {title} ({count})", "")
        for gap in gaps[:MAX_ROWS]:
            yield f"- {named(gap.ids, 4)}: {code(gap.reason)}" + (
                f", remedy: {code(gap.remedy)}" if gap.remedy else ""
            )
    requests = plural(sum(run["requests"].values()), "request")
    address = "" if overview.name == run["target"] else f" at {code(run['target'])}"
    yield from (
        "",
        f"{code(overview.name)}{address}, {run['tier']} tier, seed {run['seed']}, {requests}.",
    )
    if traffic := [*overview.traffic]:
        yield from (
            "",
            *(f"- {label}: {code(text, MAX_TRAFFIC_LENGTH)}" for label, text in traffic),
        )
    yield from ("", f"Repeat: {code(run['reproduce']['command'], 1000)}", "")


def _broken(entry: Mapping[str, Any]) -> tuple[str, ...]:
    violation = max(entry["violations"], key=lambda violations: violations["count"])
    others = f" and {len(entry['violations']) - 1} more" if len(entry["violations"]) > 1 else ""
    sample = violation["samples"][0] if violation["samples"] else {"expected": "", "received": ""}
    texts = (code(sample[name]) if sample[name] else "" for name in ("expected", "received"))
    return (
        entry["id"],
        (code(violation["operation"]) if violation["operation"] else "several") + others,
        *texts,
    )


def _table(head: Iterable[str], rows: Iterable[Iterable[object]]) -> Iterator[str]:
    names = list(head)
    yield f"| {' | '.join(names)} |"
    yield "|" + "---|" * len(names)
    for row in rows:
        yield f"| {' | '.join(cell_of(str(cell)) for cell in row)} |"
