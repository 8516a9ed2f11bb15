"""Calls that compete for one host, and the time that a call has left."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import partial

import pytest

from plumbline.fixtures.http.exchange import Exchange, NotApplicableError
from plumbline.fixtures.judging.judge import Judge
from plumbline.fixtures.judging.matchers import (
    accepted,
    answered,
    finds_none,
    has_id,
    refused,
    resting_on,
)
from plumbline.fixtures.judging.mismatch import Step
from plumbline.fixtures.judging.model.keeping import changed, known_after
from plumbline.fixtures.judging.values_as_text import as_json
from plumbline.fixtures.scenarios.background.parts import EVENTS
from plumbline.fixtures.scenarios.builders import Builders
from plumbline.fixtures.scenarios.mark import check
from plumbline.fixtures.scenarios.shared.host_scenario import (
    SLOT_TRIES,
    TAKEN,
    host_of_both,
    of_another_host,
)
from plumbline.fixtures.scenarios.shared.stage_scenario import AHEAD, stages_of
from plumbline.fixtures.scenarios.slots import Slot, slots_in
from plumbline.fixtures.session.session import Session
from plumbline.spec.comparing import instant, is_number, iso, same_id

AT_ONCE = "sent at the same moment as the other booking"
HOST_REST = timedelta(days=1)
"""How far calls of a host are apart at least that are in nobody's way."""


@check("CALL-07", "CALL-18", "CALL-22", "CALL-71", "LINK-20", "OPP-14")
def test_a_host_is_not_booked_twice(judge: Judge, second_org: Builders) -> None:
    """Bookings of one slot that wish for the same host, and one that begins in its midst or, with
    every other seed, before it and ends behind it; then a later call of that host moves there.

    It is cancelled then, and moves there once more; its time and status are as before. Its slot
    can be booked, if it is offered with its host. Both calls are booked at the same moment by one
    new guest, who has the first one ahead all the time.

    At last the first call moves elsewhere, the days of both calls are asked for before and after,
    and its new time is booked once more. Where another host takes a call over, no host is booked
    twice. The start in the midst or before, and the new time of the first call, may be refused for
    any reason. The time that the call has left is offered with its host again, unless another call
    of the run is near, and can be booked once.

    > A slot that was taken meanwhile MUST be answered with 409 `SLOT_UNAVAILABLE` or 422
    > `EXTERNAL_API_ERROR`. A reschedule to a time at which the host of the call has another call
    > MUST be answered with 422 and `EXTERNAL_API_ERROR`. A `closer_email` of a host that the slot
    > offers MUST be accepted, and assign that host. Slots MUST equal what a guest sees on the
    > public booking page. An active future booking MUST win over any past outcome. A booking with a
    > guest email that the organization already knows MUST use that lead.
    """
    build = second_org
    for attempt in range(SLOT_TRIES):
        slot, later, common = _two_slots_of_a_host(build, fresh=attempt > 0)
        first, apart = _booked_at_once(build, common, slot, later)
        if TAKEN(first):  # anything else than that somebody else was faster
            break
    again = build.api.post("/v1/calls", build.booking(slot, closer_email=common))
    host = first.at("/data/closer_id") if first.ok else None
    if not isinstance(host, str):
        raise NotApplicableError(
            "the slot was taken before it could be booked, or calls do not name their hosts"
        )
    once = of_another_host(host)
    judge("CALL-18", again, resting_on([Step(first)], once) if again.ok else TAKEN)
    length = timedelta(seconds=slot.seconds)
    around = {"start_time": iso(slot.starts_at - length), "end_time": iso(slot.ends_at + length)}
    beyond = {"start_time": iso(slot.midst)} if build.session.settings.seed % 2 == 0 else around
    amid = build.api.post("/v1/calls", build.booking(slot, closer_email=common) | beyond)
    if not amid.ok or _reaches(amid, slot):
        judge("CALL-18", amid, resting_on([Step(first)], once) if amid.ok else refused)
    if apart.ok:
        one_lead = resting_on(
            [Step(first, AT_ONCE), Step(apart, AT_ONCE)],
            has_id("/data/lead_id", build.lead_of(first)),
        )
        judge("CALL-07", apart, one_lead)
    is_called_off = (
        apart.ok
        and same_id(apart.at("/data/closer_id"), host)
        and _judge_conflicts(judge, build, (first, apart), slot, host)
    )
    # Asked before and after the move: an answer that was kept shows.
    days = sorted((slot.starts_at.date(), later.starts_at.date()))
    offered_before = build.availability(*days)
    moved, start, _ = build.move(first.id_of_data, first)
    if moved.ok and same_id(moved.at("/data/closer_id"), host):
        offered = build.availability(*days)
        onto = build.api.post(
            "/v1/calls", build.booking(slot, start_time=start, closer_email=common)
        )
        judge("CALL-18", onto, resting_on([Step(moved)], once) if onto.ok else refused)
        others = [slot.starts_at for booked in (again, amid) if booked.ok]
        beside = [instant(start), later.starts_at, *others]
        _judge_time_left(judge, build, slot, common, (moved, offered), beside=beside)
    if is_called_off:
        _judge_freed(judge, build, later, common, offered_before)
    if judge.forgotten():
        raise NotApplicableError(
            "the later slot went to another host, or the time of the first call is near another"
            " one, or is not offered again"
        )


