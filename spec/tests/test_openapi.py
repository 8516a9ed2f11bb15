"""The published OpenAPI document is valid and whole, says what the service document says, and holds
nothing of our own.
"""

import hashlib
import hmac
import json
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator

from plumbline.spec import catalogue, kit_openapi, openapi
from plumbline.spec.compiler.build import build

HOME = Path(__file__).parents[1] / "contract"
OPERATIONS = list(catalogue().operations.values())
SCHEMAS: dict[str, Any] = openapi()["components"]["schemas"]
SUFFIXES = (
    "Request",
    "Response",
    "Responses",
    "Params",
    "Body",
    "Data",
    "Error",
    "Errors",
    "Status",
    "Type",
    "Result",
    "Input",
)
"""What generators put behind an operation id."""
CLASSES_OF_CLIENTS = (
    "ApiError",
    "ApiClient",
    "ApiException",
    "ApiResponse",
    "Client",
    "Configuration",
    "Error",
    "Response",
)
"""Classes of generated clients themselves."""
EXTENSIONS = {"x-internal", "x-scopes", "x-stability-level", "x-traitTag"}
"""Extensions of servers, operations and tags; schemas have none, so every validator reads them."""


def entry(operation: str, document: dict[str, Any] | None = None) -> dict[str, Any]:
    """The entry of an operation in the document."""
    method, path = operation.split(" ")
    described: dict[str, Any] = (document or openapi())["paths"][path][method.lower()]
    return described


def plain(name: str) -> str:
    """A name without what tells camel, Pascal and snake apart."""
    return re.sub(r"[^a-z0-9]", "", name.lower())


def reference(schema: dict[str, Any]) -> str:
    """The component that a schema refers to, also where null may stand in its place; empty where
    there is none.
    """
    return str(
        next((part["$ref"] for part in (schema, *schema.get("oneOf", ())) if "$ref" in part), "")
    )


def parameter(operation: str, name: str) -> dict[str, Any]:
    """A parameter of an operation."""
    return next(
        parameter_ for parameter_ in entry(operation)["parameters"] if parameter_["name"] == name
    )


def events() -> dict[str, Any]:
    """The webhooks by event."""
    items = openapi()["components"]["pathItems"]
    return {
        name: items[item["$ref"].rpartition("/")[2]]["post"]
        for name, item in openapi()["webhooks"].items()
    }


def nodes(node: Any) -> Iterator[dict[str, Any]]:
    """All JSON objects inside a value."""
    if isinstance(node, dict):
        yield node
    for inner in (
        node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
    ):
        yield from nodes(inner)


def contents(answer: dict[str, Any]) -> list[dict[str, Any]]:
    """The media types of an answer, which may be a reference."""
    name = answer.get("$ref", "").rpartition("/")[2]
    return list(
        (openapi()["components"]["responses"][name] if name else answer).get("content", {}).values()
    )


@pytest.mark.parametrize("document", [openapi(), kit_openapi()], ids=["published", "kit"])
def test_document_is_valid_openapi(document: dict[str, Any]) -> None:
    assert [str(error) for error in OpenAPIV31SpecValidator(document).iter_errors()] == []
    assert document["openapi"] == "3.1.0"


def test_document_has_all_operations_and_events() -> None:
    named = {
        f"{method.upper()} {path}" for path, item in openapi()["paths"].items() for method in item
    }
    assert named == set(catalogue().operations)
    assert set(events()) == set(catalogue().events)


def test_version_carries_the_revision() -> None:
    assert openapi()["info"]["version"] == f"1.{catalogue().revision}.0"


def test_published_document_holds_nothing_of_the_kit() -> None:
    keys = {key for node in nodes(openapi()) for key in node}
    assert {key for key in keys if key.startswith("x-")} <= EXTENSIONS
    assert not [key for node in nodes(SCHEMAS) for key in node if key.startswith("x-")]
    assert not [node for node in nodes(openapi()) if node.get("not") == {}]
    assert not [node["pattern"] for node in nodes(openapi()) if "(?" in str(node.get("pattern"))]
    formats = {
        str(node["format"]) for node in nodes(SCHEMAS) if isinstance(node.get("format"), str)
    }
    assert formats == {"uuid", "email", "date-time", "int64", "double"}


