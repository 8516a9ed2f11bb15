"""The classes of values: each draws values that belong to it, and every input of the contract has a
format or a reason.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plumbline.spec import catalogue, schema
from plumbline.spec.reserved import is_reserved_mailbox, is_reserved_phone
from plumbline.spec.values import FIELDS, Format, ValueClass
from plumbline.spec.values.addresses import EMAIL, PHONE
from plumbline.spec.values.classes import unique
from plumbline.spec.values.fields import (
    HEADERS,
    KEY,
    LEFT_OUT,
    OTHER_KEYS,
    TEXT,
    schema_name,
    values_of,
)
from plumbline.spec.values.texts import LINE, PROSE, UTM
from plumbline.spec.values.times import DATE_TIMES, FORMS, moment_of, same_zone

FORMATS = [*{id(field.format): field.format for field in FIELDS}.values()]
CLASSES = [
    pytest.param(kind, member, id=f"{kind.name}, {member.name}")
    for kind in FORMATS
    for member in kind.classes
]
EXAMPLES = 20
TAG = "k3f9r2a17"


@pytest.mark.parametrize(("kind", "member"), CLASSES)
def test_drawn_values_belong_to_their_class(kind: Format, member: ValueClass) -> None:
    @settings(max_examples=EXAMPLES)
    @given(member.draw())
    def draws(value: Any) -> None:
        sent = unique(value, TAG) if kind.is_unique else value
        assert member.name in set(kind.of(sent))
        assert not isinstance(sent, str) or sent == sent.strip()
        assert not kind.is_unique or unique(value, "other7") != sent

    draws()


@pytest.mark.parametrize(
    ("kind", "member"), [row for row in CLASSES if row.values[0] in (EMAIL, PHONE)]
)
def test_addresses_reach_nobody(kind: Format, member: ValueClass) -> None:
    @settings(max_examples=EXAMPLES)
    @given(member.draw())
    def draws(value: str) -> None:
        assert (
            is_reserved_mailbox(unique(value, TAG)) if kind is EMAIL else is_reserved_phone(value)
        )

    draws()


@pytest.mark.parametrize("kind", FORMATS, ids=lambda kind: kind.name)
def test_values_of_other_types_belong_to_no_class(kind: Format) -> None:
    wrong: list[Any] = [True, False, None, {}, []]
    assert [value for value in wrong if [*kind.of(value)]] == []


def test_every_class_has_a_reason() -> None:
    assert [
        member.name
        for kind in FORMATS
        for member in kind.classes
        if not member.reason.endswith(".")
    ] == []


@given(st.text())
def test_recognising_never_fails(text: str) -> None:
    for kind in FORMATS:
        assert isinstance([*kind.of(text)], list)


@pytest.mark.parametrize("name", FORMS)
def test_a_form_keeps_the_instant(name: str) -> None:
    moment = moment_of("2026-03-29T00:59:30Z")
    assert moment is not None
    written = FORMS[name].write(moment)
    assert moment_of(written) == moment
    assert name in set(DATE_TIMES.of(written))


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        ("Asia/Calcutta", "Asia/Kolkata", True),
        ("UTC", "Etc/UTC", True),
        ("Europe/Berlin", "Europe/London", False),
        ("Europe/Berlin", "Mars/Base", False),
        ("America/New_York", "../etc/passwd", False),
    ],
)
def test_a_link_is_the_zone_that_it_leads_to(left: str, right: str, *, same: bool) -> None:
    assert same_zone(left, right) is same


def inputs(part: Mapping[str, Any], path: str = "") -> Iterator[str]:
    """The paths of all inputs of a body."""
    for name, field in part.get("properties", {}).items():
        at = f"{path}{name}"
        if field.get("items", {}).get("properties"):
            yield from inputs(field["items"], f"{at}[].")
            yield f"{at}[].{OTHER_KEYS}"
        elif field.get("properties"):
            yield from inputs(field, f"{at}.")
        else:
            yield at


BODIES = [
    operation
    for operation in catalogue().operations
    if operation.split(" ")[0] in ("POST", "PATCH") and " /v1/" in operation
]


@pytest.mark.parametrize("operation", BODIES)
def test_no_input_is_forgotten(operation: str) -> None:
    taken = {field.path for field in FIELDS if field.operation == operation}
    names = {
        path
        for path in inputs(schema(schema_name(operation)))
        if f"{operation} {path}" not in LEFT_OUT and not path.startswith("metadata.")
    }
    assert names - taken == set()


def test_every_field_and_every_omission_exists() -> None:
    left_out = [(name.rpartition(" ")[0], name.rpartition(" ")[2]) for name in LEFT_OUT]
    for operation, path in [(field.operation, field.path) for field in FIELDS] + left_out:
        part = schema(
            schema_name(operation).replace(".body", ".query")
            if path[0] == "?"
            else schema_name(operation)
        )
        assert path.lstrip("?") in {
            *inputs(part),
            *HEADERS,
            TEXT,
            f"metadata.{OTHER_KEYS}",
        }, f"{operation} {path}"
    spoken_of = {name for field in FIELDS for name in (field.requirement, field.taken) if name}
    assert spoken_of <= set(catalogue().requirements)
    assert all(field.format[name] for field in FIELDS for name in field.first)


def test_values_of_a_request_are_found() -> None:
    body = json.loads(
        b'{"notes": [{"content": "a", "created_at": "2026-01-05T10:00:00Z", "mood": 1}, {"content":'
        b' "b"}, 7], "full_name": "Zo\\u0308", "metadata": {"city": "x", "odd": 1}}'
    )
    shown = {
        (field.operation, field.path): [*values_of(field, b"", body, {})]
        for field in FIELDS
        if field.operation in ("PATCH /v1/leads/{id}", "POST /v1/leads")
    }
    assert shown["PATCH /v1/leads/{id}", "notes[].content"] == ["a", "b"]
    assert shown["PATCH /v1/leads/{id}", f"notes[].{OTHER_KEYS}"] == ["mood"]
    assert shown["POST /v1/leads", f"metadata.{OTHER_KEYS}"] == ["odd"]
    assert shown["PATCH /v1/leads/{id}", "email"] == []
    (bound,) = (field for field in FIELDS if field.path == "?to_date")
    assert [
        *values_of(bound, b"", None, {}, {"to_date": "2026-01-05T10:00:00Z", "limit": "5"})
    ] == ["2026-01-05T10:00:00Z"]
    (key,) = (field for field in FIELDS if field.path == KEY)
    assert [*values_of(key, b"", None, {"idempotency-key": "x"})] == ["x"]


def test_texts_share_their_classes() -> None:
    assert {member.name for member in LINE.classes} & {member.name for member in UTM.classes} <= {
        member.name for member in PROSE.classes
    }
