"""What a booking link shows, held against facts that the profile tells of it; what no fact is told
about is not judged.
"""

from datetime import UTC, date, datetime, timedelta
from typing import Any

from plumbline.fixtures.http.exchange import NotApplicableError, PreconditionNotMet
from plumbline.fixtures.judging.judge import Judge
from plumbline.fixtures.judging.matchers import accepted, finds_none, has, refused
from plumbline.fixtures.scenarios.booking_link_facts import (
    CLOCK_MARGIN,
    changes_of_clocks,
    notice_of,
    outside_hours,
    row_of,
    told,
    too_soon,
    usual_times,
)
from plumbline.fixtures.scenarios.builders import Builders
from plumbline.fixtures.scenarios.mark import check
from plumbline.fixtures.scenarios.slots import Slot, slots_in
from plumbline.spec.comparing import iso

CHANGES_OF_A_YEAR = 2
"""How often clocks change in a year."""
DAY = timedelta(days=1)
"""A horizon may end with the day of any timezone."""


@check("LINK-23", main=True)
def test_the_timezone_of_the_link_is_the_default(judge: Judge, build: Builders) -> None:
    """Availability without a `timezone`, on a link whose timezone the profile tells.

    > Availability without a `timezone` query MUST show the timezone of the link.
    """
    zone, month = told(build, "timezone").timezone, build.month()
    _ = month.data
    judge("LINK-23", month, has("/data/timezone", zone))


@check("LINK-20", main=True)
def test_slots_keep_to_the_working_hours(judge: Judge, build: Builders) -> None:
    """A month of slots of a link whose working hours the profile tells; then those of the end of
    its booking horizon.

    Where clocks change on a day of the horizon that neither holds, the slots of the days on both
    sides of it as well.

    > Slots MUST equal what a guest sees on the public booking page.
    """
    link = told(build, "working_hours")
    looks = [build.month()]
    if link.horizon_days is not None and build.month().ok:
        today = date.fromisoformat(build.month().query["start_date"])
        looks.append(build.horizon_end())
        covered = [
            (
                date.fromisoformat(look.query["start_date"]),
                date.fromisoformat(look.query["end_date"]),
            )
            for look in looks
        ]
        changes = changes_of_clocks(link.timezone, today, today + link.horizon_days * DAY)
        others = [
            change
            for change in changes
            if not any(first < change < last for first, last in covered)
        ]
        looks += [build.around_change(change) for change in others[:CHANGES_OF_A_YEAR]]
    _ = _offered(build)
    expected = f"slots within the working hours in {link.timezone}"
    for look in looks:
        late = [
            iso(slot.starts_at)
            for slot in slots_in(look)
            if outside_hours(link, slot.start, slot.end)
        ]
        judge("LINK-20", look, finds_none(late, expected, "/data/slots"))


@check("LINK-20", main=True)
def test_slots_leave_the_minimum_notice(judge: Judge, build: Builders) -> None:
    """A month of slots, from today on, of a link whose minimum notice the profile tells.

    > Slots MUST equal what a guest sees on the public booking page.
    """
    notice = timedelta(minutes=told(build, "minimum_notice_minutes").minimum_notice_minutes or 0)
    first = datetime.fromtimestamp(build.month().sent_at, UTC) + notice - CLOCK_MARGIN
    early = [iso(slot.starts_at) for slot in _offered(build) if slot.starts_at < first]
    judge(
        "LINK-20", build.month(), finds_none(early, f"no slot before {iso(first)}", "/data/slots")
    )


@check("LINK-21", main=True)
def test_slots_end_with_the_horizon(judge: Judge, build: Builders) -> None:
    """A month of slots of the end of the booking horizon that the profile tells.

    > Slots MUST respect the booking horizon of the link.
    """
    horizon = told(build, "horizon_days").horizon_days or 0
    around = build.horizon_end()
    end = datetime.fromtimestamp(around.sent_at, UTC) + (horizon + 2) * DAY
    late = [iso(slot.starts_at) for slot in slots_in(around) if slot.starts_at.date() >= end.date()]
    judge(
        "LINK-21",
        around,
        finds_none(late, f"no slot later than {horizon} days from now", "/data/slots"),
    )


