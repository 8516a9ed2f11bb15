"""What a deployment has sent, made safe to look at: every character that could play a trick is
shown as an escape.
"""

import re
from collections.abc import Mapping
from typing import Any

from markupsafe import Markup, escape

from plumbline.reports.text import printable
from plumbline.spec.findings import window

MAX_BODY_LENGTH = 4_000
"""Characters of a body that the report shows; conformance.json holds the rest."""
MAX_EVIDENCE_LENGTH = 2_000_000
"""Characters of evidence beyond the first exchange of each requirement; a run in which everything
fails has far more.
"""
MAX_INDENT_LEVELS = 16
"""Levels of nesting that are indented; a hostile body can have thousands."""
MAX_MARKED_LENGTH = 300
"""Characters of what is at fault; a longer part, such as a whole list, says nothing when it is
marked.
"""
MARKS = ("\ue000", "\ue001")
"""Stand around what is at fault while a body is laid out."""
OPENS, CLOSES, BREAKS = frozenset("{["), frozenset("}]"), frozenset("{[,")
_PART = re.compile(r'"(?:[^"\\]|\\.)*"?|[{}\[\],:]|[^\s"{}\[\],:]+|\s+(?=[^\s{}\[\],:])', re.DOTALL)


class SizeLimit:
    """How much evidence still fits into the report."""

    def __init__(self) -> None:
        self._left = MAX_EVIDENCE_LENGTH

    def admits(self, exchange: Mapping[str, Any]) -> bool:
        """Whether the exchange fits; if so, it is counted."""
        self._left -= (
            sum(
                min(len(exchange[name] or ""), MAX_BODY_LENGTH)
                for name in ("request_body", "response_body")
            )
            + 2_000
        )
        return self._left >= 0


def lines(text: str) -> str:
    """The text with its line breaks, and everything else that could move a cursor or reorder a line
    as escapes.
    """
    return "\n".join(printable(line) for line in text.replace("\r\n", "\n").split("\n"))


def body(text: str | None, focus: tuple[int, int] | None = None) -> Markup:
    """A body, laid out if it looks like JSON, with what is at fault marked; of a long one the part
    around that.

    Args:
        text: the whole body.
        focus: beginning and end of what is at fault, in characters.
    """
    text = text or ""
    start, end = window(len(text), MAX_BODY_LENGTH, focus)
    parts = [text[start:end]]
    if (
        focus
        and focus[1] - focus[0] <= MAX_MARKED_LENGTH
        and not any(mark in text for mark in MARKS)
    ):
        begin, over = (min(max(place, start), end) for place in focus)
        parts = [text[start:begin], text[begin:over], text[over:end]]
    # Whole lines are laid out at once, so the marks travel with the text.
    marked = (
        "".join(part + mark for part, mark in zip(parts, (*MARKS, ""), strict=False))
        if len(parts) > 1
        else parts[0]
    )
    shaped = laid_out(marked, is_part=start > 0)
    pieces = re.split("|".join(MARKS), shaped) if len(parts) > 1 else [shaped]
    shown = Markup("").join(
        Markup("<mark>{}</mark>").format(lines(piece)) if number == 1 else escape(lines(piece))
        for number, piece in enumerate(pieces)
    )
    before = f"[{start:,} characters left out]\n" if start else ""
    after = f"\n[{end - start:,} of {len(text):,} characters]" if end - start < len(text) else ""
    return escape(before) + shown + escape(after)


def laid_out(text: str, *, is_part: bool = False) -> str:
    """A JSON text on one line, broken into lines and indented, every part as it was received; other
    texts unchanged.

    Args:
        text: the text.
        is_part: whether it begins in the middle of one, so that its beginning does not tell what it
            is.
    """
    if not (is_part or text.lstrip().startswith(("{", "["))) or "\n" in text.strip():
        return text
    parts: list[str] = []
    depth, before = 0, ","
    for part in _PART.findall(text.strip()):
        if part.isspace() and before in "{}[],:":
            continue
        depth = max(depth - (part in CLOSES), 0) if is_part else depth - (part in CLOSES)
        empty = before in OPENS and part in CLOSES
        if parts and not empty and (before in BREAKS or part in CLOSES):
            parts.append("\n" + "  " * min(depth, MAX_INDENT_LEVELS))
        parts.append(": " if part == ":" else part)
        depth += part in OPENS
        before = part
    return "".join(parts)


def request_line(exchange: Mapping[str, Any]) -> str:
    """Method and address on one line."""
    return printable(f"{exchange['method']} {exchange['url']}")


def status_line(exchange: Mapping[str, Any]) -> str:
    """Status and time, or why there is no answer."""
    if exchange["status"] is None:
        return printable(f"no answer: {exchange.get('failure') or 'none arrived'}")
    elapsed = exchange.get("elapsed_ms")
    return str(exchange["status"]) + (f" in {elapsed:,.0f} ms" if elapsed is not None else "")