@check("LINK-25", parts=[EVENTS])
def test_a_new_closer_is_busy(
    judge: Judge, session: Session, request: pytest.FixtureRequest
) -> None:
    """A call gets another closer, whom its time was offered with until then.

    It takes the events of the other checks of webhooks, and is no reason to make any.

    > A slot MUST NOT name a host whom a call of its booking link takes at its time.
    """
    if not session.background.is_open("webhooks"):
        raise NotApplicableError("no webhooks are judged in this run")
    reassigned = request.getfixturevalue("webhooks").scenario.reassigned
    if reassigned is None:
        raise NotApplicableError("no call got another closer whom a slot names")
    slot, email = reassigned.slot, reassigned.email
    taken = [
        other.start
        for other in slots_in(reassigned.offered)
        if email in other.emails and other.start < slot.end and other.end > slot.start
    ]
    expected = f"no slot of {email} from {slot.start} to {slot.end}"
    steps = [Step(reassigned.cause), Step(reassigned.offered)]
    judge(
        "LINK-25", reassigned.offered, resting_on(steps, finds_none(taken, expected, "/data/slots"))
    )


def _two_slots_of_a_host(build: Builders, *, fresh: bool) -> tuple[Slot, Slot, str]:
    """Two slots and a host whom both name; asked for anew on demand.

    Raises:
        NotApplicableError: there are none.
    """
    slot = build.take_slot(fresh=fresh, many_hosts=True)
    later = build.take_slot(many_hosts=True)
    if host := host_of_both(slot, later):
        return slot, later, host
    raise NotApplicableError("no two slots of the booking link name the same host")


def _booked_at_once(build: Builders, host: str, *slots: Slot) -> list[Exchange]:
    """Bookings of some slots by one new guest at the same moment, which wish for one host."""
    guest = build.sample_data.guest()
    bodies = [build.booking(slot, guest, closer_email=host) for slot in slots]
    build.api.make_room(len(bodies), "POST /v1/calls")
    return build.session.together([partial(build.api.post, "/v1/calls", body) for body in bodies])


