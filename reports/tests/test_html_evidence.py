"""Evidence in the HTML report: hostile text, deliveries, latencies, bodies and sequences."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plumbline.reports.evidence.results import document_of
from plumbline.reports.html.delivery_timeline import deliveries
from plumbline.reports.html.escaped_exchange import MAX_BODY_LENGTH, body, laid_out
from plumbline.reports.html.latency import PICTURE_WIDTH, Latency, latencies
from plumbline.reports.html.page import page
from plumbline.reports.tests.parsed_html import attributes, parsed, text_of, values
from plumbline.reports.tests.samples import (
    CONTEXT,
    GREEN,
    SMALL,
    Record,
    baseline_of,
    choice,
    finding,
    run_of,
    step,
    violation,
)
from plumbline.reports.verdict.known_failures import Waiver
from plumbline.spec import catalogue

HOSTILE = (
    "a</script><script>alert(1)</script><img src=x onerror=alert(2)>\"' {{7*7}} ]]> <!--"
    " javascript:alert(3)"
)
REAL = catalogue()
CORE = [
    requirement.id
    for requirement in REAL.requirements.values()
    if requirement.conformance_class == "core"
]


def _hostile_records(text: str) -> Iterator[Record]:
    """Findings in which everything that a deployment has a hand in is this text."""
    fields = ("method", "url", "request_body", "response_body", "request_id")
    exchange: dict[str, Any] = dict.fromkeys(fields, text) | {
        "request_headers": {text: text},
        "response_headers": {text: text},
    }
    steps = [step(text, **exchange) | {"at_fault": fault, "curl": text} for fault in (False, True)]
    document = violation(text, text, text, **exchange) | {
        "curl": text,
        "notes": [text],
        "sequence": steps,
    }
    unanswered = violation(text, text, text, status=None, failure=text)
    yield finding("CORE-01", "failed", operation=text, test=text, violation=document)
    yield finding("CORE-01", "failed", operation="GET /v1/calls", violation=unanswered)
    yield finding("CORE-02", "unmet", reason=f"a reason {text}", remedy=f"do {text}", test=text)
    yield finding(
        "CORE-03",
        "failed",
        violation=violation(text, text, text, response_body=json.dumps({text: [text]})),
    )
    yield choice(f"value {text}", of=text)
    yield choice(f"value {text}", "NONE-O99")
    yield {"requests": {f"GET /{text}": 1}}
    yield {"harness_error": f"KeyError {text}", "test": text}


def _record_deliveries(folder: Path, *lines: Mapping[str, Any] | str) -> Path:
    (folder / "transcript").mkdir(exist_ok=True)
    text = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
    (folder / "transcript" / "deliveries-gw0.jsonl").write_text(text, "utf-8")
    return folder


def _hostile_page(text: str, folder: Path) -> str:
    baseline = replace(
        baseline_of(CORE_01=Waiver(text, text, date(2027, 1, 31), ("GET /v1/leads",))), file=text
    )
    run = run_of(*_hostile_records(text), baseline=baseline, today=date(2026, 6, 1))
    address = f"https://x.example/{text}"
    context = replace(
        CONTEXT, base_url=address, profile={"name": text}, selection=(text,), suite_version=text
    )
    event = json.dumps({"event": text, "created_at": text, "data": {"id": text}})
    arrival = {
        "at": 1.0,
        "ended_at": 2.0,
        "status": 500,
        "headers": {text: text},
        "path": "/a",
        "body": event,
    }
    _record_deliveries(folder, arrival, arrival | {"at": 3.0}, arrival | {"body": text})
    return page(document_of(run, context), REAL, deliveries(folder))


def test_hostile_text_adds_no_element(tmp_path: Path) -> None:
    hostile, plain = (
        parsed(_hostile_page(text, tmp_path)) for text in (HOSTILE, "a few plain words")
    )
    skeletons = [
        [(element.name, sorted(attributes(element))) for element in read.query("*")]
        for read in (hostile, plain)
    ]
    assert skeletons[0] == skeletons[1]
    shown = text_of(hostile, "body")
    assert shown.count("<img src=x onerror=alert(2)>") > 30
    assert "{{7*7}}" in shown
    assert "49" not in shown


@settings(max_examples=20)
@given(text=st.text(st.characters(exclude_categories=()), min_size=1, max_size=30))
def test_any_text_adds_no_element(text: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.getbasetemp()
    made = _hostile_page(f"a{text}b", folder)
    assert made.count("<") == _hostile_page("ab", folder).count("<")
    assert all(char.isprintable() or char == "\n" for char in made)
    made.encode("utf-8")


def test_deliveries_of_one_event_are_grouped(tmp_path: Path) -> None:
    event = json.dumps(
        {"event": "call.booked", "created_at": "2026-05-04T10:00:00Z", "data": {"id": "c1"}}
    )
    moments = [(107.2, 107.3, 200), (100.0, 100.1, 500), (101.2, 102.0, None)]
    lines: list[Record] = [
        {"at": at, "ended_at": end, "status": status, "body": event} for at, end, status in moments
    ]
    unreadable = ["{torn", "[]", "[" * 100_000, '{"at": "noon"}', '{"at": 1e999, "body": 7}']
    _record_deliveries(
        tmp_path, *lines, *unreadable, '{"at": 5, "body": "no JSON", "status": true}'
    )
    other_org, booked = deliveries(tmp_path)
    assert (other_org.event, other_org.attempts[0].status, other_org.retried) == ("", None, False)
    assert [attempt.answer for attempt in booked.attempts] == ["500", "no answer", "200"]
    assert [pause and round(pause, 1) for pause in booked.pauses] == [None, 1.1, 5.2]
    assert {place for place, _ in booked.due} == {
        booked.place(moment) for moment in (101.1, 107.0, 105.1)
    }
    read = parsed(page(document_of(run_of(*GREEN), CONTEXT), SMALL, [other_org, booked]))
    assert "2 events arrived in 4 attempts" in text_of(read, "#deliveries")
    assert [node.to_text() for node in read.query("#delivery-1 .timeline text")] == [
        "0",
        "5",
        "10",
        "15",
        "20 s",
    ]
    assert [round(place / booked.place(101.0)) for place, _ in booked.ticks] == [0, 5, 10, 15, 20]
    assert len(list(read.query("#deliveries .delivery"))) == 1
    assert len(list(read.query("#deliveries .legend li"))) == 5


def test_timeline_and_requirement_lead_to_each_other(tmp_path: Path) -> None:
    address, event = (
        "https://inbox.example/a",
        json.dumps({"event": "call.booked", "created_at": "1", "data": {"id": "c1"}}),
    )
    line = {
        "at": 100.0,
        "ended_at": 100.1,
        "status": 500,
        "body": event,
        "url": address,
        "path": "/a",
    }
    received = deliveries(_record_deliveries(tmp_path, line, line | {"at": 109.0}))
    failure = finding("CORE-01", "failed", violation=violation(url=address))
    read = parsed(page(document_of(run_of(failure), CONTEXT), SMALL, received))
    assert values(read, "href", "#CORE-01 .operation a:not(.self)") == ["#delivery-1"]
    assert values(read, "href", "#delivery-1 a") == ["#CORE-01"]


def test_latency_is_drawn_by_operation(tmp_path: Path) -> None:
    times = {"GET /v1/leads": [*range(1, 100), 1000], "POST /v1/leads": [40]}
    sent = [
        {"operation": name, "elapsed_ms": time_, "status": 200, "traffic": True}
        for name in times
        for time_ in times[name]
    ]
    others = [
        {**sent[0], "traffic": False},
        {**sent[0], "status": None},
        {**sent[0], "elapsed_ms": "soon"},
        {"at": 1.0},
    ]
    (tmp_path / "transcript").mkdir()
    (tmp_path / "transcript" / "gw0.jsonl").write_text(
        "\n".join(map(json.dumps, [*sent, *others])), "utf-8"
    )
    measured = latencies(tmp_path)
    assert measured == {
        "GET /v1/leads": Latency(100, 50.5, 95),
        "POST /v1/leads": Latency(1, 40, 40),
    }
    run = document_of(
        run_of(*GREEN, {"requests": {"GET /v1/leads": 100, "GET /v1/unheard": 1}}), CONTEXT
    )
    read = parsed(page(run, SMALL, (), measured))
    first, second = read.query("#requests tbody tr")
    assert first.to_text().split()[-5:] == ["100", "50", "ms", "95", "ms"]
    (dot,) = first.query("circle")
    assert float(attributes(dot)["cx"]) == round(PICTURE_WIDTH * 50.5 / 95, 1)
    assert list(second.query("svg")) == []


def test_run_without_transcripts_shows_no_latency() -> None:
    records = [*GREEN, {"requests": {"GET /v1/leads": 100}}]
    assert (
        list(parsed(page(document_of(run_of(*records), CONTEXT), SMALL)).query("#requests svg"))
        == []
    )


def test_run_without_deliveries_has_no_such_section(tmp_path: Path) -> None:
    assert deliveries(tmp_path) == []
    assert (
        list(parsed(page(document_of(run_of(*GREEN), CONTEXT), SMALL)).query("#deliveries")) == []
    )


def test_automation_signature_is_redacted(tmp_path: Path) -> None:
    arrival = {"at": 1.0, "body": "{}", "headers": {"X-Automation-Signature": "canary-secret"}}
    received = deliveries(_record_deliveries(tmp_path, arrival, arrival))
    made = page(document_of(run_of(*GREEN), CONTEXT), SMALL, received)
    assert "X-Automation-Signature: [secret]" in made
    assert "canary-secret" not in made


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(JSON.map(json.dumps) | st.text('{}[]",:\\ \n1a', max_size=40))
def test_layout_keeps_json_sound_or_broken(text: str) -> None:
    assert re.sub(r"\s", "", laid_out(text)) == re.sub(r"\s", "", text)


@given(JSON)
def test_layout_keeps_values(value: Any) -> None:
    assert json.loads(laid_out(json.dumps(value))) == value


def test_part_at_fault_of_a_long_body_is_shown_and_marked() -> None:
    text = json.dumps(
        {"data": [{"id": number, "name": "n" * 50} for number in range(500)]}, separators=(",", ":")
    )
    start = text.index('{"id":400')
    shown = body(text, (start + 6, start + 9))
    assert "<mark>400</mark>" in shown
    assert shown.startswith(f"[{start + 6 - (MAX_BODY_LENGTH - 3) // 2:,} characters left out]")
    assert shown.endswith(f"\n[{MAX_BODY_LENGTH:,} of {len(text):,} characters]")
    assert body("<\ue000>" * 9, (1, 2)).count("<") == 0


def test_sequence_names_every_exchange_and_marks_the_one_at_fault() -> None:
    steps = [
        step("ends before it", url="https://x.example/1"),
        step("begins after it") | {"at_fault": True},
    ]
    failure = finding(
        "CORE-01",
        "failed",
        violation=violation() | {"sequence": steps, "notes": ["the v1 is wrong: no dot"]},
    )
    read = parsed(page(document_of(run_of(failure), CONTEXT), SMALL))
    first, second = read.query("#CORE-01 .sequence > li")
    assert "ends before it" in first.to_text()
    assert "curl -i -X GET 'https://x.example/1'" in first.to_text()
    assert (attributes(first).get("class"), attributes(second)["class"]) == (None, "fault")
    assert "begins after it" in second.to_text()
    assert text_of(read, "#CORE-01 .notes") == "the v1 is wrong: no dot"


def test_long_body_is_cut() -> None:
    assert body("x" * (MAX_BODY_LENGTH + 1)).endswith(
        f"\n[{MAX_BODY_LENGTH:,} of {MAX_BODY_LENGTH + 1:,} characters]"
    )
    assert len(body("[" * 1_000_000)) < 50 * MAX_BODY_LENGTH


def test_evidence_of_many_failures_is_bounded() -> None:
    long = json.dumps({"data": ["x" * 50] * 200})
    records = [
        finding(
            name,
            "failed",
            operation=f"GET /v1/{place}",
            violation=violation(received=str(number), response_body=long),
        )
        for name in CORE[:60]
        for place in range(12)
        for number in range(3)
    ]
    made = page(document_of(run_of(*records, catalogue=REAL), CONTEXT), REAL)
    assert all(list(node.query(".exchange")) for node in parsed(made).query("article.failed"))
    assert "this page has no room for all" in made
    assert len(made) < 8_000_000
