"""What schemas of requests and of answers have in common: the nesting of types, and the ids beside each field."""

from collections.abc import Callable
from typing import Any

from plumbline.spec.compiler.model import Field, Type

Schema = dict[str, Any]


def value_schema(kind: Type, leaf: Callable[[str, str], Schema]) -> Schema:
    """The schema of a value that is not null.

    Args:
        kind: its type.
        leaf: the schema of a format, an enumeration or an object, from the kind of the type and its name.
    """
    if kind.of:
        members = value_schema(kind.of, leaf)
        return (
            {"type": "array", "items": members} if kind.kind == "array" else {"type": "object", "additionalProperties": members}
        )
    if kind.name:
        return leaf(kind.kind, kind.name)
    return {} if kind.kind == "any" else {"type": kind.kind}


def annotations(field: Field, requirement: str | None) -> Schema:
    """Which requirement a field serves, which one its single keywords serve, and which open item limits both."""
    schema: Schema = {"x-requirement": requirement} if requirement else {}
    if single := {keyword: rule.id for rule in field.rules if rule.id for keyword in rule.keywords or (rule.word,)}:
        schema["x-requirements"] = single
    if field.open_item:
        schema["x-open"] = field.open_item
    if field.meaning:
        schema["description"] = field.meaning
    return schema
