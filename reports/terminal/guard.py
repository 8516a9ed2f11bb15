"""Keeps what is printed from being obeyed: by the terminal, and by the pipeline that reads the log
line by line.

Pipelines take some lines of a log for commands: GitHub `::name::` at the beginning of a line and
`##[name]` anywhere, Azure `##vso[name]`, TeamCity `##teamcity[name]`, GitLab an escape and
`section_start:`. A deployment can bring its text to any place of a line, so everything that a
program of the kit prints passes through here.
"""

import atexit
import os
import re
import secrets
import stat
import sys
from collections.abc import Iterable
from typing import Any, TextIO

from plumbline.reports.text import printable

MARK = re.compile(r"##([A-Za-z]{0,20})\[")
"""How commands begin in the middle of a line, for several pipelines."""
LINE_MARK = re.compile(r"(?m)^([^\S\n]*):(?=:)")
"""How they begin at its beginning, for GitHub."""
COLOUR = re.compile(r"(\x1b\[[0-9;]*m)")
CONTROL = re.compile(r"(\x1b\[[0-9;?]*[A-Za-z]|\r)")
"""What this kit and pytest send to a terminal: colours, and what moves the cursor."""
KEPT = 40
"""Characters of a line that may be the beginning of a mark whose end is written later."""


class Command(str):
    """Lines that a pipeline shall obey; the kit's own, with nothing in them that a deployment could
    choose.
    """

    __slots__ = ()


class Document(str):
    """A text for a program that reads it, such as JSON: nothing is printed around it."""

    __slots__ = ()


class Guard:
    """What both streams of a program have in common: whether GitHub obeys commands at the
    moment.
    """

    def __init__(self) -> None:
        self._token = ""

    def before(self, stream: TextIO) -> None:
        """Let GitHub obey nothing from now on."""
        if not self._token and os.environ.get("GITHUB_ACTIONS") == "true" and _is_log(stream):
            self._token = secrets.token_hex(16)
            stream.write(f"::stop-commands::{self._token}\n")
            stream.flush()

    def end(self, stream: TextIO) -> None:
        """Let it obey again."""
        if self._token:
            token, self._token = self._token, ""
            stream.write(f"::{token}::\n")
            stream.flush()


class GuardedStream:
    """A text stream that writes nothing which a terminal or a pipeline would obey.

    Args:
        stream: what it writes to; everything else is left to it.
        guard: of the program.
    """

    def __init__(self, stream: TextIO, guard: Guard) -> None:
        self.guarded, self._guard = stream, guard
        self._line = ""

    def __getattr__(self, name: str) -> Any:
        return getattr(self.guarded, name)

    def __iter__(self) -> Any:
        return iter(self.guarded)

    def write(self, text: str) -> int:
        """Write some text, with its marks and control characters shown as escapes."""
        if isinstance(text, Command):
            self._guard.end(self.guarded)
            self.guarded.write(str(text))
        elif isinstance(text, Document):
            self.guarded.write(MARK.sub(r"#\\u0023\1[", text))
        elif text:
            if not self._line:
                self._guard.before(self.guarded)
            self.guarded.write(self._harmless(text))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write several texts."""
        for line in lines:
            self.write(line)

    def finish(self) -> None:
        """End the line, and let GitHub obey again."""
        if self._line:
            self.write("\n")
        self.guarded.flush()
        self._guard.end(self.guarded)

    def _harmless(self, text: str) -> str:
        shown = _shown(text, self._allowed())
        whole = self._line + shown
        harmless = broken(whole, len(self._line))[len(self._line) :]
        last = whole.rpartition("\n")[2]
        blank = not last.strip(" \t:")
        self._line = last if blank else "x" + last[-KEPT:]
        return harmless

    def _allowed(self) -> re.Pattern[str] | None:
        if self.guarded.isatty():
            return CONTROL
        wanted = (
            os.environ.get("FORCE_COLOR")
            or os.environ.get("PY_COLORS") == "1"
            or "--color=yes" in sys.argv
        )
        return COLOUR if wanted else None


def broken(text: str, start: int = 0) -> str:
    """The text with each mark of a command broken by an escape.

    Args:
        text: of any lines.
        start: characters that were written already and stay.
    """

    def middle(match: re.Match[str]) -> str:
        if match.end() <= start:
            return match[0]
        return f"#\\x23{match[1]}[" if match.start() + 1 >= start else f"{match[0][:-1]}\\x5b"

    def beginning(match: re.Match[str]) -> str:
        place = match.end() - 1
        return f"{match[1]}\\x3a" if place >= start else match[0]

    if start and text[:start].strip() == ":" and text[start:].startswith(":"):
        text = f"{text[:start]}\\x3a{text[start + 1 :]}"
    # Lines first: what is put in for the marks within a line is longer than they are.
    written, rest = text[:start], LINE_MARK.sub(beginning, text)[start:]
    return MARK.sub(middle, written + rest)


def print_document(text: str) -> None:
    """Print a text for a program that reads it."""
    sys.stdout.write(Document(f"{text}\n"))


def _is_log(stream: TextIO) -> bool:
    """Whether a stream may be what a pipeline reads, and no file."""
    try:
        return not stat.S_ISREG(os.fstat(stream.fileno()).st_mode)
    except (OSError, ValueError):
        return False


def _shown(text: str, allowed: re.Pattern[str] | None) -> str:
    """The text with escapes for everything that is not printable, but for the ends of lines and
    what is allowed.
    """
    if text.isprintable():
        return text
    parts = allowed.split(text) if allowed else [text]
    return "".join(
        part if number % 2 else "\n".join(map(_line, part.split("\n")))
        for number, part in enumerate(parts)
    )


def _line(text: str) -> str:
    return "\t".join(map(printable, text.split("\t")))


def guard_output() -> None:
    """Let everything that this program prints pass through a guard; once is enough."""
    if isinstance(sys.stdout, GuardedStream) or sys.stdout is None or sys.stderr is None:
        return
    guard = Guard()
    streams = [GuardedStream(stream, guard) for stream in (sys.stdout, sys.stderr)]
    # They have what a text stream has, and leave the rest to the one they stand before.
    sys.stdout, sys.stderr = streams
    atexit.register(_finish, streams)


def _finish(streams: Iterable[GuardedStream]) -> None:
    for stream in streams:
        try:
            stream.finish()
        except (OSError, ValueError):  # the reader has gone, or the stream is closed
            continue
