"""Values compare as the contract means them: instants as instants, numbers by value, ids without
case.
"""

from datetime import UTC, datetime, timedelta, timezone
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plumbline.spec.comparing import instant, is_number, is_uuid, iso, same, same_id, same_instant

OFFSETS = st.integers(-18 * 60, 18 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
MOMENTS = st.datetimes(timezones=st.just(UTC)).filter(lambda moment: 1000 < moment.year < 9000)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**15), 10**15) | st.floats(-1e9, 1e9) | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=6,
)
SAME_INSTANTS = [
    "2031-01-07T15:00:00Z", "2031-01-07t15:00:00z", "2031-01-07 15:00:00Z", "2031-01-07T15:00:00",
    "2031-01-07T15:00Z",
    "2031-01-07T15:00:00+00:00", "2031-01-07T15:00:00-00:00", "2031-01-07T15:00:00+0000",
    "2031-01-07T15:00:00+00",
    "2031-01-07T17:30:00+02:30", "2031-01-07T10:00:00-0500", "2031-01-08T05:00:00+14",
    "20310107T150000Z", "20310107T1500Z",
    "20310107T170000.000+0200", "2031-01-07T15:00:00.0Z", "2031-01-07T15:00:00,000Z",
    "2031-01-07T15:00:00.000000000+00:00",
    "2031-W02-2T15:00:00Z", "2031W022T150000Z", "2031-007T15:00:00Z", "2031007T150000Z",
    "2031-W02-2T16:00+01",
]  # fmt: skip
NO_INSTANTS: list[Any] = [
    None, 7, 1925564400, True, [], {}, "", "now", "2031-01-07", "15:00:00Z", "2031-W60-2T15:00:00Z",
    "2031-366T15:00:00Z",
    "2031000T150000Z", "2031-13-07T15:00:00Z", "2031-02-29T15:00:00Z", "2031-01-07T25:00:00Z",
    "2031-01-07T15:61:00Z",
    "2031-01-07T15:00:00+25:00", "0000-01-07T15:00:00Z", "2031-01-07T15:00:00Z\n",
    " 2031-01-07T15:00:00Z",
    "2031-01-07T15:00:00+02:00Z", "٢٠٣١-01-07T15:00:00Z", "0001-01-01T00:00:00+14:00",
    "9999-12-31T23:59:59-14:00",
    "Tue, 07 Jan 2031 15:00:00 GMT",
]  # fmt: skip


class TestInstant:
    @pytest.mark.parametrize("text", SAME_INSTANTS)
    def test_forms_of_one_instant_are_equal(self, text: str) -> None:
        assert instant(text) == datetime(2031, 1, 7, 15, tzinfo=UTC)

    @pytest.mark.parametrize("digits", [1, 6, 9])
    def test_fraction_is_cut_to_microseconds(self, digits: int) -> None:
        micros = int("123456"[:digits].ljust(6, "0"))
        assert instant(f"2031-01-07T15:00:00.{'123456789'[:digits]}Z") == datetime(
            2031, 1, 7, 15, 0, 0, micros, UTC
        )

    def test_leap_second_is_the_second_before(self) -> None:
        assert instant("2016-12-31T23:59:60Z") == datetime(2016, 12, 31, 23, 59, 59, tzinfo=UTC)

    @pytest.mark.parametrize("value", NO_INSTANTS)
    def test_other_value_is_no_instant(self, value: Any) -> None:
        assert instant(value) is None

    @given(
        st.text()
        | st.from_regex(
            r"\A\d{4}-?\d\d-?\d\d[Tt ]\d\d:?\d\d(:?\d\d([.,]\d+)?)?([Zz]|[+-]\d\d(:?\d\d)?)?\Z"
        )
    )
    def test_any_text_is_an_instant_in_utc_or_none(self, text: str) -> None:
        moment = instant(text)
        assert moment is None or moment.tzinfo is UTC

    @given(MOMENTS, OFFSETS, OFFSETS)
    def test_instants_compare_across_offsets(
        self, moment: datetime, first: timezone, second: timezone
    ) -> None:
        assert same_instant(
            moment.astimezone(first).isoformat(), moment.astimezone(second).isoformat()
        )

    def test_instants_compare_to_the_millisecond(self) -> None:
        assert same_instant("2031-01-07T15:00:00.123456Z", "2031-01-07T15:00:00.123Z")
        assert not same_instant("2031-01-07T15:00:00.123Z", "2031-01-07T15:00:00.125Z")
        assert not same_instant("soon", "soon")

    @given(MOMENTS)
    def test_iso_is_read_back_to_the_second(self, moment: datetime) -> None:
        assert instant(iso(moment)) == moment.replace(microsecond=0)
        assert iso(moment).endswith("Z")
        assert len(iso(moment)) == len("2031-01-07T15:00:00Z")


class TestIds:
    @given(st.uuids(), st.uuids())
    def test_uuids_compare_without_case(self, first: UUID, second: UUID) -> None:
        assert is_uuid(str(first))
        assert same_id(str(first), str(first).upper())
        assert same_id(str(first), str(second)) == (first == second)

    @pytest.mark.parametrize(
        "value",
        [
            None,
            7,
            "",
            "7",
            "7f1c2d9e4b584c1a9d3e2a6f0b8c5e71",
            "{7f1c2d9e-4b58-4c1a-9d3e-2a6f0b8c5e}",
        ],
    )
    def test_other_value_is_no_uuid(self, value: Any) -> None:
        assert not is_uuid(value)

    @pytest.mark.parametrize(("left", "right"), [(None, None), (7, 7), ("7", 7), ("a", "b")])
    def test_only_strings_are_ids(self, left: Any, right: Any) -> None:
        assert not same_id(left, right)


class TestSame:
    @pytest.mark.parametrize(
        ("left", "right"),
        [
            (12, 12.0),
            (12.34, 12.340000000000002),
            (0, -0.0),
            ({"a": [1, {"b": 2}]}, {"a": [1.0, {"b": 2.0}]}),
        ],
    )
    def test_numbers_compare_by_value(self, left: Any, right: Any) -> None:
        assert same(left, right)

    @pytest.mark.parametrize(
        ("left", "right"),
        [
            *(
                (12, "12"),
                (1, True),
                (0, False),
                (0, None),
                (12.34, 12.35),
                (1234, 12.34),
                ("", None),
                ("a", "A"),
            ),
            *(([], {}), ([1], [1, 2]), ([1, 2], [2, 1]), ({"a": 1}, {"a": 1, "b": None})),
        ],
    )
    def test_other_type_order_or_member_differs(self, left: Any, right: Any) -> None:
        assert not same(left, right)
        assert not same(right, left)

    @given(JSON, JSON)
    def test_same_is_reflexive_and_symmetric(self, left: Any, right: Any) -> None:
        assert same(left, left)
        assert same(left, right) == same(right, left)

    @pytest.mark.parametrize(
        ("value", "number"), [(1, True), (1.5, True), (True, False), ("1", False), (None, False)]
    )
    def test_bool_and_string_are_no_numbers(self, value: Any, *, number: bool) -> None:
        assert is_number(value) is number
