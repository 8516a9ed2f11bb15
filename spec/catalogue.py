"""Reads what the compiler generated: requirements, open items, classes, operations, schemas, the
OpenAPI document.

Nothing here knows Markdown. Every file is read once per process.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal

Severity = Literal["must", "should", "may"]
JsonObject = dict[str, Any]


@dataclass(frozen=True)
class Requirement:
    """One sentence of the contract that is true or false of a deployment.

    Attributes:
        id: stable, such as `PAG-03`.
        keyword: the one RFC 2119 word of the sentence, such as `MUST NOT`.
        conformance_class: id of the class that it belongs to.
        chapter: name of the chapter, such as `booking-links`.
        sentence: plain text, without markup.
        observed_by: `traffic`, `check`, `controller` or `none`.
        unobservable: why it cannot be observed, or None if it can.
        line: place in the contract, such as `04-leads.md:31`.
    """

    id: str
    keyword: str
    conformance_class: str
    chapter: str
    sentence: str
    observed_by: str
    unobservable: str | None
    line: str

    @property
    def severity(self) -> Severity:
        """How much a violation weighs; the keyword alone decides it."""
        return "must" if "MUST" in self.keyword else "should" if "SHOULD" in self.keyword else "may"


@dataclass(frozen=True)
class OpenItem:
    """Something that the service leaves open, and how the kit treats it."""

    id: str
    chapter: str
    sentence: str
    treatment: str
    line: str


@dataclass(frozen=True)
class ConformanceClass:
    """A named set of requirements, the capabilities it needs, and whether it decides the
    verdict.
    """

    id: str
    sentence: str
    needs: tuple[str, ...]
    decides: bool


@dataclass(frozen=True)
class Operation:
    """One endpoint.

    Attributes:
        id: method and path, such as `POST /v1/leads`.
        path: template with `{id}`.
        envelope: `single`, `list` or `other`.
        success: the statuses of success, or `2xx` when any of them will do.
        request_schema, query_schema: names for `schema()`, or None.
        response_schema: name of the schema of the whole answer, its envelope included.
        writes: whether it changes anything.
    """

    id: str
    method: str
    path: str
    chapter: str
    envelope: str
    success: tuple[int, ...] | Literal["2xx"]
    request_schema: str | None
    query_schema: str | None
    response_schema: str
    writes: bool
    conformance_class: str


@dataclass(frozen=True)
class Limit:
    """A number that the service promises, such as 60 requests per minute."""

    name: str
    value: int
    unit: str
    sentence: str


@dataclass(frozen=True)
class Event:
    """A kind of webhook event and the schema of its delivery."""

    name: str
    schema: str
    sentence: str


@dataclass(frozen=True)
class ErrorCase:
    """A documented error: its status (or `5xx`), its code (None where it is open) and the
    operations that may show it.
    """

    status: str
    code: str | None
    operations: tuple[str, ...]
    sentence: str
    requirements: tuple[str, ...]


@dataclass(frozen=True)
class Catalogue:
    """The contract as data, in the order of its chapters.

    Attributes:
        enumerations: values by name of the enumeration.
        open_enumerations: names of those that may grow.
        capabilities: what each capability is, by id.
        digest: SHA-256 of the chapters in hex; changes with every word of the contract.
        revision: counted up when a requirement is added, or changes its meaning.
    """

    revision: int
    digest: str
    requirements: Mapping[str, Requirement]
    open_items: Mapping[str, OpenItem]
    classes: Mapping[str, ConformanceClass]
    capabilities: Mapping[str, str]
    operations: Mapping[str, Operation]
    enumerations: Mapping[str, tuple[str, ...]]
    open_enumerations: frozenset[str]
    limits: Mapping[str, Limit]
    events: Mapping[str, Event]
    errors: tuple[ErrorCase, ...]
    schemas: tuple[str, ...]


@cache
def catalogue() -> Catalogue:
    """The catalogue of the contract that this package was built from."""
    raw = _load("catalogue.json")
    classes = [
        ConformanceClass(**item | {"needs": tuple(item["needs"])}) for item in raw["classes"]
    ]
    operations = [
        Operation(**item | {"success": _success(item["success"])}) for item in raw["operations"]
    ]
    return Catalogue(
        revision=raw["revision"],
        digest=raw["digest"],
        requirements={item["id"]: Requirement(**item) for item in raw["requirements"]},
        open_items={item["id"]: OpenItem(**item) for item in raw["open_items"]},
        classes={item.id: item for item in classes},
        capabilities=raw["capabilities"],
        operations={item.id: item for item in operations},
        enumerations={name: tuple(values) for name, values in raw["enumerations"].items()},
        open_enumerations=frozenset(raw["open_enumerations"]),
        limits={item["name"]: Limit(**item) for item in raw["limits"]},
        events={item["name"]: Event(**item) for item in raw["events"]},
        errors=tuple(
            ErrorCase(
                **item
                | {
                    "operations": tuple(item["operations"]),
                    "requirements": tuple(item["requirements"]),
                }
            )
            for item in raw["errors"]
        ),
        schemas=tuple(raw["schemas"]),
    )


@cache
def schema(name: str) -> JsonObject:
    """The JSON Schema 2020-12 of a resource, request body, query, answer or event, complete in
    itself.

    Args:
        name: one of `catalogue().schemas`, such as `Lead`, `POST-v1-leads.body` or
            `event.call.booked`.

    Raises:
        KeyError: the contract has no such schema.
    """
    if name not in catalogue().schemas:
        raise KeyError(f"the contract has no schema {name!r}")
    return _load("schemas", f"{name}.json")


@cache
def openapi() -> JsonObject:
    """The OpenAPI 3.1 document of all paths and webhooks, as everyone may read it."""
    return _load("openapi.json")


@cache
def kit_openapi() -> JsonObject:
    """The same with the request schemas of the kit, which are stricter; requests are drawn from
    it.
    """
    return _load("kit.openapi.json")


def _success(value: Any) -> tuple[int, ...] | Literal["2xx"]:
    return "2xx" if value == "2xx" else tuple(value)


def _load(*path: str) -> JsonObject:
    text = files("plumbline.spec.generated").joinpath(*path).read_text(encoding="utf-8")
    loaded: JsonObject = json.loads(text)
    return loaded
