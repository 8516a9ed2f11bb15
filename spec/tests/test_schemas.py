"""The generated schemas are valid, self-contained, and judged alike by both validators."""

import json
import re
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import jsonschema
import jsonschema_rs
import pytest

from plumbline.spec import catalogue, kit_openapi, openapi, schema

NAMES = catalogue().schemas
ID = "7F1C2D9E-4b58-9c1a-0d3e-2a6f0b8c5e71"
LEAD = {
    "id": ID,
    "email": "ada@example.com",
    "status": "qualified",
    "total_paid_cents": 12.0,
    "notes": [{"content": "x"}],
}
CALL = {
    "id": ID,
    "status": "scheduled",
    "scheduled_at": "2031-01-07T15:00:00Z",
    "closer_id": "user_1",
}
PAYMENT = {"id": ID, "amount": 19.99, "currency": "USD", "status": "succeeded"}
PAGE = {"data": [], "pagination": {"has_more": False}}
DELIVERY = {"created_at": "2031-01-07T15:00:00Z", "organization_id": "o", "data": {"id": "x"}}
NEW_PAYMENT = {
    "lead_id": ID,
    "amount": 0,
    "payment_date": "2031-01-07T15:00:00Z",
    "status": "pending",
    "source": "m",
}

GOOD: list[tuple[str, Any]] = [
    ("Lead", LEAD),
    ("Lead", {"id": ID}),
    ("Lead", LEAD | {"email": None, "notes": None, "metadata": None, "surprise": [1]}),
    ("Lead", LEAD | {"phone": "+14155550123", "metadata": {"utmId": 7, "latitude": 1, "new": {}}}),
    ("Call", CALL),
    ("Call",
     CALL | {"call_kind": "other", "guest_rsvp_status": "maybe", "ai_summary": None,
     "duration_minutes": 30.5}),
    *(("Call", CALL | {"scheduled_at": text}) for text in (
        "2031-01-07T15:00:00.123456789Z", "2031-01-07t15:00:00z", "2031-01-07T15:00:00+00",
        "20310107T150000Z",
        "2031-01-07T15:00:00,5-0330", "2031-01-07T15:00", "2031-W02-2T15:00:00+01:00",
        "2031-007T15Z",
    )),
    ("Payment", PAYMENT),
    ("Payment",
     PAYMENT | {"amount": 0, "verification_status": "unheard-of", "refund_status": None}),
    ("Opportunity", {"id": ID, "stage": "won", "lead": {"id": ID}, "closed_at": "whenever"}),
    ("Error", {"success": False, "error": "No", "code": "ANY", "requestId": "r", "details": []}),
    ("GET-v1-leads.answer", PAGE),
    ("GET-v1-leads.answer", {"data": [LEAD], "pagination": {"has_more": True, "next_cursor": "c"}}),
    ("GET-v1-leads.answer", {"data": [], "pagination": {"has_more": False, "next_cursor": None}}),
    ("GET-v1-calls-id-analysis.answer", {"success": True, "data": {"scores": {}}}),
    ("POST-graphql.answer", {"data": None, "errors": [{"message": "no"}]}),
    ("event.lead.created", DELIVERY | {"event": "lead.created"}),
    ("POST-v1-leads.body", {"email": "ada@example.com", "metadata": None, "surprise": 1}),
    ("PATCH-v1-leads-id.body", {"notes": None}),
    ("POST-v1-payments.body", NEW_PAYMENT),
    ("POST-v1-payments-id-verify.body", {"call_id": ID.lower()}),
]  # fmt: skip

