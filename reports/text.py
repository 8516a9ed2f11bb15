"""Text from a deployment, made safe and short enough for a terminal or a file."""

import re
import sys
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from shutil import get_terminal_size
from typing import Any

from plumbline.spec.findings import window

_NAMED = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def printable(text: str) -> str:
    r"""The text with everything that could move a cursor, change a colour or reorder a line shown
    as an escape.

    Control characters, terminal escapes, bidirectional and zero-width marks, lone surrogates and
    odd spaces become `\n`, `\x1b`, `\u202e` and the like; all other characters stay, so the result
    is one line.
    """
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() else _NAMED.get(char) or _escaped(char) for char in text
    )


def printable_lines(text: str) -> str:
    """The same for a text of several lines, which stay lines."""
    return text if text.isprintable() else "\n".join(map(printable, text.split("\n")))


def shorten(text: str, limit: int) -> str:
    """The printable text in at most `limit` characters; a cut shows as `...`."""
    text = printable(text)
    return text if len(text) <= limit else text[: max(limit - 3, 0)].rstrip() + "..."[:limit]


def excerpt(text: str, limit: int, focus: tuple[int, int] | None = None) -> list[str]:
    """The printable part of a long text around its focus, else its beginning, with notes on what is
    not shown.

    Args:
        text: the whole text.
        limit: characters that are shown.
        focus: beginning and end of what has to be seen.
    """
    start, end = window(len(text), limit, focus)
    shown = ""
    for place in range(start, end):
        shown += printable(text[place])
        if len(shown) > limit:
            # Escapes take more room than what they stand for.
            shown, end = shown[: -len(printable(text[place]))], place
            break
    before = [f"[{start:,} characters left out]"] if start else []
    return [
        *before,
        shown,
        *([f"[{end - start:,} of {len(text):,} characters]"] if end - start < len(text) else []),
    ]


def focus_of(exchange: Mapping[str, Any], part: str) -> tuple[int, int] | None:
    """Where the value at fault stands in a body of an exchange (`request_body` or `response_body`),
    if it does.
    """
    focus = exchange.get("focus") or {}
    return (focus["start"], focus["end"]) if focus.get("part") == part else None


def wrap(text: str, width: int) -> list[str]:
    """The lines of a printable text; words longer than a line are broken, none is split at a
    hyphen.
    """
    return textwrap.wrap(text, width, break_on_hyphens=False) or [""]


def width_of_output() -> int:
    """The width of running text on standard output, in characters: that of its terminal, from 60 to
    100, else 100.
    """
    most = 100
    if not sys.stdout or not sys.stdout.isatty():
        return most
    return max(60, min(most, get_terminal_size((most, 0)).columns))


def plural(count: int, noun: str) -> str:
    """A count with its noun: `1 request`, `1,200 requests`."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def named(names: Sequence[str], most: int) -> str:
    """Some names in words: `LEAD-01, LEAD-02 and 3 more`."""
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")


def columns(head: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    """Columns as wide as they have to be, the first one flush left, the others flush right."""
    lines = [head, *([str(cell) for cell in row] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        first, *others = zip(line, widths, strict=True)
        yield "  ".join(
            [first[0].ljust(first[1]), *(cell.rjust(width) for cell, width in others)]
        ).rstrip()


def duration(seconds: float) -> str:
    """A time in whole seconds: `40 s`, `8 min 5 s`."""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


def file_name(name: str) -> str:
    """A file name for a deployment or an attempt that no other one has, also where upper and lower
    case are the same.
    """
    plain = re.sub(r"[^a-z0-9._-]+", "-", name.lower()).strip("-.")[:80]
    return (
        plain if plain == name else f"{plain}-{sha256(name.encode()).hexdigest()[:8]}".lstrip("-")
    )


def storable(value: Any) -> Any:
    """A JSON value that UTF-8 can hold: lone surrogates, which JSON can spell and UTF-8 cannot,
    become escapes.
    """
    match value:
        case str():
            return value.encode("utf-8", "backslashreplace").decode("utf-8")
        case dict():
            return {storable(key): storable(inner) for key, inner in value.items()}
        case list():
            return [storable(inner) for inner in value]
    return value


def _escaped(char: str) -> str:
    code = ord(char)
    return (
        f"\\x{code:02x}"
        if code < 0x100
        else f"\\u{code:04x}"
        if code < 0x10000
        else f"\\U{code:08x}"
    )
