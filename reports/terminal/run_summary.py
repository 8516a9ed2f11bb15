"""The terminal summary of a run: at most a screen, the same words with and without colour."""

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from io import StringIO
from shutil import get_terminal_size
from typing import Protocol

from plumbline.reports.pages.forms import HTML
from plumbline.reports.run_context import OBSERVED, RunContext
from plumbline.reports.terminal.failure import failure_line
from plumbline.reports.terminal.guard import Command, broken
from plumbline.reports.terminal.summary_sections import Line, sections_of
from plumbline.reports.text import duration, named, plural, printable, wrap
from plumbline.reports.verdict.verdicts import ClassTotals, RunVerdict, applying
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
REST = [
    Verdict.FAILED,
    Verdict.WARNED,
    Verdict.NOT_EXERCISED,
    Verdict.NOT_SELECTED,
    Verdict.NOT_APPLICABLE,
    Verdict.UNOBSERVABLE,
]
"""What is shown beside `passed`, in this order."""


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
    sections = [section for section in sections_of(run, width) if section.items]
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
