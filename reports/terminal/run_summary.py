"""The terminal summary of a run: at most a screen, the same words with and without colour."""

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from shutil import get_terminal_size
from typing import NamedTuple, Protocol

from plumbline.reports.pages.forms import HTML
from plumbline.reports.run_context import OBSERVED, RunContext
from plumbline.reports.terminal.failure import failure_line, failure_lines
from plumbline.reports.terminal.guard import Command, broken
from plumbline.reports.text import duration, named, plural, printable, shorten, wrap
from plumbline.reports.verdict.verdicts import ClassTotals, RequirementVerdict, RunVerdict, applying
from plumbline.reports.verdict.words import RunWord, Verdict

MAX_LINES = 40
MIN_WIDTH, DEFAULT_WIDTH, MAX_WIDTH = 60, 100, 140
"""Columns: the least that is written for, what is assumed where nothing is known, and the most that
is used.
"""
STYLES: Mapping[RunWord, str] = {
    RunWord.CONFORMANT: "bold green",
    RunWord.OBSERVED: "bold green",
    RunWord.PARTIAL: "bold yellow",
    RunWord.WAIVED: "bold yellow",
    RunWord.STALE_BASELINE: "bold red",
    RunWord.INCOMPLETE: "bold yellow",
    RunWord.UNFINISHED: "bold yellow",
    RunWord.NON_CONFORMANT: "bold red",
    RunWord.VIOLATED: "bold red",
    RunWord.INVALID: "bold magenta",
}
FEW_BROKEN = 7
"""Broken requirements that have room for two lines each."""
FEW_REASONS, MAX_REASON_LINES = 4, 3
"""Reasons that have room for more than a line each, and how many lines that is."""
REST = [
    Verdict.FAILED,
    Verdict.WARNED,
    Verdict.NOT_EXERCISED,
    Verdict.NOT_SELECTED,
    Verdict.NOT_APPLICABLE,
    Verdict.UNOBSERVABLE,
]
"""What is shown beside `passed`, in this order."""


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


class Reporter(Protocol):
    """Where a summary can be written: the terminal reporter or the terminal writer of pytest."""

    @property
    def hasmarkup(self) -> bool:
        """Whether colours are wanted and shown."""

    def write(self, content: str) -> object:
        """Write some text."""


def print_summary(run: RunVerdict, context: RunContext, reporter: Reporter) -> None:
    """Write the summary of a run, with emphasis where the reporter has markup."""
    columns = get_terminal_size((DEFAULT_WIDTH, MAX_LINES)).columns
    lines = list(_summary(run, context, max(MIN_WIDTH, min(columns, MAX_WIDTH))))
    reporter.write(
        _marked_up(lines) if reporter.hasmarkup else "".join(f"{line.text}\n" for line in lines)
    )
    if os.environ.get("GITHUB_ACTIONS") == "true":
        reporter.write(Command("".join(f"{line}\n" for line in annotations(run))))


def annotations(run: RunVerdict) -> list[str]:
    """A workflow command of GitHub for each failed requirement, for the page of the run."""
    waived = run.baseline.waived if run.baseline else ()
    failed = [
        entry
        for entry in run.of(Verdict.FAILED)
        if entry.decides and entry.requirement.id not in waived
    ]
    return [
        f"::error title={entry.requirement.id}::{_escaped(failure_line(entry, MAX_WIDTH))}"
        for entry in failed
    ]


