"""Which event what causes, how often, and what it says."""

from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Any

import pytest

from plumbline.fixtures.evidence.refusals import Mark, Refused, values
from plumbline.fixtures.http.exchange import NotApplicableError, PreconditionNotMet
from plumbline.fixtures.judging.judge import Judge
from plumbline.fixtures.judging.statuses import FINISHING
from plumbline.fixtures.judging.values_as_text import as_json
from plumbline.fixtures.scenarios.background.booked_calls import (
    BY_BOOKING,
    OF_A_KNOWN_GUEST,
    REVIVED,
)
from plumbline.fixtures.scenarios.background.event_causes import (
    BESIDE_STATUS,
    BY_MUTATION,
    CAPTURED,
    ENDED_OTHERWISE,
    PARTLY,
    REST,
    Cause,
)
from plumbline.fixtures.scenarios.background.heard_events import OF_OUTCOMES, TWICE, Webhooks
from plumbline.fixtures.scenarios.background.last_events import (
    GUEST_NAMED,
    NAMED,
    REFUSED_KINDS,
    SET_BACK,
)
from plumbline.fixtures.scenarios.background.parts import EVENTS
from plumbline.fixtures.scenarios.list_walk import walk
from plumbline.fixtures.scenarios.mark import check
from plumbline.fixtures.webhooks.deliveries import Delivery, Subscription
from plumbline.spec.comparing import instant, is_number, same_id

BY_API = [
    ("lead.created", "HOOK-40"),
    ("lead.updated", "HOOK-41"),
    ("lead.status_changed", "HOOK-42"),
    ("call.booked", "HOOK-43"),
    ("call.updated", "HOOK-44"),
    ("call.rescheduled", "HOOK-45"),
    ("payment.succeeded", "HOOK-46"),
    ("payment.refunded", "HOOK-47"),
]
BY_OPERATOR = [
    ("payment.failed", "HOOK-48"),
    ("call.started", "HOOK-49"),
    ("call.completed", "HOOK-50"),
    ("call.canceled", "HOOK-51"),
    ("call.no_show", "HOOK-52"),
]
OF_A_CALL = ("call.started", "call.completed", "call.canceled", "call.no_show")
"""Kinds that only a controller causes, each of a call."""
ALSO = (
    ENDED_OTHERWISE,
    BY_BOOKING,
    BY_MUTATION,
    NAMED,
    GUEST_NAMED,
    BESIDE_STATUS,
    SET_BACK,
    OF_A_KNOWN_GUEST,
    REVIVED,
    CAPTURED,
    PARTLY,
    REST,
)
"""Further causes, by kind and situation."""
MAX_PAGES_LOOKED_AT = 5
"""Pages of the calls list that are looked at where an event seems to tell of a booking that was
refused.
"""
SAME_CHANGE_SECONDS = 1.5
"""Seconds between the times of two events that one request causes."""
ONCE = ("lead.created", "call.booked", "call.rescheduled")
"""Kinds of which a request causes one distinct event."""


@pytest.mark.parametrize(
    ("kind", "requirement"),
    [
        pytest.param(
            *row_of_table, marks=check(row_of_table[1], parts=[EVENTS]), id=row_of_table[0]
        )
        for row_of_table in (*BY_API, *BY_OPERATOR)
    ],
)
def test_changes_cause_events(
    judge: Judge, webhooks: Webhooks, kind: str, requirement: str
) -> None:
    """A lead, payments and calls that were made, changed, ended: over REST, or by the controller.

    A new guest who books becomes a lead, too, and books once more; a lead is made by a mutation;
    fields of leads change alone, its status there and back; a call that was called off is moved; a
    payment that was pending, or had failed, is captured, half of it given back, and then the rest.

    > A request or an occurrence MUST cause the event of its kind; a lead, a booking and a
    > reschedule one distinct event each.
    """
    cause, delivered = webhooks.caused(kind)
    if not _arrived(judge, requirement, webhooks, (kind, cause), delivered):
        return
    replayed = webhooks.scenario.replayed
    before = [
        delivery for delivery in delivered if replayed is None or delivery.arrival.at < replayed.at
    ]
    _at_most_one(judge, requirement, webhooks, (kind, cause), before)
    for other in ALSO:
        if other.partition(" ")[0] == kind and isinstance(
            webhooks.scenario.causes.get(other), Cause
        ):
            of, others = webhooks.caused(other)
            if _arrived(judge, requirement, webhooks, (other, of), others):
                _at_most_one(judge, requirement, webhooks, (other, of), others)
    if kind in OF_A_CALL:
        named = [delivery.data.get("id") for delivery in delivered]
        holds = any(same_id(delivery, cause.record) for delivery in named)
        judge.that(
            requirement,
            holds,
            delivered[0].exchange,
            expected=cause.record,
            received=named[0],
            where="/data/id",
        )
    if kind == "payment.succeeded":
        _nothing_while_pending(judge, requirement, webhooks)
    if kind == "lead.status_changed":
        _nothing_beside_profile(judge, requirement, webhooks)


