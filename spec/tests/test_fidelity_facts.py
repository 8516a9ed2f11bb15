"""The contract has what else the service document states: operations, values, states, events,
errors, headers, limits, gaps.
"""

import re

import pytest

from plumbline.spec.compiler.model import Transition
from plumbline.spec.compiler.reading.reader import Table
from plumbline.spec.tests.fidelity import CHAPTERS, CONTRACT, TABLES, TEXT, section

OPEN = {
    "lead-status",
    "verification-status",
    "match-reason",
    "call-kind",
    "call-stage",
    "guest-rsvp-status",
    "field-type",
}
OPEN |= {"field-stage", "webhook-call-status", "direction", "error-code"}
ENUMERATIONS, LIMITS, GAPS = (TABLES[name] for name in ("enumerations", "limits", "gaps"))


def test_operations_are_those_of_the_document() -> None:
    named = set(re.findall(r"\*\*((?:GET|POST|PATCH) /\S+)\*\*", TEXT)) | {"POST /graphql"}
    assert set(CONTRACT.endpoints) == named
    assert len(named) == 26


def test_surfaces_are_those_of_the_document() -> None:
    addresses = {
        row["Address"].text.removeprefix("{base_url}").removesuffix("/*")
        for row in _table("What the service does").rows
    }
    assert set(CONTRACT.surfaces.values()) == addresses


@pytest.mark.parametrize("name", ENUMERATIONS)
def test_enumeration_has_the_values_of_the_document(name: str) -> None:
    match = re.search(ENUMERATIONS[name], TEXT, re.DOTALL)
    assert match
    values = re.findall(r"`([\w]+)`?", " ".join(match.groups()))
    assert list(CONTRACT.enumerations[name].values) == values
    assert CONTRACT.enumerations[name].open == (name in OPEN)


def test_every_enumeration_has_a_source() -> None:
    own = {"error-code", "key-state", "delivery-state", "shown-stage", "settled-call-status"}
    assert set(CONTRACT.enumerations) == {*ENUMERATIONS, *own}


def test_settled_calls_have_one_of_the_nine_statuses() -> None:
    settled, nine = (CONTRACT.enumerations[name] for name in ("settled-call-status", "call-status"))
    assert (settled.values, settled.meanings) == (nine.values, nine.meanings)
    assert settled.open


def test_shown_stages_add_the_stored_lead_status() -> None:
    stages, shown = (
        CONTRACT.enumerations[name].values for name in ("opportunity-stage", "shown-stage")
    )
    assert list(shown) == [*stages, "new"]
    assert "| 5 | otherwise | stored lead status |" in TEXT
    assert "A new lead has status `new`" in TEXT


def test_key_states_are_those_of_the_document() -> None:
    match = re.search(r"States: (Active.*?)\n", TEXT)
    assert match
    assert [word.lower() for word in re.findall(r"[A-Z][a-z]+", match[1])] == list(
        CONTRACT.enumerations["key-state"].values
    )
    rows = [
        (row["From"].text.lower(), row["To"].text.lower())
        for row in _table("API key lifecycle").rows
    ]
    assert [(step.origin, step.target) for step in _steps("key-state")] == rows


def test_triggers_are_those_of_the_document() -> None:
    for heading, enumeration in (
        ("Call status", "call-status"),
        ("Payment status", "verification-status"),
    ):
        triggers = {row["Trigger"].text for row in _table(heading).rows}
        assert {step.trigger for step in _steps(enumeration)} == triggers
    assert {"PATCH /v1/payments/{id}", "POST /v1/payments"} == {
        step.trigger for step in _steps("payment-status")
    }


def test_derivation_has_the_steps_of_the_document() -> None:
    for row, step in zip(
        _table("Opportunity stage (derived at read time)").rows, CONTRACT.derivations, strict=True
    ):
        assert int(row["Order"].text) == step.order
        assert tuple(re.findall(r"`(\w+)`", row["Stage"].text)) == step.values


def test_delivery_outcomes_are_those_of_the_document() -> None:
    followed = {step.trigger: step.target for step in _steps("delivery-state")}
    said = {
        row["Outcome"].text: row["Retried"].text.split()[0]
        for row in _table("Delivery and retry").rows
    }
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
    match = re.search(LIMITS[name], TEXT)
    assert match
    assert CONTRACT.limits[name].value == int(match[1]) * TABLES["factors"].get(name, 1)


def test_every_number_of_the_document_is_a_limit() -> None:
    assert set(CONTRACT.limits) == set(LIMITS)
    text = TEXT.partition("\n## Limits\n")[2].partition("\n## ")[0]
    numbers = {
        int(number) for number in re.findall(r"(?<![\w/])\d+(?!\w)", text.replace("429", ""))
    }
    ours = {limit.value for limit in CONTRACT.limits.values()} | {
        CONTRACT.limits["signature-freshness"].value // 60
    }
    assert numbers <= ours


def test_every_gap_of_the_document_is_an_open_item() -> None:
    lines = [
        line
        for line in TEXT.splitlines()
        if "not shown" in line and 'the words "not shown"' not in line
    ]
    for line in lines:
        assert [start for start in GAPS if start in line], f"no open item for: {line}"
    for start, ids in GAPS.items():
        assert [line for line in lines if start in line], f"no gap begins with: {start}"
        assert set(ids) <= set(CONTRACT.open_items)


def test_no_sentence_of_the_document_is_copied() -> None:
    ours = " ".join(map(_plain, CHAPTERS.values()))
    sentences = {_plain(sentence) for sentence in re.split(r"(?<=[.:;|])\s|\n", TEXT)}
    assert [
        sentence for sentence in sentences if len(sentence.split()) >= 7 and sentence in ours
    ] == []


def _plain(text: str) -> str:
    return re.sub(r"[\s`*|]+", " ", text).strip(" .:;-").lower()


def _table(heading: str) -> Table:
    return section(heading).tables[0]


def _steps(enumeration: str) -> list[Transition]:
    return [step for step in CONTRACT.transitions if step.enumeration == enumeration]