def test_everything_is_described() -> None:
    """Each component and property, also one that refers to a component: what it means there."""
    bare = [name for name, schema in SCHEMAS.items() if len(schema.get("description", "")) < 8]
    inner = {
        f"{name}.{field}": node
        for name, schema in SCHEMAS.items()
        for field, node in schema.get("properties", {}).items()
    }
    assert (
        bare + [name for name, node in inner.items() if len(node.get("description", "")) < 8] == []
    )
    parameters = [
        described
        for operation in OPERATIONS
        for described in entry(operation.id).get("parameters", [])
    ]
    assert [
        described["name"] for described in parameters if len(described.get("description", "")) < 8
    ] == []


def test_references_have_at_most_a_description_and_components_have_types() -> None:
    assert [
        node
        for node in nodes(openapi())
        if "$ref" in node and not node.keys() <= {"$ref", "description"}
    ] == []
    assert [
        name for name, schema in SCHEMAS.items() if schema.get("type") not in ("object", "string")
    ] == []
    assert [name for name in SCHEMAS if re.search(r"\d", name)] == []


def test_references_stand_where_generators_look_for_them() -> None:
    """Below a keyword of its own or below one plain type, since some take no list for `array`."""
    lists = [node for node in nodes(openapi()) if isinstance(node.get("type"), list)]
    assert len(lists) > 100
    assert [node for node in lists if "$ref" in json.dumps(node)] == []


def test_no_two_names_become_one() -> None:
    """Generators name what has no name after its place, in camel, Pascal and snake; all three are
    one name here.
    """
    names: dict[str, set[str]] = defaultdict(set)
    own = {}
    for name, schema in SCHEMAS.items():
        own[plain(name)] = f"#/components/schemas/{name}"
        for field, inner in schema.get("properties", {}).items():
            names[plain(name + field)].add(reference(inner) or f"{name}.{field}")
    for operation in OPERATIONS:
        node = entry(operation.id)
        sent = reference(
            node.get("requestBody", {})
            .get("content", {})
            .get("application/json", {})
            .get("schema", {})
        )
        for suffix in SUFFIXES:
            names[plain(node["operationId"] + suffix)].add(
                sent if suffix == "Request" else f"{operation.id} {suffix}"
            )
    for name, reference_to in own.items():
        names[name].add(reference_to)
    assert {name: places for name, places in names.items() if len(places - {""}) > 1} == {}
    assert [
        name
        for name in SCHEMAS
        for field in SCHEMAS[name].get("properties", {})
        if plain(name) == plain(field)
    ] == []
    assert {*own} & {name.lower() for name in CLASSES_OF_CLIENTS} == set()


def test_numbers_have_a_width() -> None:
    """Unix seconds after January 2038, counts and money fit into what generators make of a
    number.
    """
    widths = {"integer": "int64", "number": "double"}
    typed = [node for node in nodes(openapi()) if isinstance(node.get("type"), str | list)]
    kinds = [
        (node, {node["type"]} if isinstance(node["type"], str) else {*node["type"]})
        for node in typed
    ]
    narrow = [
        node
        for node, kind in kinds
        for word in kind & {*widths}
        if node.get("format") != widths[word]
    ]
    assert narrow == []


def test_what_the_service_sends_may_hold_more() -> None:
    """Additive changes come without notice, and some generators refuse fields that no schema
    names.
    """
    sent = re.compile("(Request|Input)$|^Guest$")
    answers = [
        name
        for name, schema in SCHEMAS.items()
        if schema["type"] == "object" and not sent.search(name)
    ]
    assert [name for name in answers if not SCHEMAS[name].get("additionalProperties")] == []


