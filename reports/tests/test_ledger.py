"""The ledger: what it keeps, and that the order of records does not matter."""

import json
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plumbline.reports.tests.samples import (
    FINDINGS,
    RECORDS,
    Record,
    choice,
    finding,
    ledger_of,
    values,
    violation,
)
from plumbline.reports.verdict.ledger import Ledger, Tally


@given(RECORDS, st.randoms())
def test_ledger_is_independent_of_record_order(records: list[Record], chance: Random) -> None:
    assert ledger_of(chance.sample(records, len(records))) == ledger_of(records)


@given(
    st.lists(st.integers(0, 99), min_size=30).flatmap(
        lambda values: st.tuples(st.just(values), st.permutations(values))
    )
)
def test_capped_choices_keep_true_counts(values: tuple[list[int], list[int]]) -> None:
    first, second = (ledger_of(choice(str(value)) for value in order).choices for order in values)
    assert first == second
    kept = first["CALL-O01"].parts[""]
    assert len(kept) <= 20
    assert all(count == values[0].count(int(value)) for value, (count, _) in kept.items())
    assert first["CALL-O01"].count == len(values[0])


@given(st.lists(FINDINGS), FINDINGS)
def test_further_finding_never_lowers_counts(findings: list[Record], more: Record) -> None:
    before, after = ledger_of(findings), ledger_of([*findings, more])
    for name, operations in before.findings.items():
        for operation, outcomes in operations.items():
            for outcome, tally in outcomes.items():
                later = after.findings[name][operation][outcome]
                assert later.count >= tally.count
                assert len(later.samples) >= len(tally.samples)
                assert set(later.tests) >= set(tally.tests)


def test_findings_merge_by_requirement_operation_and_outcome() -> None:
    records = [
        finding("CORE-01", "failed", test=f"t{n}", count=2, violation=violation(id=n))
        for n in (4, 2, 0, 3, 1)
    ]
    records += [records[0], finding("CORE-01", source="traffic", count=7)]
    outcomes = ledger_of(records).findings["CORE-01"]["GET /v1/leads"]
    assert outcomes["failed"].count == 12
    assert outcomes["failed"].tests == ["t0", "t1", "t2", "t3", "t4"]
    assert [sample["test"] for sample in outcomes["failed"].samples] == ["t0", "t1", "t2"]
    assert outcomes["passed"] == Tally(count=7)


def test_requests_and_choices_are_counted() -> None:
    requests = [
        {"requests": {"GET /v1/leads": 2}},
        {"requests": {"GET /v1/leads": 3, "POST /v1/leads": 1}},
    ]
    ledger = ledger_of([*requests, choice("null"), choice("scheduled"), choice("null")])
    assert ledger.requests == {"GET /v1/leads": 5, "POST /v1/leads": 1}
    assert ledger.choices["CALL-O01"].parts == {
        "": {"null": (2, "GET /v1/null"), "scheduled": (1, "GET /v1/scheduled")}
    }


def test_field_that_any_worker_saw_is_shown() -> None:
    documented = ["company", "id", "phone"]
    observations = [
        {"fields": {"Lead": {"documented": documented, "shown": shown}}}
        for shown in (["id"], ["company", "id"])
    ]
    assert ledger_of(observations).fields == {
        "Lead.company": True,
        "Lead.id": True,
        "Lead.phone": False,
    }


def test_class_that_any_worker_sent_is_sent() -> None:
    records = [
        values("name", markup=True, empty=False),
        values("name", markup=False, empty=False),
        values("name", "CORE-02", markup=False, empty=True),
        values("note", markup=False),
    ]
    ledger = ledger_of(records)
    assert ledger.values["POST /v1/leads", "name", "line"].classes == {
        "markup": True,
        "empty": True,
    }
    assert ledger.values["POST /v1/leads", "name", "line"].requirements == {"CORE-01", "CORE-02"}
    assert ledger.values["POST /v1/leads", "note", "line"].classes == {"markup": False}


def test_hostile_text_is_kept_as_json() -> None:
    hostile = "\ud800\x1b[2J\u202e\x00"
    ledger = ledger_of(
        [
            finding(
                "CORE-01",
                "failed",
                violation=violation(hostile, hostile, hostile, response_body=hostile),
            )
        ]
    )
    samples = ledger.findings["CORE-01"]["GET /v1/leads"]["failed"].samples
    assert json.dumps(samples, ensure_ascii=False, allow_nan=False).encode()
    assert samples[0]["expected"] == "\\ud800\x1b[2J\u202e\x00"


@pytest.mark.parametrize(
    ("record", "place"),
    [
        ({}, 'the whole: "requirement" is a required property'),
        (finding("CORE-01", count=0), "/count: 0 is less than the minimum of 1"),
        (finding("CORE-01", "skipped"), '/outcome: "skipped" is not one of'),
        (
            finding("CORE-01", "failed", violation={"expected": "a"}),
            '/violation: "received" is a required property',
        ),
        (finding("CORE-01", "failed", violation=violation(status="200")), "/violation/exchange"),
        (
            finding("CORE-01", "failed", violation=violation(elapsed_ms=float("nan"))),
            "it is not JSON",
        ),
        (finding("CORE-01", reason={1}), "it is not JSON"),
        (
            {"requests": {"GET /v1/leads": -1}},
            "/requests/GET /v1/leads: -1 is less than the minimum of 0",
        ),
        (
            {"values": {"POST /v1/leads": {"name": {}}}},
            '/values/POST /v1/leads/name: "format" is a required',
        ),
        (
            {
                "values": {
                    "POST /v1/leads": {
                        "name": {"format": "line", "requirements": [], "classes": {"empty": 1}}
                    }
                }
            },
            '/classes/empty: 1 is not of type "boolean"',
        ),
        ({"harness_error": ""}, "/harness_error"),
        (
            {"choices": {"CALL-O01": {"": {"null": {"count": 1}}}}},
            '"example" is a required property',
        ),
    ],
)
def test_malformed_record_is_a_harness_error(record: Record, place: str) -> None:
    ledger = Ledger()
    ledger.add(record)
    ((sentence, tests),) = ledger.harness_errors.items()
    assert sentence.startswith("The ledger got a record that it cannot read: ")
    assert place in sentence
    assert tests == ([record["test"]] if record.get("test") else [])
    assert not ledger.findings


def test_entered_record_is_copied() -> None:
    record = finding("CORE-01", "failed")
    ledger = ledger_of([record])
    record["violation"]["exchange"]["status"] = 500
    assert (
        ledger.findings["CORE-01"]["GET /v1/leads"]["failed"].samples[0]["exchange"]["status"]
        == 404
    )
