"""The contract has what else the service document states: operations, values, states, events, errors, headers, limits, gaps."""

import re
from pathlib import Path

import pytest

from plumbline.spec.compiler.links import compile_contract
from plumbline.spec.compiler.model import Transition
from plumbline.spec.compiler.reader import Section, Table, read

HERE = Path(__file__).parent
TEXT = (HERE / "service-document.md").read_text(encoding="utf-8")
DOCUMENT = read("service-document.md", TEXT)
CONTRACT = compile_contract({path.name: path.read_text(encoding="utf-8") for path in (HERE.parent / "contract").glob("*.md")})

ENUMERATIONS = {
    "call-status": r"Call status values: (.*?)\. `unfit` is set",
    "call-outcome": r"Body: `status` \(required, one of (.*?)\)",
    "payment-status": r"\| status \| string \| (`pending`.*?) \|",
    "opportunity-stage": r"Stage values: (.*?)\. Derivation",
    "field-kind": r"\| kind \| string \| (.*?) \|",
    "scope": r"one or more of (.*?), chosen at creation",
    "upcoming": r"\| is_upcoming \| string \| (.*?); omit",
    "lead-status": r"\| status \| string \| (`new` on create; `qualified`) is also",
    "verification-status": r"\| verification_status \| string \| (`confirmed`) is a value",
    "match-reason": r"one reason value is (`email_exact`)",
    "call-kind": r"\| call_kind \| string \| one observed value: (.*?) \|",
    "call-stage": r"\| call_stage \| string \| one observed value: (.*?) \|",
    "guest-rsvp-status": r"\| guest_rsvp_status \| string \| observed value (.*?) \|",
    "field-type": r"\| type \| string \| observed value (.*?) \|",
    "field-stage": r"\| stage \| string \| reveal stage; observed value (.*?) \|",
    "webhook-call-status": r"status \(observed value (`scheduled`)\)",
    "direction": r"`direction` \(value (`next`)",
    "key-environment": r"production (`svc_pk_live_).*?test (`svc_pk_test_)",
}
"""Enumerations, and where the document gives their values in backticks."""

OPEN = {"lead-status", "verification-status", "match-reason", "call-kind", "call-stage", "guest-rsvp-status", "field-type"}
OPEN |= {"field-stage", "webhook-call-status", "direction", "error-code"}

LIMITS = {
    "rest-requests": (r"\| REST \| (\d+) requests per minute", 1),
    "graphql-requests": (r"\| GraphQL \| (\d+) requests per minute", 1),
    "bulk-operations": (r"\| Bulk operations \| (\d+) requests per minute", 1),
    "booking-requests": (r"\| POST /v1/calls \| (\d+) requests per minute per API key", 1),
    "page-size-minimum": (r"List `limit`: (\d+) to", 1),
    "page-size-maximum": (r"List `limit`: 1 to (\d+)", 1),
    "opportunities-page-size": (r"opportunities default (\d+)", 1),
    "availability-range": (r"Availability range: at most (\d+) days", 1),
    "utm-length": (r"`utm_\*` inputs on POST /v1/calls: length <= (\d+)", 1),
    "visitor-id-minimum": (r"`visitor_id`: length (\d+) to", 1),
    "visitor-id-maximum": (r"`visitor_id`: length 8 to (\d+)", 1),
    "team-days-minimum": (r"Team performance `days`: (\d+) to", 1),
    "team-days-maximum": (r"Team performance `days`: 1 to (\d+)", 1),
    "team-days-default": (r"Team performance `days`: 1 to 365, default (\d+)", 1),
    "delivery-timeout": (r"Webhook: (\d+) s response window", 1),
    "signature-freshness": (r"(\d+) min signature freshness", 60),
    "secret-grace": (r"(\d+) h secret grace", 1),
    "delivery-retries": (r"grace, (\d+) retries", 1),
    "delivery-concurrency": (r"(\d+) concurrent per host", 1),
    "delivery-log-retention": (r"logs retained (\d+) days", 1),
    "delivery-log-shown": (r"last (\d+) attempts per subscription", 1),
    "delivery-error-length": (r"truncated to (\d+) characters", 1),
    "secret-size": (r"(\d+) random bytes", 1),
    "key-rotation-advice": (r"every (\d+) days is recommended", 1),
    "graphql-deprecation": (r"at least (\d+) months after deprecation", 1),
}
"""Limits, where the document gives each, and the factor between its unit and ours."""

