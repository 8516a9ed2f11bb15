"""JSON with one row a line, so that a change of a row is a change of its line."""

import json
from collections.abc import Iterator, Mapping
from typing import Any


def rows(document: Any, *, levels: int, is_sorted: bool = True) -> str:
    """A document as text that ends with a line break.

    Args:
        document: JSON values; tuples count as lists.
        levels: how many levels of objects and lists have a line for each member; what is below
            them stands on one line.
        is_sorted: whether objects are in the order of their names, on every level.
    """
    return "".join(_lines(document, levels, "", is_sorted=is_sorted)) + "\n"


def _lines(value: Any, levels: int, indent: str, *, is_sorted: bool) -> Iterator[str]:
    if not levels or not value or not isinstance(value, Mapping | list | tuple):
        yield json.dumps(value, ensure_ascii=False, sort_keys=is_sorted)
        return
    is_object = isinstance(value, Mapping)
    members: list[tuple[str, Any]] = (
        [
            (f"{json.dumps(name, ensure_ascii=False)}: ", value[name])
            for name in (sorted(value) if is_sorted else value)
        ]
        if is_object
        else [("", member) for member in value]
    )
    yield "{" if is_object else "["
    for number, (head, member) in enumerate(members):
        yield f"{',' if number else ''}\n{indent} {head}"
        yield from _lines(member, levels - 1, f"{indent} ", is_sorted=is_sorted)
    yield f"\n{indent}{'}' if is_object else ']'}"
