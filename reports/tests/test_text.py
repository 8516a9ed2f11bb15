"""Text from a deployment is safe to show."""

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plumbline.reports.text import (
    excerpt,
    plural,
    printable,
    shorten,
    storable,
    width_of_output,
    wrap,
)
from plumbline.spec.findings import window

ANY_TEXT = st.text(st.characters(exclude_categories=()))


@given(ANY_TEXT)
def test_printable_text_is_printable(text: str) -> None:
    assert printable(text).isprintable()


@given(ANY_TEXT, st.integers(3, 80))
def test_shortened_text_keeps_to_limit(text: str, limit: int) -> None:
    assert len(shorten(text, limit)) <= limit


@given(ANY_TEXT, st.integers(1, 80))
def test_excerpt_keeps_to_limit_and_states_its_share(text: str, limit: int) -> None:
    shown, *note = excerpt(text, limit)
    assert len(shown) <= limit
    if note:
        place, _, total, _ = note[0].strip("[]").split()
        assert shown == printable(text[: int(place)])
        assert int(total) == len(text)
    else:
        assert shown == printable(text)


@given(ANY_TEXT)
def test_storable_text_encodes_as_utf_8(text: str) -> None:
    assert isinstance(storable({"a": [text]})["a"][0].encode(), bytes)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain é 漢 😀", "plain é 漢 😀"),
        ("a\r\n\tb", "a\\r\\n\\tb"),
        ("\x1b[31mred\x07", "\\x1b[31mred\\x07"),
        ("\u202eevil\u200b", "\\u202eevil\\u200b"),
        ("\ud800\U000e0041", "\\ud800\\U000e0041"),
    ],
)
def test_control_characters_show_as_escapes(text: str, shown: str) -> None:
    assert printable(text) == shown


def test_plural_and_empty_wrap() -> None:
    assert (plural(1, "request"), plural(1200, "request")) == ("1 request", "1,200 requests")
    assert wrap("", 10) == [""]


@given(st.integers(1, 60), st.integers(1, 20), st.integers(0, 60), st.integers(1, 60))
def test_window_is_full_and_holds_the_focus_that_fits(
    length: int, limit: int, first: int, size: int
) -> None:
    focus = min(first, length - 1), min(first + size, length)
    start, end = window(length, limit, focus)
    assert 0 <= start <= end <= length
    assert end - start == min(length, limit)
    if focus[1] - focus[0] <= limit:
        assert start <= focus[0]
        assert focus[1] <= end


@pytest.mark.parametrize(("columns", "width"), [("80", 80), ("20", 60), ("240", 100)])
def test_running_text_fits_the_terminal(
    monkeypatch: pytest.MonkeyPatch, columns: str, width: int
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    assert width_of_output() == 100, "a file has no width"
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    assert width_of_output() == width