def test_operation_ids_are_those_of_an_author() -> None:
    ids = [entry(operation.id)["operationId"] for operation in OPERATIONS]
    assert len(set(ids)) == len(ids)
    assert {"createLead", "recordCallOutcome", "rescheduleCall", "verifyPayment"} <= set(ids)
    verbs = "create|get|list|update|record|reschedule|verify|run"
    assert [
        identifier for identifier in ids if not re.fullmatch(f"({verbs})[A-Z][A-Za-z]+", identifier)
    ] == []


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.id)
def test_operation_documents_its_errors_after_its_successes(operation: Any) -> None:
    statuses = list(entry(operation.id)["responses"])
    creates = operation.id in ("POST /v1/leads", "POST /v1/calls", "POST /v1/payments")
    expected = {
        error.status.replace("xx", "00")
        for error in catalogue().errors
        if operation.id in error.operations
    }
    successes = ["200", "201", "202"] if creates else ["200"]
    assert statuses == [*successes, *sorted(expected), "default"]


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.id)
def test_operation_tells_readers_what_it_does(operation: Any) -> None:
    text = entry(operation.id)["description"]
    assert len(text.partition("**Scope**")[0]) > 60
    for error in catalogue().errors:
        if operation.id in error.operations:
            assert (
                f"| {error.status} | {f'`{error.code}`' if error.code else ''} | {error.sentence} |"
                in text
            )
    assert ("20 requests per minute" in text) == (operation.id == "POST /v1/calls")
    assert entry(operation.id)["tags"][0] in {
        tag["name"] for tag in openapi()["tags"] if len(tag["description"]) > 60
    }


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.id)
def test_recorded_examples_are_valid(operation: Any) -> None:
    asked = [entry(operation.id)["requestBody"]] if operation.request_schema else []
    answers = [
        answer for status, answer in entry(operation.id)["responses"].items() if status != "default"
    ]
    unseen = []
    for media in [media for holder in (*asked, *answers) for media in contents(holder)]:
        if "example" in media:
            validator = jsonschema_rs.Draft202012Validator(
                {"components": openapi()["components"], **media["schema"]}, validate_formats=True
            )
            validator.validate(media["example"])
        else:
            unseen.append(media)
    assert operation.id == "POST /graphql" or not unseen


def test_429_documents_limit_headers() -> None:
    headers = openapi()["components"]["responses"]["TooManyRequests"]["headers"]
    assert set(headers) == {
        "X-RateLimit-Limit",
        "X-RateLimit-Remaining",
        "X-RateLimit-Reset",
        "Retry-After",
    }


def test_published_document_is_as_strict_as_the_service_document() -> None:
    """Each assertion is a place where one document once stood for what the service accepts and for
    what the kit sends.
    """
    assert SCHEMAS["UpdateLeadRequest"]["properties"]["status"]["type"] == "string"
    assert "enum" not in SCHEMAS["UpdateLeadRequest"]["properties"]["status"]
    assert "enum" not in parameter("GET /v1/leads", "direction")["schema"]
    assert "maximum" not in parameter("GET /v1/calls", "limit")["schema"]
    assert parameter("GET /v1/leads", "limit")["schema"] == {
        "type": "integer", "format": "int64", "minimum": 1, "maximum": 100,
    }  # fmt: skip
    assert parameter("GET /v1/opportunities", "from_date")["schema"] == {"type": "string"}
    assert parameter("GET /v1/analytics/dashboard", "start_date")["schema"] == {"type": "string"}
    assert "required" not in SCHEMAS["Guest"]
    assert SCHEMAS["Opportunity"]["properties"]["stage"]["type"] == ["string", "null"]
    assert "enum" not in SCHEMAS["Opportunity"]["properties"]["stage"]
    assert SCHEMAS["Pagination"]["properties"]["next_cursor"]["type"] == ["string", "null"]
    assert "ErrorResponse" not in str(entry("POST /graphql"))
    assert (
        entry("POST /v1/calls")["responses"]["404"]["description"]
        == "The booking link does not exist."
    )
    assert SCHEMAS["Lead"]["properties"]["source"]["oneOf"] == [
        {"$ref": "#/components/schemas/LeadSource"},
        {"type": "null"},
    ]
    for words, operation in {
        "disqualification rules of the link are not evaluated": "POST /v1/calls",
        "under way, a repetition fails with 409 `CONFLICT`": "POST /v1/calls",
        "applied to each page after the page was cut": "GET /v1/opportunities",
    }.items():
        assert words in entry(operation)["description"]


