"""Text from a deployment, made safe and short enough for a terminal or a file."""

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

_NAMED = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def printable(text: str) -> str:
    r"""The text with everything that could move a cursor, change a colour or reorder a line shown as an escape.

    Control characters, terminal escapes, bidirectional and zero-width marks, lone surrogates and odd spaces become `\n`,
    `\x1b`, `\u202e` and the like; all other characters stay, so the result is one line.
    """
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else _NAMED.get(char) or _escaped(char) for char in text)


def shorten(text: str, limit: int) -> str:
    """The printable text in at most `limit` characters; a cut shows as `...`."""
    text = printable(text)
    return text if len(text) <= limit else text[: max(limit - 3, 0)].rstrip() + "..."[:limit]


def excerpt(text: str, limit: int) -> list[str]:
    """The printable beginning of a long text and, where that is not all of it, a note that says how much is shown."""
    shown = ""
    for place, char in enumerate(text):
        shown += printable(char)
        if len(shown) > limit:
            return [shown[: -len(printable(char))], f"[{place:,} of {len(text):,} characters]"]
    return [shown]


def wrap(text: str, width: int) -> list[str]:
    """The lines of a printable text; words longer than a line are broken, none is split at a hyphen."""
    return textwrap.wrap(text, width, break_on_hyphens=False) or [""]


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
        yield "  ".join([first[0].ljust(first[1]), *(cell.rjust(width) for cell, width in others)]).rstrip()


def duration(seconds: float) -> str:
    """A time in whole seconds: `40 s`, `8 min 5 s`."""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


def storable(value: Any) -> Any:
    """A JSON value that UTF-8 can hold: lone surrogates, which JSON can spell and UTF-8 cannot, become escapes."""
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
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