def _at_most_one(
    judge: Judge,
    requirement: str,
    webhooks: Webhooks,
    caused: tuple[str, Cause],
    delivered: list[Delivery],
) -> None:
    """What happens once is told as one event, however often it arrives."""
    (kind, cause), distinct = caused, {delivery.identity for delivery in delivered}
    if kind.partition(" ")[0] in ONCE and len(distinct) > 1:
        webhooks.demand_heard(holds=False, since=cause.at)
        received = (
            f"{len(distinct)} of them, distinguished by data.id and created_at: {sorted(distinct)}"
        )
        judge.that(
            requirement,
            holds=False,
            exchange=delivered[-1].exchange,
            expected=f"one {kind}",
            received=received,
        )


def _nothing_while_pending(judge: Judge, requirement: str, webhooks: Webhooks) -> None:
    """A pending payment is not captured."""
    owed, captured = webhooks.scenario.owed, webhooks.scenario.causes.get(CAPTURED)
    if owed is None or owed.at("/data/status") != "pending" or not isinstance(captured, Cause):
        return
    for payment_event in webhooks.to("payment.succeeded"):
        if payment_event.arrival.at < captured.at and payment_event.speaks_of(captured.record):
            judge.that(
                requirement,
                holds=False,
                exchange=payment_event.exchange,
                expected="none yet",
                received="one of a pending payment",
            )


def _nothing_beside_profile(judge: Judge, requirement: str, webhooks: Webhooks) -> None:
    """A change of one profile field leaves the status; what came with it is known by its time."""
    changed = webhooks.scenario.causes.get("lead.updated")
    if not isinstance(changed, Cause):
        return
    times = [_time(delivery) for delivery in webhooks.caused("lead.updated")[1]]
    for delivery_of_status in webhooks.to("lead.status_changed"):
        if delivery_of_status.arrival.at >= changed.at and delivery_of_status.speaks_of(
            changed.record
        ):
            close = any(
                abs(_time(delivery_of_status) - other) <= SAME_CHANGE_SECONDS for other in times
            )
            judge.that(
                requirement,
                not close,
                delivery_of_status.exchange,
                expected="none",
                received="one for an unchanged status",
            )


def _time(delivery: Delivery) -> float:
    """When an event happened, as it says itself."""
    created = instant(delivery.identity[1])
    return created.timestamp() if created else 0.0


