"""The failure template: complete, short, safe, and the same every time."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plumbline.reports.run_context import RunContext
from plumbline.reports.terminal.failure import failure_line, render_failure
from plumbline.reports.tests.samples import (
    CONTEXT,
    FAILED,
    SMALL,
    Record,
    assert_golden,
    finding,
    run_of,
    step,
    violation,
)
from plumbline.spec.findings import Finding

HOSTILE = "\x1b[2J\x1b]0;owned\x07\u202eevil\r\nFAKE: passed\x00\ud800"
LONG_BODY = (
    '{"data":['
    + ",".join(f'{{"id":"0190c0de-0000-7000-8000-{n:012}","status":"new"}}' for n in range(100))
    + "]}"
)

SITUATIONS: dict[str, Record] = {
    "check": finding("CORE-01", "failed", violation=violation(where="/code")),
    "traffic": finding(
        "CORE-02",
        "failed",
        operation="POST /v1/leads",
        source="traffic",
        test="suites/leads/test_create.py::test_create[long name]",
        count=1204,
        violation=violation(
            "an integer",
            "text, soon",
            "Retry-After",
            method="POST",
            request_headers={"Authorization": "[secret]", "Content-Type": "application/json"},
            request_body='{"email":"ada@example.com"}',
            status=429,
            response_headers={
                "content-type": "application/json",
                "retry-after": "soon",
                "server": "nginx",
            },
            response_body=LONG_BODY,
        ),
    ),
    "no-answer": finding(
        "CORE-01",
        "failed",
        operation="",
        violation=violation(
            "an answer",
            "none",
            status=None,
            failure="timed out after 30 s",
            request_id=None,
            response_body="",
        ),
    ),
    "no-exchange": finding(
        "CORE-01",
        "failed",
        operation="",
        test="",
        violation={
            "expected": "a delivery of call.booked within 60 s",
            "received": "none",
            "where": "",
            "exchange": None,
        },
    ),
    "sequence": finding(
        "CORE-02",
        "failed",
        violation=violation(
            "all 100 records",
            "1 missing",
            "/data/60/id",
            response_body=LONG_BODY,
            focus={
                "part": "response_body",
                "start": LONG_BODY.index("000000000060") - 25,
                "end": LONG_BODY.index("000000000060") + 13,
            },
        )
        | {
            "notes": [
                "the bytes to sign (27): 1795382431464.{}",
                "the v1 is wrong: the dot between timestamp and body is missing",
            ],
            "sequence": [
                step("ends before it"),
                step("", request_body='{"a": 1}') | {"at_fault": True},
            ],
        },
    ),
    "hostile": finding(
        "CORE-01",
        "failed",
        violation=violation(
            HOSTILE, HOSTILE, HOSTILE, url=HOSTILE, request_id=HOSTILE, response_body=HOSTILE
        )
        | {"notes": [HOSTILE], "sequence": [step(HOSTILE, url=HOSTILE)]},
    ),
    "longest": finding(
        "CORE-02",
        "failed",
        test="suites/leads/test_create.py::test_create",
        violation=violation(
            "e" * 2000,
            "r " * 2000,
            "/data/" + "w" * 500,
            method="POST",
            url="https://staging.example.com/v1/" + "u" * 3000,
            request_headers={
                "Authorization": "[secret]",
                "Content-Type": "application/json",
                "Idempotency-Key": "k" * 300,
            },
            request_body=LONG_BODY,
            response_headers={
                "content-type": "application/json",
                "x-ratelimit-limit": "60",
                "retry-after": "9" * 300,
            },
            response_body=LONG_BODY,
        ),
    ),
}


def rendered(situation: str, width: int = 100, context: RunContext = CONTEXT) -> str:
    failure = SITUATIONS[situation]
    return render_failure(
        Finding.from_dict(failure), SMALL.requirements[failure["requirement"]], context, width
    )


@pytest.mark.parametrize("width", [80, 100])
@pytest.mark.parametrize("situation", SITUATIONS)
def test_template(situation: str, width: int) -> None:
    assert_golden(f"failure-{situation}-{width}.txt", rendered(situation, width) + "\n")


@given(st.text(st.characters(exclude_categories=()), max_size=50))
def test_any_text_stays_on_its_line(text: str) -> None:
    shape = len(rendered("check").split("\n"))
    failure = finding(
        "CORE-01",
        "failed",
        violation=violation(text, text, "/" + text, request_id=text, response_body=text),
    )
    lines = render_failure(
        Finding.from_dict(failure), SMALL.requirements["CORE-01"], CONTEXT, 2000
    ).split("\n")
    assert all(line.isprintable() for line in lines)
    assert len(lines) == shape


def test_repeat_command_has_options_and_no_credentials() -> None:
    embedded = RunContext(
        "http://127.0.0.1:4711", 7, embedded=True, options=("--fault", "lost rows")
    )
    assert embedded.command == "plumbline run --fault 'lost rows' --seed 7"
    client = RunContext(
        *("http://127.0.0.1:4711", 7),
        client=("node", "my sdk.js"),
        one_process=True,
        embedded=True,
    )
    assert client.target == "client: node 'my sdk.js'"
    assert client.command == "plumbline client --one-process --seed 7 -- node 'my sdk.js'"
    guarded = RunContext(
        "https://ada:secret@staging.example.com/api?key=secret#secret", 7, folder="out/a b"
    )
    assert guarded.command == "plumbline run --base-url https://staging.example.com/api --seed 7"
    assert "plumbline again CORE-01 'out/a b'" in rendered("check", context=guarded)


@pytest.mark.parametrize("width", [60, 80, 100])
@pytest.mark.parametrize("situation", SITUATIONS)
def test_failure_line_fits_width_and_begins_with_id(situation: str, width: int) -> None:
    failure = SITUATIONS[situation]
    entry = run_of(failure).requirements[failure["requirement"]]
    line = failure_line(entry, width)
    assert line.startswith(f"{failure['requirement']}  ")
    assert line.isprintable()
    assert len(line) <= width


@pytest.mark.parametrize(
    ("records", "line"),
    [
        ([FAILED], "CORE-01  GET /v1/leads  expected 200, received 404 NOT_FOUND"),
        (
            [FAILED | {"count": 1000}, FAILED | {"operation": "GET /v1/calls"}],
            "CORE-01  GET /v1/leads and 1 more  expected 200, received 404 NOT_FOUND (1,001 times)",
        ),
        ([FAILED | {"operation": "", "violation": None, "count": 2}], "CORE-01 (2 times)"),
        (
            [FAILED | {"violation": violation("e" * 500, "the answer")}],
            (
                "CORE-01  GET /v1/leads  expected eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee..., received"
                " the answer"
            ),
        ),
    ],
)
def test_failure_line_states_operation_sides_and_count(records: list[Record], line: str) -> None:
    assert failure_line(run_of(*records).requirements["CORE-01"], 90) == line
