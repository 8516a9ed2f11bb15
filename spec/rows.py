"""JSON with one row a line, in the order of the names, so that a change of a row is a change of its
line.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any


def rows(document: Any, *, levels: int) -> str:
    """A document as text that ends with a line break.

    Args:
        document: JSON values; tuples count as lists.
        levels: how many levels of objects and lists have a line for each member. Objects of these
            levels are in the order of their names; what is below them stands on one line, as it is.
    """
    return "".join(_lines(document, levels, "")) + "\n"


def _lines(value: Any, levels: int, indent: str) -> Iterator[str]:
    if not levels or not value or not isinstance(value, Mapping | list | tuple):
        yield json.dumps(value, ensure_ascii=False)
        return
    is_object = isinstance(value, Mapping)
    members = (
        [(f"{json.dumps(name, ensure_ascii=False)}: ", value[name]) for name in sorted(value)]
        if is_object
        else [("", member) for member in value]
    )
    yield "{" if is_object else "["
    for number, (head, member) in enumerate(members):
        yield f"{',' if number else ''}\n{indent} {head}"
        yield from _lines(member, levels - 1, f"{indent} ")
    yield f"\n{indent}{'}' if is_object else ']'}"
