"""Text from a deployment is safe to show."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plumbline.reports.text import excerpt, plural, printable, shorten, storable, wrap

ANY_TEXT = st.text(st.characters(exclude_categories=()))


@given(ANY_TEXT)
def test_printable(text: str) -> None:
    """No text can move the cursor, change a colour, reverse a line or start a new one."""
    assert printable(text).isprintable()


@given(ANY_TEXT, st.integers(3, 80))
def test_shortened(text: str, limit: int) -> None:
    """A shortened text keeps to its limit, also when escapes make it longer."""
    assert len(shorten(text, limit)) <= limit


@given(ANY_TEXT, st.integers(1, 80))
def test_excerpt(text: str, limit: int) -> None:
    """An excerpt keeps to its limit and tells exactly how much of the text it shows."""
    shown, *note = excerpt(text, limit)
    assert len(shown) <= limit
    if note:
        place, _, total, _ = note[0].strip("[]").split()
        assert shown == printable(text[: int(place)])
        assert int(total) == len(text)
    else:
        assert shown == printable(text)


@given(ANY_TEXT)
def test_storable(text: str) -> None:
    """Every text can be stored as UTF-8."""
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
def test_escapes(text: str, shown: str) -> None:
    """Ordinary letters stay; control characters, terminal escapes, direction marks and surrogates show as escapes."""
    assert printable(text) == shown


def test_small_words() -> None:
    """Counts read well, and an empty text still has a line."""
    assert (plural(1, "request"), plural(1200, "request")) == ("1 request", "1,200 requests")
    assert wrap("", 10) == [""]
