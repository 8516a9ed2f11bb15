"""Schemas of what a deployment sends: tolerant of anything that the contract does not settle.

A field may be missing or null unless its table says `required`. Unknown fields and values of open
enumerations pass. Formats are patterns, so that every validator judges alike, also one that does
not check formats.
"""

from collections.abc import Callable

from plumbline.spec.compiler.model import Contract, Field, Shape
from plumbline.spec.compiler.writing.common import Schema, annotations, value_schema

Inner = Callable[[str, str | None], Schema]
"""Refers to an object inside another, by its name and the requirement that it serves there."""

KEPT = {"const", "length", "range", "decimals", "forbidden"}
"""Rules that hold for answers; the others speak about requests, or are written by functions of
their own.
"""


def answer_keywords(
    contract: Contract, shape: Shape, requirement: str | None, inner: Inner
) -> Schema:
    """The keywords of an object but its type, which stands where the object is used, because there
    it may be null.
    """
    fields = [field for field in shape.fields.values() if not field.is_group]
    schema: Schema = {"x-requirement": requirement} if requirement else {}
    if required := [field.name for field in fields if field.required]:
        schema["required"] = required
    schema["properties"] = {
        field.name: _property(contract, field, requirement, inner) for field in fields
    }
    if conditions := [condition for field in fields for condition in _conditions(field)]:
        schema["allOf"] = conditions
    return schema


def _property(contract: Contract, field: Field, inherited: str | None, inner: Inner) -> Schema:
    requirement = field.requirement or inherited
    rows = field.rule("rows")
    schema = value_schema(
        field.type, _leaf(contract, (rows.id if rows else None) or requirement, inner)
    )
    if "type" in schema and not field.required:
        schema["type"] = [schema["type"], "null"]
        if "enum" in schema:
            schema["enum"] = [*schema["enum"], None]
    for rule in field.rules:
        if rule.word in KEPT:
            schema |= rule.keywords
    return schema | annotations(field, requirement)


def _leaf(
    contract: Contract, requirement: str | None, inner: Inner
) -> Callable[[str, str], Schema]:
    def leaf(kind: str, name: str) -> Schema:
        if kind == "shape":
            return {"type": "object", **inner(name, requirement)}
        if kind == "enum":
            enumeration = contract.enumerations[name]
            return {
                "type": "string",
                "examples" if enumeration.open else "enum": list(enumeration.values),
            }
        text = contract.formats[name]
        return {"type": "string", "x-format": text.json_format} | (
            {"pattern": text.answer_pattern} if text.answer_pattern else {}
        )

    return leaf


def _conditions(field: Field) -> list[Schema]:
    """What a field demands with a look at a field beside it."""
    conditions: list[Schema] = []
    if unless := field.rule("unless"):
        either = (field.name, unless.keywords["x-unless"])
        conditions.append(
            {"anyOf": [{"required": [name], "properties": {name: {}}} for name in either]}
        )
    if filled := field.rule("filled"):
        flag = filled.keywords["x-filled-while"]
        then: Schema = {"x-requirement": filled.id} if filled.id else {}
        then |= {
            "required": [field.name],
            "properties": {field.name: {"type": "string", "minLength": 1}},
        }
        conditions.append(
            {"if": {"required": [flag], "properties": {flag: {"const": True}}}, "then": then}
        )
    return conditions
