"""What schemas have in common: the nesting of types, the ids beside each field, the wrapping of
answers and deliveries.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from plumbline.spec.compiler.model import Contract, Endpoint, EventKind, Field, Rule, Shape, Type

Schema = dict[str, Any]


def value_schema(kind: Type, leaf: Callable[[str, str], Schema]) -> Schema:
    """The schema of a value that is not null.

    Args:
        kind: its type.
        leaf: the schema of a format, an enumeration or an object, from the kind of the type and its
            name.
    """
    if kind.of:
        members = value_schema(kind.of, leaf)
        return (
            {"type": "array", "items": members}
            if kind.kind == "array"
            else {"type": "object", "additionalProperties": members}
        )
    if kind.name:
        return leaf(kind.kind, kind.name)
    return {} if kind.kind == "any" else {"type": kind.kind}


def annotations(field: Field, requirement: str | None) -> Schema:
    """Which requirement a field serves, which one its single keywords serve, and which open item
    limits both.
    """
    schema: Schema = {"x-requirement": requirement} if requirement else {}
    if single := {
        keyword: rule.id
        for rule in field.rules
        if rule.id
        for keyword in rule.keywords or (rule.word,)
    }:
        schema["x-requirements"] = single
    if field.open_item:
        schema["x-open"] = field.open_item
    if field.meaning:
        schema["description"] = field.meaning.replace("`", "")
    return schema


def answer_shape(contract: Contract, endpoint: Endpoint) -> Shape | None:
    """The whole answer of an operation, or None where nothing is known about it."""
    if endpoint.envelope == "other":
        return contract.shapes[endpoint.data.name] if endpoint.data.name else None
    envelope = contract.shapes["Single" if endpoint.envelope == "single" else "List"]
    kind = endpoint.data if endpoint.envelope == "single" else Type("array", of=endpoint.data)
    data = replace(envelope.fields["data"], type=kind)
    return replace(envelope, fields={**envelope.fields, "data": data})


def data_shape(contract: Contract, event: EventKind) -> Shape:
    """What `data` of a delivery holds: the fields of the entity and, beside them, the attribution
    of every event.

    An object of the webhooks chapter is judged under its own requirement. One of another chapter
    lends its types only, and is judged under the requirement of the attribution.
    """
    attribution, entity = contract.shapes["Attribution"], contract.shapes[event.data.name or ""]
    own = contract.event_data[event.name].fields if event.name in contract.event_data else {}
    if _prefix(entity) == _prefix(attribution):
        return replace(entity, fields={**attribution.fields, **entity.fields, **own})
    fields = {name: replace(field, requirement=None) for name, field in entity.fields.items()}
    return Shape(
        entity.name,
        "object",
        {**fields, **attribution.fields, **own},
        attribution.requirement,
        text=attribution.text,
    )


def delivery_shape(contract: Contract, event: EventKind) -> Shape:
    """The body of a delivery, its `event` fixed and its `data` named after the entity."""
    delivery = contract.shapes["Delivery"]
    kind, data = delivery.fields["event"], delivery.fields["data"]
    fixed = {
        "event": replace(kind, rules=(*kind.rules, Rule("const", {"const": event.name}))),
        "data": replace(data, type=event.data),
    }
    return replace(delivery, fields={**delivery.fields, **fixed})


def _prefix(shape: Shape) -> str:
    return (shape.requirement or "").partition("-")[0]
