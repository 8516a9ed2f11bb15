"""How a request may be written whose body is a JSON value: the text of that value, and the name of
its media type.

The kit writes one way and every HTTP library another one; all of them are the same request.
"""

import json
import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

from plumbline.spec.values.classes import Draw, Format, ValueClass, contains, one_of

CONTENT_TYPE = "Content-Type"
ESCAPED = re.compile(r"[^ -~]|[&+<>'/]")
"""Characters that some writers of JSON escape though they need not: all beyond ASCII, and what
means something in HTML."""
NUMBER = re.compile(r"(?<=[:\[,] )-?\d+(?:\.\d+)?(?=[,\]}])")
SPACE = re.compile(r"\s")
TEXT = re.compile(r'("(?:[^"\\]|\\.)*")')


def plain(value: Any) -> str:
    """A JSON value as Python writes it."""
    return json.dumps(value, ensure_ascii=False)


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _indented(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent="\t").replace("\n", "\r\n")


def _escaped(value: Any) -> str:
    return ESCAPED.sub(lambda char: _escape(char[0]), plain(value))


def _escape(char: str) -> str:
    return "\\/" if char == "/" else json.dumps(char)[1:-1] if char > "~" else f"\\u{ord(char):04X}"


def _with_exponents(value: Any) -> str:
    parts = TEXT.split(plain(value))  # texts stand at the odd places
    return "".join(
        part if place % 2 else NUMBER.sub(lambda number: f"{Decimal(number[0]):E}", part)
        for place, part in enumerate(parts)
    )


def _is_compact(text: str) -> bool:
    return not any(SPACE.search(token) for token in TEXT.split(text)[::2])


WRITERS: Mapping[str, Callable[[Any], str]] = {
    "without white space": _compact,
    "with white space": _indented,
    "with escapes": _escaped,
    "with exponents": _with_exponents,
}
"""By class, what writes a JSON value so."""
SAMPLE = {"note": "Zoë & Łukasz: 50/50 \U0001f642", "amount": 12.5}


def _sample(name: str) -> Draw:
    return one_of(WRITERS[name](SAMPLE))


_SPACED = (
    ValueClass(
        "without white space",
        "RFC 8259, section 2: what JavaScript writes.",
        _sample("without white space"),
        _is_compact,
    ),
    ValueClass(
        "with white space",
        "RFC 8259, section 2: tabs and line ends between the tokens.",
        _sample("with white space"),
        contains("\r\n\t"),
    ),
)
JSON_TEXT = Format(
    "text of a JSON value",
    (
        *_SPACED,
        ValueClass(
            "with escapes",
            "RFC 8259, section 7: any character may be escaped, one beyond the basic plane as two.",
            _sample("with escapes"),
            contains(r"\\u[0-9A-Fa-f]{4}"),
        ),
    ),
)
"""How a body is written that holds texts."""
JSON_NUMBERS = Format(
    "text of a JSON value with numbers",
    (
        *_SPACED,
        ValueClass(
            "with exponents",
            "RFC 8259, section 6: 1.25E+1 is 12.5; what Java writes of some numbers.",
            _sample("with exponents"),
            contains(r'":\s*-?\d+(?:\.\d+)?[eE]'),
        ),
    ),
)
"""How a body is written that holds a number."""
_TYPES = {
    "alone": "application/json",
    "with a charset": "application/json; charset=utf-8",
    "with a charset in capitals": "application/json;charset=UTF-8",
}
MEDIA_TYPE = Format(
    "media type of JSON",
    tuple(
        ValueClass(
            name,
            "RFC 9110, section 8.3.1; RFC 8259, section 11: a charset has no effect.",
            one_of(written),
            written.__eq__,
        )
        for name, written in _TYPES.items()
    ),
)
"""How the media type of a body is named."""
