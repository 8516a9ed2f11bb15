"""Writes the OpenAPI 3.1 document that the owner of the service would publish: for its readers, and
for any tool.

It says what a client may send and what it has to expect. What the kit sends and refuses is stricter
and stands apart; see `kit_openapi`.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from plumbline.spec.catalogue import ErrorCase
from plumbline.spec.compiler.model import Contract, Endpoint, Guide
from plumbline.spec.compiler.reading.behaviour_tables import GROUPS
from plumbline.spec.compiler.writing.common import Schema, answer_shape
from plumbline.spec.compiler.writing.components import (
    Components,
    camel,
    described,
    header_object,
    header_parameter,
    sentence,
)
from plumbline.spec.compiler.writing.guides import introduction, operation_text, scopes, tag, tags
from plumbline.spec.compiler.writing.listing import error_operations
from plumbline.spec.compiler.writing.published_webhooks import event_shapes, signing_guide, webhook

Node = dict[str, Any]
Examples = Mapping[str, Mapping[str, Any]]
"""Recorded by operation (`request` and `answer`), by status, perhaps with an operation (`answer`),
and by event (`answer`).
"""

SHARED = {
    "401": "Unauthorized",
    "403": "Forbidden",
    "404": "NotFound",
    "429": "TooManyRequests",
    "500": "DatabaseFailure",
}
"""Answers to a group of operations, which are written once, by status."""
OTHERWISE = (
    "Any other failure. The status of a refusal is a 4xx where no other is named; every failure"
    " comes in this envelope."
)
ERROR = "ErrorResponse"
"""The error envelope; `ApiError` and `Error` are classes of generated clients."""
KEY = "apiKey"
KEY_GUIDE = "`Authorization: Bearer` and an API key. `x-scopes` of an operation are enough for it."
HERE = "/"
CREATED = {
    "201": "Created. A create is answered with any 2xx.",
    "202": "Accepted. A create is answered with any 2xx.",
}
"""What creates are answered with besides 200, and what the document says of it."""
"""The server of a document that lies on the deployment which it describes."""
GRAPHQL = {
    "type": "object",
    "description": "`errors`, or the error envelope of REST.",
    "additionalProperties": True,
}
"""A failure over GraphQL, of which no more is known."""


class Published:
    """The document of a contract.

    Args:
        contract: the contract.
        examples: recorded exchanges, as far as there are any.
    """

    def __init__(self, contract: Contract, examples: Examples) -> None:
        self._contract = replace(contract, shapes={**contract.shapes, **event_shapes(contract)})
        self._examples = examples
        self._components = Components(self._contract)

    def document(self) -> Node:
        """The whole document."""
        contract, properties = self._contract, self._contract.properties
        paths: dict[str, Node] = defaultdict(dict)
        for endpoint in contract.endpoints.values():
            paths[endpoint.path][endpoint.method.lower()] = self._operation(endpoint)
        # By reference, because a widely used generator writes broken clients for webhooks, and
        # overlooks those.
        webhooks = {
            event.name: {
                "post": webhook(
                    contract, self._components, event, self._example(event.name, "answer")
                )
            }
            for event in contract.events.values()
        }
        responses = {
            SHARED[_status(error)]: self._failure([error], "")
            for error in contract.errors
            if _shared(error)
        }
        refusal = self._example("default", "answer")
        responses["OtherFailure"] = {
            "description": OTHERWISE,
            "content": _json(self._error([]), refusal),
        }
        return {
            "openapi": "3.1.0",
            "info": {
                "title": properties["title"],
                "version": f"{properties['version'].lstrip('v')}.{properties['revision']}.0",
                "summary": sentence(properties.get("summary", properties["title"])),
                "description": introduction(contract),
                "contact": _contact(properties),
                "license": {
                    "name": properties.get("license", "MIT"),
                    "identifier": properties.get("license", "MIT"),
                },
            },
            "servers": [_server(properties.get("server", HERE))],
            "security": [{KEY: []}],
            "tags": tags(
                contract,
                (
                    signing_guide(sample)
                    if (sample := self._example("payment.succeeded", "answer"))
                    else ""
                ),
            ),
            "paths": dict(paths),
            "webhooks": {name: {"$ref": f"#/components/pathItems/{name}"} for name in webhooks},
            "components": {
                "schemas": dict(sorted(self._components.schemas.items())),
                "responses": responses,
                "pathItems": webhooks,
                "securitySchemes": {
                    KEY: {"type": "http", "scheme": "bearer", "description": KEY_GUIDE}
                },
            },
        }

    def _operation(self, endpoint: Endpoint) -> Node:
        guide = guide_of(self._contract, endpoint)
        node: Node = {
            "operationId": guide.name,
            "summary": (endpoint.meaning[:1].upper() + endpoint.meaning[1:]).replace("`", ""),
            "description": operation_text(self._contract, endpoint, guide.text),
            "tags": [tag(endpoint.chapter)],
        }
        if needed := scopes(endpoint):
            # Not as roles in `security`: Spectral permits these with OAuth alone.
            node["x-scopes"] = needed
        if not self._contract.classes[endpoint.conformance_class].decides:
            node["x-stability-level"] = "alpha"
        if parameters := self._parameters(endpoint):
            node["parameters"] = parameters
        if body := self._contract.bodies.get(endpoint.id):
            schema = self._components.object(f"{camel(guide.name)}Request", body, sent=True)
            node["requestBody"] = {
                "required": True,
                "content": _json(schema, self._example(endpoint.id, "request")),
            }
        return node | {"responses": self._responses(endpoint)}

    def _parameters(self, endpoint: Endpoint) -> list[Node]:
        parameters: list[Node] = []
        if "{id}" in endpoint.path:
            text = self._contract.formats["uuid"]
            schema: Schema = {
                "type": "string",
                "format": text.json_format,
                "examples": [text.example],
            }
            parameters.append(
                {
                    "name": "id",
                    "in": "path",
                    "required": True,
                    "description": "The id of the record.",
                    "schema": schema,
                }
            )
        if query := self._contract.queries.get(endpoint.id):
            for name, field in query.fields.items():
                schema = self._components.field(field, sent=True)
                schema.pop("description", None)
                schema |= default.keywords if (default := field.rule("default")) else {}
                node: Node = {
                    "name": name,
                    "in": "query",
                    "required": field.required,
                    "schema": schema,
                }
                parameters.append(node | {"description": described(self._contract, field)})
        return parameters + [
            header_parameter(header) for header in self._contract.headers.get(endpoint.id, ())
        ]

    def _responses(self, endpoint: Endpoint) -> Node:
        answer = self._answer(endpoint)
        creates = (
            endpoint.id in self._contract.bodies
            and endpoint.method == "POST"
            and "{id}" not in endpoint.path
        )
        words = "Done." if endpoint.success else "Done. Any other 2xx says the same."
        done = {
            "description": words,
            "content": _json(answer, self._example(endpoint.id, "answer")),
        }
        if endpoint.envelope == "list":
            done["links"] = {"nextPage": _next_page(guide_of(self._contract, endpoint).name)}
        responses: Node = {"200": done}
        if creates and _rest(endpoint) and not endpoint.success:
            # one by one, because generators read a class such as 2XX in different ways
            for status, word in CREATED.items():
                responses[status] = done | {"description": word}
        by_status: dict[str, list[ErrorCase]] = defaultdict(list)
        for error in self._contract.errors:
            if endpoint.id in error_operations(self._contract, error):
                by_status[_status(error)].append(error)
        for status, errors in sorted(by_status.items()):
            if len(errors) == 1 and _shared(errors[0]) and endpoint.envelope != "other":
                responses[status] = {"$ref": f"#/components/responses/{SHARED[status]}"}
            else:
                responses[status] = self._failure(errors, endpoint.id)
        if _rest(endpoint):
            return responses | {"default": {"$ref": "#/components/responses/OtherFailure"}}
        failure = self._components.named("GraphQLFailure", GRAPHQL)
        return responses | {
            "default": {"description": "Any other failure.", "content": _json(failure)}
        }

    def _answer(self, endpoint: Endpoint) -> Schema:
        shape, data = answer_shape(self._contract, endpoint), endpoint.data
        if not shape:
            return {"description": "Its shape is left open."}
        if endpoint.envelope == "other":
            return self._components.object(shape.name, shape, sent=False)
        inner = data.name or (data.of.name if data.of else None)
        if endpoint.envelope == "list":
            name = f"{inner}List"
        elif inner:
            name = f"{inner}{'Rows' if data.of else ''}Response"
        else:
            name = f"{camel(guide_of(self._contract, endpoint).name.removeprefix('get'))}Response"
        return self._components.object(name, shape, sent=False)

    def _failure(self, errors: list[ErrorCase], operation: str) -> Node:
        """An answer about errors that share a status."""
        codes = [error.code for error in errors if error.code]
        graphql = operation and not _rest(self._contract.endpoints[operation])
        codes_of_error = codes if len(codes) == len(errors) else []
        schema = (
            self._components.named("GraphQLFailure", GRAPHQL)
            if graphql
            else self._error(codes_of_error)
        )
        status = errors[0].status
        example = self._example(f"{status} {operation}", "answer") or self._example(
            status, "answer"
        )
        failure: Node = {
            "description": " ".join(sentence(error.sentence) for error in errors),
            "content": _json(schema, None if graphql else example),
        }
        if headers := self._contract.headers.get(status):
            failure["headers"] = {header.name: header_object(header) for header in headers}
        return failure

    def _error(self, codes: list[str]) -> Schema:
        """The error envelope, with the codes that it may have where they are known."""
        general = self._components.object(ERROR, self._contract.shapes["Error"], sent=False)
        if not codes:
            return general
        whole = self._components.schemas[ERROR]
        distinct = list(dict.fromkeys(codes))
        name = camel(distinct[-1].lower()).removesuffix("Error") + "Error"
        about = {
            "description": whole["properties"]["code"].get("description", "The kind of error.")
        }
        code: Schema = {"type": "string", "const": distinct[0]}
        if len(distinct) > 1:
            code = self._components.named(
                f"{name}Code", {"type": "string", "enum": distinct} | about
            )
        text = f"A failure with the code {' or '.join(f'`{code}`' for code in distinct)}."
        properties = whole["properties"] | {"code": code | about}
        return self._components.named(name, whole | {"description": text, "properties": properties})

    def _example(self, name: str, part: str) -> Any:
        return self._examples.get(name, {}).get(part)


def openapi_document(contract: Contract, examples: Examples) -> Node:
    """The contract as an OpenAPI document for everyone."""
    return Published(contract, examples).document()


def guide_of(contract: Contract, endpoint: Endpoint) -> Guide:
    """What readers are told about an operation; an operation that no chapter introduces is named
    after its path.
    """
    return contract.guides.get(endpoint.id) or Guide(
        endpoint.method.lower() + camel(endpoint.slug.partition("-")[2]), ""
    )


def _contact(properties: Mapping[str, str]) -> dict[str, str]:
    """Whom readers ask; an address is there once the owner of the service has put one in."""
    ways = {
        kind: properties[f"contact {kind}"]
        for kind in ("url", "email")
        if f"contact {kind}" in properties
    }
    return {"name": properties.get("contact", properties["title"])} | ways


def _server(url: str) -> Node:
    here = (
        "The deployment that serves this document, in production or for testing; from anywhere"
        " else, the base URL of one."
    )
    described = here if url == HERE else "Production."
    return {"url": url, "description": described, "x-internal": False}


def _shared(error: ErrorCase) -> bool:
    return error.operations[0] in GROUPS


def _next_page(operation: str) -> Node:
    """The link from a page of a list to the next one."""
    text = (
        "The next page, while `has_more` is true. Give filters again, since they hold for one"
        " request."
    )
    cursor = {"cursor": "$response.body#/pagination/next_cursor"}
    return {"operationId": operation, "parameters": cursor, "description": text}


def _status(error: ErrorCase) -> str:
    """The status under which an error is published: the first of a class, because many generators
    know no classes.
    """
    return error.status.replace("xx", "00")


def _rest(endpoint: Endpoint) -> bool:
    return endpoint.path.startswith("/v")


def _json(schema: Schema, sample: Any = None) -> Node:
    return {
        "application/json": {"schema": schema} | ({} if sample is None else {"example": sample})
    }
