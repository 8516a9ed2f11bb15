"""Shows how much of the contract is tested, without any run."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from plumbline.reports.text import columns, wrap

HEAD = ("requirements", "observable", "tested", "proved", "faults")


def coverage_lines(coverage: Mapping[str, Any], width: int = 100) -> Iterator[str]:
    """The coverage of the contract as lines of text.

    Args:
        coverage: as `plumbline coverage --json` gives it.
        width: of running text, in characters.
    """
    totals, contract, proof = coverage["totals"], coverage["contract"], coverage["proof"]
    yield f"contract revision {contract['revision']}, digest {contract['digest'][:16]}"
    yield from wrap(
        f"{totals['tested']} of {totals['observable']} observable requirements are tested by a"
        f" check or an oracle, {totals['proved']} of them are proved by a fault of the reference"
        f" deployment or a defect of a receiver or a client that turns them red; {proof['proved']}"
        f" of {proof['judgements']} judgements alone catch some fault in their check"
        f" ({proof['origin']})",
        width,
    )
    for title, key in (("class", "classes"), ("chapter", "chapters")):
        yield ""
        rows = [(row["id"], *(row[name] for name in HEAD)) for row in coverage[key]]
        rows.append(("in all", *(totals[name] for name in HEAD)))
        yield from columns((title, *HEAD), rows)
    yield from _named("observable, and not tested", coverage["not_tested"], width)
    yield from _named("tested, and not proved", coverage["not_proved"], width)
    yield from _unobservable(coverage["not_observable"], width)
    yield ""
    items = coverage["open_items"]
    yield f"{items['with_variant']} of {items['number']} open items are tried with a variant"


def _named(title: str, ids: Sequence[str], width: int) -> Iterator[str]:
    if ids:
        yield ""
        yield f"{title} ({len(ids)})"
        yield from (f"  {line}" for line in wrap(", ".join(ids), width - 2))


def _unobservable(entries: Sequence[Mapping[str, str]], width: int) -> Iterator[str]:
    """What cannot be observed, by reason."""
    reasons: dict[str, list[str]] = {}
    for entry in entries:
        reasons.setdefault(entry["reason"], []).append(entry["id"])
    if reasons:
        yield ""
        yield f"not observable ({len(entries)})"
    for reason, ids in reasons.items():
        first, *rest = wrap(f"{', '.join(ids)}: {reason}", width - 4)
        yield from (f"  {first}", *(f"    {line}" for line in rest))