def _escaped(text: str) -> str:
    """A text as the value of a workflow command."""
    return broken(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def summary_lines(run: RunVerdict, context: RunContext, width: int = DEFAULT_WIDTH) -> list[str]:
    """The summary of a run as at most 40 lines of plain text."""
    return [line.text for line in _summary(run, context, width)]


def _marked_up(lines: Iterable[Line]) -> str:
    from rich.console import Console  # noqa: PLC0415  workers and piped runs never need it
    from rich.text import Text  # noqa: PLC0415

    console = Console(file=StringIO(), force_terminal=True, legacy_windows=False)
    with console.capture() as capture:
        for line in lines:
            console.print(
                Text(line.text, style=line.style), no_wrap=True, overflow="ignore", crop=False
            )
    return capture.get()


def _summary(run: RunVerdict, context: RunContext, width: int) -> Iterator[Line]:
    whole = [*_headline(run, context), Line(""), *_classes(run)]
    head = [Line(part, line.style) for line in whole for part in wrap(printable(line.text), width)]
    foot = [Line(""), *_foot(run, context)]
    sections = [section for section in _sections(run, width) if section.items]
    below = sum(len(wrap(line.text, width)) for line in foot)
    spare = MAX_LINES - len(head) - 1 - sum(section.least for section in sections) - below
    yield from head
    if sections:
        yield Line("")
    for section in sections:
        extra = min(spare, section.wanted - section.least)
        spare -= extra
        yield from section.lines(section.least + extra, width)
    for line in foot:
        yield Line(line.text, line.style)


def _headline(run: RunVerdict, context: RunContext) -> Iterator[Line]:
    word = run.verdict.value.upper() + (
        " (partial run)" if run.partial and run.verdict is not RunWord.PARTIAL else ""
    )
    yield Line(
        f"{word}: {run.passed} of {run.denominator} requirements exercised and passed",
        STYLES[run.verdict],
    )
    if rest := ", ".join(_counted(run.totals, REST)):
        yield Line(rest)
    yield Line(run.reason)
    is_ours = context.embedded and not context.client
    kind = "embedded reference deployment, " if is_ours else ""
    yield Line(f"{kind}{context.target}, {context.tier} tier, seed {context.seed}")


def _classes(run: RunVerdict) -> Iterator[Line]:
    claimed = sorted(
        (totals for totals in run.classes.values() if totals.claimed),
        key=lambda totals: not totals.decides,
    )
    indent = max((len(totals.id) for totals in claimed), default=0)
    for totals in claimed:
        yield _class(totals, indent)
    if left := [
        f"{totals.id} ({sum(totals.verdicts.values())})"
        for totals in run.classes.values()
        if not totals.claimed
    ]:
        yield Line(f"not claimed: {', '.join(left)}", "dim")
    if run.own:
        counts = Counter(check.verdict for check in run.own.values())
        rest = ", ".join(
            [f"{counts[Verdict.PASSED]} of {len(run.own)} passed", *_counted(counts, REST)]
        )
        yield Line(
            f"own checks, beside the contract: {rest}", "red" if counts[Verdict.FAILED] else "green"
        )


def _class(totals: ClassTotals, indent: int) -> Line:
    passed = totals.verdicts.get(Verdict.PASSED, 0)
    of = applying(totals.verdicts)
    parts = [f"{passed:3} of {of:3} passed", *_counted(totals.verdicts, REST)]
    if not totals.decides:
        parts.append("never decides")
    failed = totals.decides and Verdict.FAILED in totals.verdicts
    return Line(
        f"{totals.id:{indent}}  {', '.join(parts)}",
        "red" if failed else "green" if passed == of else "",
    )


def _counted(verdicts: Mapping[Verdict, int], which: Iterable[Verdict]) -> Iterator[str]:
    return (f"{verdicts[verdict]} {verdict.value}" for verdict in which if verdicts.get(verdict))


def _sections(run: RunVerdict, width: int) -> Iterator[Section]:
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


def _foot(run: RunVerdict, context: RunContext) -> Iterator[Line]:
    choices = (
        f"; {plural(len(run.choices), 'open item')} observed, never judged" if run.choices else ""
    )
    sent = sum(run.requests.values())
    # Requests that were observed are counted above, and none of them is the kit's.
    requests = "judged" if context.tier == OBSERVED and not sent else plural(sent, "request")
    yield Line(f"{requests} in {duration(context.seconds)}{choices}")
    if run.never_shown:
        count = plural(len(run.never_shown), "documented field")
        yield Line(
            f"warning: no answer showed {count}:"
            f" {named([printable(name) for name in run.never_shown], 6)}"
        )
    yield Line(
        f"report: {printable(str(context.report_dir / HTML))}; for machines: {context.results.name}"
    )
    if context.before_repeating:
        yield Line(f"first: {context.before_repeating}")
    yield Line(f"repeat: {printable(context.command)}")
