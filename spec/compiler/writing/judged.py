"""What the kit judges by, told apart by requirement: the constraints of its schemas, and the rows
of tables that name ids.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import Any

WORDING = frozenset(
    {
        "description",
        "examples",
        "title",
        "$schema",
        "$id",
        "x-generated",
        "x-requirement",
        "x-requirements",
    }
)
"""Keywords that constrain nothing."""
TABLES = ("errors", "transitions", "derivations")
"""Tables of the catalogue whose rows name the requirements that they serve."""


def judged(schemas: Mapping[str, Any], catalogue: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    """What each requirement is judged by.

    Args:
        schemas: by name.
        catalogue: as `listing` writes it.

    Returns:
        Requirement id (empty for what serves none) -> name of a schema or a table -> digest of what
        it says, 16 hex digits.
    """
    constraints: dict[str, dict[str, list[str]]] = {}
    for name, schema in schemas.items():
        for requirement, line in _constraints(schema, "", ""):
            constraints.setdefault(requirement, {}).setdefault(name, []).append(line)
    for name in TABLES:
        for row in catalogue[name]:
            for requirement in row["requirements"]:
                constraints.setdefault(requirement, {}).setdefault(name, []).append(_canonical(row))
    return {
        requirement: {name: _digest(lines) for name, lines in sorted(places.items())}
        for requirement, places in sorted(constraints.items())
    }


def _constraints(
    part: Mapping[str, Any], requirement: str, place: str
) -> Iterator[tuple[str, str]]:
    """Each keyword with its place and the requirement that it serves, the innermost that is
    named.
    """
    requirement = part.get("x-requirement", requirement)
    single = part.get("x-requirements", {})
    for keyword, value in part.items():
        if keyword in WORDING:
            continue
        inner: Mapping[str, Any] = {}
        if keyword in ("properties", "$defs", "patternProperties"):
            inner = {f"{keyword}/{name}": schema for name, schema in value.items()}
        elif isinstance(value, dict):
            inner = {keyword: value}
        elif (
            isinstance(value, list) and value and all(isinstance(member, dict) for member in value)
        ):
            inner = {f"{keyword}/{number}": member for number, member in enumerate(value)}
        else:
            yield single.get(keyword, requirement), f"{place}/{keyword} {_canonical(value)}"
        for name, schema in inner.items():
            yield from _constraints(schema, requirement, f"{place}/{name}")


def _canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def _digest(lines: list[str]) -> str:
    return hashlib.sha256("\n".join(sorted(lines)).encode()).hexdigest()[:16]