BAD: list[tuple[str, Any]] = [
    ("Lead", {}),
    ("Lead", None),
    ("Lead", {"id": None}),
    ("Lead", LEAD | {"id": "7f1c2d9e4b584c1a9d3e2a6f0b8c5e71"}),
    ("Lead", LEAD | {"id": f"{ID}\n"}),
    ("Lead", LEAD | {"email": "nobody"}),
    ("Lead", LEAD | {"phone": "+1 415 555 0123"}),
    ("Lead", LEAD | {"phone": "+14155550123\n"}),
    ("Lead", LEAD | {"phone": "+1415555\uff10123"}),
    ("Lead", LEAD | {"total_paid_cents": 12.5}),
    ("Lead", LEAD | {"payment_count": "3"}),
    ("Lead", LEAD | {"payment_count": True}),
    ("Lead", LEAD | {"notes": [None]}),
    ("Lead", LEAD | {"notes": [{"content": 1}]}),
    ("Lead", LEAD | {"metadata": {"latitude": "1"}}),
    *(("Call", CALL | {"scheduled_at": text}) for text in (
        "2031-01-07", "15:00:00Z", "2031-01-07 15:00:00Z", "2031-01-07T15:00:00Z\n",
        "2031-01-07T15:00:00 UTC",
        "next week", "1893456000",
    )),
    ("Call", CALL | {"scheduled_at": 1893456000}),
    ("Call", CALL | {"closer_id": "42"}),
    ("Call", CALL | {"status": 3}),
    ("Call", CALL | {"transcript_data": {"segments": {}}}),
    ("Payment", PAYMENT | {"amount": -0.01}),
    ("Payment", PAYMENT | {"amount": "19.99"}),
    ("Payment", PAYMENT | {"status": "paid"}),
    ("Payment", PAYMENT | {"currency": "US"}),
    ("Opportunity", {"id": ID, "stage": "rescheduled"}),
    ("BookingField", {"id": "f", "kind": "other"}),
    ("Error", {"success": False, "error": "", "code": "ANY", "requestId": "r"}),
    ("Error", {"success": True, "error": "No", "code": "ANY", "requestId": "r"}),
    ("Error", {"success": False, "error": "No", "code": "ANY"}),
    ("GET-v1-leads.answer", PAGE | {"success": True}),
    ("GET-v1-leads.answer", {"data": [], "pagination": {"has_more": True}}),
    ("GET-v1-leads.answer", {"data": [], "pagination": {"has_more": True, "next_cursor": ""}}),
    ("GET-v1-leads.answer", {"data": [{"id": ID, "status": 1}], "pagination": {"has_more": False}}),
    ("GET-v1-leads.answer", {"data": None, "pagination": {"has_more": False}}),
    ("POST-v1-leads.answer", {"data": LEAD}),
    ("POST-v1-leads.answer", {"success": True, "data": None}),
    ("POST-graphql.answer", {}),
    ("POST-graphql.answer", {"errors": ["no"]}),
    ("event.lead.created", DELIVERY | {"event": "lead.updated"}),
    ("event.call.booked", DELIVERY | {"event": "call.booked", "data": {}}),
    ("POST-v1-leads.body", {}),
    ("POST-v1-leads.body", {"email": "ada@example.com", "visitor_id": "1234567"}),
    ("POST-v1-leads.body", {"email": "ada@example.com", "full_name": None}),
    ("PATCH-v1-leads-id.body", {}),
    ("POST-v1-calls-id-outcome.body", {"status": "unfit"}),
    ("POST-v1-payments.body", NEW_PAYMENT | {"amount": -1}),
    ("GET-v1-calls.query", {"closer_id": "user_"}),
]  # fmt: skip


def matches_as_in_ecma_262(
    _validator: object, pattern: str, value: object, _schema: object
) -> Iterator[jsonschema.ValidationError]:
    """The keyword `pattern` as JSON Schema has it: `$` is the very end, also after a line feed."""
    if isinstance(value, str) and not re.search(re.sub(r"\$$", r"\\Z", pattern), value):
        yield jsonschema.ValidationError(f"{value!r} does not match {pattern!r}")


Slow: Any = jsonschema.validators.extend(  # type: ignore[no-untyped-call]
    jsonschema.Draft202012Validator, {"pattern": matches_as_in_ecma_262}
)


def both(name: str, value: Any) -> tuple[bool, bool]:
    """The opinions of jsonschema-rs and jsonschema about a value."""
    fast = jsonschema_rs.Draft202012Validator(schema(name)).is_valid(value)
    return fast, Slow(schema(name)).is_valid(value)


def test_schemas_are_valid_and_self_contained() -> None:
    assert {name: wrong for name in NAMES if (wrong := list(_wrong_with(schema(name))))} == {}


