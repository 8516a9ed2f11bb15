"""Puts data into its wrapping: the answer of an operation, the delivery of an event."""

from dataclasses import replace

from plumbline.spec.compiler.model import Contract, Endpoint, EventKind, Rule, Shape, Type


def answer_shape(contract: Contract, endpoint: Endpoint) -> Shape | None:
    """The whole answer of an operation, or None where nothing is known about it."""
    if endpoint.envelope == "other":
        return contract.shapes[endpoint.data.name] if endpoint.data.name else None
    envelope = contract.shapes["Single" if endpoint.envelope == "single" else "List"]
    kind = endpoint.data if endpoint.envelope == "single" else Type("array", of=endpoint.data)
    data = replace(envelope.fields["data"], type=kind)
    return replace(envelope, fields={**envelope.fields, "data": data})


def data_shape(contract: Contract, event: EventKind) -> Shape:
    """What `data` of a delivery holds: the fields of the entity and, beside them, the attribution of every event.

    An object of the webhooks chapter is judged under its own requirement. One of another chapter lends its types only, and is
    judged under the requirement of the attribution.
    """
    attribution, entity = contract.shapes["Attribution"], contract.shapes[event.data.name or ""]
    if _prefix(entity) == _prefix(attribution):
        return replace(entity, fields={**attribution.fields, **entity.fields})
    fields = {name: replace(field, requirement=None) for name, field in entity.fields.items()}
    return Shape(entity.name, "object", {**fields, **attribution.fields}, attribution.requirement)


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
