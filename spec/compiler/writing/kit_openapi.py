"""Writes the OpenAPI document that requests of the kit are drawn from: the published one, with the
stricter request schemas.

These name the requirement of each constraint, and keep to the values that the contract vouches for.
"""

import copy
from typing import Any

from plumbline.spec.compiler.model import Contract
from plumbline.spec.compiler.writing.request_schemas import example, request_schema


def kit_openapi_document(contract: Contract, published: dict[str, Any]) -> dict[str, Any]:
    """The document of the kit.

    Args:
        contract: the contract.
        published: the document for everyone, which stays as it is.
    """
    document = copy.deepcopy(published)
    for endpoint in contract.endpoints.values():
        operation = document["paths"][endpoint.path][endpoint.method.lower()]
        if body := contract.bodies.get(endpoint.id):
            schema = request_schema(contract, body)
            operation["requestBody"]["content"]["application/json"] = {
                "schema": schema,
                "example": example(schema),
            }
        if query := contract.queries.get(endpoint.id):
            strict = request_schema(contract, query)["properties"]
            for parameter in operation["parameters"]:
                if parameter["in"] == "query":
                    parameter["schema"] = strict[parameter["name"]]
    return document