def test_patterns_are_read_by_engines_without_looking_around() -> None:
    """As RE2 is, the engine of Go and of many gateways; `regex` of Rust knows no more than it."""
    options = jsonschema_rs.RegexOptions()
    for name in NAMES:
        jsonschema_rs.validator_for(schema(name), pattern_options=options)
    patterns = {
        pattern
        for document in (*map(schema, NAMES), kit_openapi(), openapi())
        for pattern in _values(document, "pattern")
        if isinstance(pattern, str)
    }
    assert len(patterns) > 5
    for pattern in sorted(patterns):
        jsonschema_rs.validator_for({"pattern": pattern}, pattern_options=options)


def test_vocabulary_says_what_keywords_of_our_own_hold() -> None:
    """Every schema of the kit obeys it in every part, and uses no other keyword of its own."""
    text = files("plumbline.spec.generated").joinpath("vocabulary.json").read_text("utf-8")
    own = json.loads(text)["properties"]
    jsonschema.Draft202012Validator.check_schema({"properties": own})
    validators = {name: jsonschema.Draft202012Validator(rule) for name, rule in own.items()}
    used = [
        (name, word, value)
        for name in NAMES
        for part in _schemas_in(schema(name))
        for word, value in part.items()
        if word in own or word.startswith("x-")
    ]
    assert {word for _, word, _ in used} == own.keys()
    assert [entry for entry in used if not validators[entry[1]].is_valid(entry[2])] == []


def _schemas_in(node: Any) -> Iterator[dict[str, Any]]:
    """A schema and all those inside it; a property called `format` is no keyword."""
    if not isinstance(node, dict):
        return
    yield node
    for word, value in node.items():
        if word in ("properties", "$defs"):
            for inner in value.values():
                yield from _schemas_in(inner)
        elif isinstance(value, list):
            for inner in value:
                yield from _schemas_in(inner)
        elif word not in ("x-requirements", "x-within-days"):
            yield from _schemas_in(value)


def _wrong_with(document: Any) -> Iterator[str]:
    try:
        jsonschema.Draft202012Validator.check_schema(document)
        jsonschema_rs.Draft202012Validator(document, validate_formats=True)
    except (jsonschema.SchemaError, jsonschema_rs.ValidationError, ValueError) as error:
        yield str(error)
    if list(document)[:3] != ["x-generated", "$schema", "$id"]:
        yield "does not say first that it is generated"
    yield from (
        reference for reference in _values(document, "$ref") if not reference.startswith("#/$defs/")
    )


def test_both_validators_accept_good_samples() -> None:
    assert [
        (name, value, opinions)
        for name, value in GOOD
        if (opinions := both(name, value)) != (True, True)
    ] == []


def test_both_validators_reject_bad_samples() -> None:
    assert [
        (name, value, opinions)
        for name, value in BAD
        if (opinions := both(name, value)) != (False, False)
    ] == []


def test_operations_and_events_name_existing_schemas() -> None:
    for operation in catalogue().operations.values():
        names = {operation.request_schema, operation.query_schema, operation.response_schema} - {
            None
        }
        assert names <= set(NAMES)
    assert {event.schema for event in catalogue().events.values()} <= set(NAMES)


def test_annotations_name_known_ids() -> None:
    contract = catalogue()
    for document in (*(schema(name) for name in NAMES), kit_openapi()):
        assert set(_values(document, "x-requirement")) <= set(contract.requirements)
        assert set(_values(document, "x-open")) <= set(contract.open_items)
        assert {
            value for group in _values(document, "x-requirements") for value in group.values()
        } <= set(contract.requirements)


def test_every_property_names_a_requirement() -> None:
    serves_none = [
        f"{field} of {name}"
        for name in NAMES
        if not name.endswith("graphql.body")
        for properties in _values(schema(name), "properties")
        for field, rules in properties.items()
        if "x-requirement" not in rules and not set(rules) <= {"const", "type", "minLength"}
    ]
    assert serves_none == []


def test_unknown_schema_is_refused() -> None:
    with pytest.raises(KeyError, match="no schema 'Leed'"):
        schema("Leed")


def _values(node: Any, key: str) -> list[Any]:
    if isinstance(node, dict):
        own = [node[key]] if key in node else []
        return own + [value for inner in node.values() for value in _values(inner, key)]
    return (
        [value for inner in node for value in _values(inner, key)] if isinstance(node, list) else []
    )
