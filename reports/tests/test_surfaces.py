"""One word, one meaning: a run that has every verdict is counted alike on every surface."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from plumbline.reports.compare.run_history import LETTERS, Deployment, Run
from plumbline.reports.evidence.results import document_of
from plumbline.reports.evidence.signed_statement import predicate
from plumbline.reports.html.page import page as html_page
from plumbline.reports.pages.changes import chat
from plumbline.reports.pages.markdown import markdown
from plumbline.reports.pages.overview import Overview
from plumbline.reports.site.standing import standing_of
from plumbline.reports.terminal.run_summary import summary_lines
from plumbline.reports.tests.samples import BIG, CONTEXT, Record, finding, run_of
from plumbline.reports.verdict.words import RunWord, Verdict
from plumbline.spec.findings import LARGER_BUDGET, LARGER_TIER

CATALOGUE = replace(
    BIG,
    requirements={
        **BIG.requirements,
        "K0-39": replace(BIG.requirements["K0-39"], unobservable="it happens in a mailbox"),
    },
)
FOUND = {
    "failed": ["K0-00", "K0-01"],
    "warned": ["K0-03"],
    "not exercised": ["K0-04", "K0-05", "K0-06"],
    "not applicable": ["K0-08", "K0-09"],
    "not selected": [*(f"K0-{number:02}" for number in range(10, 20) if number % 4 != 3)],
}
"""What the run finds of the first class; all others of it pass, and one cannot be observed."""
NO_KEY = {"reason": "the profile has no key", "remedy": "give one"}
CUT = {"reason": "the budget of 40 requests is spent", "remedy": LARGER_BUDGET}


def _records() -> Iterator[Record]:
    outcome = {name: word for word, names in FOUND.items() for name in names}
    for name, requirement in CATALOGUE.requirements.items():
        if requirement.conformance_class == "class-0" and requirement.unobservable is None:
            match outcome.get(name, "passed"):
                case "failed" | "warned":
                    yield finding(name, "failed")
                case "not exercised":
                    yield finding(name, "unmet", **NO_KEY)
                case "not selected":
                    yield finding(name, "unmet", **CUT)
                case "not applicable":
                    yield finding(name, "not-applicable")
                case word:
                    yield finding(name, word)


RUN = run_of(*_records(), catalogue=CATALOGUE, claimed=("class-0",))
PASSED = 39 - sum(map(len, FOUND.values()))
OF = 39 - len(FOUND["not applicable"])
DOCUMENT = document_of(RUN, CONTEXT)


def test_run_has_every_verdict_with_the_number_that_was_made() -> None:
    counts = {word: len(names) for word, names in FOUND.items()}
    assert {entry.verdict for entry in RUN.requirements.values()} == set(Verdict)
    assert {verdict.value: number for verdict, number in RUN.totals.items()} == counts | {
        "passed": PASSED
    }


def test_all_surfaces_name_the_same_numbers() -> None:
    """The denominator is what applies and can be observed; nothing that a budget cut is `not
    exercised`.
    """
    terminal = "\n".join(summary_lines(RUN, CONTEXT, 140))
    page, text = html_page(DOCUMENT, CATALOGUE), markdown(DOCUMENT, CATALOGUE)
    said = predicate(DOCUMENT, {"base_url": "https://staging.example.com"})
    run = next(part for part in said["configuration"] if part["name"] == "run")["annotations"]
    assert (RUN.passed, RUN.denominator) == (PASSED, OF)
    assert (run["passed"], run["of"]) == (PASSED, OF)
    assert f": {PASSED} of {OF} requirements exercised and passed" in terminal
    assert f"class-0   {PASSED} of  {OF} passed" in terminal
    assert f"**{PASSED} of {OF}** requirements" in text
    assert f"| class-0 | {PASSED} | {OF} |" in text
    assert re.search(rf"\b{PASSED}\b[^0-9]{{1,40}}\b{OF}\b", re.sub(r"<[^>]+>", "", page))
    assert f"{PASSED} of {OF} requirements passed" in chat(DOCUMENT, None, "", CATALOGUE)
    for word in ("failed", "warned", "not exercised", "not selected", "not applicable"):
        number = len(FOUND[word])
        assert f"{number} {word}" in terminal
        assert f"{number} {word}" in text
        assert f"<strong>{number}</strong> {word}" in page
    assert "Not exercised (3)\n" in terminal
    assert "### Not exercised (3)\n" in text
    assert f"### Not selected ({len(FOUND['not selected'])})\n" in text
    assert f"Not exercised (3) and not selected ({len(FOUND['not selected'])})" in page


def test_parts_of_the_contract_add_up() -> None:
    numbers = [int(number) for number in re.findall(r"\d+", Overview(DOCUMENT, CATALOGUE).scope)]
    assert numbers[0] == OF + sum(numbers[1:]) == len(CATALOGUE.requirements)


def test_badge_counts_what_the_terminal_counts_and_dates_a_failure() -> None:
    began = datetime(2026, 12, 1, tzinfo=UTC)
    packed = "".join(LETTERS[entry.verdict.value] for entry in RUN.requirements.values())
    run = Run(
        deployment="acme", attempt="a", started=began, ended=began, verdict="non-conformant",
        partial=False,
        tier="standard", passed=PASSED, of=OF, requests=9, revision=3, kit="1",
        ids=tuple(RUN.requirements), packed=packed,
    )  # fmt: skip
    deployment = Deployment("acme", run, run, run.verdicts)
    standing = standing_of(deployment, timedelta(days=14), began, ())
    assert standing.message == "non-conformant, 2 failed, as of 2026-12-01"
    sound = replace(
        deployment, standing=replace(run, verdict="conformant", packed=packed.replace("f", "p"))
    )
    assert (
        standing_of(sound, timedelta(days=14), began, ()).message == "conformant, until 2026-12-15"
    )


def test_a_tier_cut_leaves_the_run_incomplete_and_a_budget_makes_it_partial() -> None:
    """A tier that was too small for the deployment is no choice of the tester, so it is never a
    green exit code.
    """
    green = [
        finding(name)
        for name in CATALOGUE.requirements
        if name.startswith("K0") and name not in ("K0-39", "K0-00")
    ]

    def ended(remedy: str) -> tuple[RunWord, int]:
        run = run_of(
            *green,
            finding("K0-00", "unmet", reason="spent", remedy=remedy),
            catalogue=CATALOGUE,
            claimed=("class-0",),
        )
        assert run.requirements["K0-00"].verdict is (
            Verdict.NOT_EXERCISED if remedy == "give one" else Verdict.NOT_SELECTED
        )
        return run.verdict, int(run.exit_code)

    assert ended(LARGER_TIER) == (RunWord.INCOMPLETE, 10)
    assert ended("give one") == (RunWord.INCOMPLETE, 10)
    assert ended(LARGER_BUDGET) == (RunWord.PARTIAL, 0)