@check("HOOK-53", parts=[EVENTS])
def test_a_change_of_closer_names_both(judge: Judge, webhooks: Webhooks) -> None:
    """The test controller gives a call to another closer.

    > A change of the closer MUST cause `call.closer_reassigned` with `previous_closer_*` and
    > `new_closer_*` fields.
    """
    cause, delivered = webhooks.caused("call.closer_reassigned")
    if _arrived(judge, "HOOK-53", webhooks, ("call.closer_reassigned", cause), delivered):
        data = delivered[0].data
        missing = [
            name
            for name in ("previous_closer_", "new_closer_")
            if not any(key.startswith(name) for key in data)
        ]
        expected = "previous_closer_* and new_closer_* fields"
        judge.that(
            "HOOK-53",
            not missing,
            delivered[0].exchange,
            expected=expected,
            received=f"none of {as_json(missing)}",
            where="/data",
        )
        moved = isinstance(webhooks.scenario.causes.get("call.rescheduled"), Cause)
        before = webhooks.scenario.of(
            "call.rescheduled" if moved else "call.booked"
        ).exchange.data.get("closer_id")
        for name, closer in (
            ("previous_closer_id", before),
            ("new_closer_id", data.get("closer_id")),
        ):
            value = data.get(name)
            holds = closer is None or value == closer or not str(value).startswith("user_")
            judge.that(
                "HOOK-53",
                holds,
                delivered[0].exchange,
                expected=f"{closer}",
                received=value,
                where=f"/data/{name}",
            )


@check("HOOK-54", parts=[EVENTS])
def test_a_review_says_where_it_is(judge: Judge, webhooks: Webhooks) -> None:
    """The AI review of a call is done.

    > A finished AI review MUST cause `call.analysis_completed` with `analysis_url`.
    """
    cause, delivered = webhooks.caused("call.analysis_completed")
    if _arrived(judge, "HOOK-54", webhooks, ("call.analysis_completed", cause), delivered):
        url = delivered[0].data.get("analysis_url")
        holds = isinstance(url, str) and bool(url)
        judge.that(
            "HOOK-54",
            holds,
            delivered[0].exchange,
            expected="`analysis_url`",
            received=url,
            where="/data/analysis_url",
        )


@check("HOOK-55", parts=[])
@pytest.mark.parametrize("kind", TWICE)
def test_every_subscription_gets_the_event(judge: Judge, webhooks: Webhooks, kind: str) -> None:
    """Two subscriptions to one kind of event.

    > An event MUST reach every subscription to its kind.
    """
    (cause, _), second = webhooks.first(kind), webhooks.second[kind]
    if not isinstance(second, Subscription):
        raise second
    reached = [delivery.subscription for delivery in webhooks.caused(kind)[1]]
    for subscription in (webhooks.observer(kind), second):
        holds = any(subscription_reached is subscription for subscription_reached in reached)
        webhooks.demand_heard(holds, cause.at)
        judge.that(
            "HOOK-55",
            holds,
            cause.exchange,
            expected="a delivery to both subscriptions",
            received="one to the other",
        )


@check("HOOK-56", parts=[EVENTS])
def test_a_replayed_booking_causes_no_event(judge: Judge, webhooks: Webhooks) -> None:
    """A booking that is sent once more with its key and body.

    > A repeated `Idempotency-Key` MUST NOT cause a second `call.booked`.
    """
    _, delivered = webhooks.caused("call.booked")
    replayed = webhooks.scenario.replayed
    if replayed is None:
        raise PreconditionNotMet("no booking was repeated with its key")
    # An event that took its time may arrive after the repetition, and its copies at any time.
    first = {delivery.identity for delivery in delivered if delivery.arrival.at < replayed.at} or {
        delivery_of_call.identity for delivery_of_call in delivered[:1]
    }
    second = [
        delivery
        for delivery in delivered
        if delivery.arrival.at >= replayed.at and delivery.identity not in first
    ]
    exchange = second[0].exchange if second else replayed.exchange
    webhooks.demand_heard(not second, replayed.at)
    judge.that(
        "HOOK-56",
        not second,
        exchange,
        expected="no further call.booked",
        received=[delivery.identity for delivery in second],
    )


