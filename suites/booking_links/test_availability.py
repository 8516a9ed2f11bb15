"""The availability of a booking link."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from plumbline.fixtures.http.exchange import Exchange, NotApplicableError, PreconditionNotMet
from plumbline.fixtures.judging.judge import Judge
from plumbline.fixtures.judging.matchers import accepted, answered, finds_none, has_kind, refused
from plumbline.fixtures.judging.mismatch import Step
from plumbline.fixtures.judging.values_as_text import as_json
from plumbline.fixtures.scenarios.builders import Builders
from plumbline.fixtures.scenarios.mark import check
from plumbline.fixtures.scenarios.sample_requests import ON_LINKS
from plumbline.fixtures.scenarios.slots import JUST_PAST, slots_in

DAY = timedelta(days=1)
BUILT_IN = ("name", "email", "phone")
"""Contact fields of every form, whatever they are called there; those that are switched off stay in
the list.
"""
FAR_ZONES = ("Pacific/Pohnpei", "Pacific/Chuuk")
"""Zones nearly half a day away that libraries know by another name as well, to which some change
what they are given.
"""


def today() -> datetime:
    """The start of the current UTC day."""
    return datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)


def starts(exchange: Exchange) -> list[Any]:
    """The raw start times of an availability answer."""
    slots = exchange.at("/data/slots")
    return (
        [slot.get("start_time") for slot in slots if isinstance(slot, dict)]
        if isinstance(slots, list)
        else []
    )


@check("LINK-01", "LINK-02", "LINK-03", "LINK-04", "LINK-05", "LINK-10")
def test_a_month_of_slots(judge: Judge, build: Builders) -> None:
    """Availability of today and the 30 days after it.

    > A range of 31 counted days that starts today MUST be served. Slot times MUST be unix seconds
    > inside the requested UTC days.
    """
    month = build.month()
    first = datetime.fromisoformat(month.query["start_date"]).replace(tzinfo=UTC)
    if not month.ok and first != today():
        raise NotApplicableError("the UTC day changed while the question was on its way")
    judge("LINK-10", month, accepted)
    judge.traffic(month)
    if not month.ok:
        return
    if not starts(month):
        raise NotApplicableError(
            "the booking link offers no slot within 31 days",
            "give the booking link more open hours",
        )
    since, until = first.timestamp(), (first + 31 * DAY).timestamp()
    outside = [
        time
        for time in starts(month)
        if not isinstance(time, int | float) or not since <= time < until
    ]
    judge(
        "LINK-03",
        month,
        finds_none(
            outside, f"no start outside {since:.0f} to {until:.0f}, in unix seconds", "/data/slots"
        ),
    )


@check("LINK-01")
def test_no_slots_are_an_empty_array(judge: Judge, build: Builders) -> None:
    """Two days ten years ahead, where hardly any link has slots.

    > Availability MUST return `slots` as an array and `timezone` as a string under `data`.
    """
    far = build.availability(3650, 3651)
    judge.that(
        "LINK-01",
        far.status != 404,
        far,
        expected="no 404, because the link is there",
        received=far.summary(),
    )
    if not far.ok:
        raise NotApplicableError("nothing is known of days so far ahead")
    judge("LINK-01", far, has_kind("/data/slots", list, "an array"))


@check("LINK-03", "LINK-13")
def test_both_days_are_inclusive(judge: Judge, build: Builders) -> None:
    """The day of a slot alone, the two days that end with it, and some that begin with it, before a
    weekday with slots. It is the last day of its month, if that has slots.

    > Both days of the range MUST be inclusive.
    """
    days = {offered.starts_at.date() for offered in slots_in(build.month())}
    slot = build.take_slot(day=next((day for day in sorted(days) if (day + DAY).day == 1), None))
    day = slot.starts_at.date()
    weekdays = {offered.starts_at.weekday() for offered in slots_in(build.month())}
    later = (day + days * DAY for days in range(1, 8))
    last = next(
        (day_later for day_later in later if (day_later + DAY).weekday() in weekdays), day + DAY
    )
    for answer in (
        build.availability(day, day),
        build.availability(day - DAY, day),
        build.availability(day, last),
    ):
        shown_starts = {offered.start for offered in slots_in(answer)}
        if slot.start in shown_starts or not build.neighbours(slot.start):
            judge.that(
                "LINK-13",
                slot.start in shown_starts,
                answer,
                expected=f"the slot at {slot.start} on {day}",
                received=f"{len(shown_starts)} other slots",
                where="/data/slots",
            )
        since, until = (
            datetime.fromisoformat(answer.query[name]).replace(tzinfo=UTC)
            for name in ("start_date", "end_date")
        )
        outside = [
            start
            for start in shown_starts
            if not since.timestamp() <= start < (until + DAY).timestamp()
        ]
        only = f"no slot outside {since:%Y-%m-%d} to {until:%Y-%m-%d}"
        judge("LINK-03", answer, finds_none(outside, only, "/data/slots"))
    if judge.forgotten():
        raise NotApplicableError("the slot is gone, and the run has used another one close to it")


@check("LINK-20")
def test_a_month_shows_what_its_days_show(judge: Judge, build: Builders) -> None:
    """A day without slots in the answer for a month, on a weekday that has some; on its own, and in
    the month asked once more.

    > Slots MUST equal what a guest sees on the public booking page.
    """
    month = build.month()
    shown = {slot.starts_at.date() for slot in slots_in(month)}
    if not shown:
        raise NotApplicableError("the month shows no slot")
    weekdays, first, last = (
        {day.weekday() for day in shown},
        min(shown),
        date.fromisoformat(month.query["end_date"]),
    )
    days = [first + number * DAY for number in range((last - first).days)]
    bare = [day for day in days if day.weekday() in weekdays and day not in shown]
    day = next(
        (day_shown for day_shown in bare if day_shown > max(shown)), bare[0] if bare else first
    )
    alone = build.availability(day, day) if bare else month
    again = build.availability(0, 30) if bare and slots_in(alone) else month
    lost = bool(bare and slots_in(alone)) and day not in {
        slot.starts_at.date() for slot in slots_in(again)
    }
    steps = [Step(alone, f"shows slots of {day}"), Step(again)] if lost else []
    expected = f"the slots of {day} in the month"
    judge.that(
        "LINK-20",
        not lost,
        again,
        expected=expected,
        received="none",
        where="/data/slots",
        sequence=steps,
    )


@check("LINK-06")
def test_the_timezone_is_echoed_only(judge: Judge, build: Builders) -> None:
    """The same day, without a timezone and with one that is nearly half a day away and has two
    names.

    > A given `timezone` MUST be echoed and MUST NOT change the slots.
    """
    day = build.spare_slot().starts_at.date()
    plain = {slot.start for slot in slots_in(build.availability(day, day))}
    zone = FAR_ZONES[build.session.settings.seed % len(FAR_ZONES)]
    answer = build.availability(day, day, timezone=zone)
    gone = plain - {slot.start for slot in slots_in(answer)}
    echo, lost = answer.at("/data/timezone"), list(filter(build.is_unexplained, gone))
    judge.that(
        "LINK-06", echo == zone, answer, expected=zone, received=echo, where="/data/timezone"
    )
    missing = f"{len(lost)} are missing"
    judge.that(
        "LINK-06",
        not lost,
        answer,
        expected="the slots of the day without a timezone",
        received=missing,
        where="/data/slots",
    )
    apart = [slot.start for slot in slots_in(answer) if slot.starts_at.date() != day]
    judge(
        "LINK-06",
        answer,
        finds_none(apart, f"no slot of another day than {day}, in UTC", "/data/slots"),
    )


@check("LINK-07")
def test_a_range_in_the_past_is_invalid(judge: Judge, build: Builders) -> None:
    """A range that starts yesterday.

    > A range that starts before today MUST be answered with 400.
    """
    yesterday = (datetime.now(UTC) - JUST_PAST).date() - DAY
    judge("LINK-07", build.availability(yesterday, 1), answered(400))


@check("LINK-08")
def test_a_reversed_range_is_invalid(judge: Judge, build: Builders) -> None:
    """A range that ends the day before it starts, both in the future.

    > A range that ends before it starts MUST be answered with 400.
    """
    judge("LINK-08", build.availability(6, 5), answered(400))


@check("LINK-09")
def test_a_long_range_is_invalid(judge: Judge, build: Builders) -> None:
    """A range whose days are 32 apart, too long by either way of counting, that starts on another
    day in every run.

    > A range longer than 31 days MUST be answered with 400.
    """
    first = build.session.random("a long range").randrange(2, 15)
    judge("LINK-09", build.availability(first, first + 32), answered(400))


@check("LINK-11")
@pytest.mark.parametrize("missing", ["start_date", "end_date"])
def test_both_dates_are_needed(judge: Judge, build: Builders, missing: str) -> None:
    """A range of which one end is missing.

    > A missing `start_date` or `end_date`, or one that breaks the pattern or names no day, MUST be
    > refused.
    """
    query = {
        name: f"{today() + 3 * DAY:%Y-%m-%d}"
        for name in ("start_date", "end_date")
        if name != missing
    }
    judge(
        "LINK-11",
        build.api.get(ON_LINKS[0].removeprefix("GET "), id=build.booking_link(), **query),
        refused,
    )


@check("LINK-11")
@pytest.mark.parametrize("form", ["%Y/%m/%d", "without zeros", "%Y-%m-%dT00:00:00Z", "%Y%m%d"])
def test_dates_must_be_dates(judge: Judge, build: Builders, form: str) -> None:
    """A range in the near future whose first day is written in another form.

    > A missing `start_date` or `end_date`, or one that breaks the pattern or names no day, MUST be
    > refused.
    """
    days = (today() + number * DAY for number in range(3, 35))
    day = next(day for day in days if form != "without zeros" or day.day < 10)
    written = f"{day.year}-{day.month}-{day.day}" if form == "without zeros" else f"{day:{form}}"
    query = {"start_date": written, "end_date": f"{day + DAY:%Y-%m-%d}"}
    judge(
        "LINK-11",
        build.api.get(ON_LINKS[0].removeprefix("GET "), id=build.booking_link(), **query),
        refused,
    )


@check("LINK-14")
def test_the_form_lists_its_fields(judge: Judge, build: Builders) -> None:
    """The booking form of the link.

    > `GET /v1/booking-links/{id}/fields` MUST return an array under `data.fields`.
    """
    judge("LINK-14", build.form(), has_kind("/data/fields", list, "an array"))


@check("LINK-15", "LINK-16", "LINK-17")
def test_form_fields_are_as_documented(judge: Judge, build: Builders) -> None:
    """The fields of the booking form of the link.

    > Booking-form fields MUST have their documented types, MUST come in display order, and MUST
    > include the built-in contact fields as `default`.
    """
    form = build.form()
    fields = form.at("/data/fields")
    if not (form.ok and isinstance(fields, list)):
        raise PreconditionNotMet("the booking form has no array of fields")
    judge.traffic(form)
    kinds = [str(row.get("kind")) for row in fields if isinstance(row, dict)]
    judge.that(
        "LINK-17",
        kinds.count("default") >= len(BUILT_IN),
        form,
        expected=f"fields of kind `default` for {', '.join(BUILT_IN)}",
        received=f"kinds {as_json(kinds)}",
        where="/data/fields",
    )
