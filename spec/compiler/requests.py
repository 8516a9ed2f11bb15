"""Schemas of what is sent to a deployment: every documented constraint, and only values that the contract vouches for.

Where more may be allowed than the contract knows, such as the values of an open enumeration, the schema keeps to what is known;
`x-open` says so, and a value outside is then no reason to expect a refusal.
"""

from typing import Any

from plumbline.spec.compiler.answers import annotations
from plumbline.spec.compiler.model import Contract, Field, Shape, Type

Schema = dict[str, Any]


def request_schema(contract: Contract, shape: Shape, inherited: str | None = None) -> Schema:
    """The schema of a request body, a query, or an object inside one. Further keys are allowed."""
    requirement = shape.requirement or inherited
    fields = shape.fields.values()
    schema: Schema = {"type": "object"} | ({"x-requirement": requirement} if requirement else {})
    if required := [field.name for field in fields if field.required or field.rule("required in requests")]:
        schema["required"] = required
    return schema | {"properties": {field.name: request_property(contract, field, requirement) for field in fields}}


def request_property(contract: Contract, field: Field, inherited: str | None) -> Schema:
    """The schema of one field of a body, or of one parameter of a query."""
    requirement = field.requirement or inherited
    narrower = field.rule("sent as")
    kind = narrower.type if narrower and narrower.type else field.type
    schema = _value(contract, kind, requirement)
    for rule in field.rules:
        schema |= rule.keywords
    if field.rule("nullable"):
        schema["type"] = [schema["type"], "null"]
    return schema | annotations(field, requirement)


def example(contract: Contract, schema: Schema) -> Any:
    """A value that a request schema allows, with all of its fields, the same every time."""
    if "examples" in schema or "default" in schema or "enum" in schema:
        return schema.get("examples", [schema.get("default")])[0] or schema["enum"][0]
    kind = schema.get("type")
    kind = kind[0] if isinstance(kind, list) else kind
    if kind == "object":
        return {name: example(contract, inner) for name, inner in schema.get("properties", {}).items()}
    if kind == "array":
        return [example(contract, schema["items"])]
    return {"integer": schema.get("minimum", 1), "number": schema.get("minimum", 0) + 12.5, "boolean": True}.get(
        kind or "", "An example"
    )


def _value(contract: Contract, kind: Type, requirement: str | None) -> Schema:
    if kind.kind == "any":
        return {}
    if kind.kind in ("array", "map") and kind.of:
        word = "items" if kind.kind == "array" else "additionalProperties"
        return {"type": "array" if kind.kind == "array" else "object", word: _value(contract, kind.of, requirement)}
    if kind.kind == "enum":
        return {"type": "string", "enum": list(contract.enumerations[kind.name or ""].values)}
    if kind.kind == "shape":
        return request_schema(contract, contract.shapes[kind.name or ""], requirement)
    if kind.name:
        text = contract.formats[kind.name]
        pattern = {"pattern": text.request_pattern} if text.request_pattern else {}
        return {"type": "string", "format": text.json_format} | pattern | {"examples": [text.example]}
    return {"type": kind.kind}