@check("HOOK-57", parts=[EVENTS])
def test_a_refused_booking_causes_no_event(judge: Judge, webhooks: Webhooks) -> None:
    """Bookings in the past, of a taken slot, without answers, and while the calendar provider
    rejects them, by new guests.

    > A refused request MUST NOT cause an event.
    """
    if not webhooks.scenario.refused:
        raise PreconditionNotMet("no booking was refused")
    webhooks.observer("call.booked")
    for refusal in webhooks.scenario.refused:
        delivered = next(
            (delivery for delivery in webhooks.deliveries if delivery.speaks_of(*refusal.marks)),
            None,
        )
        exchange = delivered.exchange if delivered else refusal.exchange
        refused_with = f"{refusal.exchange.status} {refusal.exchange.at('/code')}"
        received = (
            f"{delivered.subscription.event} of the one that was answered with {refused_with}"
            if delivered
            else "none"
        )
        judge.that(
            "HOOK-57",
            delivered is None,
            exchange,
            expected="no event of the refused booking",
            received=received,
        )


@check("HOOK-57", parts=[EVENTS])
def test_a_refused_change_causes_no_event(judge: Judge, webhooks: Webhooks) -> None:
    """A lead with an unknown time zone beside company and status; a call with an unknown status
    beside notes.

    And a move of a call, which the calendar provider rejects or is too degraded to carry out.

    > A refused request MUST NOT cause an event.
    """
    refused = [
        kind for kind in REFUSED_KINDS if isinstance(webhooks.scenario.causes.get(kind), Cause)
    ]
    if not refused:
        raise PreconditionNotMet("no change was refused")
    for kind in refused:
        cause, delivered = webhooks.caused(kind)
        exchange = delivered[0].exchange if delivered else cause.exchange
        webhooks.demand_heard(not delivered, cause.at)
        received = (
            f"{delivered[0].subscription.event} after an answer of {cause.exchange.status}"
            if delivered
            else "none"
        )
        judge.that("HOOK-57", not delivered, exchange, expected=f"no {kind}", received=received)


@check("HOOK-57", parts=[EVENTS])
def test_nothing_is_told_of_what_was_refused(judge: Judge, webhooks: Webhooks) -> None:
    """Everything that this process has sent and that was refused, for any check, against all that
    arrived since then.

    An event tells of it by any text, amount or time of a call that nothing else has: whatever
    record it names, or none.

    > A refused request MUST NOT cause an event.
    """
    webhooks.observer("call.booked")
    refusals = webhooks.scenario.session.transcript.history.refusals.telling()
    told = next(
        (
            event_told
            for event_told in _told(webhooks, refusals)
            if not _is_real(webhooks, *event_told)
        ),
        None,
    )
    exchange = (
        told[1].exchange
        if told
        else webhooks.deliveries[0].exchange
        if webhooks.deliveries
        else None
    )
    if exchange is None:
        raise PreconditionNotMet("no delivery arrived")
    received = "none"
    if told:
        said = ", ".join(str(value) for _, value in _tells_of(told[1], told[0]))
        received = (
            f"{told[1].subscription.event} with {said} after {told[0].exchange.operation}:"
            f" {told[0].exchange.summary()}"
        )
    judge.that(
        "HOOK-57",
        told is None,
        exchange,
        expected="no event of a refused request",
        received=received,
    )


def _told(webhooks: Webhooks, refusals: Sequence[Refused]) -> Iterator[tuple[Refused, Delivery]]:
    """The events that tell of a refused request, and came after it."""
    for refused in refusals:
        for delivery in webhooks.deliveries:
            if (
                delivery.arrival.at >= refused.exchange.sent_at
                and not delivery.is_test
                and _tells_of(delivery, refused)
            ):
                yield refused, delivery


def _tells_of(delivery: Delivery, refused: Refused) -> list[Mark]:
    """What an event says that only a refused request has said; of times those of calls alone."""
    values_told = list(values(delivery.event))
    said: Mapping[str, Container[Any]] = {
        "text": {value.lower() for _, value in values_told if isinstance(value, str)},
        "amount": {float(value) for _, value in values_told if is_number(value)},
        "time": {
            moment.timestamp()
            for _, value in values_told
            if (moment := instant(value)) is not None and moment.tzinfo
        },
    }
    is_of_call = delivery.subscription.event.startswith("call.")
    return [
        mark
        for mark in refused.marks
        if mark[1] in said[mark[0]] and (is_of_call or mark[0] != "time")
    ]


