"""Makes a recorded exchange short enough to be read at a glance: the part that matters stays, the
rest is counted.
"""

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

SHOWN_HEADERS = ("content-type", "idempotency-key", "location")
"""Headers that are shown, as those of limits and signatures are."""
SHOWN_HEADER_PREFIXES = ("x-ratelimit-", "retry-after", "x-svc-signature")
MAX_MEMBERS, MAX_ROWS, MAX_TEXT_LENGTH, MAX_DEPTH = 6, 2, 120, 2
"""What is shown of an object, of an array and of a text, and how deep, off the way to what
matters.
"""
CUT = "..."


def shortened(evidence: Mapping[str, Any], where: str = "") -> dict[str, Any]:
    """An exchange in a few lines.

    Args:
        evidence: as the transcript gives it.
        where: JSON pointer into the answer to what matters, or the name of a header.
    """
    parts = urlsplit(evidence["url"])
    said: dict[str, Any] = {
        "request": f"{evidence['method']} {parts.path}{f'?{parts.query}' if parts.query else ''}"
    }
    said["by"] = evidence["actor"]
    said["request_headers"] = _headers(evidence["request_headers"], "")
    if evidence["request_body"] is not None:
        said["request_body"] = _body(evidence["request_body"], "", members=3 * MAX_MEMBERS)
    said["status"] = evidence["status"]
    said["answer_headers"] = _headers(evidence["response_headers"], where)
    said["answer"] = _body(evidence["response_body"] or "", where, members=MAX_MEMBERS)
    return {name: value for name, value in said.items() if value not in ({}, "")}


def _headers(headers: Mapping[str, str], where: str) -> dict[str, str]:
    chosen = {
        name: value
        for name, value in headers.items()
        if name in (*SHOWN_HEADERS, where.lower()) or name.startswith(SHOWN_HEADER_PREFIXES)
    }
    # That JSON is sent as JSON goes without saying.
    return {
        name: value
        for name, value in chosen.items()
        if (name, value) != ("content-type", "application/json")
    }


def _body(text: str, where: str, *, members: int) -> Any:
    try:
        document = json.loads(text)
    except ValueError:
        return text if len(text) <= MAX_TEXT_LENGTH else text[:MAX_TEXT_LENGTH] + CUT
    return _value(document, where.split("/")[1:], members, MAX_DEPTH)


def _value(value: Any, way: list[str], members: int, depth: int) -> Any:
    if isinstance(value, str):
        return value if len(value) <= MAX_TEXT_LENGTH else value[:MAX_TEXT_LENGTH] + CUT
    if not isinstance(value, dict | list) or not value:
        return value
    if not way and depth < 0:
        return CUT
    if isinstance(value, dict):
        kept = [name for name in value if way and name == way[0]]
        kept += [name for name in value if name not in kept][: max(members - len(kept), 0)]
        shown = {
            name: _inner(value[name], name, way, members, depth) for name in value if name in kept
        }
        return shown | ({CUT: f"{len(value) - len(shown)} more"} if len(shown) < len(value) else {})
    chosen = (
        [int(way[0])]
        if way and way[0].isdecimal() and int(way[0]) < len(value)
        else list(range(min(MAX_ROWS, len(value))))
    )
    rows: list[Any] = [_inner(value[index], str(index), way, members, depth) for index in chosen]
    return rows + ([f"{CUT} {len(value) - len(rows)} more"] if len(rows) < len(value) else [])


def _inner(value: Any, name: str, way: list[str], members: int, depth: int) -> Any:
    return (
        _value(value, way[1:], members, depth)
        if way and name == way[0]
        else _value(value, [], members, depth - 1)
    )
