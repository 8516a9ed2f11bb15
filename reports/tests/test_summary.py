"""The terminal summary: a screen at most, with the verdict first, the same with and without
colour.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plumbline.reports.run_context import RunContext
from plumbline.reports.terminal.run_summary import print_summary, summary_lines
from plumbline.reports.tests.samples import (
    BIG,
    CONTEXT,
    FAILED,
    GREEN,
    Record,
    assert_golden,
    baseline_of,
    choice,
    finding,
    run_of,
    violation,
)
from plumbline.reports.verdict.known_failures import Baseline, Waiver
from plumbline.reports.verdict.verdicts import RunVerdict

REQUESTS = {"requests": {"GET /v1/leads": 200, "POST /v1/leads": 41}}
NO_CONTROLLER = {
    "reason": "the profile has no test controller",
    "remedy": "set controller.url in the deployment profile",
}
LONG_WAY = {
    "reason": "the second organization has no booking link of its own",
    "remedy": "set " + "records.other_link or " * 8,
}


def _everything_wrong() -> Iterator[Record]:
    """Failures, warnings, gaps for a dozen reasons, faults and choices, all too many for their
    room.
    """
    for place, requirement in enumerate(BIG.requirements.values()):
        if place % 5 < 3:
            yield finding(
                requirement.id,
                "failed",
                count=place + 1,
                violation=violation("x" * 90, "漢字 y" * 40),
            )
        elif place % 5 == 3:
            yield finding(
                requirement.id,
                "unmet",
                reason=f"reason {place % 12} " + "why " * 20,
                remedy="how " * 40,
            )
        yield {
            "harness_error": f"KeyError: {place}",
            "test": "suites/leads/test_read.py::test_read",
        }
        yield choice(str(place), f"X-O{place}")


TODAY = date(2026, 5, 4)
KNOWN, EXPIRED = (
    Waiver("ticket 47 \x1b[31m", "ada", TODAY, ("GET /v1/leads",)),
    Waiver("a long story " * 20, "ada", date(2026, 5, 3), ("GET /v1/leads",)),
)


SITUATIONS: dict[str, tuple[RunVerdict, RunContext]] = {
    "conformant": (run_of(*GREEN, REQUESTS), CONTEXT),
    "non-conformant": (
        run_of(
            *GREEN,
            REQUESTS,
            finding("CORE-01", "failed", count=4),
            finding(
                "CORE-02",
                "failed",
                operation="GET /v1/calls",
                violation=violation("no row twice", "\x1b[31mrow 7 twice"),
            ),
            finding("CORE-03", "failed"),
            finding("KEYS-01", "failed"),
            finding("BETA-01", "failed"),
            choice("scheduled"),
            claimed={"core", "analytics"},
        ),
        CONTEXT,
    ),
    "incomplete": (
        run_of(
            finding("CORE-01"),
            finding("CORE-02", "unmet", **NO_CONTROLLER),
            finding("CORE-03", "unmet", **NO_CONTROLLER),
            finding("CORE-04", "unmet", **LONG_WAY),
            REQUESTS,
            claimed={"core", "credentials"},
        ),
        CONTEXT,
    ),
    "partial": (
        run_of(finding("CORE-01"), selected={"CORE-01"}, partial=True),
        replace(
            CONTEXT,
            embedded=True,
            tier="smoke",
            options=("--tier", "smoke"),
            selection=("-k", "reading a lead"),
        ),
    ),
    "partial-failure": (
        run_of(FAILED, selected={"CORE-01"}, partial=True),
        replace(CONTEXT, selection=("--requirement", "CORE-01")),
    ),
    "invalid": (
        run_of(
            {"harness_error": "KeyError: 'data'", "test": "suites/leads/test_read.py::test_read"}
        ),
        CONTEXT,
    ),
    "waived": (run_of(*GREEN, FAILED, baseline=baseline_of(CORE_01=KNOWN), today=TODAY), CONTEXT),
    "baseline": (
        run_of(
            *(*GREEN, FAILED, finding("CORE-02", "failed")),
            baseline=baseline_of(CORE_01=KNOWN, CORE_02=EXPIRED, CORE_04=KNOWN, CORE_99=KNOWN),
            today=TODAY,
        ),
        CONTEXT,
    ),
    "unfinished": (run_of(*GREEN, finished=False), CONTEXT),
    "everything-wrong": (
        run_of(*_everything_wrong(), catalogue=BIG, claimed=set(BIG.classes) - {"class-6"}),
        CONTEXT,
    ),
}


@pytest.mark.parametrize("width", [80, 100])
@pytest.mark.parametrize("situation", SITUATIONS)
def test_summary_matches_golden(situation: str, width: int) -> None:
    lines = summary_lines(*SITUATIONS[situation], width)
    assert_golden(f"summary-{situation}-{width}.txt", "\n".join(lines) + "\n")
    assert len(lines) <= 40
    assert all(len(line) <= width for line in lines[:-2])


OUTCOMES = st.sampled_from(["", "passed", "failed", "unmet", "not-applicable"])


@given(
    st.lists(OUTCOMES, min_size=320, max_size=320),
    st.sets(st.sampled_from(list(BIG.classes))),
    st.integers(0, 30),
    st.lists(st.sampled_from([*BIG.requirements])),
)
def test_any_summary_fits_a_screen_and_counts_failures(
    outcomes: list[str], claimed: set[str], faults: int, waived: list[str]
) -> None:
    records = [
        finding(
            name,
            outcome,
            operation=f"GET /v1/{place}",
            reason=f"reason {place % 20}",
            remedy="u" * place,
        )
        for place, (name, outcome) in enumerate(zip(BIG.requirements, outcomes, strict=True))
        if outcome
    ]
    records += [{"harness_error": f"fault {place}", "test": ""} for place in range(faults)]
    baseline = Baseline(
        "known.toml", "ab" * 32, dict.fromkeys(waived, KNOWN) | dict.fromkeys(waived[::3], EXPIRED)
    )
    run = run_of(*records, catalogue=BIG, claimed=claimed, baseline=baseline, today=TODAY)
    lines = summary_lines(run, CONTEXT)
    assert len(lines) <= 40
    for title in (line for line in lines if re.fullmatch(r"[A-Z].* \(\d+\)", line)):
        assert _accounted(lines[lines.index(title) + 1 :]) == int(
            title.rstrip(")").rpartition("(")[2]
        ), title


def _accounted(lines: list[str]) -> int:
    """The things that the list at the beginning of these lines shows or says it hides."""
    total = 0
    for line in lines:
        if not line.startswith("  "):
            break
        if hidden := re.fullmatch(r"  and ([\d,]+) more, see conformance.json", line):
            total += int(hidden[1].replace(",", ""))
        elif ids := re.match(r"  ((?:K\d-\d\d, )*K\d-\d\d)(?: and (\d+) more)?: ", line):
            total += len(ids[1].split(", ")) + int(ids[2] or 0)
        elif not line.startswith("    remedy: "):
            total += 1
    return total


@dataclass
class FakeReporter:
    """Takes what is written, as the terminal reporter of pytest does."""

    hasmarkup: bool
    text: str = ""

    def write(self, content: str) -> None:
        self.text += content


@pytest.mark.parametrize("situation", SITUATIONS)
def test_colour_adds_only_escape_sequences(situation: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("COLUMNS", "100")
    plain, coloured = FakeReporter(hasmarkup=False), FakeReporter(hasmarkup=True)
    print_summary(*SITUATIONS[situation], plain)
    print_summary(*SITUATIONS[situation], coloured)
    assert plain.text == "\n".join(summary_lines(*SITUATIONS[situation])) + "\n"
    assert "\x1b[" not in plain.text
    assert coloured.text.startswith("\x1b[1;")
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured.text) == plain.text


@pytest.mark.parametrize(("columns", "width"), [("30", 60), ("80", 80), ("400", 140)])
def test_summary_is_as_wide_as_the_terminal(
    columns: str, width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    reporter = FakeReporter(hasmarkup=False)
    print_summary(*SITUATIONS["everything-wrong"], reporter)
    assert reporter.text == "\n".join(summary_lines(*SITUATIONS["everything-wrong"], width)) + "\n"


@pytest.fixture(autouse=True)
def _outside_of_github(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)


def test_github_shows_each_failure_at_its_requirement(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    reporter = FakeReporter(hasmarkup=False)
    print_summary(*SITUATIONS["non-conformant"], reporter)
    commands = [line for line in reporter.text.splitlines() if line.startswith("::")]
    assert [line.partition("::")[2].partition("::")[0] for line in commands] == [
        "error title=CORE-01",
        "error title=CORE-02",
    ]
    assert all("expected" in line for line in commands)


def test_waived_failure_is_no_annotation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    reporter = FakeReporter(hasmarkup=False)
    print_summary(*SITUATIONS["waived"], reporter)
    assert "::error" not in reporter.text
