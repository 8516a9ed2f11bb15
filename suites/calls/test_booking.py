"""Booking a call."""

import json
from collections.abc import Mapping
from contextlib import suppress
from datetime import timedelta
from typing import Any

from plumbline.fixtures.http.exchange import Exchange, NotApplicableError
from plumbline.fixtures.judging.judge import Judge
from plumbline.fixtures.judging.matchers import (
    accepted,
    finds_all,
    finds_none,
    has,
    has_id,
    has_instant,
    has_none_of,
    has_nothing,
    resting_on,
)
from plumbline.fixtures.judging.mismatch import Step
from plumbline.fixtures.scenarios.builders import BEHIND, Builders
from plumbline.fixtures.scenarios.mark import check
from plumbline.fixtures.scenarios.shared.booking_scenario import BookingScenario
from plumbline.fixtures.scenarios.shared.host_scenario import HostScenario
from plumbline.fixtures.scenarios.shared.list_scenario import ListScenario
from plumbline.fixtures.scenarios.slots import Slot, slots_in
from plumbline.spec import catalogue
from plumbline.spec.comparing import instant, is_number, same_id, same_instant
from plumbline.spec.values.identifiers import MAX_KEY

AHEAD_SECONDS = 3600.0
"""How far ahead a call is at least that nothing can have begun."""
WISHES = 3
"""Bookings that wish for a host: two for one, and then one for another one."""
ENDS = ("cancelled", "cancelled", "no_show", "cancelled", "cancelled", "lost")
"""Outcomes of a booking that is repeated afterwards, by seed; most that end are cancelled."""


@check("CALL-01", "CALL-02", "CALL-03", "CALL-04")
def test_an_offered_slot_can_be_booked(
    judge: Judge, build: Builders, booking_scenario: BookingScenario
) -> None:
    """A plain booking of a slot that availability offers, with its start in UTC; a length that it
    shows is that of the slots.

    Two others say all that a booking can say, and come from a guest who is known.

    > A valid booking of an offered slot MUST create a call on the given booking link at the given
    > start. A fresh booking MUST have `has_analysis` false and `ai_summary` null, and MUST NOT
    > carry one of the nine outcome statuses.
    """
    booked, body = build.shared_call(), build.shared_booking
    at_its_place = (
        has_id("/data/booking_link_id", build.booking_link()),
        has_instant("/data/scheduled_at", body["start_time"]),
    )
    judge("CALL-01", booked, *at_its_place)
    minutes, lengths = (
        booked.data.get("duration_minutes"),
        {slot.seconds for slot in slots_in(build.month())},
    )
    if len(lengths) == 1 and is_number(minutes) and minutes:
        (length,) = lengths
        judge("CALL-01", booked, has("/data/duration_minutes", length / 60))
    for booking in (booked, booking_scenario.booked(), booking_scenario.booked_again()):
        judge("CALL-02", booking, has("/data/has_analysis", value=False))
        judge("CALL-03", booking, has_nothing("/data/ai_summary"))
        judge(
            "CALL-04",
            booking,
            has_none_of("/data/status", frozenset(catalogue().enumerations["call-status"])),
        )


@check("CALL-01", "CALL-05", "CALL-10", "CALL-22")
def test_optional_inputs_are_accepted(judge: Judge, booking_scenario: BookingScenario) -> None:
    """The end of the slot and a zone, a start with an offset, `utm_*` values of 255 characters, a
    host that the slot offers.

    > A valid booking of an offered slot MUST create a call on the given booking link at the given
    > start. A `start_time` with an offset MUST be taken as that instant. A `utm_*` value of 255
    > characters MUST be accepted. A `closer_email` of a host that the slot offers MUST be accepted,
    > and assign that host.
    """
    pack, plain = (
        booking_scenario.pack(),
        booking_scenario.build.shared_call().at("/data/duration_minutes"),
    )
    with_end = pack.of("CALL-01")
    judge("CALL-01", with_end, accepted)
    sent, _ = booking_scenario.sent[with_end.id]
    start, end = (instant(sent.get(name)) for name in ("start_time", "end_time"))
    at_start = same_instant(with_end.at("/data/scheduled_at"), sent.get("start_time"))
    if is_number(plain) and with_end.at("/data/duration_minutes") and start and end and at_start:
        judge(
            "CALL-01", with_end, has("/data/duration_minutes", (end - start).total_seconds() / 60)
        )
    with_offset = pack.of("CALL-05")
    start = booking_scenario.sent[with_offset.id][0]["start_time"]
    judge("CALL-05", with_offset, has_instant("/data/scheduled_at", start))
    judge("CALL-10", booking_scenario.booked_at_length(), accepted)
    judge("CALL-22", pack.of("CALL-22"), accepted)


