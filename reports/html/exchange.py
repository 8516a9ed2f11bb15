"""What a deployment has sent, made safe to look at: every character that could play a trick is shown as an escape."""

import re
from collections.abc import Mapping
from typing import Any

from plumbline.reports.text import printable

MAX_BODY_LENGTH = 4_000
"""Characters of a body that the report shows; conformance.json holds the rest."""
MAX_EVIDENCE_LENGTH = 2_000_000
"""Characters of evidence beyond the first exchange of each requirement; a run in which everything fails has far more."""
MAX_INDENT_LEVELS = 16
"""Levels of nesting that are indented; a hostile body can have thousands."""
OPENS, CLOSES, BREAKS = frozenset("{["), frozenset("}]"), frozenset("{[,")
_PART = re.compile(r'"(?:[^"\\]|\\.)*"?|[{}\[\],:]|[^\s"{}\[\],:]+|\s+(?=[^\s{}\[\],:])', re.DOTALL)


class SizeLimit:
    """How much evidence still fits into the report."""

    def __init__(self) -> None:
        self._left = MAX_EVIDENCE_LENGTH

    def admits(self, exchange: Mapping[str, Any]) -> bool:
        """Whether the exchange fits; if so, it is counted."""
        self._left -= sum(min(len(exchange[name] or ""), MAX_BODY_LENGTH) for name in ("request_body", "response_body")) + 2_000
        return self._left >= 0


def lines(text: str) -> str:
    """The text with its line breaks, and everything else that could move a cursor or reorder a line as escapes."""
    return "\n".join(printable(line) for line in text.replace("\r\n", "\n").split("\n"))


def body(text: str | None) -> str:
    """The beginning of a body, laid out if it looks like JSON, with a note where that is not all of it."""
    text = text or ""
    shown = lines(laid_out(text[:MAX_BODY_LENGTH]))
    return shown if len(text) <= MAX_BODY_LENGTH else f"{shown}\n[{MAX_BODY_LENGTH:,} of {len(text):,} characters]"


def laid_out(text: str) -> str:
    """A JSON text on one line, broken into lines and indented, every part as it was received; other texts unchanged."""
    if not text.lstrip().startswith(("{", "[")) or "\n" in text.strip():
        return text
    parts: list[str] = []
    depth, before = 0, ","
    for part in _PART.findall(text.strip()):
        if part.isspace() and before in "{}[],:":
            continue
        depth -= part in CLOSES
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
