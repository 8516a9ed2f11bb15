"""JSON as evidence: whatever readers could understand differently is refused, and everything else
is read as `json` reads it.
"""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plumbline.spec.strict_json import MAX_DEPTH, MAX_INTEGER, AmbiguousJsonError, parsed

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-MAX_INTEGER, MAX_INTEGER)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXTS,
    lambda inner: st.lists(inner) | st.dictionaries(TEXTS, inner),
)


@given(VALUES, st.booleans())
def test_json_of_one_meaning_is_read(value: Any, ascii_only: bool) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only)
    assert parsed(text) == parsed(text.encode()) == json.loads(text)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('{"a": 1, "b": 2, "a": 1}', "has the name 'a' twice in one object"),
        ('[{"b": {"\\u0061": 1, "a": 2}}]', "has the name 'a' twice in one object"),
        ("[NaN]", "holds NaN, which is not JSON"),
        ("[-Infinity]", "holds -Infinity, which is not JSON"),
        ("[1e999]", "holds a number that no reader keeps (1e999)"),
        ("[-1e999]", "holds a number that no reader keeps (-1e999)"),
        (
            "9223372036854775808",
            "holds a number that no reader keeps exactly (9223372036854775808)",
        ),
        ("-" + "9" * 5000, "holds a number that no reader keeps exactly (-" + "9" * 59 + ")"),
        ("[" * (MAX_DEPTH + 2) + "]" * (MAX_DEPTH + 2), "is nested more than 100 levels deep"),
        ("[" * 10**6, "is nested more than 100 levels deep"),
        ('{"a":' * 5000 + "1" + "}" * 5000, "is nested more than 100 levels deep"),
        ('["\\ud800"]', "holds half of a surrogate pair, which is no character"),
        ("\ufeff[]", "is not JSON"),
        ("[] []", "is not JSON"),
        ("", "is not JSON"),
        (b"\xff", "is not JSON"),
        (b"[\x00]", "is not JSON"),
    ],
    ids=range(17),
)
def test_json_of_several_meanings_is_refused(text: str | bytes, sentence: str) -> None:
    with pytest.raises(AmbiguousJsonError) as told:
        parsed(text)
    assert str(told.value) == sentence


def test_many_names_with_one_twice_take_no_longer_than_many() -> None:
    text = "{" + ", ".join(f'"{number}": 0' for number in range(200_000)) + ', "199999": 1}'
    with pytest.raises(AmbiguousJsonError, match="'199999' twice"):
        parsed(text)


def test_halves_of_characters_are_read_where_they_may_stand() -> None:
    assert parsed('["\\ud800"]', any_characters=True) == ["\ud800"]
    assert parsed('["\\ud83d\\ude00"]') == ["\U0001f600"]
