"""Schemas of what is sent to a deployment: every documented constraint, and only values that the
contract vouches for.

Where more may be allowed than the contract knows, such as the values of an open enumeration, the
schema keeps to what is known; `x-open` says so, and a value outside is then no reason to expect a
refusal.
"""

from collections.abc import Callable
from typing import Any

from plumbline.spec.compiler.model import Contract, Field, Shape
from plumbline.spec.compiler.writing.common import Schema, annotations, value_schema

GIVEN = ("required in requests", "given in requests")
"""Rules of fields that are always sent: because they have to be, or because nobody says whether
they have to be.
"""


def request_schema(contract: Contract, shape: Shape, inherited: str | None = None) -> Schema:
    """The schema of a request body, a query, or an object inside one. Further keys are allowed."""
    requirement = shape.requirement or inherited
    fields = [field for field in shape.fields.values() if not field.rule("published only")]
    schema: Schema = {"type": "object"} | ({"x-requirement": requirement} if requirement else {})
    if shape.not_empty:
        schema |= {"minProperties": 1, "x-requirements": {"minProperties": shape.not_empty}}
    if required := [
        field.name for field in fields if field.required or any(field.rule(word) for word in GIVEN)
    ]:
        schema["required"] = required
    return schema | {
        "properties": {field.name: _property(contract, field, requirement) for field in fields}
    }


def example(schema: Schema, *, whole: bool = True) -> Any:
    """A value that a request schema allows, the same every time.

    Args:
        schema: of a request, or of a part of one.
        whole: give an object all of its fields, and not only those that it needs; objects inside
            get what they need.
    """
    for keyword in ("examples", "enum"):
        if keyword in schema:
            return schema[keyword][0]
    if "default" in schema:
        return schema["default"]
    kind = schema.get("type", "string")
    match kind if isinstance(kind, str) else kind[0]:
        case "object":
            names = schema.get("properties", {}) if whole else schema.get("required", [])
            return {name: example(schema["properties"][name], whole=False) for name in names}
        case "array":
            return [example(schema["items"], whole=False)]
        case "integer" | "number":
            return schema.get("minimum", 0) + 1
    return "An example"


def _property(contract: Contract, field: Field, inherited: str | None) -> Schema:
    requirement = field.requirement or inherited
    narrower = field.rule("sent as")
    kind = narrower.type if narrower and narrower.type else field.type
    schema = value_schema(kind, _leaf(contract, requirement))
    for rule in field.rules:
        schema |= rule.keywords
    if field.rule("nullable"):
        schema["type"] = [schema["type"], "null"]
    return schema | annotations(field, requirement)


def _leaf(contract: Contract, requirement: str | None) -> Callable[[str, str], Schema]:
    def leaf(kind: str, name: str) -> Schema:
        if kind == "shape":
            return request_schema(contract, contract.shapes[name], requirement)
        if kind == "enum":
            return {"type": "string", "enum": list(contract.enumerations[name].values)}
        text = contract.formats[name]
        pattern = {"pattern": text.request_pattern} if text.request_pattern else {}
        return (
            {"type": "string", "format": text.json_format} | pattern | {"examples": [text.example]}
        )

    return leaf
