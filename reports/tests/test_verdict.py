"""The rules by which findings become verdicts."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plumbline.reports.tests.samples import (
    FINDINGS,
    GREEN,
    RECORDS,
    SMALL,
    Record,
    all_passed,
    finding,
    run_of,
)
from plumbline.reports.verdict.judging import judge_run
from plumbline.reports.verdict.ledger import Ledger
from plumbline.reports.verdict.words import EXIT_CODES, ExitCode, RunWord, Verdict
from plumbline.spec import catalogue

PASSED, FAILED, UNMET, INAPPLICABLE = "passed", "failed", "unmet", "not-applicable"
FAULT = {"harness_error": "KeyError: 'data'", "test": "suites/leads/test_read.py::test_read"}


@pytest.mark.parametrize(
    ("requirement", "outcomes", "verdict"),
    [
        ("CORE-01", [PASSED], Verdict.PASSED),
        ("CORE-01", [FAILED], Verdict.FAILED),
        ("CORE-02", [FAILED], Verdict.FAILED),
        ("CORE-03", [FAILED], Verdict.WARNED),
        ("CORE-04", [FAILED], Verdict.PASSED),
        ("CORE-01", [UNMET], Verdict.NOT_EXERCISED),
        ("CORE-01", [INAPPLICABLE], Verdict.NOT_APPLICABLE),
        ("CORE-01", [], Verdict.NOT_EXERCISED),
        ("CORE-01", [PASSED, FAILED], Verdict.FAILED),
        ("CORE-03", [PASSED, FAILED], Verdict.WARNED),
        ("CORE-01", [PASSED, UNMET], Verdict.PASSED),
        ("CORE-01", [FAILED, UNMET], Verdict.FAILED),
        ("CORE-01", [PASSED, INAPPLICABLE], Verdict.PASSED),
        ("CORE-01", [FAILED, INAPPLICABLE], Verdict.FAILED),
        ("CORE-01", [UNMET, INAPPLICABLE], Verdict.NOT_EXERCISED),
        ("CORE-05", [], Verdict.UNOBSERVABLE),
        ("KEYS-01", [], Verdict.NOT_CLAIMED),
        ("KEYS-01", [FAILED], Verdict.NOT_CLAIMED),
        ("BETA-01", [FAILED], Verdict.NOT_CLAIMED),
    ],
)
def test_verdict_of_requirement(requirement: str, outcomes: list[str], verdict: Verdict) -> None:
    run = run_of(*(finding(requirement, outcome) for outcome in outcomes))
    assert run.requirements[requirement].verdict is verdict


CARRIED = {
    "carried": {
        "from": {
            "nonce": "0" * 32,
            "target": "https://staging.example.com",
            "started": "2026-01-02T03:04:05Z",
            "revision": 2,
            "results_sha256": "0" * 64,
        },
        "verdicts": {"CORE-01": "passed", "CORE-03": "not applicable"},
    }
}


@pytest.mark.parametrize(
    ("outcomes", "verdict"),
    [
        ([], Verdict.PASSED),
        ([UNMET], Verdict.PASSED),
        ([INAPPLICABLE], Verdict.PASSED),
        ([PASSED], Verdict.PASSED),
        ([FAILED], Verdict.FAILED),
        ([FAILED, PASSED], Verdict.FAILED),
    ],
)
def test_carried_verdict_gives_way_to_a_violation(outcomes: list[str], verdict: Verdict) -> None:
    run = run_of(CARRIED, *(finding("CORE-01", outcome) for outcome in outcomes))
    entry = run.requirements["CORE-01"]
    assert entry.verdict is verdict
    carried = entry.reason == "carried from the run of 2026-01-02T03:04:05Z under revision 2"
    assert carried is not bool({PASSED, FAILED} & {*outcomes})
    assert run.requirements["CORE-02"].verdict is Verdict.NOT_EXERCISED
    assert run.requirements["CORE-03"].verdict is Verdict.NOT_APPLICABLE


def test_selection_matters_only_where_nothing_was_found() -> None:
    options: dict[str, Any] = {"selected": {"CORE-02"}, "partial": True}
    entry = run_of(finding("CORE-02"), **options).requirements["CORE-01"]
    assert (entry.verdict, entry.reason) == (
        Verdict.NOT_SELECTED,
        "the selection left out its checks",
    )
    for outcome, verdict in {
        PASSED: Verdict.PASSED,
        FAILED: Verdict.FAILED,
        UNMET: Verdict.NOT_EXERCISED,
    }.items():
        run = run_of(finding("CORE-01", outcome, source="traffic"), **options)
        assert run.requirements["CORE-01"].verdict is verdict
    run = run_of(
        finding("CORE-01", INAPPLICABLE), **options
    )  # another check declares it, and did not come to it
    assert run.requirements["CORE-01"].verdict is Verdict.NOT_SELECTED


def without(*names: str) -> list[Record]:
    return [record for record in GREEN if record["requirement"] not in names]


@pytest.mark.parametrize(
    ("records", "options", "word", "exit_code"),
    [
        (GREEN, {}, RunWord.CONFORMANT, 0),
        (without("CORE-03", "CORE-04"), {}, RunWord.CONFORMANT, 0),
        ([*GREEN, finding("CORE-03", FAILED)], {}, RunWord.CONFORMANT, 0),
        ([*GREEN, finding("CORE-04", FAILED)], {}, RunWord.CONFORMANT, 0),
        ([*without("CORE-02"), finding("CORE-02", INAPPLICABLE)], {}, RunWord.CONFORMANT, 0),
        ([*GREEN, finding("KEYS-01", FAILED)], {}, RunWord.CONFORMANT, 0),
        (GREEN, {"claimed": {"core", "analytics"}}, RunWord.CONFORMANT, 0),
        (
            [*GREEN, finding("BETA-01", FAILED)],
            {"claimed": {"core", "analytics"}},
            RunWord.CONFORMANT,
            0,
        ),
        (without("CORE-01"), {}, RunWord.INCOMPLETE, 10),
        ([*without("CORE-01"), finding("CORE-01", UNMET)], {}, RunWord.INCOMPLETE, 10),
        ([*GREEN, finding("CORE-01", UNMET)], {}, RunWord.CONFORMANT, 0),
        ([*GREEN, finding("CORE-01", "doubtful")], {}, RunWord.INCOMPLETE, 10),
        (GREEN, {"claimed": {"core", "credentials"}}, RunWord.INCOMPLETE, 10),
        (without("CORE-01"), {"selected": {"CORE-02"}}, RunWord.INCOMPLETE, 10),
        (without("CORE-01"), {"selected": {"CORE-02"}, "partial": True}, RunWord.PARTIAL, 0),
        (GREEN, {"partial": True}, RunWord.PARTIAL, 0),
        (
            [finding("BETA-01")],
            {"claimed": {"core", "analytics"}, "partial": True},
            RunWord.PARTIAL,
            0,
        ),
        ([*GREEN, finding("CORE-01", FAILED)], {}, RunWord.NON_CONFORMANT, 1),
        ([finding("CORE-01", FAILED)], {}, RunWord.NON_CONFORMANT, 1),
        ([finding("CORE-01", FAILED)], {"partial": True}, RunWord.NON_CONFORMANT, 1),
        ([finding("CORE-01", FAILED), FAULT], {}, RunWord.NON_CONFORMANT, 1),
        ([*GREEN, FAULT], {}, RunWord.INVALID, 12),
        ([*GREEN, FAULT], {"partial": True}, RunWord.INVALID, 12),
        ([], {}, RunWord.INVALID, 12),
        ([], {"partial": True}, RunWord.INVALID, 12),
        ([finding("CORE-01", UNMET), finding("CORE-02", INAPPLICABLE)], {}, RunWord.INVALID, 12),
        ([finding("KEYS-01")], {}, RunWord.INVALID, 12),
        ([finding("BETA-01")], {"claimed": {"analytics"}}, RunWord.INVALID, 12),
        ([*GREEN, finding("CORE-05")], {}, RunWord.INVALID, 12),
        ([*GREEN, finding("CORE-99")], {}, RunWord.INVALID, 12),
        ([*GREEN, {"requirement": "CORE-01"}], {}, RunWord.INVALID, 12),
    ],
)
def test_verdict_of_run(
    records: list[Record], options: dict[str, Any], word: RunWord, exit_code: int
) -> None:
    run = run_of(*records, **options)
    assert (run.verdict, int(run.exit_code)) == (word, exit_code)
    assert run.reason.endswith(".")


def test_denominator_is_observable_part_of_deciding_claim() -> None:
    run = run_of(
        finding("CORE-01"), finding("BETA-01"), claimed={"core", "credentials", "analytics"}
    )
    assert (run.passed, run.denominator) == (1, 5)
    assert run.totals == {Verdict.PASSED: 1, Verdict.NOT_EXERCISED: 4}
    assert run.classes["core"].verdicts == {
        Verdict.UNOBSERVABLE: 1,
        Verdict.PASSED: 1,
        Verdict.NOT_EXERCISED: 3,
    }
    assert run.classes["analytics"].verdicts == {Verdict.PASSED: 1}
    assert not run.requirements["BETA-01"].decides


def test_not_exercised_requirement_has_reason_and_remedy() -> None:
    why = {"reason": "no test controller is given", "remedy": "set PLUMBLINE_CONTROLLER_URL"}
    unmet = finding("CORE-01", UNMET, operation="GET /v1/calls", **why)
    for records in ([unmet], [unmet, finding("CORE-01")]):
        entry = run_of(*records).requirements["CORE-01"]
        assert {"reason": entry.reason, "remedy": entry.remedy} == why
    assert run_of().requirements["CORE-01"].reason == "no check exercised it"
    assert (
        run_of(finished=False).requirements["CORE-01"].reason
        == "the run has not reached a check that exercises it"
    )
    assert run_of().requirements["CORE-05"].reason == "it happens in a mailbox"
    assert run_of().requirements["KEYS-01"].remedy == "claim credentials"


def test_violations_are_grouped_by_operation() -> None:
    run = run_of(
        finding("CORE-01", FAILED, count=3),
        finding("CORE-01", FAILED, test="other"),
        finding("CORE-01", FAILED, operation="GET /v1/calls"),
    )
    violations = [
        (name, tally.count, len(tally.samples))
        for name, tally in run.requirements["CORE-01"].violations.items()
    ]
    assert violations == [("GET /v1/calls", 1, 1), ("GET /v1/leads", 4, 2)]
    assert run.requirements["CORE-01"].counts == {"failed": 5}


def test_finding_of_unknown_or_unobservable_requirement_is_a_harness_error() -> None:
    run = run_of(finding("CORE-99", test="a"), finding("CORE-05", test="b"))
    assert run.harness_errors == {
        "A check judged CORE-05, which the contract calls unobservable.": ("b",),
        "A check judged CORE-99, which the contract does not have.": ("a",),
    }


def test_claim_of_unknown_class_is_refused() -> None:
    with pytest.raises(
        ValueError,
        match=r"no conformance class 'cores'; claim some of core, credentials, analytics\.",
    ):
        judge_run(SMALL, {"cores"}, None, Ledger(), partial=False)


def test_verdicts_are_ordered_within_their_kind() -> None:
    assert (max(Verdict), max(RunWord)) == (Verdict.FAILED, RunWord.NON_CONFORMANT)
    assert sorted([RunWord.INCOMPLETE, RunWord.CONFORMANT]) == [
        RunWord.CONFORMANT,
        RunWord.INCOMPLETE,
    ]
    with pytest.raises(TypeError):
        _ = Verdict.PASSED < RunWord.INVALID
    assert (int(ExitCode.CONFIGURATION), 11 in EXIT_CODES.values()) == (11, False)


REAL = catalogue()
DECIDING = {name for name, entry in REAL.classes.items() if entry.decides}
REAL_GREEN = all_passed(REAL, DECIDING)
REAL_MUSTS = [
    record["requirement"]
    for record in REAL_GREEN
    if REAL.requirements[record["requirement"]].severity == "must"
]


def test_real_contract_all_passed_is_conformant() -> None:
    run = run_of(*REAL_GREEN, catalogue=REAL, claimed=DECIDING)
    assert (run.verdict, run.passed) == (RunWord.CONFORMANT, run.denominator)
    assert run.denominator == len(REAL_GREEN)


def test_real_contract_without_any_one_must_is_incomplete() -> None:
    wrong = {}
    for missing in REAL_MUSTS:
        run = run_of(
            *(record for record in REAL_GREEN if record["requirement"] != missing),
            catalogue=REAL,
            claimed=DECIDING,
        )
        if (run.verdict, run.passed) != (RunWord.INCOMPLETE, run.denominator - 1):
            wrong[missing] = run.verdict, run.passed
    assert REAL_MUSTS
    assert wrong == {}


RUNS = st.fixed_dictionaries(
    {
        "claimed": st.sets(st.sampled_from(list(SMALL.classes))),
        "selected": st.none() | st.sets(st.sampled_from(list(SMALL.requirements))),
        "partial": st.booleans(),
    }
)


@given(RECORDS, RUNS)
def test_run_is_conformant_only_if_whole(records: list[Record], options: dict[str, Any]) -> None:
    run = run_of(*GREEN, *records, **options)
    musts = [
        entry
        for entry in run.requirements.values()
        if entry.decides and entry.requirement.severity == "must"
    ]
    sound = bool(musts) and all(
        entry.verdict in {Verdict.PASSED, Verdict.NOT_APPLICABLE} for entry in musts
    )
    exercised = any(
        entry.verdict in {Verdict.PASSED, Verdict.WARNED, Verdict.FAILED}
        for entry in run.requirements.values()
    )
    whole = sound and exercised and not run.harness_errors and not run.partial
    assert (run.verdict is RunWord.CONFORMANT) is whole


@given(RECORDS, FINDINGS, RUNS)
def test_further_finding_never_improves_a_verdict(
    records: list[Record], more: Record, options: dict[str, Any]
) -> None:
    before, after = run_of(*records, **options), run_of(*records, more, **options)
    for name, entry in before.requirements.items():
        if entry.verdict in {Verdict.PASSED, Verdict.WARNED, Verdict.FAILED}:
            assert after.requirements[name].verdict in {
                entry.verdict,
                Verdict.WARNED,
                Verdict.FAILED,
            }
            assert after.requirements[name].verdict >= entry.verdict
    if before.verdict is RunWord.NON_CONFORMANT or before.harness_errors:
        assert after.verdict >= before.verdict


@given(RECORDS, RUNS)
def test_totals_count_every_requirement_once(
    records: list[Record], options: dict[str, Any]
) -> None:
    run = run_of(*records, **options)
    assert sum(sum(totals.verdicts.values()) for totals in run.classes.values()) == len(
        SMALL.requirements
    )
    claimed = [totals for totals in run.classes.values() if totals.claimed and totals.decides]
    outside = {Verdict.UNOBSERVABLE, Verdict.NOT_APPLICABLE}
    assert run.denominator == sum(
        number
        for totals in claimed
        for word, number in totals.verdicts.items()
        if word not in outside
    )