@check("CALL-62", main=True)
def test_a_booking_leaves_the_minimum_notice(judge: Judge, build: Builders) -> None:
    """Bookings too soon for the minimum notice that the profile tells, at a time of the week with
    slots if there is one.

    The second one wishes for a host.

    > A booking MUST respect the minimum booking notice of the link.
    """
    link, now = told(build, "minimum_notice_minutes"), datetime.now(UTC)
    if notice_of(link) is None:
        raise NotApplicableError(
            "the minimum notice of the booking link is too short to tell it from a time that is"
            " past"
        )
    hosts_of = {
        usual: slot.emails
        for slot in _offered(build)
        for usual in usual_times([slot.starts_at], now, link.timezone)
    }
    spare = build.spare_slot()
    start = too_soon(link, now, hosts_of, timedelta(seconds=spare.seconds))
    body = build.booking(spare, start_time=iso(start))
    judge("CALL-62", build.book_wrongly(body), refused)
    if hosts := hosts_of.get(start, spare.emails):
        judge("CALL-62", build.book_wrongly(body | {"closer_email": hosts[0]}), refused)


@check("CALL-60", main=True)
def test_a_disqualifying_answer_is_not_held_against_a_booking(
    judge: Judge, build: Builders
) -> None:
    """A booking whose answer would disqualify the guest on the booking page, then its lead and its
    opportunities.

    > A booking through the API MUST NOT evaluate the disqualification rules of the link.
    """
    said = told(build, "disqualifying_answer").disqualifying_answer
    field = row_of(build.fields(), said["field"])
    if field is None:
        raise NotApplicableError(
            f"the form has no field {said['field']}",
            "correct link.disqualifying_answer in the profile",
        )
    value = [said["value"]] if field.get("multiselect") is True else said["value"]
    booked = build.book(answers=build.answers() | {field["id"]: value})
    judge("CALL-60", booked, accepted)
    lead = build.lead_of(booked)
    read = build.api.get("/v1/leads/{id}", id=lead)
    data = read.data.get("disqualification_data")
    place = "/data/disqualification_data"
    judge.that(
        "CALL-60",
        not data,
        read,
        expected="no disqualification of the lead",
        received=data,
        where=place,
    )
    listed = build.api.get("/v1/opportunities", lead_id=lead, limit=100)
    stages = [row.get("stage") for row in listed.rows]
    judge(
        "CALL-60",
        listed,
        finds_none(
            [stage for stage in stages if stage == "disqualified"], "no stage `disqualified`"
        ),
    )


@check("LINK-24", main=True)
def test_fields_that_are_switched_off_stay(judge: Judge, build: Builders) -> None:
    """A form of which the profile tells the fields that are switched off.

    > A field that is switched off MUST stay in the list with `enabled` false.
    """
    rows = _listed(build)
    for name in told(build, "switched_off").switched_off:
        row = row_of(rows, name)
        enabled = "no such field" if row is None else row.get("enabled")
        judge.that(
            "LINK-24",
            enabled is False,
            build.form(),
            expected=f"{name} with `enabled` false",
            received=enabled,
        )


@check("LINK-15", "LINK-16", main=True)
def test_fields_are_those_of_the_form(judge: Judge, build: Builders) -> None:
    """A form of which the profile tells the fields, their kinds and their order.

    > Booking-form fields MUST have their documented types, with `kind` `default` or `custom`, and
    > MUST come in display order.
    """
    rows, kinds = _listed(build), told(build, "fields").fields
    rows_by_name = {name: row for name in kinds if (row := row_of(rows, name)) is not None}
    wrong = [
        f"{name}: {row.get('kind')}"
        for name, row in rows_by_name.items()
        if row.get("kind", kinds[name]) != kinds[name]
    ]
    judge(
        "LINK-15",
        build.form(),
        finds_none(wrong, "the kinds that the profile tells", "/data/fields"),
    )
    places = [
        next(at for at, row_listed in enumerate(rows) if row_listed is row)
        for row in rows_by_name.values()
    ]
    order = ", ".join(name for _, name in sorted(zip(places, rows_by_name, strict=True)))
    expected = f"the display order {', '.join(rows_by_name)}"
    judge.that(
        "LINK-16",
        places == sorted(places),
        build.form(),
        expected=expected,
        received=order,
        where="/data/fields",
    )


def _offered(build: Builders) -> list[Slot]:
    """The slots of the month, of which there have to be some."""
    if not (slots := slots_in(build.month())):
        raise NotApplicableError(
            "the booking link offers no slot within 31 days",
            "give the booking link more open hours",
        )
    return slots


def _listed(build: Builders) -> list[dict[str, Any]]:
    """All fields of the form, those that are switched off included."""
    fields = build.form().at("/data/fields")
    if not (build.form().ok and isinstance(fields, list)):
        raise PreconditionNotMet("the booking form has no array of fields")
    return [row for row in fields if isinstance(row, dict)]