def test_kit_keeps_what_it_sends_and_refuses() -> None:
    sent = entry("PATCH /v1/leads/{id}", kit_openapi())["requestBody"]["content"][
        "application/json"
    ]
    assert sent["schema"]["properties"]["status"]["enum"] == ["new", "qualified"]
    for operation in (declared for declared in OPERATIONS if declared.request_schema):
        content = entry(operation.id, kit_openapi())["requestBody"]["content"]["application/json"]
        jsonschema_rs.Draft202012Validator(content["schema"], validate_formats=True).validate(
            content["example"]
        )


def test_operations_name_their_scopes_and_what_is_alpha() -> None:
    entries = {operation.id: entry(operation.id) for operation in OPERATIONS}
    scopes = {name: node.get("x-scopes") for name, node in entries.items()}
    assert scopes["GET /v1/leads"] == ["read"]
    assert scopes["POST /v1/leads"] == ["read", "write"]
    assert scopes["POST /graphql"] == scopes["GET /v1/webhooks/deliveries"] is None
    alpha = {name for name, node in entries.items() if node.get("x-stability-level") == "alpha"}
    assert alpha == {
        operation.id for operation in OPERATIONS if operation.conformance_class == "analytics"
    }


def test_pages_link_to_the_next_one() -> None:
    entries = {operation.id: entry(operation.id) for operation in OPERATIONS}
    next_pages = {
        name: links["nextPage"]["operationId"]
        for name, node in entries.items()
        if (links := node["responses"]["200"].get("links"))
    }
    assert next_pages == {
        operation.id: entries[operation.id]["operationId"]
        for operation in OPERATIONS
        if operation.envelope == "list"
    }


def test_events_show_what_they_alone_carry() -> None:
    reassigned, reviewed = (
        SCHEMAS["CallCloserReassignedEventData"],
        SCHEMAS["CallAnalysisCompletedEventData"],
    )
    assert "`previous_closer_*`: about" in reassigned["description"]
    assert "`new_closer_*`: about" in reassigned["description"]
    assert reviewed["properties"]["analysis_url"]["type"] == ["string", "null"]
    assert "analysis_url" not in SCHEMAS["CallEventData"]["properties"]


def test_deliveries_need_no_key_and_deprecate_the_old_signatures() -> None:
    for name, item in events().items():
        assert (item["summary"], item["tags"], item["security"]) == (name, ["Webhook events"], [])
        deprecated = {
            parameter_["name"]: parameter_.get("deprecated", False)
            for parameter_ in item["parameters"]
        }
        assert deprecated == {
            "X-Svc-Signature-V1": False,
            "X-Svc-Signature": True,
            "X-Automation-Signature": True,
        }


def test_signature_of_the_example_verifies() -> None:
    """From the words of the document alone: the secret, the body and the header as they are
    printed.
    """
    text = next(tag["description"] for tag in openapi()["tags"] if tag["name"] == "Webhook events")
    secret, body, header = re.findall(r"^```\n(.+)\n```$", text, re.MULTILINE)
    moment, signature = re.fullmatch(
        r"X-Svc-Signature-V1: t=(\d+),v1=([0-9a-f]{64})", header
    ).groups()  # type: ignore[union-attr]
    assert (
        hmac.new(secret.encode(), f"{moment}.{body}".encode(), hashlib.sha256).hexdigest()
        == signature
    )
    shown = events()["payment.succeeded"]["parameters"][0]["example"]
    assert header == f"X-Svc-Signature-V1: {shown}"


def test_owner_decides_server_contact_and_licence() -> None:
    """Rows of one table, because the service document names none of them."""
    chapters = {path.name: path.read_text(encoding="utf-8") for path in HOME.glob("*.md")}
    decided = (
        "| license | Apache-2.0 |\n| contact url | https://example.com/help |\n| server |"
        " https://api.example.com |\n"
    )
    edited = chapters["01-service.md"].replace("| license | MIT |\n| server | / |\n", decided)
    document = json.loads(build(chapters | {"01-service.md": edited})["generated/openapi.json"])
    assert document["info"]["license"]["identifier"] == "Apache-2.0"
    assert document["info"]["contact"]["url"] == "https://example.com/help"
    assert [server["url"] for server in document["servers"]] == ["https://api.example.com"]
    assert [server["url"] for server in openapi()["servers"]] == ["/"]