@check("CALL-22", main=True)
def test_the_wished_host_is_assigned(judge: Judge, host_scenario: HostScenario) -> None:
    """Bookings of slots with several hosts, of any link that has some, that wish for one of them
    twice and then, by the first guest once more, for another one.

    No answer shows the address of a host, but the same wish leads to the same host, and another
    wish to another one.

    > A `closer_email` of a host that the slot offers MUST be accepted, and assign that host.
    """
    booked, build = [host_scenario.first()], host_scenario.build
    others = [email for email in host_scenario.slot.emails if email != host_scenario.host]
    if not others:
        raise NotApplicableError("no slot of the link has several hosts")
    with suppress(NotApplicableError):
        booked.append(host_scenario.apart())
    slot = build.take_slot(many_hosts=True, host=others[-1])
    if others[-1] in slot.emails:
        # A guest who is known has had another host until then.
        known = {"guest": json.loads(booked[0].request_body or b"{}").get("guest")}
        wish = build.booking(slot, closer_email=others[-1]) | known
        booked.append(build.api.post("/v1/calls", wish))
        build.leave(booked[-1])
    for booking in booked:
        if booking.ok or _is_refused_for_its_wish(build, booking):
            judge("CALL-22", booking, accepted)
    if judge.forgotten():
        raise NotApplicableError("bookings that wish for nobody are refused as well")
    closers = [booking.at("/data/closer_id") for booking in booked if booking.ok]
    if len(closers) == WISHES and all(isinstance(closer, str) for closer in closers):
        first, again, last = closers
        judge.that(
            "CALL-22",
            again == first,
            booked[1],
            expected=first,
            received=again,
            where="/data/closer_id",
        )
        judge.that(
            "CALL-22",
            last != first,
            booked[2],
            expected=f"not {first}",
            received=last,
            where="/data/closer_id",
        )


def _is_refused_for_its_wish(build: Builders, refused: Exchange) -> bool:
    """Whether a booking that was refused is accepted where it wishes for nobody."""
    body = json.loads(refused.request_body or b"{}")
    body.pop("closer_email", None)
    return build.api.post("/v1/calls", body).ok


@check("CALL-08", "CALL-09")
def test_attribution_is_recorded(judge: Judge, booking_scenario: BookingScenario) -> None:
    """A first booking of a new guest with `utm_*` values, the lead that it created, and a second
    booking with other values.

    > `utm_*` values of a booking MUST be recorded on the call, and on the lead that it creates.
    """
    utm = booking_scenario.utm
    judge(
        "CALL-08",
        booking_scenario.pack().of("CALL-08"),
        *(has(f"/data/{name}", value) for name, value in utm.items()),
    )
    judge(
        "CALL-08",
        booking_scenario.booked_again(),
        *(has(f"/data/{name}", value) for name, value in booking_scenario.later_utm.items()),
    )
    sent, _ = booking_scenario.sent[booking_scenario.booked().id]
    given = {name: value for name, value in sent.items() if name in utm}
    if not given:
        raise NotApplicableError("no booking with attribution was accepted")
    judge(
        "CALL-09",
        booking_scenario.lead_read(),
        *(has(f"/data/source/{name}", value) for name, value in given.items()),
    )


@check("CALL-50", "CALL-51")
def test_a_repeated_key_returns_the_first_call(
    judge: Judge, booking_scenario: BookingScenario
) -> None:
    """The first booking sent once more with its idempotency key, then a second booking, then the
    calls of the lead.

    > A repeated `Idempotency-Key` with the same body MUST return the call that was created first,
    > and MUST NOT book a second.
    """
    judge("CALL-50", booking_scenario.replayed(), has_id("/data/id", booking_scenario.call()))
    both = booking_scenario.both_calls()
    listed = booking_scenario.calls_of_lead()
    surplus = sorted(listed.ids - both)
    judge("CALL-51", listed, finds_none(surplus, f"no call but the {len(both)} that were booked"))


