"""A small contract, findings, and runs to test with."""

from collections.abc import Collection, Iterable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from plumbline.reports.run_context import RunContext
from plumbline.reports.verdict.judging import judge_run
from plumbline.reports.verdict.known_failures import Baseline, Waiver
from plumbline.reports.verdict.ledger import Ledger
from plumbline.reports.verdict.verdicts import RunVerdict
from plumbline.spec import Catalogue, ConformanceClass, Requirement, catalogue

GOLDEN = Path(__file__).parent / "golden"
Record = dict[str, Any]


def _requirement(
    name: str, keyword: str, kind: str = "core", unobservable: str | None = None
) -> Requirement:
    sentence = f"The service {keyword} keep its word in the matter of {name}."
    return Requirement(
        name,
        keyword,
        kind,
        "promises",
        sentence,
        "check",
        unobservable,
        f"02-promises.md:{int(name[-2:]) + 10}",
    )


_REQUIREMENTS = (
    _requirement("CORE-01", "MUST"),
    _requirement("CORE-02", "MUST NOT"),
    _requirement("CORE-03", "SHOULD"),
    _requirement("CORE-04", "MAY"),
    _requirement("CORE-05", "MUST", unobservable="it happens in a mailbox"),
    _requirement("KEYS-01", "MUST", "credentials"),
    _requirement("BETA-01", "MUST", "analytics"),
)
SMALL = replace(
    catalogue(),
    revision=3,
    digest="ab" * 32,
    requirements={requirement.id: requirement for requirement in _REQUIREMENTS},
    open_items={},
    classes={
        "core": ConformanceClass("core", "The basics.", ("api_key",), decides=True),
        "credentials": ConformanceClass("credentials", "Keys.", ("revoked_key",), decides=True),
        "analytics": ConformanceClass("analytics", "Figures.", ("api_key",), decides=False),
    },
)
"""Every keyword, an unobservable requirement, a class that is easily left unclaimed, and one that
never decides.
"""

BIG = replace(
    SMALL,
    requirements={
        requirement.id: requirement
        for kind in range(8)
        for number in range(40)
        for requirement in [
            _requirement(
                f"K{kind}-{number:02}", ["MUST", "SHOULD"][number % 4 == 3], f"class-{kind}"
            )
        ]
    },
    classes={
        f"class-{kind}": ConformanceClass(f"class-{kind}", "Promises.", (), decides=kind != 7)
        for kind in range(8)
    },
)
"""As many classes as the contract has, and more requirements than fit a screen."""

CONTEXT = RunContext(
    base_url="https://staging.example.com",
    seed=42,
    suite_version="1.2.3",
    profile={"name": "staging"},
    nonce="5c" * 16,
    started=datetime(2026, 5, 4, 10, 0, tzinfo=UTC),
    ended=datetime(2026, 5, 4, 10, 4, 3, tzinfo=UTC),
)


def finding(requirement: str, outcome: str = "passed", **more: Any) -> Record:
    """A finding of a check; a failed one has a violation."""
    record = {
        "requirement": requirement,
        "outcome": outcome,
        "operation": "GET /v1/leads",
        "source": "check",
        "test": "suites/leads/test_read.py::test_read",
        "count": 1,
        "reason": None,
        "remedy": None,
        "violation": violation() if outcome == "failed" else None,
    }
    return record | more


def violation(
    expected: str = "200", received: str = "404 NOT_FOUND", where: str = "", **exchange: Any
) -> Record:
    """A violation with its exchange."""
    document = {
        "id": 7,
        "method": "GET",
        "url": "https://staging.example.com/v1/leads/0190c0de-0000-7000-8000-000000000017",
        "request_headers": {"Authorization": "[secret]", "User-Agent": "plumbline"},
        "request_body": None,
        "status": 404,
        "failure": "",
        "response_headers": {"content-type": "application/json", "server": "nginx"},
        "response_body": (
            '{"success":false,"error":"no such lead","code":"NOT_FOUND","requestId":"req_9"}'
        ),
        "elapsed_ms": 41.2,
        "request_id": "req_9",
    } | exchange
    curl = (
        f"curl -i -X {document['method']} '{document['url']}'"
        ' -H "Authorization: Bearer $PLUMBLINE_API_KEY"'
    )
    return {
        "expected": expected,
        "received": received,
        "where": where,
        "exchange": document,
        "curl": curl,
    }