def _is_real(webhooks: Webhooks, refused: Refused, delivery: Delivery) -> bool:
    """Whether an event that has but a time or an amount in common is of a record that a list shows,
    of the check that made it.
    """
    if any(kind == "text" for kind, _ in _tells_of(delivery, refused)):
        return False
    try:
        record = str(delivery.data["id"])
    except PreconditionNotMet:
        return False
    path = "/v1/calls" if delivery.subscription.event.startswith("call.") else "/v1/payments"
    return (
        record.lower()
        in walk(
            webhooks.scenario.api, path, pages=MAX_PAGES_LOOKED_AT, until=[record], limit=100
        ).ids
    )


@check("HOOK-70", parts=[EVENTS])
def test_a_change_of_nothing_causes_no_event(judge: Judge, webhooks: Webhooks) -> None:
    """A lead is given the phone that it has, a call its notes, another one its outcome, a refunded
    payment its status.

    > A change that leaves a record as it was MUST NOT cause `lead.updated`, `call.updated` or an
    > event of a payment.
    """
    if not webhooks.scenario.unchanged:
        raise PreconditionNotMet("nothing could be changed to what it was")
    for what, cause in webhooks.scenario.unchanged.items():
        kind = what.partition(" ")[0]
        earlier = {
            delivery.identity for delivery in webhooks.to(kind) if delivery.arrival.at < cause.at
        }
        again = [
            delivery
            for delivery in webhooks.to(kind)
            if cause.at <= delivery.arrival.at < cause.until and delivery.speaks_of(cause.record)
        ]
        surplus = [delivery for delivery in again if delivery.identity not in earlier]
        exchange = surplus[0].exchange if surplus else cause.exchange
        webhooks.demand_heard(not surplus, cause.at)
        judge.that(
            "HOOK-70",
            not surplus,
            exchange,
            expected=f"no {what}",
            received=f"{len(surplus)} of {cause.record}",
        )


@check("HOOK-72", parts=[EVENTS])
def test_an_outcome_causes_an_event(judge: Judge, webhooks: Webhooks) -> None:
    """A call that has ended takes further outcomes over REST, others by seed; which kind of event
    tells of one is open, and whether any does where nothing is finished.

    Where all that finish it are refused, another one gets an outcome while the clock of the
    deployment is behind its start.

    > An accepted outcome that changes the status of a call to `shown`, `closed`, `lost` or
    > `follow_up` MUST cause at least one event of that call.
    """
    for kind in OF_OUTCOMES:
        webhooks.observer(kind)
    finishing = [
        cause
        for cause in webhooks.scenario.outcomes
        if cause.exchange.at("/data/status") in FINISHING
    ]
    if refusals := [] if finishing else webhooks.scenario.refused_outcomes:
        raise NotApplicableError(f"outcomes of a call are refused: {refusals[0].summary()}")
    if not finishing:
        raise PreconditionNotMet("no outcome that finishes a call was accepted")
    for cause in finishing:
        arrived = [
            delivery
            for kind in OF_OUTCOMES
            for delivery in webhooks.to(kind)
            if delivery.speaks_of(cause.record)
            and any(
                cause.at <= time < cause.until
                for time in (delivery.arrival.at, webhooks.sent_at(delivery))
            )
        ]
        told = bool(arrived)
        webhooks.demand_heard(told, cause.at)
        expected = (
            f"an event of {cause.record}, whose status is {cause.exchange.at('/data/status')} now"
        )
        judge.that("HOOK-72", told, cause.exchange, expected=expected, received="none arrived")


def _arrived(
    judge: Judge,
    requirement: str,
    webhooks: Webhooks,
    caused: tuple[str, Cause],
    delivered: list[Delivery],
) -> bool:
    kind, cause = caused
    webhooks.demand_heard(bool(delivered), cause.at)
    exchange = delivered[0].exchange if delivered else cause.exchange
    event, _, situation = kind.partition(" ")
    expected = f"{event} of {cause.record}" + (f", {situation}" if situation else "")
    return judge.that(
        requirement, bool(delivered), exchange, expected=expected, received="none arrived"
    )