GAPS = {
    "Allowed values of lead `status` beyond": "LEAD-O01",
    "Allowed values of `call_kind`, `call_stage` and `guest_rsvp_status`": "CALL-O03",
    "Allowed values of `verification_status`": "PAY-O01",
    "Booking link record": "LINK-O01",
    "Complete transition rules between call statuses": "CALL-O02",
    "Status is set on create and may be changed by PATCH": "PAY-O02",
    "A new lead has status `new`; a pipeline transition": "LEAD-O10",
    "**GET /v1/leads** is a paginated list": "LEAD-O03",
    "**GET /v1/calls/{id}/analysis**": "CALL-O09",
    "**GET /v1/payments** lists payments": "PAY-O06",
    "**GET /v1/webhooks/deliveries**": "HOOK-O06",
    "Success HTTP status codes of the create endpoints": "ENV-O01",
    "Webhook subscription create/list/delete/rotate endpoints": "HOOK-O08",
    "The type of `answers` in POST /v1/calls": "CALL-O04, CALL-O05",
    "The GraphQL schema": "GQL-O01",
    "Which scope each endpoint requires": "AUTH-O01",
    "`data` shapes of all other events": "HOOK-O01",
    "The complete list of error codes": "ERR-O01, ERR-O02",
    "Request body size limits and pagination cursor lifetime": "LIM-O06, LIM-O07",
}
"""Every place where the document leaves something open, and the open items that say so."""


def test_operations_are_those_of_the_document() -> None:
    named = set(re.findall(r"\*\*((?:GET|POST|PATCH) /\S+)\*\*", TEXT)) | {"POST /graphql"}
    assert set(CONTRACT.endpoints) == named
    assert len(named) == 26


def test_surfaces_are_those_of_the_document() -> None:
    addresses = {
        row["Address"].text.removeprefix("{base_url}").removesuffix("/*") for row in _table("What the service does").rows
    }
    assert set(CONTRACT.surfaces.values()) == addresses


@pytest.mark.parametrize("name", ENUMERATIONS)
def test_enumeration_has_the_values_of_the_document(name: str) -> None:
    found = re.search(ENUMERATIONS[name], TEXT, re.DOTALL)
    assert found
    values = re.findall(r"`([\w]+)`?", " ".join(found.groups()))
    assert list(CONTRACT.enumerations[name].values) == values
    assert CONTRACT.enumerations[name].open == (name in OPEN)


def test_every_enumeration_has_a_source() -> None:
    assert set(CONTRACT.enumerations) == {*ENUMERATIONS, "error-code", "key-state", "delivery-state", "shown-stage"}


def test_shown_stages_add_the_stored_lead_status() -> None:
    stages, shown = (CONTRACT.enumerations[name].values for name in ("opportunity-stage", "shown-stage"))
    assert list(shown) == [*stages, "new"]
    assert "| 5 | otherwise | stored lead status |" in TEXT
    assert "A new lead has status `new`" in TEXT


def test_key_states_are_those_of_the_document() -> None:
    found = re.search(r"States: (Active.*?)\n", TEXT)
    assert found
    assert [word.lower() for word in re.findall(r"[A-Z][a-z]+", found[1])] == list(CONTRACT.enumerations["key-state"].values)
    rows = [(row["From"].text.lower(), row["To"].text.lower()) for row in _table("API key lifecycle").rows]
    assert [(step.origin, step.target) for step in _steps("key-state")] == rows


def test_triggers_are_those_of_the_document() -> None:
    for heading, enumeration in (("Call status", "call-status"), ("Payment status", "verification-status")):
        triggers = {row["Trigger"].text for row in _table(heading).rows}
        assert {step.trigger for step in _steps(enumeration)} == triggers
    assert {"PATCH /v1/payments/{id}", "POST /v1/payments"} == {step.trigger for step in _steps("payment-status")}


