"""Facts of a contract that its published document tells in words: limits, statuses of success,
headers and defaults.
"""

from collections.abc import Iterator
from typing import Any

from plumbline.spec.compiler.model import Contract

Fact = tuple[str, dict[str, Any]]


def promises(contract: Contract) -> dict[str, dict[str, Any]]:
    """Keywords by the name of their fact; some belong to a fact that the document has, too."""
    facts = dict(_defaults(contract))
    facts |= {f"limit {limit.name}": {"value": limit.value} for limit in contract.limits.values()}
    for endpoint in contract.endpoints.values():
        statuses = [str(status) for status in endpoint.success or ()] or ["2xx"]
        facts[f"{endpoint.id} success"] = {"status": statuses}
    for event, shape in contract.event_data.items():
        groups = [field.name for field in shape.fields.values() if field.is_group]
        facts |= {f"event {event} data.data.{name}": {"type": []} for name in groups}
    return facts | dict(_headers(contract))


def _headers(contract: Contract) -> Iterator[Fact]:
    """Headers of all requests, of deliveries and of a 429; those of one operation stand in the
    document.
    """
    for place, headers in contract.headers.items():
        for header in headers if "/" not in place else ():
            required = {"required": True} if header.required else {}
            yield f"header of {place}: {header.name}", {"type": [header.type.kind]} | required


def _defaults(contract: Contract) -> Iterator[Fact]:
    """Defaults of fields of bodies and queries."""
    for place, shapes in (("body.", contract.bodies), ("query ", contract.queries)):
        for operation, shape in shapes.items():
            for field in shape.fields.values():
                if rule := field.rule("default"):
                    yield f"{operation} {place}{field.name}", dict(rule.keywords)
