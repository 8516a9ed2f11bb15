"""Bookings and moves that compete for one slot, one host or one key."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime
from functools import partial
from typing import Any

from plumbline.fixtures.http.exchange import Exchange, NotApplicableError, PreconditionNotMet
from plumbline.fixtures.judging.judge import Judge, Matcher, Mismatch, Step, as_json
from plumbline.fixtures.judging.matchers import (
    accepted,
    answered,
    finds_none,
    has,
    has_id,
    refused,
    resting_on,
)
from plumbline.fixtures.judging.model.keeping import changed, known_after
from plumbline.fixtures.scenarios.builders import MAX_BOOKING_TRIES, OFFSET, Builders, guest_fields
from plumbline.fixtures.scenarios.data import Guest
from plumbline.fixtures.scenarios.list_walk import MAX_PAGES, walk
from plumbline.fixtures.scenarios.mark import check
from plumbline.fixtures.scenarios.shared.host_scenario import SLOT_TRIES, TAKEN, HostScenario
from plumbline.fixtures.scenarios.slots import Slot, slots_in
from plumbline.spec.comparing import is_number, iso, same, same_id

BUFFERED_SLOTS = 2
"""How many slots longer than its own a booking lasts, so that not all of them are gone for a buffer
after the first one.
"""
MOST_HOSTS = 12
"""How many guests book one slot before a check gives up on finding it taken."""


@check("CALL-18", "CALL-21", "LINK-12")
def test_a_taken_slot_is_gone(judge: Judge, build: Builders) -> None:
    """A slot that is booked until none of its hosts is left, then once more, with an offset, by its
    first guest under a new name.

    The last booking says when it ends. The first ones wish for a host each and, where the hosts are
    free then, last some slots longer; some services refuse that.

    Hosts who are not offered at that time may be booked too (CALL-O14), but none twice. One call
    may take a slot of many hosts. The refused booking is sent again with its idempotency key, whose
    first request is over.

    > A slot that was taken meanwhile MUST be answered with 409 `SLOT_UNAVAILABLE` or 422
    > `EXTERNAL_API_ERROR`. A slot whose hosts are all booked MUST NOT be offered again. A refused
    > booking MUST NOT create or change a lead.
    """
    slot, tries = _book_all_hosts(build)
    won = [attempt for attempt in tries if attempt.ok]
    if not won:
        raise NotApplicableError("the slot was taken before it could be booked")
    before, late, send = _book_until_refused(build, slot, won)
    judge("CALL-18", late, TAKEN)
    if late.ok:
        raise NotApplicableError("the booking was not refused")
    judge("CALL-18", send(), TAKEN)
    after = build.api.get("/v1/leads/{id}", id=build.lead_of(won[0]))
    kept, now = guest_fields(before), guest_fields(after.data)
    judge.that(
        "CALL-21",
        same(now, kept),
        after,
        expected=f"{as_json(kept)} as before the refused booking",
        received=now,
        where="/data",
    )
    if any(TAKEN(attempt) for attempt in tries if not attempt.ok):
        raise NotApplicableError(
            "the slot was refused to a guest for another reason than that it was taken"
        )
    offered = build.offered_anew()
    until = _hosts_booked_until(slot, tries)
    still = [
        slot_offered.start
        for slot_offered in slots_in(offered)
        if slot_offered.start == slot.start or _is_within(slot_offered, slot, until)
    ]
    judge(
        "LINK-12",
        offered,
        finds_none(
            still, f"no slot from {slot.start} to {until} whose hosts are booked", "/data/slots"
        ),
    )


def _book_all_hosts(build: Builders) -> tuple[Slot, list[Exchange]]:
    """A slot, and as many bookings of it as it has hosts; another slot where one of them is
    refused.
    """
    month = slots_in(build.month())
    longer = BUFFERED_SLOTS * max((slot_of_month.seconds for slot_of_month in month), default=0)
    for _ in range(MAX_BOOKING_TRIES):
        slot = build.take_slot(fresh=True, few_hosts=True, seconds_longer=longer)
        later = [
            slot_of_month
            for slot_of_month in month
            if slot.end <= slot_of_month.start and slot_of_month.end <= slot.end + longer
        ]
        free = bool(later) and all({*slot.emails} <= {*slot_later.emails} for slot_later in later)
        long = {"end_time": iso(later[-1].ends_at)} if free else {}
        tries = [_book_host(build, slot, host, long) for host in slot.emails or (None,)]
        if all(attempt.ok for attempt in tries):
            break
    return slot, tries


def _book_host(build: Builders, slot: Slot, host: str | None, more: dict[str, Any]) -> Exchange:
    """A booking that wishes for a host and says more; a plain one where that is refused."""
    wish = {"closer_email": host} if host else {}
    booked = build.api.post("/v1/calls", build.booking(slot) | wish | more)
    return booked if booked.ok else build.api.post("/v1/calls", build.booking(slot))


def _hosts_booked_until(slot: Slot, booked: Sequence[Exchange]) -> int:
    """Until when calls take all hosts of a slot, by what bookings wished and calls show; its start
    where that is open.
    """
    if not all(
        booking.ok and b"closer_email" in (booking.request_body or b"") for booking in booked
    ):
        return slot.start
    minutes = [booking.at("/data/duration_minutes") for booking in booked]
    return slot.start + round(min(minute * 60 if is_number(minute) else 0 for minute in minutes))


def _is_within(slot_offered: Slot, slot: Slot, until: int) -> bool:
    """Whether a slot lies, with a part of it, between the start of another one and a later time,
    and has no further host.
    """
    return (
        slot.start < until
        and slot_offered.start < until
        and slot_offered.end > slot.start
        and {*slot_offered.emails} <= {*slot.emails}
    )


def _book_until_refused(
    build: Builders, slot: Slot, won: list[Exchange]
) -> tuple[dict[str, Any], Exchange, Callable[[], Exchange]]:
    """The lead of the first guest, its next booking, and how to send it again; one that gets a host
    of its own is repeated.
    """
    lead, start = build.lead_of(won[0]), slot.starts_at.astimezone(OFFSET).isoformat()
    while True:
        before = build.api.get("/v1/leads/{id}", id=lead).data
        guest = Guest(build.sample_data.guest().name, str(before.get("email")))
        body = build.booking(
            slot, guest, utm_source="late", start_time=start, end_time=iso(slot.ends_at)
        )
        key = build.sample_data.token()
        send = partial(build.api.post, "/v1/calls", body, headers={"Idempotency-Key": key})
        late = send()
        if not late.ok or not have_hosts_of_their_own([*won, late]):
            return before, late, send
        won.append(late)
        if len(won) > MOST_HOSTS:
            raise NotApplicableError(
                f"more than {MOST_HOSTS} hosts take calls at the time of one slot"
            )


@check("CALL-18", "CALL-22", "CALL-71")
def test_a_host_is_not_booked_twice(judge: Judge, host_scenario: HostScenario) -> None:
    """Bookings of one slot, and of a start in its midst, that wish for the same host; then a later
    call of that host moves there.

    It is cancelled then, and moves there once more; its time and status are as before.

    At last the first call moves elsewhere, and its new time is booked once more. Where another host
    takes a call over, no host is booked twice. The start in the midst, and the new time of the
    first call, may be refused for any reason. Then the time that the call has left is booked, where
    it is offered with its host again.

    > A slot that was taken meanwhile MUST be answered with 409 `SLOT_UNAVAILABLE` or 422
    > `EXTERNAL_API_ERROR`. A reschedule to a time at which the host of the call has another call
    > MUST be answered with 422 and `EXTERNAL_API_ERROR`. A `closer_email` of a host that the slot
    > offers MUST be accepted, and assign that host.
    """
    build, first, apart = host_scenario.build, host_scenario.first(), host_scenario.apart()
    slot, common = host_scenario.slot, host_scenario.host
    with suppress(NotApplicableError, PreconditionNotMet):
        host_scenario.behind()  # which is offered only as long as no other call lies there
    again = build.api.post("/v1/calls", build.booking(slot, closer_email=common))
    host = first.at("/data/closer_id") if first.ok else None
    if not isinstance(host, str):
        raise NotApplicableError(
            "the slot was taken before it could be booked, or calls do not name their hosts"
        )
    judge("CALL-18", again, _of_another(host) if again.ok else TAKEN)
    amid = build.api.post(
        "/v1/calls", build.booking(slot, start_time=iso(slot.midst), closer_email=common)
    )
    judge("CALL-18", amid, _of_another(host) if amid.ok else refused)
    if apart.ok and same_id(apart.at("/data/closer_id"), host):
        _judge_conflicts(judge, build, apart, slot, host)
    moved, start, _ = build.move(first.id_of_data, first)
    if moved.ok and same_id(moved.at("/data/closer_id"), host):
        at = iso(datetime.fromisoformat(start))  # how else it may be written is CALL-05
        onto = build.api.post("/v1/calls", build.booking(slot, start_time=at, closer_email=common))
        judge("CALL-18", onto, _of_another(host) if onto.ok else refused)
        offered = build.slots_around(slot)
        if any(other.start == slot.start and common in other.emails for other in slots_in(offered)):
            anew = build.api.post("/v1/calls", build.booking(slot, closer_email=common))
            steps = [Step(moved), Step(offered), Step(anew)]
            judge("CALL-22", anew, resting_on(steps, accepted))
    if judge.forgotten():
        raise NotApplicableError(
            "the later slot went to another host, or the time of the first call is not offered"
            " again"
        )


def _judge_conflicts(judge: Judge, build: Builders, call: Exchange, slot: Slot, host: str) -> None:
    """Judge that a call does not move to where its host has another one, neither booked nor
    cancelled, and is as it was.
    """
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
        return
    judge("CALL-71", tries[0], _of_another(host) if tries[0].ok else conflict)
    if not tries[0].ok and (cancelled := build.outcome(call.id_of_data, "cancelled")).ok:
        tries, before = [*tries, move()], known_after(call.data, cancelled)
        judge("CALL-71", tries[1], _of_another(host) if tries[1].ok else conflict)
    if tries[-1].ok:
        return
    listed = build.api.get("/v1/calls", lead_id=build.lead_of(call), limit=100)
    row = next((row for row in listed.rows if same_id(row.get("id"), call.id_of_data)), {})
    steps = [Step(call), *(Step(attempt) for attempt in tries), Step(listed)]
    unlike = [f"{name} {row[name]} for {before.get(name)}" for name in changed("call", before, row)]
    judge("CALL-71", listed, resting_on(steps, finds_none(unlike, "no change of the call")))


def _of_another(host: str) -> Matcher:
    """The call of an answer has another host."""

    def matcher(exchange: Exchange) -> Mismatch | None:
        closer = exchange.at("/data/closer_id")
        return (
            Mismatch("a refusal, or another host", closer, "/data/closer_id")
            if same_id(closer, host)
            else None
        )

    return matcher


@check("CALL-19", "CALL-21", varies=True)
def test_one_slot_has_as_many_winners_as_hosts(judge: Judge, second_org: Builders) -> None:
    """More clients than the slot has hosts book it at the same moment; where more win, each has a
    host who is booked once.

    All of them are new guests; those who lost are looked for in the list of leads.

    > Of concurrent bookings of one slot, at least one MUST succeed, and no more than the slot has
    > hosts. A refused booking MUST NOT create or change a lead.
    """
    build = second_org
    slot = build.take_slot(fresh=True, few_hosts=True)
    hosts = max(1, len(slot.emails))
    bodies = [build.booking(slot) for _ in range(hosts + 2)]
    build.api.make_room(len(bodies), "POST /v1/calls")
    exchanges = build.session.together(
        [partial(build.api.post, "/v1/calls", body) for body in bodies]
    )
    winners = [exchange for exchange in exchanges if exchange.ok]
    most = len(bodies) if have_hosts_of_their_own(winners) else hosts
    judge.that(
        "CALL-19",
        1 <= len(winners) <= most,
        exchanges[-1],
        expected=f"1 to {most} winners of {len(bodies)}",
        received=f"{len(winners)} winners",
    )
    losers = [
        (body["guest"]["email"], exchange)
        for body, exchange in zip(bodies, exchanges, strict=True)
        if not exchange.ok
    ]
    for _, exchange in losers:
        judge("CALL-19", exchange, TAKEN)
    won = [build.lead_of(winner) for winner in winners]
    leads = walk(
        build.api,
        "/v1/leads",
        pages=MAX_PAGES[build.session.settings.tier],
        until=won,
        at_least=2,
        limit=100,
    )
    if not {lead.lower() for lead in won} <= set(leads.ids):
        leads.demand_end()
    addresses = {row.get("email") for row in leads.rows}
    left = [exchange for email, exchange in losers if email in addresses]
    judge.that(
        "CALL-21",
        not left,
        left[0] if left else leads.last,
        expected="no lead of who lost",
        received=f"{len(left)}",
    )


def have_hosts_of_their_own(booked: Sequence[Exchange]) -> bool:
    """Whether calls name their closers, and each another one."""
    closers = [booking.at("/data/closer_id") for booking in booked]
    return all(isinstance(closer, str) for closer in closers) and len(set(closers)) == len(closers)


@check("CALL-50", "CALL-51", "CALL-52", varies=True, main=True)
def test_one_key_in_flight_books_once(judge: Judge, build: Builders) -> None:
    """The same booking with the same idempotency key, four times at the same moment, and once more
    when all are answered.

    Then the calls of the lead, which is a new one.

    > Concurrent bookings with one `Idempotency-Key` MUST each be answered with the one call or with
    > 409 `CONFLICT`. A repeated `Idempotency-Key` with the same body MUST return the call that was
    > created first, and MUST NOT book a second call.
    """
    for attempt in range(SLOT_TRIES):
        slot, key = (
            build.take_slot(fresh=attempt > 0),
            {"Idempotency-Key": build.sample_data.token()},
        )
        send = partial(build.api.post, "/v1/calls", build.booking(slot), headers=key)
        build.api.make_room(4, "POST /v1/calls")
        with build.session.slow_provider():
            exchanges = build.session.together([send] * 4)
        if any(map(TAKEN, exchanges)):  # anything else than that somebody else was faster
            break
    winners = [exchange for exchange in exchanges if exchange.ok]
    if not winners:
        raise NotApplicableError("none of the concurrent bookings was accepted")
    ids = {exchange.id_of_data.lower() for exchange in winners}
    judge.that(
        "CALL-52",
        len(ids) == 1,
        winners[-1],
        expected="one call",
        received=f"{len(ids)} calls: {as_json(sorted(ids))}",
        where="/data/id",
    )
    for exchange in exchanges:
        if not exchange.ok:
            judge("CALL-52", exchange, answered(409, "CONFLICT"))
    judge("CALL-50", send(), has_id("/data/id", winners[0].id_of_data))
    build.leave(winners[0])
    listed = build.api.get("/v1/calls", lead_id=build.lead_of(winners[0]), limit=100)
    more = [row.get("id") for row in listed.rows if str(row.get("id")).lower() not in ids]
    judge(
        "CALL-51", listed, finds_none(more, "no call of the guest beside those that were answered")
    )


@check("CALL-22", "LINK-25")
def test_a_host_is_booked_back_to_back(judge: Judge, host_scenario: HostScenario) -> None:
    """A slot, booked with a wish for a host, then what is offered around it, and the slot right
    after it with the same wish.

    Whether the host is offered right after a call is up to the buffer of the link; where it is, it
    can be booked.

    > A slot MUST NOT name a host whom a call of its booking link takes at its time. A
    > `closer_email` of a host that the slot offers MUST be accepted, and assign that host.
    """
    booked, slot, wish = host_scenario.first(), host_scenario.slot, host_scenario.host
    host = booked.at("/data/closer_id") if booked.ok else None
    if not isinstance(host, str):
        raise NotApplicableError(
            "calls do not name their hosts, or the slot was taken before it could be booked"
        )
    around = host_scenario.around()
    offered = slots_in(around)
    taken = [
        slot_offered.start
        for slot_offered in offered
        if wish in slot_offered.emails
        and slot_offered.start < slot.end
        and slot_offered.end > slot.start
    ]
    steps = [Step(booked), Step(around)]
    judge(
        "LINK-25",
        around,
        resting_on(
            steps,
            finds_none(taken, f"no slot of {wish} from {slot.start} to {slot.end}", "/data/slots"),
        ),
    )
    judge("CALL-22", host_scenario.behind(), has("/data/closer_id", host))
