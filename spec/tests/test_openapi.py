"""The generated OpenAPI document is valid, whole, and its examples are what its schemas allow."""

from typing import Any

import jsonschema_rs
import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator

from plumbline.spec import catalogue, openapi

OPERATIONS = list(catalogue().operations.values())


def entry(operation: str) -> dict[str, Any]:
    """The entry of an operation in the document."""
    method, path = operation.split(" ")
    found: dict[str, Any] = openapi()["paths"][path][method.lower()]
    return found


def test_document_is_valid_openapi() -> None:
    assert [str(error) for error in OpenAPIV31SpecValidator(openapi()).iter_errors()] == []
    assert openapi()["openapi"] == "3.1.0"
    assert next(iter(openapi())) == "x-generated"


def test_document_has_all_operations_and_events() -> None:
    named = {f"{method.upper()} {path}" for path, item in openapi()["paths"].items() for method in item}
    assert named == set(catalogue().operations)
    assert set(openapi()["webhooks"]) == set(catalogue().events)


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.id)
def test_operation_documents_its_errors(operation: Any) -> None:
    documented = set(entry(operation.id)["responses"])
    expected = {error.status.upper() for error in catalogue().errors if operation.id in error.operations}
    assert documented == expected | {"200" if operation.success == (200,) else "2XX", "4XX"}


@pytest.mark.parametrize("operation", [item for item in OPERATIONS if item.request_schema], ids=lambda operation: operation.id)
def test_request_example_is_valid(operation: Any) -> None:
    content = entry(operation.id)["requestBody"]["content"]["application/json"]
    jsonschema_rs.Draft202012Validator(content["schema"], validate_formats=True).validate(content["example"])


def test_429_documents_limit_headers() -> None:
    headers = openapi()["components"]["responses"]["Error429"]["headers"]
    assert set(headers) == {"X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "Retry-After"}


def test_deliveries_need_no_key() -> None:
    for item in openapi()["webhooks"].values():
        assert item["post"]["security"] == []
        assert "X-Svc-Signature-V1" in [parameter["name"] for parameter in item["post"]["parameters"]]
