"""The texts of the published document: the introduction, the tags, and the description of each
operation.
"""

from plumbline.spec.compiler.model import Contract, Endpoint
from plumbline.spec.compiler.writing.listing import error_operations
from plumbline.spec.compiler.writing.webhooks import EVENTS_TAG

INTRODUCTION = {
    "service": "",
    "authentication": "Authentication",
    "envelopes": "Envelopes",
    "pagination": "Pagination",
    "limits": "Limits",
    "errors": "Errors",
    "versioning": "Versioning",
}
"""The chapters that say what holds everywhere, with their headings."""
BUDGETS = {
    "/v1": "rest-requests",
    "/graphql": "graphql-requests",
    "POST /v1/calls": "booking-requests",
}
"""Limits by the beginning of the paths, or by the operation, that they hold for."""
SCOPES = {True: "a key with `read` and `write`.", False: "a key with `read` may list and fetch."}
SCOPE_OPEN = ("graphql", "webhooks")
"""Chapters whose operations need a scope that is left open."""


def introduction(contract: Contract) -> str:
    """What every reader needs first."""
    parts = [
        f"## {title}\n\n{text}" if title else text for title, text in _chapters(contract) if text
    ]
    budgets = [limit for limit in contract.limits.values() if limit.unit == "requests per minute"]
    limits = [f"| {budget.sentence} | {budget.value} {budget.unit} |" for budget in budgets]
    tables = {
        "## Authentication": ["| Scope | Meaning |", "|---|---|", *_values(contract, "scope")],
        "## Limits": ["| Requests | At most |", "|---|---|", *limits],
        "## Errors": ["| `code` | Meaning |", "|---|---|", *_values(contract, "error-code")],
    }
    return "\n\n".join(
        "\n\n".join(
            [part, *("\n".join(rows) for head, rows in tables.items() if part.startswith(head))]
        )
        for part in parts
    )


def tags(contract: Contract, signing: str) -> list[dict[str, str]]:
    """The tags in the order of the chapters, each with the introduction of its chapter; `signing`
    explains the signatures.
    """
    chapters = dict.fromkeys(endpoint.chapter for endpoint in contract.endpoints.values())
    listed = [
        {"name": tag(chapter), "description": contract.introductions.get(chapter) or tag(chapter)}
        for chapter in chapters
    ]
    about = contract.introductions.get("webhooks", "")
    return [
        *listed,
        {
            "name": EVENTS_TAG,
            "description": "\n\n".join(filter(None, [about, signing])) or EVENTS_TAG,
        },
    ]


def tag(chapter: str) -> str:
    """The tag of a chapter."""
    return {"graphql": "GraphQL"}.get(chapter, chapter.replace("-", " ").capitalize())


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
    scope = (
        "which scope it needs is left open."
        if endpoint.chapter in SCOPE_OPEN
        else SCOPES[endpoint.writes]
    )
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


def _chapters(contract: Contract) -> list[tuple[str, str]]:
    chapters = [
        (title, contract.introductions.get(chapter, "")) for chapter, title in INTRODUCTION.items()
    ]
    return [(title, text if title else text.partition("\n\n")[0]) for title, text in chapters]