@check("CALL-51", "CALL-01")
def test_a_repeated_key_books_nothing(judge: Judge, build: Builders) -> None:
    """A booking that is repeated with its idempotency key, for a slot with as many free hosts as
    can be found.

    Then another booking, whose long key differs from the first one in the case of its last letter:
    of the slot right after it, if availability offers that.

    > A repeated `Idempotency-Key` MUST NOT book a second call. A valid booking of an offered slot
    > MUST create a call on the given booking link at the given start.
    """
    length = max((offered.seconds for offered in slots_in(build.month())), default=0)
    slot, token = (
        build.take_slot(many_hosts=True, followed=True, seconds_longer=length),
        (build.sample_data.token() * 4)[: MAX_KEY - 1],
    )
    key = {"Idempotency-Key": f"{token}z"}
    first = _book(build, slot, key)
    body = json.loads(first.request_body or b"{}")
    judge("CALL-01", first, has_instant("/data/scheduled_at", body["start_time"]))
    lead = build.lead_of(first)
    build.api.post("/v1/calls", body, headers=key)
    listed = build.api.get("/v1/calls", lead_id=lead, limit=100)
    surplus = [row.get("id") for row in listed.rows if not same_id(row.get("id"), first.id_of_data)]
    judge("CALL-51", listed, finds_none(surplus, "no second call"))
    other = _book_at(build, slot.end, {"Idempotency-Key": f"{token}Z"})
    build.leave(first, other)
    start = json.loads(other.request_body or b"{}")["start_time"]
    at_its_time = has_instant("/data/scheduled_at", start)
    judge("CALL-01", other, resting_on([Step(first), Step(other)], at_its_time))


def _book_at(build: Builders, start: int, key: dict[str, str]) -> Exchange:
    """Book the slot with a start, as long as that is offered; or any."""
    elsewhere = build.take_slot(fresh=True)
    return _book(build, build.offered_at(start) or elsewhere, key)


def _book(build: Builders, slot: Slot, key: dict[str, str]) -> Exchange:
    """Book a slot; if it was refused and is not offered any more, somebody else took it, and any
    other one is booked.
    """
    booked = build.api.post("/v1/calls", build.booking(slot), headers=key)
    if booked.status not in {409, 422}:
        return booked
    offered = {slot_offered.start for slot_offered in slots_in(build.slots_around(slot))}
    return booked if slot.start in offered else build.book(headers=key)


@check("CALL-01", spare=True)
def test_the_first_slot_of_a_day_can_be_booked(judge: Judge, second_org: Builders) -> None:
    """A slot before which nothing is offered for a night, if there is one.

    > A valid booking of an offered slot MUST create a call on the given booking link at the given
    > start.
    """
    slot = second_org.take_slot(rested=True)
    booked = _book(second_org, slot, {})
    second_org.leave(booked)
    start = json.loads(booked.request_body or b"{}")["start_time"]
    judge("CALL-01", booked, has_instant("/data/scheduled_at", start))


@check("CALL-50", "CALL-51", "CALL-01", spare=True)
def test_a_key_outlasts_an_outcome(judge: Judge, second_org: Builders) -> None:
    """A booking that is repeated twice with its idempotency key: the second time another key was
    used, and it has an outcome.

    It is of the last slot of a day, if that is offered. The other key books the same slot, if
    availability still offers that because another host is free.

    > A repeated `Idempotency-Key` with the same body MUST return the call that was created first,
    > and MUST NOT book a second. A valid booking of an offered slot MUST create a call on the given
    > booking link at the given start.
    """
    build, key = second_org, {"Idempotency-Key": second_org.sample_data.token()}
    slot = build.take_slot(many_hosts=True, followed=False)
    first = _book(build, slot, key)
    body = json.loads(first.request_body or b"{}")
    judge("CALL-01", first, has_instant("/data/scheduled_at", body["start_time"]))
    call, lead = first.id_of_data, build.lead_of(first)
    judge("CALL-50", build.api.post("/v1/calls", body, headers=key), has_id("/data/id", call))
    other = _book_at(build, slot.start, {"Idempotency-Key": build.sample_data.token()})
    judge(
        "CALL-01",
        other,
        has_instant("/data/scheduled_at", json.loads(other.request_body or b"{}")["start_time"]),
    )
    build.leave(other)
    outcome = ENDS[build.session.settings.seed % len(ENDS)]
    decided = build.outcome(call, outcome)
    build.settle(decided)
    judge("CALL-50", build.api.post("/v1/calls", body, headers=key), has_id("/data/id", call))
    rows = build.api.get("/v1/calls", lead_id=lead, limit=100)
    statuses = [row.get("status") for row in rows.rows]
    one = len(statuses) == 1 and (not decided.ok or statuses == [outcome])
    judge.that(
        "CALL-51",
        one,
        rows,
        expected="one call, with its outcome",
        received=statuses,
        where="/data",
    )


