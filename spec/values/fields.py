"""Which inputs of which operations take which format, and which requirement speaks of each.

What the table leaves out is listed with the reason, so that no input of the contract is forgotten.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from plumbline.spec.values.addresses import EMAIL, PHONE, VISITOR
from plumbline.spec.values.classes import Format
from plumbline.spec.values.identifiers import NAMES, REFERENCES, REQUEST_KEYS, USERS
from plumbline.spec.values.money import AMOUNTS, CURRENCIES
from plumbline.spec.values.request_forms import CONTENT_TYPE, JSON_NUMBERS, JSON_TEXT, MEDIA_TYPE
from plumbline.spec.values.texts import LINE, PROSE, UTM
from plumbline.spec.values.times import DATE_TIMES, FUTURE, NOTED, ZONES

CREATE, CHANGE = "POST /v1/leads", "PATCH /v1/leads/{id}"
BOOK, NOTE = "POST /v1/calls", "PATCH /v1/calls/{id}"
END, MOVE = "POST /v1/calls/{id}/outcome", "POST /v1/calls/{id}/reschedule"
PAY, CORRECT = "POST /v1/payments", "PATCH /v1/payments/{id}"
DEALS = "GET /v1/opportunities"
OTHER_KEYS = "*"
"""Stands in a path for each key that the document does not list."""
KEY = "Idempotency-Key"
HEADERS = frozenset({KEY, CONTENT_TYPE})
"""Paths that are names of headers."""
TEXT = "(text)"
"""The path of the whole body, as it is written."""


@dataclass(frozen=True)
class Field:
    """An input of an operation.

    Attributes:
        operation: operation of the contract.
        path: keys that lead to it in the body, with dots; `[]` stands for each member of an array.
            A parameter of the query begins with `?`. The name of a header, or `(text)` for the body
            as it is written.
        format: what it takes.
        requirement: that what is given comes back.
        taken: that it is accepted; empty where the same requirement says so.
        first: classes that every run sends here, because most clients do, or because a service
            that errs there errs with these.
    """

    operation: str
    path: str
    format: Format
    requirement: str
    taken: str = ""
    first: tuple[str, ...] = ()


FIELDS: tuple[Field, ...] = (
    Field(CREATE, "email", EMAIL, "LEAD-01"),
    Field(CREATE, "full_name", LINE, "LEAD-03"),
    Field(CREATE, "phone", PHONE, "LEAD-03"),
    Field(CREATE, "company", LINE, "LEAD-03"),
    Field(CREATE, "timezone", ZONES, "LEAD-03"),
    Field(CREATE, "visitor_id", VISITOR, "LEAD-09"),
    Field(CREATE, "metadata.*", NAMES, "LEAD-10"),
    Field(CHANGE, "full_name", LINE, "LEAD-14", first=("digits with leading zeros",)),
    Field(CHANGE, "email", EMAIL, "LEAD-14"),
    Field(CHANGE, "phone", PHONE, "LEAD-14"),
    Field(CHANGE, "company", LINE, "LEAD-14", first=("digits with leading zeros",)),
    Field(CHANGE, "timezone", ZONES, "LEAD-14"),
    Field(CHANGE, "notes[].content", PROSE, "LEAD-19"),
    Field(CHANGE, "notes[].created_at", NOTED, "LEAD-19"),
    Field(CHANGE, "notes[].user_id", USERS, "LEAD-19"),
    Field(CHANGE, "notes[].*", NAMES, "LEAD-24"),
    Field(
        BOOK,
        "start_time",
        FUTURE,
        "CALL-05",
        first=("three digits of a second", "offset behind by less than an hour"),
    ),
    Field(BOOK, "guest.email", EMAIL, "CALL-06"),
    Field(BOOK, "guest.name", LINE, "CALL-06"),
    Field(BOOK, "timezone", ZONES, "CALL-01"),
    Field(BOOK, "utm_source", UTM, "CALL-08", "CALL-01"),
    Field(BOOK, "utm_medium", UTM, "CALL-08", "CALL-01"),
    Field(BOOK, "utm_campaign", UTM, "CALL-08", "CALL-01"),
    Field(BOOK, "utm_term", UTM, "CALL-08", "CALL-01"),
    Field(BOOK, "utm_content", UTM, "CALL-08", "CALL-01"),
    Field(BOOK, KEY, REQUEST_KEYS, "CALL-01"),
    Field(NOTE, "notes", PROSE, "CALL-31"),
    Field(END, "notes", PROSE, "CALL-37"),
    Field(MOVE, "scheduled_at", FUTURE, "CALL-38", "CALL-39"),
    Field(MOVE, "timezone", ZONES, "CALL-39", first=("half or three quarters of an hour",)),
    Field(PAY, "currency", CURRENCIES, "PAY-04"),
    Field(PAY, "amount", AMOUNTS, "PAY-02", "PAY-01"),
    Field(PAY, "payment_date", DATE_TIMES, "PAY-04", first=("three digits of a second",)),
    Field(PAY, "external_id", REFERENCES, "PAY-01"),
    Field(CORRECT, "currency", CURRENCIES, "PAY-14", first=("no decimals",)),
    Field(CORRECT, "amount", AMOUNTS, "PAY-14"),
    Field(CORRECT, "external_id", REFERENCES, "PAY-14"),
    Field(DEALS, "?from_date", FUTURE, "OPP-06", first=("six digits of a second",)),
    Field(DEALS, "?to_date", FUTURE, "OPP-07"),
    *(
        Field(operation, path, kind, requirement)
        for operation, text, requirement in (
            (CREATE, JSON_TEXT, "LEAD-01"),
            (CHANGE, JSON_TEXT, "LEAD-14"),
            (BOOK, JSON_TEXT, "CALL-01"),
            (NOTE, JSON_TEXT, "CALL-31"),
            (PAY, JSON_NUMBERS, "PAY-01"),
            (CORRECT, JSON_NUMBERS, "PAY-14"),
        )
        for path, kind in ((TEXT, text), (CONTENT_TYPE, MEDIA_TYPE))
    ),
)
TAKEN_BY_CLASS: Mapping[tuple[str, str], str] = {(UTM.name, "of 255 characters"): "CALL-10"}
"""That values of a class are accepted, by format and class, where a requirement of its own says
so.
"""
LEFT_OUT: Mapping[str, str] = {
    "POST /v1/calls booking_link_id": "an id of the deployment",
    "POST /v1/calls end_time": "the slot decides it",
    "POST /v1/calls closer_email": "an address of the deployment",
    "POST /v1/calls answers": "the form of the deployment decides it",
    "PATCH /v1/leads/{id} status": "an enumeration, tried value by value",
    "PATCH /v1/calls/{id} status": "an enumeration, tried value by value",
    "POST /v1/calls/{id}/outcome status": "an enumeration, tried value by value",
    "POST /v1/payments lead_id": "an id of the deployment",
    "POST /v1/payments call_id": "an id of the deployment",
    "POST /v1/payments product_id": "an id of the deployment",
    "POST /v1/payments status": "an enumeration, tried value by value",
    "POST /v1/payments source": "which values it may have is open (PAY-O03)",
    "PATCH /v1/payments/{id} status": "an enumeration, tried value by value",
    "POST /v1/payments/{id}/verify call_id": "an id of the deployment",
}
"""Inputs that no class is sent to, and why."""


def values_of(
    field: Field,
    text: bytes,
    body: Any,
    headers: Mapping[str, str],
    query: Mapping[str, str] | None = None,
) -> Iterator[Any]:
    """The values that a request gives to a field; keys themselves where the field stands for
    keys.

    Args:
        field: which.
        text: the body as it was sent.
        body: what that text says in JSON.
        headers: of the request.
        query: its parameters.
    """
    if field.path.startswith("?"):
        yield from (value for name, value in (query or {}).items() if name == field.path[1:])
        return
    if field.path in HEADERS:
        wanted = field.path.lower()
        yield from (value for name, value in headers.items() if name.lower() == wanted)
        return
    if field.path == TEXT:
        yield text.decode(errors="replace")
        return
    yield from _within(body, field.path.split("."), _documented(field))


def _documented(field: Field) -> frozenset[str]:
    """The documented keys beside those that a field stands for."""
    if not field.path.endswith(OTHER_KEYS):
        return frozenset()
    from plumbline.spec.catalogue import (  # noqa: PLC0415
        schema,
    )

    part: Mapping[str, Any] = schema(schema_name(field.operation))
    for step in field.path.split(".")[:-1]:
        part = part["properties"][step.removesuffix("[]")]
        part = part["items"] if step.endswith("[]") else part
    return frozenset(part["properties"])


def _within(value: Any, path: list[str], documented: frozenset[str]) -> Iterator[Any]:
    if not path:
        if value is not None:
            yield value
        return
    step, rest = path[0], path[1:]
    if not isinstance(value, dict):
        return
    if step == OTHER_KEYS:
        yield from (key for key in value if key not in documented)
        return
    inner = value.get(step.removesuffix("[]"))
    for member in (inner if isinstance(inner, list) else []) if step.endswith("[]") else [inner]:
        yield from _within(member, rest, documented)


def schema_name(operation: str) -> str:
    """The name of the schema of an operation's body, such as `PATCH-v1-leads-id.body`."""
    method, path = operation.split(" ")
    return f"{method}{path.replace('/', '-').replace('{', '').replace('}', '')}.body"