def step(note: str = "", **exchange: Any) -> Record:
    """One of several exchanges that a violation rests on."""
    document = violation(**exchange)
    return {
        "note": note,
        "at_fault": False,
        "exchange": document["exchange"],
        "curl": document["curl"],
    }


def choice(value: str, open_item: str = "CALL-O01", of: str = "") -> Record:
    """What a deployment chose where the contract leaves something open."""
    return {"choices": {open_item: {of: {value: {"count": 1, "example": f"GET /v1/{value}"}}}}}


def values(
    field: str, requirement: str = "CORE-01", operation: str = "POST /v1/leads", **classes: bool
) -> Record:
    """Which classes of values a process has sent to a field of the format `line`."""
    of_field = {"format": "line", "requirements": [requirement], "classes": classes}
    return {"values": {operation: {field: of_field}}}


def ledger_of(records: Iterable[Record]) -> Ledger:
    """A ledger that got the records in this order."""
    ledger = Ledger()
    for record in records:
        ledger.add(record)
    return ledger


def run_of(
    *records: Record,
    catalogue: Catalogue = SMALL,
    claimed: Collection[str] = ("core",),
    selected: Collection[str] | None = None,
    partial: bool = False,
    **more: Any,
) -> RunVerdict:
    """The verdict on a run that found this."""
    return judge_run(catalogue, claimed, selected, ledger_of(records), partial=partial, **more)


def all_passed(catalogue: Catalogue, claimed: Collection[str]) -> list[Record]:
    """One passed finding for every requirement of the claimed classes that can be observed."""
    return [
        finding(requirement.id)
        for requirement in catalogue.requirements.values()
        if requirement.conformance_class in claimed and requirement.unobservable is None
    ]


GREEN = all_passed(SMALL, {"core"})
"""Findings of a conformant run."""
FAILED = finding("CORE-01", "failed")

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=5)
FINDINGS = st.builds(
    finding,
    st.sampled_from([*SMALL.requirements, "CORE-99"]),
    st.sampled_from(["passed", "failed", "unmet", "not-applicable"]),
    operation=st.sampled_from(["", "GET /v1/leads"]),
    source=st.sampled_from(["check", "traffic"]),
    test=st.sampled_from(["a", "b", "c"]),
    count=st.integers(1, 3),
    reason=st.none() | ANY_TEXT,
    remedy=st.none() | ANY_TEXT,
    violation=st.none()
    | st.builds(
        violation, ANY_TEXT, ANY_TEXT, st.sampled_from(["", "/data"]), id=st.integers(0, 3)
    ),
)
RECORDS = st.lists(
    FINDINGS
    | st.builds(choice, st.integers(0, 60).map(str) | ANY_TEXT, of=ANY_TEXT)
    | st.builds(lambda count: {"requests": {"GET /v1/leads": count}}, st.integers(0, 5))
    | st.builds(
        values,
        st.sampled_from(["name", "note"]),
        st.sampled_from([*SMALL.requirements]),
        markup=st.booleans(),
        empty=st.booleans(),
    )
    | st.builds(
        lambda test: {"harness_error": "It broke.", "test": test}, st.sampled_from(["", "a", "b"])
    )
    | st.dictionaries(ANY_TEXT, st.none() | ANY_TEXT | st.floats(), max_size=2),
    max_size=40,
)
"""Everything that a ledger may be given, and things that it may not."""


def baseline_of(**waivers: Waiver) -> Baseline:
    """A baseline with these entries; `CORE_01` stands for the requirement `CORE-01`."""
    return Baseline(
        "known.toml",
        "ab" * 32,
        {name.replace("_", "-"): waiver for name, waiver in waivers.items()},
    )


def assert_golden(name: str, text: str) -> None:
    """Hold a text against the file of that name; a missing file is written, for a person to read
    and approve.
    """
    path = GOLDEN / name
    if not path.exists():
        path.write_text(text, encoding="utf-8")
        raise AssertionError(f"{path} was written; read it, then run the test again")
    assert text == path.read_text(encoding="utf-8")
