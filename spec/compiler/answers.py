"""Schemas of what a deployment sends: tolerant of anything that the contract does not settle.

A field may be missing or null unless its table says `required`. Unknown fields and values of open enumerations pass. Formats
are patterns, so that every validator judges alike and none has to be told to look at formats.
"""

from collections.abc import Callable
from typing import Any

from plumbline.spec.compiler.model import Contract, Field, Shape, Type

Schema = dict[str, Any]
Inner = Callable[[str, str | None], Schema]
"""Refers to an object inside another, by its name and the requirement that it serves there."""

KEPT = {"const", "length", "length <=", "length >=", "length =", ">=", "range", "decimals", "forbidden"}
"""Rules that hold for answers; the others speak about requests, or are written by functions of their own."""


def answer_keywords(contract: Contract, shape: Shape, requirement: str | None, inner: Inner) -> Schema:
    """The keywords of an object but its type, which stands where the object is used, because there it may be null."""
    fields = shape.fields.values()
    schema: Schema = {"x-requirement": requirement} if requirement else {}
    if required := [field.name for field in fields if field.required]:
        schema["required"] = required
    schema["properties"] = {field.name: _property(contract, field, requirement, inner) for field in fields}
    if conditions := [_condition(field) for field in fields if field.rule("filled while")]:
        schema["allOf"] = conditions
    return schema


def annotations(field: Field, requirement: str | None) -> Schema:
    """Which requirement a property serves, which one single keywords serve, and which open item limits both."""
    schema: Schema = {}
    if requirement:
        schema["x-requirement"] = requirement
    single = {keyword: rule.id for rule in field.rules if rule.id for keyword in rule.keywords or (rule.word,)}
    if single := {keyword: identifier for keyword, identifier in single.items() if keyword not in ("rows", "x-filled-while")}:
        schema["x-requirements"] = single
    if field.open_item:
        schema["x-open"] = field.open_item
    if field.meaning:
        schema["description"] = field.meaning
    return schema


def _property(contract: Contract, field: Field, inherited: str | None, inner: Inner) -> Schema:
    requirement = field.requirement or inherited
    rows = field.rule("rows")
    schema = _value(contract, field.type, (rows.id if rows else None) or requirement, inner)
    if "type" in schema and not field.required:
        schema["type"] = [schema["type"], "null"]
        if "enum" in schema:
            schema["enum"] = [*schema["enum"], None]
    for rule in field.rules:
        if rule.word in KEPT:
            schema |= rule.keywords
    return schema | annotations(field, requirement)


def _value(contract: Contract, kind: Type, requirement: str | None, inner: Inner) -> Schema:
    """The schema of a value that is not null."""
    if kind.kind == "any":
        return {}
    if kind.kind == "array" and kind.of:
        items = _value(contract, kind.of, requirement, inner)
        return {"type": "array", "items": items} if items else {"type": "array"}
    if kind.kind == "map" and kind.of:
        return {"type": "object", "additionalProperties": _value(contract, kind.of, requirement, inner)}
    if kind.kind == "enum":
        enumeration = contract.enumerations[kind.name or ""]
        word = "examples" if enumeration.open else "enum"
        return {"type": "string", word: list(enumeration.values)}
    if kind.kind == "shape":
        return {"type": "object", **inner(kind.name or "", requirement)}
    if kind.name:
        text = contract.formats[kind.name]
        return {"type": "string", "x-format": text.name} | ({"pattern": text.answer_pattern} if text.answer_pattern else {})
    return {"type": kind.kind}


def _condition(field: Field) -> Schema:
    rule = field.rule("filled while")
    flag = rule.keywords["x-filled-while"] if rule else ""
    return {
        "if": {"required": [flag], "properties": {flag: {"const": True}}},
        "then": {
            "x-requirement": rule.id if rule else None,
            "required": [field.name],
            "properties": {field.name: {"type": "string", "minLength": 1}},
        },
    }
