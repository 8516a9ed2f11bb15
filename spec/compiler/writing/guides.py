"""The texts of the published document: the introduction, the tags, and the description of each
operation.
"""

from typing import Any

from plumbline.spec.compiler.model import Contract, Endpoint
from plumbline.spec.compiler.writing.listing import error_operations
from plumbline.spec.compiler.writing.published_webhooks import EVENTS_TAG

Tag = dict[str, Any]
GENERAL = ("authentication", "envelopes", "pagination", "limits", "errors", "versioning")
"""The chapters that say what holds everywhere; each is a tag without operations, which readers see
as a section.
"""
BUDGETS = {
    "/v1": "rest-requests",
    "/graphql": "graphql-requests",
    "POST /v1/calls": "booking-requests",
}
"""Limits by the beginning of the paths, or by the operation, that they hold for."""
SCOPES = {
    ("read", "write"): "a key with `read` and `write`.",
    ("read",): "a key with `read` may list and fetch.",
    (): "which scope it needs is left open.",
}
SCOPE_OPEN = ("graphql", "webhooks")
"""Chapters whose operations need a scope that is left open."""


def introduction(contract: Contract) -> str:
    """What heads every generated file: one paragraph."""
    return contract.introductions.get("service", "").partition("\n\n")[0]


def tags(contract: Contract, signing: str) -> list[Tag]:
    """The sections that hold everywhere, then the tags of operations with the introductions of
    their chapters.

    Args:
        contract: the contract.
        signing: explains the signatures of deliveries.
    """
    general = [chapter for chapter in GENERAL if contract.introductions.get(chapter)]
    sections: list[Tag] = [
        {"name": tag(chapter), "description": _section(contract, chapter), "x-traitTag": True}
        for chapter in general
    ]
    chapters = dict.fromkeys(endpoint.chapter for endpoint in contract.endpoints.values())
    sections += [
        {"name": tag(chapter), "description": contract.introductions.get(chapter) or tag(chapter)}
        for chapter in chapters
    ]
    about = contract.introductions.get("webhooks", "")
    return [
        *sections,
        {
            "name": EVENTS_TAG,
            "description": "\n\n".join(filter(None, [about, signing])) or EVENTS_TAG,
        },
    ]


def tag(chapter: str) -> str:
    """The tag of a chapter."""
    return {"graphql": "GraphQL"}.get(chapter, chapter.replace("-", " ").capitalize())


def scopes(endpoint: Endpoint) -> list[str]:
    """Scopes of a key that are enough for an operation; none where that is left open."""
    if endpoint.chapter in SCOPE_OPEN:
        return []
    return ["read", "write"] if endpoint.writes else ["read"]


def operation_text(contract: Contract, endpoint: Endpoint, text: str) -> str:
    """The description of an operation: its prose, then its scope, limits and errors."""
    named = [
        name
        for scope, name in BUDGETS.items()
        if endpoint.id == scope or endpoint.path.startswith(scope)
    ]
    limits = [
        f"{limit.value} {limit.unit} ({limit.sentence})"
        for name in named
        if (limit := contract.limits.get(name))
    ]
    scope = SCOPES[tuple(scopes(endpoint))]
    errors = [
        f"| {error.status} | {f'`{error.code}`' if error.code else ''} | {error.sentence} |"
        for error in sorted(contract.errors, key=lambda error: error.status)
        if endpoint.id in error_operations(contract, error)
    ]
    parts = [
        text,
        f"**Scope**: {scope}",
        *([f"**Limits**: {'; '.join(limits)}."] if limits else []),
    ]
    table = "\n".join(["| Status | `code` | When |", "|---|---|---|", *errors])
    return "\n\n".join([*filter(None, parts), *([f"**Errors**\n\n{table}"] if errors else [])])


def _values(contract: Contract, name: str) -> list[str]:
    """The rows of an enumeration."""
    enumeration = contract.enumerations.get(name)
    return (
        [
            f"| `{value}` | {text} |"
            for value, text in zip(enumeration.values, enumeration.meanings, strict=True)
        ]
        if enumeration
        else []
    )


def _section(contract: Contract, chapter: str) -> str:
    """The introduction of a chapter, with the table that readers look for in it."""
    text = contract.introductions[chapter]
    budgets = [limit for limit in contract.limits.values() if limit.unit == "requests per minute"]
    tables = {
        "authentication": ["| Scope | Meaning |", "|---|---|", *_values(contract, "scope")],
        "limits": [
            "| Requests | At most |",
            "|---|---|",
            *(f"| {limit.sentence} | {limit.value} {limit.unit} |" for limit in budgets),
        ],
        "errors": ["| `code` | Meaning |", "|---|---|", *_values(contract, "error-code")],
    }
    table = "\n".join(tables.get(chapter, ()))
    return f"{text}\n\n{table}" if table else text
