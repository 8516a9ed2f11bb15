"""Events of everything that the run writes while it is subscribed, whatever it writes for."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import pytest

from plumbline.fixtures.http.exchange import (
    Exchange,
    NotApplicableError,
    PreconditionNotMet,
    parse_json,
)
from plumbline.fixtures.judging.judge import Judge
from plumbline.fixtures.scenarios.background.heard_events import Webhooks
from plumbline.fixtures.scenarios.background.parts import EVENTS
from plumbline.fixtures.scenarios.background.uncaused import told_of
from plumbline.fixtures.scenarios.mark import check
from plumbline.spec.comparing import same_id

MOVE = "POST /v1/calls/{id}/reschedule"
MADE: Mapping[str, tuple[str, str]] = {
    "lead.created": ("HOOK-40", "POST /v1/leads"),
    "call.booked": ("HOOK-43", "POST /v1/calls"),
    "call.rescheduled": ("HOOK-45", MOVE),
    "payment.succeeded": ("HOOK-46", "POST /v1/payments"),
}
"""Events that a request of an operation causes whenever it is accepted, a payment when it has
succeeded.
"""
BECOMES: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "succeeded": ("HOOK-46", ("pending", "failed")),
    "refunded": ("HOOK-47", ("succeeded",)),
}
"""Statuses of which a payment causes an event when it comes to them from some others."""
CHANGE = "PATCH /v1/payments/{id}"
PAYMENTS = ("POST /v1/payments", CHANGE)


@pytest.mark.parametrize(
    "kind",
    [
        pytest.param(kind, marks=check(row_of_table[0], parts=[EVENTS]))
        for kind, row_of_table in MADE.items()
    ],
)
def test_every_write_is_told(judge: Judge, webhooks: Webhooks, kind: str) -> None:
    """Everything that other checks have written while the run was subscribed: leads, bookings,
    moves, payments.

    A booking that is repeated with its key belongs to the first of these requests, which may have
    come before the subscriptions.

    > `POST /v1/leads` MUST cause one distinct `lead.created`, `POST /v1/calls` one distinct
    > `call.booked`, a reschedule one distinct `call.rescheduled`; a payment that is recorded as
    > `succeeded` MUST cause `payment.succeeded`.
    """
    (requirement, operation), webhooks_of_kind = (
        MADE[kind],
        webhooks.to(webhooks.observer(kind).event),
    )
    told = {str(delivery.data.get("id")).lower() for delivery in webhooks_of_kind}
    written = {
        write.id_of_data.lower(): write
        for write in reversed(webhooks.writes)
        if _causes(write, operation)
    }
    if operation != MOVE:
        written = {
            record: write for record, write in written.items() if record not in webhooks.made_before
        }
    if not written:
        raise NotApplicableError("nothing else was written while the run was subscribed")
    untold = next(
        (exchange_written for record, exchange_written in written.items() if record not in told),
        None,
    )
    first = untold or next(iter(written.values()))
    webhooks.demand_heard(untold is None, first.sent_at)
    judge.that(
        requirement,
        untold is None,
        first,
        expected=f"{kind} of {first.id_of_data}",
        received="none arrived",
    )


@check("HOOK-46", parts=[EVENTS])
def test_a_capture_is_told_once(judge: Judge, webhooks: Webhooks) -> None:
    """Payments that have become `succeeded` once and were changed after that, in amount, currency
    or reference.

    > A payment MUST cause `payment.succeeded` when it is recorded as `succeeded` or becomes so.
    """
    captured, changed = Counter[str](), dict[str, Exchange]()
    for write in webhooks.writes:
        record = str(write.at("/data/id")).lower()
        if write.operation in PAYMENTS and _gives(write, "succeeded"):
            captured[record] += 1
        elif (
            write.operation == CHANGE
            and captured[record]
            and write.at("/data/status") == "succeeded"
        ):
            changed[record] = write
    if not changed:
        raise NotApplicableError("no payment was changed after it had succeeded")
    for record, last in changed.items():
        events = [
            delivery
            for delivery in webhooks.to("payment.succeeded")
            if same_id(delivery.data.get("id"), record)
        ]
        distinct, most = {event.identity for event in events}, captured[record]
        webhooks.demand_heard(len(distinct) <= most, last.sent_at)
        expected = f"{most} payment.succeeded of {record}, which has become so {most} times"
        received = (
            f"{len(distinct)} of them, distinguished by data.id and created_at: {sorted(distinct)}"
        )
        judge.that("HOOK-46", len(distinct) <= most, last, expected=expected, received=received)


@pytest.mark.parametrize(
    "status",
    [
        pytest.param(status, marks=check(row_of_table[0], parts=[EVENTS]))
        for status, row_of_table in BECOMES.items()
    ],
)
def test_every_change_of_a_payment_is_told(judge: Judge, webhooks: Webhooks, status: str) -> None:
    """Payments that have become `succeeded` after they were pending or had failed, or `refunded`
    after they had succeeded, for any check.

    > A payment MUST cause `payment.succeeded` when it becomes `succeeded`. A succeeded payment that
    > becomes `refunded` MUST cause `payment.refunded`.
    """
    requirement, before = BECOMES[status]
    kind = f"payment.{status}"
    webhooks.observer(kind)
    became = [
        write
        for earlier, write in _following(webhooks.writes)
        if earlier.at("/data/status") in before and write.at("/data/status") == status
    ]
    if not became:
        raise NotApplicableError("no payment has become so while the run was subscribed")
    untold = next((write for write in became if not _is_told(webhooks, kind, write)), None)
    write = untold or became[-1]
    webhooks.demand_heard(untold is None, write.sent_at)
    expected = f"{kind} of {write.id_of_data} after this change"
    judge.that(requirement, untold is None, write, expected=expected, received="none arrived")


@check("HOOK-73", parts=[EVENTS])
def test_nothing_is_told_that_nobody_caused(judge: Judge, webhooks: Webhooks) -> None:
    """Every event of every call and payment that the run has made, for any check.

    Some of the calls get an outcome, begin, move or get another closer, and payments get statuses:
    the run knows when.

    > No event MUST tell that a call that lies ahead and was merely booked has begun, ended, moved,
    > got another closer, or was reviewed, missed or called off, or that a payment has come to a
    > status that it was never given.
    """
    webhooks.observer("call.started")
    if not webhooks.records:
        raise PreconditionNotMet("the run has made neither calls nor payments")
    told = list(told_of(webhooks.deliveries, webhooks.records))
    wrong = next((one for one in told if webhooks.deeds.uncaused(*one)), None)
    exchange = told[-1][0].exchange if told else next(iter(webhooks.records.values())).exchange
    expected, received = "no event of what has not happened", "none"
    if wrong:
        (delivery, record), exchange = wrong, wrong[0].exchange
        expected = f"none, as nothing of it has happened to the {record.kind} {record.id}"
        received = delivery.subscription.event
    judge.that("HOOK-73", wrong is None, exchange, expected=expected, received=received)


def _following(writes: Sequence[Exchange]) -> Iterator[tuple[Exchange, Exchange]]:
    """Changes of payments, each after the write before it of the same payment; none that was sent
    while that one was under way.
    """
    last = dict[str, Exchange]()
    for write in writes:
        if write.operation in PAYMENTS:
            record = str(write.at("/data/id")).lower()
            earlier, last[record] = last.get(record), write
            if earlier and earlier.answered_at < write.sent_at:
                yield earlier, write


def _is_told(webhooks: Webhooks, kind: str, write: Exchange) -> bool:
    """Whether an event of a payment has arrived after a change of it."""
    return any(
        delivery.arrival.at >= write.sent_at and same_id(delivery.data.get("id"), write.id_of_data)
        for delivery in webhooks.to(kind)
    )


def _causes(exchange: Exchange, operation: str) -> bool:
    """Whether an accepted request causes the event of its operation."""
    if exchange.operation != operation or not isinstance(exchange.at("/data/id"), str):
        return False
    return operation != "POST /v1/payments" or exchange.at("/data/status") == "succeeded"


def _gives(written: Exchange, status: str) -> bool:
    sent = parse_json(written.request_body or b"")
    return isinstance(sent, dict) and sent.get("status") == status