def test_derivation_has_the_steps_of_the_document() -> None:
    for row, step in zip(_table("Opportunity stage (derived at read time)").rows, CONTRACT.derivations, strict=True):
        assert int(row["Order"].text) == step.order
        assert tuple(re.findall(r"`(\w+)`", row["Stage"].text)) == step.values


def test_delivery_outcomes_are_those_of_the_document() -> None:
    followed = {step.trigger: step.target for step in _steps("delivery-state")}
    said = {row["Outcome"].text: row["Retried"].text.split()[0] for row in _table("Delivery and retry").rows}
    ours = {"timeout after 10 s": "timeout after 10 seconds"}
    assert {ours.get(outcome, outcome) for outcome in said} == set(followed) - {"any failure"}
    for outcome, retried in said.items():
        assert (followed[ours.get(outcome, outcome)] == "retried") == (retried == "yes")
    assert followed["any failure"] == "failed"


def test_events_are_those_of_the_document() -> None:
    assert list(CONTRACT.events) == [row["Event"].text for row in _table("Event kinds").rows]


def test_errors_are_those_of_the_document() -> None:
    said = set()
    for row in _table("Errors").rows:
        code = re.fullmatch(r"`(\w+)`", row["Code"].text)
        said.add((row["HTTP status"].text, code[1] if code else None))
    assert {(error.status, error.code) for error in CONTRACT.errors} == said
    assert set(CONTRACT.enumerations["error-code"].values) == {code for _, code in said if code}


def test_headers_are_those_of_the_document() -> None:
    named = set(re.findall(r"`(X-[\w-]+|Retry-After|Idempotency-Key|Authorization)[`:]", TEXT))
    assert {header.name for place in CONTRACT.headers.values() for header in place} == named


@pytest.mark.parametrize("name", LIMITS)
def test_limit_has_the_value_of_the_document(name: str) -> None:
    pattern, factor = LIMITS[name]
    found = re.search(pattern, TEXT)
    assert found
    assert CONTRACT.limits[name].value == int(found[1]) * factor


def test_every_number_of_the_document_is_a_limit() -> None:
    assert set(CONTRACT.limits) == set(LIMITS)
    section = TEXT.partition("\n## Limits\n")[2].partition("\n## ")[0]
    numbers = {int(number) for number in re.findall(r"(?<![\w/])\d+(?!\w)", section.replace("429", ""))}
    ours = {limit.value for limit in CONTRACT.limits.values()} | {CONTRACT.limits["signature-freshness"].value // 60}
    assert numbers <= ours


def test_every_gap_of_the_document_is_an_open_item() -> None:
    lines = [line for line in TEXT.splitlines() if "not shown" in line and 'the words "not shown"' not in line]
    for line in lines:
        assert [start for start in GAPS if start in line], f"no open item for: {line}"
    for start, ids in GAPS.items():
        assert [line for line in lines if start in line], f"no gap begins with: {start}"
        assert set(ids.split(", ")) <= set(CONTRACT.open_items)


def test_no_sentence_of_the_document_is_copied() -> None:
    ours = " ".join(_plain(path.read_text(encoding="utf-8")) for path in sorted((HERE.parent / "contract").glob("*.md")))
    sentences = {_plain(sentence) for sentence in re.split(r"(?<=[.:;|])\s|\n", TEXT)}
    assert [sentence for sentence in sentences if len(sentence.split()) >= 7 and sentence in ours] == []


def _plain(text: str) -> str:
    return re.sub(r"[\s`*|]+", " ", text).strip(" .:;-").lower()


def _section(heading: str) -> Section:
    return next(section for section in DOCUMENT if section.heading.text == heading)


def _table(heading: str) -> Table:
    return _section(heading).tables[0]


def _steps(enumeration: str) -> list[Transition]:
    return [step for step in CONTRACT.transitions if step.enumeration == enumeration]
