"""Times: how RFC 3339 writes an instant, at which instants it goes wrong, and the names of zones.

An instant is drawn first and written in the form of a class, so a form can be had of any instant.
Open are more than six digits of a second, offsets beyond -12:00 and +14:00 or with other minutes,
`-00:00`, `t` and `z`, a space for `T`, 24:00, leap seconds, and missing seconds.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from functools import partial
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from plumbline.spec.values.classes import Draw, Format, ValueClass, matches, one_of

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

DATE_TIME = re.compile(
    r"(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,6}))?(Z|[+-]\d{2}:\d{2})", re.ASCII
)


@dataclass(frozen=True)
class Form:
    """How an instant is written.

    Attributes:
        offset: minutes from UTC; None for `Z`.
        digits: of the fraction of a second.
    """

    offset: int | None = None
    digits: int = 0

    def write(self, moment: datetime) -> str:
        """An instant with whole seconds in this form; a fraction is of zeros."""
        zone = timezone(timedelta(minutes=self.offset or 0))
        text = moment.astimezone(zone).replace(microsecond=0).strftime("%Y-%m-%dT%H:%M:%S")
        fraction = "." + "0" * self.digits if self.digits else ""
        if self.offset is None:
            return f"{text}{fraction}Z"
        hours, minutes = divmod(abs(self.offset), 60)
        return f"{text}{fraction}{'-' if self.offset < 0 else '+'}{hours:02}:{minutes:02}"


FORMS: dict[str, Form] = {
    "`Z`": Form(),
    "`+00:00`": Form(0),
    "three digits of a second": Form(digits=3),
    "one or two digits of a second": Form(digits=1),
    "six digits of a second": Form(120, 6),
    "offset of hours ahead": Form(120),
    "offset of hours behind": Form(-480),
    "offset with half an hour ahead": Form(330),
    "offset with half an hour behind": Form(-210),
    "offset behind by less than an hour": Form(-30),
    "offset with three quarters of an hour": Form(345),
    "offset +14:00": Form(840),
    "offset -12:00": Form(-720),
    "fraction and offset": Form(-180, 3),
}
"""One form of each class of forms."""


def _offset(text: str) -> int | None:
    """The offset of a date-time in minutes; None for `Z` and for what is none."""
    match = DATE_TIME.fullmatch(text)
    if match is None or match[8] == "Z":
        return None
    minutes = int(match[8][1:3]) * 60 + int(match[8][4:])
    return -minutes if match[8][0] == "-" else minutes


def _digits(text: str) -> int:
    match = DATE_TIME.fullmatch(text)
    return len(match[7] or "") if match else 0


def _has_offset(test: Callable[[int], bool]) -> Callable[[Any], bool]:
    return lambda text: (offset := _offset(text)) is not None and test(offset)


def moment_of(text: str) -> datetime | None:
    """The instant of a date-time in one of the forms here; None for anything else."""
    if DATE_TIME.fullmatch(text) is None:
        return None
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None


def _at(test: Callable[[datetime], bool]) -> Callable[[Any], bool]:
    """Whether the date and time as they are written pass a test."""
    return lambda text: (moment := moment_of(text)) is not None and test(moment)


TURNS = tuple(
    datetime.fromisoformat(text)
    for text in (
        "2024-10-27T00:30:00+00:00",
        "2024-10-27T01:30:00+00:00",
        "2025-10-26T00:30:00+00:00",
        "2025-10-26T01:30:00+00:00",
        "2025-11-02T05:30:00+00:00",
        "2025-11-02T06:30:00+00:00",
        "2024-02-29T12:00:00+00:00",
        "2024-12-31T23:30:00+00:00",
    )
)
"""Instants from which on half an hour is special: clocks in Europe or New York show it twice, it is
in a leap day, or the year ends. What a form is tried with lies there, so that both are tried at
once.
"""


def _drawn(form: Form) -> Draw:
    def draw() -> "SearchStrategy[str]":
        from hypothesis import strategies as st  # noqa: PLC0415

        seconds = st.integers(0, 1_799)
        return st.builds(
            lambda turn, second: form.write(turn + timedelta(seconds=second)),
            st.sampled_from(TURNS),
            seconds,
        )

    return draw


BERLIN = ZoneInfo("Europe/Berlin")


def _is_doubled(moment: datetime) -> bool:
    """Whether an instant lies in an hour that clocks in Berlin show twice."""
    local = moment.astimezone(BERLIN)
    other = local.replace(tzinfo=None)
    return (
        other.replace(tzinfo=BERLIN, fold=0).utcoffset()
        != other.replace(tzinfo=BERLIN, fold=1).utcoffset()
        and local.month == 10
    )


INSTANTS = (
    ValueClass(
        "leap day",
        "RFC 3339, section 5.7: 29 February of a leap year, also before 1970, when seconds are"
        " counted below zero.",
        one_of("1968-02-29T20:17:40.5Z", "2024-02-29T00:00:00+01:00"),
        matches(r"\d{4}-02-29T.*"),
    ),
    ValueClass(
        "another day in UTC",
        "RFC 3339, section 4: the date belongs to the offset.",
        one_of(
            "2025-01-01T00:30:00+02:00", "2024-12-31T22:15:00-05:00", "2025-03-01T01:00:00+05:30"
        ),
        _at(lambda moment: moment.date() != moment.astimezone(UTC).date()),
    ),
    ValueClass(
        "hour that clocks show twice",
        "RFC 3339, section 4: an offset says which of both.",
        one_of(
            "2025-10-26T00:30:00Z",
            "2025-10-26T01:30:00Z",
            "2024-10-27T02:30:00+01:00",
            "2024-10-27T02:30:00+02:00",
        ),
        _at(_is_doubled),
    ),
    ValueClass(
        "first or last second of a day",
        "RFC 3339, section 5.6.",
        one_of(
            "2025-06-01T00:00:00Z",
            "2024-07-01T00:00:00+02:00",
            "2024-12-31T23:59:59Z",
            "2025-03-31T23:59:59Z",
        ),
        matches(r".*T(?:00:00:00|23:59:59)[.+Z-].*"),
    ),
)
"""Instants at which calendars and clocks go wrong, in any form."""


def _form_class(name: str, reason: str, holds: Callable[[Any], bool]) -> ValueClass:
    return ValueClass(name, reason, _drawn(FORMS[name]), holds)


HALF, QUARTERS = 30, (15, 45)
OFFSETS = "RFC 3339, section 5.6: any offset of hours and minutes."
FRACTION = "RFC 3339, section 5.6: a fraction of any number of digits."
WAYS = (
    _form_class(
        "`Z`",
        "RFC 3339, section 5.6.",
        lambda text: _digits(text) == 0 and moment_of(text) is not None and text[-1] == "Z",
    ),
    _form_class(
        "`+00:00`", "RFC 3339, section 4.3: UTC as well.", _has_offset(lambda offset: offset == 0)
    ),
    _form_class(
        "three digits of a second",
        f"{FRACTION} Every client in JavaScript sends three.",
        lambda text: _digits(text) == 3,
    ),
    _form_class("one or two digits of a second", FRACTION, lambda text: _digits(text) in (1, 2)),
    _form_class(
        "six digits of a second",
        f"{FRACTION} Clients in Python send six, and an offset.",
        lambda text: _digits(text) == 6,
    ),
    _form_class(
        "offset of hours ahead",
        OFFSETS,
        _has_offset(lambda offset: offset > 0 and offset % 60 == 0),
    ),
    _form_class(
        "offset of hours behind",
        OFFSETS,
        _has_offset(lambda offset: offset < 0 and offset % 60 == 0),
    ),
    _form_class(
        "offset with half an hour ahead",
        OFFSETS,
        _has_offset(lambda offset: offset > 0 and offset % 60 == HALF),
    ),
    _form_class(
        "offset with half an hour behind",
        OFFSETS,
        _has_offset(lambda offset: offset < 0 and offset % 60 == HALF),
    ),
    _form_class(
        "offset behind by less than an hour",
        f"{OFFSETS} Its hours are a zero with a sign.",
        _has_offset(lambda offset: -60 < offset < 0),
    ),
    _form_class(
        "offset with three quarters of an hour",
        OFFSETS,
        _has_offset(lambda offset: offset % 60 in QUARTERS),
    ),
    _form_class("offset +14:00", OFFSETS, _has_offset(lambda offset: offset == 840)),
    _form_class("offset -12:00", OFFSETS, _has_offset(lambda offset: offset == -720)),
    _form_class(
        "fraction and offset", OFFSETS, lambda text: _digits(text) > 0 and _offset(text) is not None
    ),
)
"""How an instant may be written."""
DATE_TIMES = Format("date-time", (*WAYS, *INSTANTS))
"""Times of which any can be given, such as when a payment was made."""
NOTED = Format("time of a note", DATE_TIMES.classes)
"""The same where a service may set its own time, so that none may ever be read."""
FUTURE = Format(DATE_TIMES.name, WAYS)
"""Times that a slot decides, so that only their form can be chosen."""

CITY = re.compile(r"(?!Etc/)[A-Z][A-Za-z]+/[A-Z][A-Za-z_-]+")
LINKS = (
    "Asia/Calcutta",
    "US/Pacific",
    "Europe/Kiev",
    "Asia/Saigon",
    "America/Buenos_Aires",
    "Asia/Katmandu",
    "Japan",
)
FIXED = ("Etc/GMT+5", "Etc/GMT-14", "Etc/GMT-3")
UNIVERSAL = ("UTC", "Etc/UTC", "GMT")
HALVES = (
    "Asia/Kolkata",
    "Australia/Adelaide",
    "America/St_Johns",
    "Asia/Kathmandu",
    "Pacific/Chatham",
    "Australia/Lord_Howe",
)
SOUTH = ("America/Santiago", "Australia/Sydney", "Pacific/Auckland", "America/Asuncion")
LONG = (
    "America/Argentina/Buenos_Aires",
    "America/Indiana/Knox",
    "America/Kentucky/Louisville",
    "America/North_Dakota/Center",
)
MARKS = ("America/Port-au-Prince", "America/Blanc-Sablon", "Africa/Porto-Novo", "Asia/Ust-Nera")
RECENT = ("Europe/Kyiv", "America/Nuuk", "Pacific/Kanton", "America/Ciudad_Juarez")
NAMES = "Names of the tz database."


def _zone(name: str, reason: str, names: tuple[str, ...]) -> ValueClass:
    return ValueClass(name, reason, one_of(*names), partial(_is_among, frozenset(names)))


def _is_among(names: frozenset[str], zone: str) -> bool:
    return zone in names


ZONES = Format(
    "iana",
    (
        _zone(
            "city",
            NAMES,
            (
                "Europe/Berlin",
                "Asia/Tokyo",
                "America/New_York",
                "Africa/Dar_es_Salaam",
                "Europe/London",
            ),
        ),
        _zone("three parts", NAMES, LONG),
        _zone("hyphen", NAMES, MARKS),
        _zone("link", f"{NAMES} A link is a name as well (theory file, section on naming).", LINKS),
        _zone("UTC", f"{NAMES} It is a link to Etc/UTC, and the usual name.", UNIVERSAL),
        _zone("fixed offset", f"{NAMES} The sign is the other way round than in an offset.", FIXED),
        _zone("half or three quarters of an hour", NAMES, HALVES),
        _zone("summer in January", NAMES, SOUTH),
        _zone("of recent years", f"{NAMES} They came with editions of 2020 to 2022.", RECENT),
    ),
)


def same_zone(left: str, right: str) -> bool:
    """Whether two names are one zone: a service may give the name that a link leads to."""
    if left == right:
        return True
    try:
        zones = ZoneInfo(left), ZoneInfo(right)
    except (ValueError, OSError, ZoneInfoNotFoundError):
        return False
    year = [datetime(2025, month, 15, tzinfo=UTC) for month in range(1, 13)]
    return all(zones[0].utcoffset(day) == zones[1].utcoffset(day) for day in year)
