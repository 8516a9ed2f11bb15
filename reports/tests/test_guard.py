"""What is printed is obeyed neither by a terminal nor by a pipeline, however it is cut into
writes.
"""

import re
from io import StringIO
from typing import TextIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plumbline.reports.terminal.guard import Command, Document, Guard, GuardedStream, broken

OBEYED = re.compile(
    r"(?m)^\s*::|##[A-Za-z]{0,20}\["
    r"|[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]"
)
parts = st.lists(
    st.sampled_from(
        [
            "::",
            ":",
            "#",
            "##",
            "[",
            "vso",
            "add-mask]",
            "teamcity[",
            " ",
            "\n",
            "error::",
            "\x1b[0K",
            "\r",
            "\u202e",
            "a",
        ]
    )
    | st.text(max_size=4),
    max_size=12,
)


@pytest.fixture(autouse=True)
def _no_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("FORCE_COLOR", "PY_COLORS", "GITHUB_ACTIONS"):
        monkeypatch.delenv(name, raising=False)


def printed(*texts: str) -> str:
    out = StringIO()
    stream = GuardedStream(out, Guard())
    for text in texts:
        stream.write(text)
    return out.getvalue()


@given(parts)
def test_nothing_that_is_written_is_obeyed(texts: list[str]) -> None:
    assert OBEYED.search(printed(*texts)) is None


@given(st.lists(st.text("abc :.#[]-\n\u00e9", max_size=8), max_size=6))
def test_ordinary_text_stays(texts: list[str]) -> None:
    whole = "".join(texts)
    if not OBEYED.search(whole):
        assert printed(*texts) == whole


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("::error::a", "\\x3a:error::a"),
        ("  ::error::a", "  \\x3a:error::a"),
        ("suites/test_a.py::test_b", "suites/test_a.py::test_b"),
        ("a ##[add-mask]b", "a #\\x23[add-mask]b"),
        ("##vso[task.complete]", "#\\x23vso[task.complete]"),
        ("### Title [a]", "### Title [a]"),
        ("a\n::b::", "a\n\\x3a:b::"),
    ],
)
def test_marks_are_broken_where_they_can_be_seen(text: str, shown: str) -> None:
    assert broken(text) == printed(text) == shown


class Log(StringIO):
    """A stream that may be the log of a pipeline."""

    def __init__(self, file: TextIO) -> None:
        super().__init__()
        self._file = file

    def fileno(self) -> int:
        return self._file.fileno()


def test_github_obeys_commands_of_the_kit_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    with open("/dev/null", "w", encoding="utf-8") as device:  # noqa: PTH123
        out = Log(device)
        stream = GuardedStream(out, Guard())
        stream.write("a\nb")
        stream.write("\n")
        stream.write(Command("::error title=X::y\n"))
        stream.write("c")
        stream.finish()
    first, second = re.findall(r"::stop-commands::(\w+)\n", out.getvalue())
    assert first != second
    assert (
        out.getvalue() == f"::stop-commands::{first}\na\nb\n::{first}::\n::error"
        f" title=X::y\n::stop-commands::{second}\nc\n::{second}::\n"
    )


def test_document_stays_a_document(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    assert printed(Document('{"a": "##[b] ##vso[c]"}\n')) == '{"a": "#\\u0023[b] #\\u0023vso[c]"}\n'
