"""Writes the OpenAPI 3.1 document: all paths, all webhooks, what each answers, and an example of each request."""

from collections import defaultdict
from typing import Any

from plumbline.spec.catalogue import ErrorCase
from plumbline.spec.compiler.answers import answer_keywords
from plumbline.spec.compiler.common import Schema, answer_shape, data_shape, delivery_shape, value_schema
from plumbline.spec.compiler.facts import GROUPS
from plumbline.spec.compiler.listing import error_operations
from plumbline.spec.compiler.model import Contract, Endpoint, EventKind, Header, Shape
from plumbline.spec.compiler.requests import example, request_schema

Node = dict[str, Any]

WRAPPINGS = ("Single", "List", "Delivery", "Attribution")
"""Objects that are written out with what they wrap, and not by reference."""


def openapi_document(contract: Contract) -> Node:
    """The contract as an OpenAPI document."""
    paths: dict[str, Node] = defaultdict(dict)
    for endpoint in contract.endpoints.values():
        paths[endpoint.path][endpoint.method.lower()] = _operation(contract, endpoint)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": contract.properties["title"],
            "version": contract.properties["version"],
            "description": f"Revision {contract.properties['revision']} of the contract, SHA-256 {contract.digest}.",
        },
        "security": [{"apiKey": []}],
        "paths": dict(paths),
        "webhooks": {event.name: {"post": _webhook(contract, event)} for event in contract.events.values()},
        "components": {
            "schemas": {name: _component(contract, shape) for name, shape in contract.shapes.items() if name not in WRAPPINGS},
            "responses": {_shared_name(error): _error(contract, [error]) for error in _shared(contract)}
            | {"Refused": _failure("refused; the status is open", [])},
            "securitySchemes": {"apiKey": {"type": "http", "scheme": "bearer", "description": "an API key"}},
        },
    }


def _operation(contract: Contract, endpoint: Endpoint) -> Node:
    node: Node = {
        "operationId": endpoint.slug,
        "summary": endpoint.meaning,
        "tags": [endpoint.chapter],
        "x-conformance-class": endpoint.conformance_class,
    }
    if parameters := _parameters(contract, endpoint):
        node["parameters"] = parameters
    if body := contract.bodies.get(endpoint.id):
        schema = request_schema(contract, body)
        node["requestBody"] = {"required": True, "content": _json(schema, example(schema))}
    return node | {"responses": _responses(contract, endpoint)}


def _parameters(contract: Contract, endpoint: Endpoint) -> list[Node]:
    parameters: list[Node] = []
    if "{id}" in endpoint.path:
        text = contract.formats["uuid"]
        schema = {"type": "string", "format": text.json_format, "examples": [text.example]}
        parameters.append({"name": "id", "in": "path", "required": True, "schema": schema})
    if query := contract.queries.get(endpoint.id):
        for name, schema in request_schema(contract, query)["properties"].items():
            parameter = {"name": name, "in": "query", "required": query.fields[name].required, "schema": schema}
            parameters.append(parameter)
    if endpoint.id in contract.headers:
        parameters += [_header_parameter(header) for header in contract.headers[endpoint.id]]
    return parameters


def _responses(contract: Contract, endpoint: Endpoint) -> Node:
    shape = answer_shape(contract, endpoint)
    schema = _answer(contract, shape) if shape else {}
    responses: Node = {"200" if endpoint.success else "2XX": {"description": endpoint.meaning, "content": _json(schema)}}
    by_status: dict[str, list[ErrorCase]] = defaultdict(list)
    for error in contract.errors:
        if endpoint.id in error_operations(contract, error):
            by_status[error.status.upper()].append(error)
    for status, errors in sorted(by_status.items()):
        shared = len(errors) == 1 and errors[0] in _shared(contract)
        responses[status] = {"$ref": f"#/components/responses/{_shared_name(errors[0])}"} if shared else _error(contract, errors)
    return responses | {"4XX": {"$ref": "#/components/responses/Refused"}}


def _shared(contract: Contract) -> list[ErrorCase]:
    """Errors of a group of operations, which are written once."""
    return [error for error in contract.errors if error.operations[0] in GROUPS]


def _shared_name(error: ErrorCase) -> str:
    return f"Error{error.status}"


def _error(contract: Contract, errors: list[ErrorCase]) -> Node:
    codes = [error.code for error in errors if error.code]
    failure = _failure("; ".join(error.sentence for error in errors), codes if len(codes) == len(errors) else [])
    if headers := contract.headers.get(errors[0].status):
        failure["headers"] = {header.name: _header(header) for header in headers}
    return failure


def _failure(description: str, codes: list[str]) -> Node:
    schema: Schema = {"type": "object", "$ref": "#/components/schemas/Error"}
    if codes:
        schema["properties"] = {"code": {"enum": codes}}
    return {"description": description, "content": _json(schema)}


def _webhook(contract: Contract, event: EventKind) -> Node:
    data = data_shape(contract, event)

    def inner(name: str, inherited: str | None) -> Schema:
        return _component(contract, data) if name == data.name else _reference(name, inherited)

    delivery = delivery_shape(contract, event)
    schema = {"type": "object"} | answer_keywords(contract, delivery, delivery.requirement, inner)
    return {
        "operationId": event.name,
        "summary": event.meaning,
        "security": [],
        "parameters": [_header_parameter(header) for header in contract.headers["every delivery"]],
        "requestBody": {"required": True, "content": _json(schema)},
        "responses": {"2XX": {"description": "received"}},
    }


def _component(contract: Contract, shape: Shape) -> Schema:
    """An object without its type, which stands where the object is used, because there it may be null."""
    return answer_keywords(contract, shape, shape.requirement, _reference)


def _answer(contract: Contract, shape: Shape) -> Schema:
    body = _component(contract, shape) if shape.name in WRAPPINGS else _reference(shape.name, None)
    return {"type": "object"} | body


def _reference(name: str, _: str | None) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


def _header_parameter(header: Header) -> Node:
    return {"name": header.name, "in": "header", "required": header.required, **_header(header)}


def _header(header: Header) -> Node:
    return {
        "description": header.meaning,
        "schema": value_schema(header.type, lambda _, name: {"type": "string", "format": name}),
    }


def _json(schema: Schema, sample: Any = None) -> Node:
    return {"application/json": {"schema": schema} | ({} if sample is None else {"example": sample})}
