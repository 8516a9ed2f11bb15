"""What has changed from one run to another: failures that are new, fixed or still there, and what
cannot be compared.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from plumbline.reports.compare.changed import Exchanges, FirstExchange, Run, first_exchanges
from plumbline.reports.text import named, plural

Results = Mapping[str, Any]
"""A conformance.json, as `load` gives it."""
LEFT_OUT = frozenset({"not selected", "not claimed"})
"""Verdicts of requirements that the later run was not to judge."""
UNTESTABLE = 125
"""The exit code by which `git bisect run` skips a revision."""
NAMED = 12
"""Requirements that are named of those that share what became of them."""
SHOWN = 3
"""Operations of a change whose exchange is shown as text."""
JUDGED = frozenset({"passed", "warned", "failed", "not applicable"})
"""Verdicts of requirements that a run has looked at."""


@dataclass(frozen=True)
class Change:
    """A requirement, with its verdict in the earlier and in the later run; None where the contract
    does not have it.

    Attributes:
        operations: where it failed; empty where it is about the verdict alone.
        first: of each operation, the exchange that shows what changed.
    """

    requirement: str
    before: str | None
    after: str | None
    operations: tuple[str, ...] = ()
    first: tuple[FirstExchange, ...] = ()


@dataclass(frozen=True)
class Choice:
    """What a deployment chose in a part of an open item, in the earlier and in the later run."""

    open_item: str
    of: str
    before: str
    after: str


@dataclass(frozen=True)
class Difference:
    """What has changed between two runs.

    Attributes:
        new: failed on an operation in the later run, and did not in the earlier one.
        fixed: failed on an operation in the earlier run, and was judged otherwise in the later one.
        still: failed on an operation in both.
        lost: judged in the earlier run, and not in the later one.
        choices: what the deployment chose otherwise where the contract leaves something open.
        notes: why the runs are not fully comparable, one sentence each.
    """

    new: tuple[Change, ...]
    fixed: tuple[Change, ...]
    still: tuple[Change, ...]
    lost: tuple[Change, ...]
    choices: tuple[Choice, ...]
    notes: tuple[str, ...]
    choices_count: bool = False

    @property
    def exit_code(self) -> int:
        """1 for new failures, or for changed choices where these count; 10 where something is no
        longer judged; else 0.
        """
        return 1 if self.new or (self.choices_count and self.choices) else 10 if self.lost else 0

    def bisect_code(self, after: Results) -> int:
        """The exit code for `git bisect run`: 1 is bad, 0 is good, 125 says that this revision
        cannot be tested.
        """
        if after["state"] != "finished" or after["verdict"] == "invalid run":
            return UNTESTABLE
        unsure = [change for change in self.lost if change.after not in LEFT_OUT]
        judged = any(entry["verdict"] in JUDGED for entry in after["requirements"])
        return (
            1
            if self.new or (self.choices_count and self.choices)
            else UNTESTABLE
            if unsure or not judged
            else 0
        )

    def to_dict(self) -> dict[str, Any]:
        """The difference in JSON values."""
        changes = {
            name: [asdict(change) for change in getattr(self, name)]
            for name in ("new", "fixed", "still", "lost")
        }
        changes["choices"] = [asdict(choice) for choice in self.choices]
        return changes | {"not_comparable": list(self.notes), "exit_code": self.exit_code}


def difference(
    before: Results,
    after: Results,
    *,
    choices_count: bool = False,
    exchanges: tuple[Exchanges, Exchanges] | None = None,
) -> Difference:
    """Hold a later run against an earlier one.

    Args:
        before: the earlier run.
        after: the later run.
        choices_count: whether changed choices decide the exit code.
        exchanges: of both runs, where they are at hand.
    """
    both = exchanges or (Exchanges(), Exchanges())
    runs = Run(before, both[0]), Run(after, both[1])
    was, now = (
        {requirement["id"]: requirement["verdict"] for requirement in run["requirements"]}
        for run in (before, after)
    )
    changes = [Change(name, was.get(name), now.get(name)) for name in {**was, **now}]
    red, still_red = (_failures(run) for run in (before, after))
    return Difference(
        new=_shown(
            _on(changes, {name: still_red[name] - red.get(name, set()) for name in still_red}),
            *runs,
        ),
        fixed=_shown(
            _on(
                (
                    change
                    for change in changes
                    if change.after in JUDGED
                    and not (change.after == "failed" and after["partial"])
                ),
                {name: red[name] - still_red.get(name, set()) for name in red},
            ),
            *runs,
        ),
        still=_on(changes, {name: red[name] & still_red.get(name, set()) for name in red}),
        lost=tuple(
            change for change in changes if change.before in JUDGED and change.after not in JUDGED
        ),
        choices=tuple(_choices(before, after)),
        notes=tuple(_notes(before, after)),
        choices_count=choices_count,
    )


def _choices(before: Results, after: Results) -> Iterator[Choice]:
    """Choices that both runs have seen, of which the later one has seen some that the earlier one
    has not.
    """
    was = {
        (item["id"], part["of"]): part for item in before["open_items"] for part in item["choices"]
    }
    for item in after["open_items"]:
        for part in item["choices"]:
            counts_before = was.get((item["id"], part["of"]))
            if counts_before and part["values"].keys() - counts_before["values"].keys():
                yield Choice(item["id"], part["of"], counts_before["choice"], part["choice"])


def _failures(run: Results) -> dict[str, set[str]]:
    """The operations on which each requirement failed."""
    return {
        requirement["id"]: {violation["operation"] for violation in requirement["violations"]}
        for requirement in run["requirements"]
        if requirement["verdict"] == "failed"
    }


def _on(changes: Iterable[Change], operations: Mapping[str, Collection[str]]) -> tuple[Change, ...]:
    """The changes of requirements with operations, each with its own."""
    pairs = ((change, operations.get(change.requirement)) for change in changes)
    return tuple(
        replace(change, operations=tuple(sorted(names))) for change, names in pairs if names
    )


def _shown(changes: Iterable[Change], before: Run, after: Run) -> tuple[Change, ...]:
    """The changes with the first exchange of each operation."""
    return tuple(
        replace(
            change,
            first=tuple(first_exchanges(change.requirement, change.operations, before, after)),
        )
        for change in changes
    )


def difference_lines(difference_found: Difference) -> Iterator[str]:
    """A difference as lines of text."""
    titles = {
        "new": "new failures",
        "fixed": "fixed",
        "still": "still failing",
        "lost": "no longer judged",
    }
    for name, title in titles.items():
        changes: Sequence[Change] = getattr(difference_found, name)
        yield f"{title}: {len(changes)}"
        if name == "lost":
            yield from _lost_lines(changes)
            continue
        for change in changes:
            was, now = change.before or "not in the contract", change.after or "not in the contract"
            place = f"  on {named(change.operations, 3)}" if change.operations else ""
            yield f"  {change.requirement}" + (f"  {was} -> {now}" if was != now else "") + place
            for first in change.first[:SHOWN]:
                yield from (f"    {line}" for line in first.lines())
            if len(change.first) > SHOWN:
                yield f"    and {plural(len(change.first) - SHOWN, 'operation')} more, see --json"
    yield f"changed choices: {len(difference_found.choices)}"
    if difference_found.choices:
        yield (
            "  (the contract leaves them open; clients that rely on one may break although nothing"
            " was violated)"
        )
    for choice in difference_found.choices:
        yield (
            f"  {choice.open_item}  {f'{choice.of}: ' if choice.of else ''}{choice.before} ->"
            f" {choice.after}"
        )
    if difference_found.notes:
        yield "not fully comparable:"
        yield from (f"  {note}" for note in difference_found.notes)


def _lost_lines(changes: Sequence[Change]) -> Iterator[str]:
    """What is no longer judged, together by what became of it: a partial run leaves hundreds
    out.
    """
    groups: dict[str, list[str]] = {}
    for change in changes:
        groups.setdefault(f"{change.before} -> {change.after or 'not in the contract'}", []).append(
            change.requirement
        )
    for became, ids in groups.items():
        yield f"  {became}: {named(ids, NAMED)}"
    if any(len(ids) > NAMED for ids in groups.values()):
        yield "  --json names all"


def _notes(before: Results, after: Results) -> Iterator[str]:
    for name, run in (("earlier", before), ("later", after)):
        if run["state"] != "finished":
            yield (
                f"the {name} run did not come to its end, or no evidence.json beside it says that"
                " it did"
            )
        if run["verdict"] == "invalid run":
            yield f"the {name} run is invalid: {run['reason']}"
        if run["partial"]:
            yield f"the {name} run is partial"
    if before["contract"] != after["contract"]:
        was, now = (
            f"revision {one['revision']} ({one['digest'][:16]})"
            for one in (before["contract"], after["contract"])
        )
        yield f"other contract: {was}, then {now}"
    gone, come = (
        sorted({*one["claimed"]} - {*other["claimed"]})
        for one, other in ((before, after), (after, before))
    )
    if gone or come:
        sides = [
            f"{verb} {', '.join(names)}"
            for verb, names in (("without", gone), ("with", come))
            if names
        ]
        yield f"other claim: the later run is {' and '.join(sides)}"
    for name in ("tier", "target"):
        if before[name] != after[name]:
            yield f"other {name}: {before[name]}, then {after[name]}"
    if before["suite"] != after["suite"]:
        yield f"other kit: {before['suite']['version']}, then {after['suite']['version']}"


def headline(run: Results) -> str:
    """A run in one line."""
    partial = " (partial run)" if run["partial"] and run["verdict"] != "partial" else ""
    return (
        f"{run['verdict']}{partial}, {run['totals']['passed']} of"
        f" {plural(run['totals']['of'], 'requirement')} passed"
    )
