"""Writes the JSON Schema files: one per resource, request body, query, answer and event, each
complete in itself.

Every schema and every property says which requirement it serves (`x-requirement`); single keywords
that serve another one stand in `x-requirements`.
"""

from dataclasses import replace

from plumbline.spec.compiler.model import Contract, Shape
from plumbline.spec.compiler.reading.reader import ContractError
from plumbline.spec.compiler.writing.answer_schemas import answer_keywords
from plumbline.spec.compiler.writing.common import Schema, answer_shape, data_shape, delivery_shape
from plumbline.spec.compiler.writing.request_schemas import request_schema

DIALECT = "https://json-schema.org/draft/2020-12/schema"
PREFIX = "urn:plumbline:contract"
"""Of each `$id`. It names no revision, so that a new one changes only the schemas that it is
about.
"""


def all_schemas(contract: Contract) -> dict[str, Schema]:
    """Every schema of the contract, by name."""
    bodies = _resources(contract) | _operations(contract) | _events(contract)
    return {
        name: {"$schema": DIALECT, "$id": f"{PREFIX}:{name}", "title": name} | body
        for name, body in bodies.items()
    }


def _resources(contract: Contract) -> dict[str, Schema]:
    shapes = [
        shape
        for shape in contract.shapes.values()
        if shape.role == "resource" or shape.name == "Error"
    ]
    return {shape.name: _bundle(contract, shape) for shape in shapes}


def _operations(contract: Contract) -> dict[str, Schema]:
    schemas = {}
    for endpoint in contract.endpoints.values():
        if body := contract.bodies.get(endpoint.id):
            schemas[f"{endpoint.slug}.body"] = request_schema(contract, body)
        if query := contract.queries.get(endpoint.id):
            schemas[f"{endpoint.slug}.query"] = request_schema(contract, query)
        answer = answer_shape(contract, endpoint)
        schemas[f"{endpoint.slug}.answer"] = _bundle(contract, answer) if answer else {}
    return schemas


def _events(contract: Contract) -> dict[str, Schema]:
    schemas = {}
    for event in contract.events.values():
        data = data_shape(contract, event)
        schemas[f"event.{event.name}"] = _bundle(
            replace(contract, shapes={**contract.shapes, data.name: data}),
            delivery_shape(contract, event),
        )
    return schemas


def _bundle(contract: Contract, shape: Shape) -> Schema:
    """An answer with the objects inside it as `$defs`, which may be null; where one must not be,
    its place says so.
    """
    definitions: dict[str, Schema] = {}
    served: dict[str, str | None] = {}

    def inner(name: str, inherited: str | None) -> Schema:
        target = contract.shapes[name]
        requirement = target.requirement or inherited
        if served.setdefault(name, requirement) != requirement:
            raise ContractError(
                f"the object {name} serves {served[name]} and {requirement} inside {shape.name};"
                " give it one id."
            )
        if name not in definitions:
            definitions[name] = {}
            definitions[name] = {"type": ["object", "null"]} | answer_keywords(
                contract, target, requirement, inner
            )
        return {"$ref": f"#/$defs/{name}"}

    schema: Schema = {"type": "object"} | answer_keywords(contract, shape, shape.requirement, inner)
    return schema | ({"$defs": definitions} if definitions else {})
