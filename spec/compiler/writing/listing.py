"""Writes the catalogue: everything about the contract that is not a schema, in the form that
`catalogue()` reads.
"""

from dataclasses import asdict
from typing import Any

from plumbline.spec.catalogue import ErrorCase
from plumbline.spec.compiler.model import Contract, Endpoint
from plumbline.spec.compiler.reading.behaviour_tables import GROUPS


def listing(contract: Contract, schemas: list[str]) -> dict[str, Any]:
    """The catalogue as JSON.

    Args:
        contract: the compiled contract.
        schemas: names of the schemas that stand beside it.
    """
    return {
        "title": contract.properties["title"],
        "revision": int(contract.properties["revision"]),
        "digest": contract.digest,
        "classes": [asdict(item) for item in contract.classes.values()],
        "capabilities": dict(contract.capabilities),
        "surfaces": dict(contract.surfaces),
        "operations": [_operation(contract, endpoint) for endpoint in contract.endpoints.values()],
        "enumerations": {item.name: item.values for item in contract.enumerations.values()},
        "open_enumerations": [item.name for item in contract.enumerations.values() if item.open],
        "limits": [asdict(item) for item in contract.limits.values()],
        "events": [
            {
                "name": item.name,
                "schema": f"event.{item.name}",
                "sentence": item.meaning.replace("`", ""),
            }
            for item in contract.events.values()
        ],
        "errors": [
            asdict(item) | {"operations": error_operations(contract, item)}
            for item in contract.errors
        ],
        "headers": {
            place: [asdict(header) for header in headers]
            for place, headers in contract.headers.items()
        },
        "transitions": [asdict(item) for item in contract.transitions],
        "derivations": [asdict(item) for item in contract.derivations],
        "requirements": [asdict(item) for item in contract.requirements.values()],
        "open_items": [asdict(item) for item in contract.open_items.values()],
        "schemas": schemas,
    }


def error_operations(contract: Contract, error: ErrorCase) -> tuple[str, ...]:
    """The operations of an error, one by one."""
    group = error.operations[0]
    if group not in GROUPS:
        return error.operations
    every = contract.endpoints.values()
    return tuple(item.id for item in every if GROUPS[group](item))


def _operation(contract: Contract, endpoint: Endpoint) -> dict[str, Any]:
    values = {
        name: getattr(endpoint, name) for name in ("id", "method", "path", "chapter", "envelope")
    }
    return values | {
        "success": endpoint.success or "2xx",
        "request_schema": f"{endpoint.slug}.body" if endpoint.id in contract.bodies else None,
        "query_schema": f"{endpoint.slug}.query" if endpoint.id in contract.queries else None,
        "response_schema": f"{endpoint.slug}.answer",
        "writes": endpoint.writes,
        "conformance_class": endpoint.conformance_class,
    }
