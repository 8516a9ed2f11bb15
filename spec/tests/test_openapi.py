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


def test_document_is_valid() -> None:
    """The document is valid OpenAPI 3.1."""
    assert [str(error) for error in OpenAPIV31SpecValidator(openapi()).iter_errors()] == []
    assert openapi()["openapi"] == "3.1.0"
    assert next(iter(openapi())) == "x-generated"


def test_nothing_is_missing() -> None:
    """The document has each operation and each event of the catalogue, and no other one."""
    named = {f"{method.upper()} {path}" for path, item in openapi()["paths"].items() for method in item}
    assert named == set(catalogue().operations)
    assert set(openapi()["webhooks"]) == set(catalogue().events)


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.id)
def test_errors_are_documented(operation: Any) -> None:
    """An operation documents each error that the catalogue gives it, and that anything else may be refused."""
    documented = set(entry(operation.id)["responses"])
    expected = {error.status.upper() for error in catalogue().errors if operation.id in error.operations}
    assert documented == expected | {"200" if operation.success == (200,) else "2XX", "4XX"}


@pytest.mark.parametrize("operation", [item for item in OPERATIONS if item.request_schema], ids=lambda operation: operation.id)
def test_examples_are_valid(operation: Any) -> None:
    """The example of a request is one that its schema allows, formats included."""
    content = entry(operation.id)["requestBody"]["content"]["application/json"]
    jsonschema_rs.Draft202012Validator(content["schema"], validate_formats=True).validate(content["example"])


def test_limits_show_headers() -> None:
    """The answer to too many requests documents the four headers that come with it."""
    headers = openapi()["components"]["responses"]["Error429"]["headers"]
    assert set(headers) == {"X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "Retry-After"}


def test_deliveries_need_no_key() -> None:
    """Webhooks are signed, and carry no API key."""
    for item in openapi()["webhooks"].values():
        assert item["post"]["security"] == []
        assert "X-Svc-Signature-V1" in [parameter["name"] for parameter in item["post"]["parameters"]]