def _judge_conflicts(
    judge: Judge, build: Builders, calls: tuple[Exchange, Exchange], slot: Slot, host: str
) -> bool:
    """Judge that the second of two calls of a host does not move to where the first one is, neither
    booked nor cancelled, and is as it was; and that their guest is at the stage of the first one.

    Returns:
        whether that call is cancelled by now.
    """
    first, call = calls
    move = partial(
        build.api.post,
        "/v1/calls/{id}/reschedule",
        {"scheduled_at": iso(slot.starts_at)},
        id=call.id_of_data,
    )
    tries, before, conflict = [move()], call.data, answered(422, "EXTERNAL_API_ERROR")
    if not tries[0].ok and conflict(tries[0]):
        if build.move(call.id_of_data, call).exchange.ok:  # or else no move is accepted at all
            judge("CALL-71", tries[0], conflict)
        return False
    judge("CALL-71", tries[0], of_another_host(host) if tries[0].ok else conflict)
    if not tries[0].ok and (cancelled := build.outcome(call.id_of_data, "cancelled")).ok:
        tries, before = [*tries, move()], known_after(call.data, cancelled)
        judge("CALL-71", tries[1], of_another_host(host) if tries[1].ok else conflict)
        deals = build.api.get("/v1/opportunities", lead_id=build.lead_of(first), limit=100)
        fallen = sorted(stages_of(deals) - AHEAD)
        still_booked = finds_none(fallen, "no stage but that of the call which lies ahead")
        judge("OPP-14", deals, resting_on([Step(cancelled), Step(deals)], still_booked))
    if tries[-1].ok:
        return False
    listed = build.api.get("/v1/calls", lead_id=build.lead_of(call), limit=100)
    row = next((row for row in listed.rows if same_id(row.get("id"), call.id_of_data)), {})
    steps = [Step(call), *(Step(attempt) for attempt in tries), Step(listed)]
    unlike = [f"{name} {row[name]} for {before.get(name)}" for name in changed("call", before, row)]
    judge("CALL-71", listed, resting_on(steps, finds_none(unlike, "no change of the call")))
    return len(tries) > 1


def _judge_freed(judge: Judge, build: Builders, slot: Slot, email: str, offered: Exchange) -> None:
    """Judge that the slot of a cancelled call can be booked with its host if it is offered; whether
    it is, is left to the service.
    """
    again = next((other for other in slots_in(offered) if other.start == slot.start), None)
    if again is not None and email in again.emails and not build.neighbours(slot.start):
        anew = build.api.post("/v1/calls", build.booking(slot, closer_email=email))
        judge("CALL-22", anew, resting_on([Step(offered), Step(anew)], accepted))


def _judge_time_left(
    judge: Judge,
    build: Builders,
    slot: Slot,
    email: str,
    left: tuple[Exchange, Exchange],
    *,
    beside: Sequence[datetime | None],
) -> None:
    """Judge that a slot which a call has left names its host again, and that one guest gets it.

    Nothing is said of slots that may be gone for a buffer, for what a host takes a day, or because
    the notice has come to them; and nothing of hosts who were booked twice.

    Args:
        judge: enters what it judges.
        build: acts.
        slot: what the call had until it was moved.
        email: of the host, whom it keeps.
        left: the reschedule, and what was offered on its day right after it.
        beside: when the other calls begin that the host may have.
    """
    moved, offered = left
    again = next((other for other in slots_in(offered) if other.start == slot.start), None)
    is_named = again is not None and email in again.emails
    first = min((other.starts_at for other in slots_in(build.month())), default=slot.starts_at)
    days = [abs(slot.starts_at - other) for other in (first, *beside) if other]
    is_sound = not any(finding.failed for finding in judge.findings)
    if is_sound and min(days) >= HOST_REST and not build.neighbours(slot.start):
        holds = is_named or (again is not None and len(slot.emails) == 1)
        judge.that(
            "LINK-20",
            holds,
            offered,
            expected=f"the slot at {slot.start} with {email}, whose call there has moved away",
            received=f"{as_json(again.emails)} at that time" if again else "no slot at that time",
            where="/data/slots",
            sequence=[Step(moved), Step(offered)],
        )
    if not is_named:
        return
    anew, twice = (
        build.api.post("/v1/calls", build.booking(slot, closer_email=email)) for _ in range(2)
    )
    judge("CALL-22", anew, resting_on([Step(moved), Step(offered), Step(anew)], accepted))
    if anew.ok:
        free = of_another_host(str(anew.at("/data/closer_id")))
        once = free if twice.ok else refused
        judge("CALL-18", twice, resting_on([Step(moved), Step(anew)], once))


def _reaches(booked: Exchange, slot: Slot) -> bool:
    """Whether a call lasts until a slot has begun, by what its answer shows; an `end_time` that
    does not fit the link may be left alone (CALL-O17).
    """
    start, minutes = instant(booked.at("/data/scheduled_at")), booked.at("/data/duration_minutes")
    if start is None:
        return False
    length = timedelta(minutes=minutes) if is_number(minutes) else timedelta()
    return start + length > slot.starts_at