@check("CALL-05")
def test_a_start_between_slots_is_kept(judge: Judge, build: Builders) -> None:
    """A start seven minutes after that of a free slot; it may be refused, but not moved.

    > A `start_time` with an offset MUST be taken as that instant.
    """
    start = (
        (build.take_slot(seconds_longer=7 * 60).starts_at + timedelta(minutes=7))
        .astimezone(BEHIND)
        .isoformat()
    )
    booked = build.api.post("/v1/calls", build.booking(build.spare_slot(), start_time=start))
    if not booked.ok:
        raise NotApplicableError("starts between slots are refused")
    judge("CALL-05", booked, has_instant("/data/scheduled_at", start))


@check("CALL-65")
def test_a_review_can_be_read(judge: Judge, build: Builders, list_scenario: ListScenario) -> None:
    """A call of the deployment that has an AI review.

    > The AI review MUST be available from the analysis endpoint once `has_analysis` is true.
    """
    rows = list_scenario.calls().rows + list_scenario.past_calls().rows
    reviewed = next(
        (
            row["id"]
            for row in rows
            if row.get("has_analysis") is True and isinstance(row.get("id"), str)
        ),
        None,
    )
    if reviewed is None:
        raise NotApplicableError(
            "none of the first calls has an AI review", "use an organization with a reviewed call"
        )
    judge("CALL-65", build.api.get("/v1/calls/{id}/analysis", id=reviewed), accepted)


@check("CALL-26", "CALL-04", "CALL-73")
def test_calls_of_a_lead(judge: Judge, booking_scenario: BookingScenario) -> None:
    """The calls of a guest who has booked twice, days ahead.

    > The `lead_id` filter of the calls list MUST yield only calls of that lead, and all of them. A
    > fresh booking MUST NOT carry one of the nine outcome statuses. A call that lies ahead and that
    > nobody has begun MUST NOT show a `started_at` that has passed.
    """
    listed = booking_scenario.calls_of_lead()
    both = booking_scenario.both_calls()
    own = [row.get("status") for row in listed.rows if str(row.get("id")).lower() in both]
    ended = [status for status in own if status in catalogue().enumerations["call-status"]]
    judge("CALL-04", listed, finds_none(ended, "no call with an outcome"))
    strangers = [
        row.get("lead_id")
        for row in listed.rows
        if row.get("lead_id") and not same_id(row["lead_id"], booking_scenario.lead())
    ]
    judge(
        "CALL-26",
        listed,
        finds_none(strangers, f"no call of another lead than {booking_scenario.lead()}"),
    )
    judge("CALL-26", listed, finds_all(listed.ids, both, "every call of the lead"))
    begun = [
        row["started_at"]
        for row in listed.rows
        if str(row.get("id")).lower() in both and _began_before_its_time(row, listed.answered_at)
    ]
    judge("CALL-73", listed, finds_none(begun, "no `started_at` of a call that lies ahead"))


def _began_before_its_time(call: Mapping[str, Any], now: float) -> bool:
    """Whether a call says that it has begun, and is to begin much later."""
    start, begun = instant(call.get("scheduled_at")), instant(call.get("started_at"))
    if not (start and start.tzinfo and begun and begun.tzinfo):
        return False
    return begun.timestamp() < now + AHEAD_SECONDS < start.timestamp()
