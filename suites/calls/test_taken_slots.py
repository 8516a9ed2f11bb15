"""Bookings and moves that compete for one slot, one host or one key."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from plumbline.fixtures.http.exchange import Exchange, NotApplicableError
from plumbline.fixtures.judging.judge import Judge
from plumbline.fixtures.judging.matchers import (
    answered,
    finds_none,
    has,
    has_id,
    resting_on,
)
from plumbline.fixtures.judging.mismatch import Step
from plumbline.fixtures.judging.values_as_text import as_json
from plumbline.fixtures.scenarios.builders import MAX_BOOKING_TRIES, OFFSET, Builders, guest_fields
from plumbline.fixtures.scenarios.data import Guest
from plumbline.fixtures.scenarios.list_walk import MAX_PAGES, walk
from plumbline.fixtures.scenarios.mark import check
from plumbline.fixtures.scenarios.shared.host_scenario import SLOT_TRIES, TAKEN, HostScenario
from plumbline.fixtures.scenarios.slots import Slot, slots_in
from plumbline.spec.comparing import is_number, iso, same

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
        with build.session.states.slow_provider():
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
