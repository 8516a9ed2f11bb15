"""The lists of a terminal summary, and how each shrinks to the room that it gets."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from plumbline.reports.terminal.failure import failure_line, failure_lines
from plumbline.reports.text import named, plural, printable, shorten, wrap
from plumbline.reports.verdict.verdicts import RequirementVerdict, RunVerdict
from plumbline.reports.verdict.words import Verdict

FEW_BROKEN = 7
"""Broken requirements that have room for two lines each."""
FEW_REASONS, MAX_REASON_LINES = 4, 3
"""Reasons that have room for more than a line each, and how many lines that is."""


class Line(NamedTuple):
    """One line and how to emphasise it on a terminal that can."""

    text: str
    style: str = ""


class Item(NamedTuple):
    """An entry of a list that is shown as a whole or not at all, and how many things it stands
    for.
    """

    lines: tuple[str, ...]
    weight: int = 1


@dataclass(frozen=True)
class Section:
    """A list under a title that shrinks to the room there is.

    Attributes:
        most: lines that the section may take when there is room for all.
        minor: whether the title alone will do when there is little room.
    """

    title: str
    style: str
    items: Sequence[Item]
    most: int
    minor: bool = False

    @property
    def wanted(self) -> int:
        """Lines that the section would like to have."""
        return min(1 + sum(len(item.lines) for item in self.items), self.most)

    @property
    def least(self) -> int:
        """Lines that the section cannot do without: its title and, unless it is minor, one item and
        how many more there are.
        """
        return 1 if self.minor else min(self.wanted, 1 + len(self.items[0].lines) + 1)

    def lines(self, room: int, width: int) -> Iterator[Line]:
        """The section in at most `room` lines."""
        hidden = sum(item.weight for item in self.items)
        title = f"{self.title} ({hidden:,})"
        room -= 1
        if not room:
            yield Line(f"{title}, see conformance.json", self.style)
            return
        yield Line(title, self.style)
        whole = sum(len(item.lines) for item in self.items) <= room
        for item in self.items:
            if len(item.lines) > (room if whole else room - 1):
                break
            yield from (Line(f"  {shorten(line, width - 2)}") for line in item.lines)
            room -= len(item.lines)
            hidden -= item.weight
        if hidden:
            yield Line(f"  and {hidden:,} more, see conformance.json")


def sections_of(run: RunVerdict, width: int) -> Iterator[Section]:
    """The lists, in the order in which they are shown and take what room is left."""
    waivers = run.baseline.waived if run.baseline else ()
    failed = [
        entry
        for entry in run.of(Verdict.FAILED)
        if entry.decides and entry.requirement.id not in waivers
    ]
    apart = [entry for entry in run.of(Verdict.FAILED) if not entry.decides]
    outside = [entry for entry in run.of(Verdict.NOT_CLAIMED) if entry.violations]
    stale, waived = _known(run)
    yield Section("Faults of the kit", "bold magenta", [*_faults(run)], 4)
    yield Section("Failed", "bold red", [*_broken(failed, width)], 16)
    yield Section("Own checks that failed", "bold red", [*_own(run, width)], 8)
    yield Section("Stale baseline entries", "bold red", stale, 6)
    yield Section("Waived: failed, and known in the baseline", "bold yellow", waived, 8)
    yield Section("Not exercised", "bold yellow", [*_unexercised(run, width)], 14)
    yield Section("Warned", "bold yellow", [*_broken(run.of(Verdict.WARNED), width)], 8)
    yield Section(
        "Failed in a class that never decides", "bold", [*_broken(apart, width)], 6, minor=True
    )
    yield Section("Broken outside the claim", "bold", [*_broken(outside, width)], 4, minor=True)


def _broken(entries: Sequence[RequirementVerdict], width: int) -> Iterator[Item]:
    """Broken requirements, in two lines where one cuts them; many of them in one line each, so that
    more are named.
    """
    if len(entries) > FEW_BROKEN:
        return (Item((failure_line(entry, width - 2),)) for entry in entries)
    return (Item(failure_lines(entry, width - 2)) for entry in entries)


def _own(run: RunVerdict, width: int) -> Iterator[Item]:
    for entry in run.own.values():
        if entry.verdict is Verdict.FAILED:
            sample = next(
                (
                    sample_of_tally
                    for tally in entry.violations.values()
                    for sample_of_tally in tally.samples
                ),
                {"received": ""},
            )
            yield Item(
                (
                    shorten(
                        printable(f"{entry.id}  {entry.sentence} Received {sample['received']}"),
                        width - 2,
                    ),
                )
            )


def _faults(run: RunVerdict) -> Iterator[Item]:
    for sentence, tests in run.harness_errors.items():
        yield Item((sentence + (f" [{plural(len(tests), 'test')}: {tests[0]}]" if tests else ""),))


def _known(run: RunVerdict) -> tuple[list[Item], list[Item]]:
    """Entries of the baseline that no longer fit, and failures that it waives."""
    if run.baseline is None:
        return [], []
    waivers = [(name, run.baseline.baseline.waivers[name]) for name in run.baseline.waived]
    waived = [
        f"{name}  until {waiver.expires}, {waiver.owner}: {waiver.reason}"
        f" ({named(waiver.operations, 2)})"
        for name, waiver in waivers
    ]
    stale, kept = (
        [Item((printable(line),)) for line in lines]
        for lines in (run.baseline.faults.values(), waived)
    )
    return stale, kept


def _unexercised(run: RunVerdict, width: int) -> Iterator[Item]:
    """One item for all requirements that share a reason and a remedy, the largest first."""
    groups: dict[tuple[str, str], list[str]] = {}
    for entry in run.of(Verdict.NOT_EXERCISED):
        groups.setdefault((entry.reason or "", entry.remedy or ""), []).append(entry.requirement.id)
    for (reason, remedy), ids in sorted(
        groups.items(), key=lambda group: (-len(group[1]), group[0])
    ):
        why = f"{named(ids, 4)}: {printable(reason)}"
        # With little to say there is room for all of it.
        lines = wrap(why, width - 4)[:MAX_REASON_LINES] if len(groups) <= FEW_REASONS else [why]
        if not remedy:
            yield Item((*_hanging(lines),), len(ids))
        elif len(why) + len(remedy) + 4 <= width:
            yield Item((f"{why}; {remedy}",), len(ids))
        else:
            yield Item((*_hanging(lines), f"  remedy: {remedy}"), len(ids))


def _hanging(lines: Sequence[str]) -> Iterator[str]:
    """The lines of a paragraph, all but the first one indented."""
    return (f"{'  ' if number else ''}{line}" for number, line in enumerate(lines))
