"""JSON that has one meaning for every reader: what evidence and statements are read by.

Parsers differ in what they make of a name that stands twice, of `NaN`, of a number that no double
holds, and of nesting without end. A document that says one thing to this kit and another to the
next reader is refused, by any author.
"""

import json
import math
from collections.abc import Sequence
from typing import Any, NoReturn

MAX_DEPTH = 100
"""Objects and lists within each other; results and exchanges of the kit have about ten."""
MAX_INTEGER = 2**63 - 1
MAX_SHOWN = 60


class AmbiguousJsonError(ValueError):
    """A text that is no JSON, or JSON that readers understand differently: the rest of a sentence
    that begins with its file.
    """


def parsed(text: str | bytes, *, any_characters: bool = False) -> Any:
    """The value of a JSON text.

    Args:
        text: UTF-8, if it is bytes.
        any_characters: whether texts may hold half of a surrogate pair, as what a deployment has
            sent may.

    Raises:
        AmbiguousJsonError: it is no JSON; or an object has a name twice, a number is not finite or
            beyond 64 bits, values are nested more than `MAX_DEPTH` deep, or a text holds what is no
            character.
    """
    try:
        content = text.decode("utf-8") if isinstance(text, bytes) else text
        value = _DECODER.decode(content)
    except AmbiguousJsonError:
        raise
    except RecursionError:
        raise AmbiguousJsonError(f"is nested more than {MAX_DEPTH} levels deep") from None
    except ValueError:  # also of bytes that are no UTF-8, and of numbers with thousands of digits
        raise AmbiguousJsonError("is not JSON") from None
    _demand_flat(value)
    if not any_characters and ("\\ud" in content or "\\uD" in content):
        _demand_whole_characters(value)
    return value


def _object(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """The object of some pairs, no name of which comes twice."""
    content = dict(pairs)
    if len(content) < len(pairs):
        before: set[str] = set()
        for name, _ in pairs:
            if name in before:
                shown = ascii(name)[:MAX_SHOWN]
                raise AmbiguousJsonError(f"has the name {shown} twice in one object")
            before.add(name)
    return content


def _integer(digits: str) -> int:
    if len(digits) > len(str(MAX_INTEGER)) + 1 or abs(number := int(digits)) > MAX_INTEGER:
        raise AmbiguousJsonError(
            f"holds a number that no reader keeps exactly ({digits[:MAX_SHOWN]})"
        )
    return number


def _decimal(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise AmbiguousJsonError(f"holds a number that no reader keeps ({digits[:MAX_SHOWN]})")
    return number


def _constant(name: str) -> NoReturn:
    raise AmbiguousJsonError(f"holds {name}, which is not JSON")


_DECODER = json.JSONDecoder(
    object_pairs_hook=_object, parse_int=_integer, parse_float=_decimal, parse_constant=_constant
)


def _demand_flat(value: Any) -> None:
    level, depth = [value], 0
    while level:
        if depth > MAX_DEPTH:
            raise AmbiguousJsonError(f"is nested more than {MAX_DEPTH} levels deep")
        inner: list[Any] = []
        for item in level:
            if isinstance(item, dict):
                inner += [part for part in item.values() if isinstance(part, (dict, list))]
            elif isinstance(item, list):
                inner += [part for part in item if isinstance(part, (dict, list))]
        level, depth = inner, depth + 1


def _demand_whole_characters(value: Any) -> None:
    try:
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        raise AmbiguousJsonError("holds half of a surrogate pair, which is no character") from None
