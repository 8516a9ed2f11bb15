"""What events say of the record that they are about."""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from plumbline.fixtures.evidence.refusals import values
from plumbline.fixtures.http.exchange import PreconditionNotMet
from plumbline.fixtures.judging.judge import Judge
from plumbline.fixtures.judging.matchers import HALF_A_CENT
from plumbline.fixtures.judging.oracles.names import OVER_WEBHOOKS
from plumbline.fixtures.judging.surface_diff import differences, is_empty
from plumbline.fixtures.judging.values_as_text import as_json
from plumbline.fixtures.scenarios.background.booked_calls import OF_A_KNOWN_GUEST, REVIVED
from plumbline.fixtures.scenarios.background.event_causes import (
    BY_MUTATION,
    CAPTURED,
    PARTLY,
    Cause,
)
from plumbline.fixtures.scenarios.background.heard_events import Webhooks
from plumbline.fixtures.scenarios.background.last_events import GUEST_NAMED, NAMED
from plumbline.fixtures.scenarios.background.parts import EVENTS
from plumbline.fixtures.scenarios.carriers import same_text
from plumbline.fixtures.scenarios.mark import check
from plumbline.spec import schema
from plumbline.spec.comparing import instant, is_number, same, same_id, same_instant
from plumbline.spec.values.times import same_zone

WITH_ID = (
    "lead.created",
    "lead.updated",
    "lead.status_changed",
    "call.updated",
    "call.rescheduled",
    "payment.succeeded",
    "payment.refunded",
)
"""Kinds that a request to the API causes, but for a booking, whose event has a check of its own."""
OF_CALLS = (
    *(
        "call.updated",
        "call.started",
        "call.completed",
        "call.canceled",
        "call.rescheduled",
        "call.no_show",
    ),
    *("call.closer_reassigned", "call.analysis_completed"),
)
"""Kinds of events of calls but the one of a booking."""
CHANGES = ("lead.updated", "lead.status_changed", "call.updated", "payment.refunded")
"""Kinds that a PATCH causes, whose fields are those of the record."""
SETTLED = {
    "payment.succeeded": ("amount", "currency", "payment_date", "lead_id"),
    "payment.refunded": ("currency", "lead_id", "refunded_amount"),
    "call.rescheduled": ("scheduled_at",),
}
"""Fields of events that say what the answer to the request said, because no later request of the
scenario changes them.
"""
ATTRIBUTION = frozenset({"utm_source", "utm_medium", "utm_campaign", "booking_link_id"})
"""Where a call comes from, which no request changes."""
AMOUNTS_OF_CONTROLLER = {PARTLY: "refunded_amount", "payment.failed": "amount"}
"""Kinds of events that the test controller causes with an amount, and where they show it."""
NOT_CAPTURED = ("pending", "failed")
"""Statuses of payments of which nothing was captured."""


@check("HOOK-09", parts=[EVENTS])
def test_call_booked_shows_the_booking(judge: Judge, webhooks: Webhooks) -> None:
    """`call.booked` beside the booking that caused it.

    > `data` of `call.booked` MUST describe the call that was booked: its id, lead, booking link and
    > time, and each other documented key that the answer to the booking shows.
    """
    cause, delivered = webhooks.first("call.booked")
    sent, booked, data = webhooks.scenario.booking[0], cause.exchange.data, delivered.data
    wanted = {
        "id": booked.get("id"),
        "lead_id": booked.get("lead_id"),
        "booking_link_id": sent["booking_link_id"],
    }
    for name, value in wanted.items():
        judge.that(
            "HOOK-09",
            same_id(data.get(name), value),
            delivered.exchange,
            expected=value,
            received=data.get(name),
            where=f"/data/{name}",
        )
    for name, over_rest in _keys_over_rest().items():
        shown = not is_empty(data.get(name)) or is_empty(booked.get(over_rest))
        judge.that(
            "HOOK-09",
            shown,
            delivered.exchange,
            expected=f"`{name}`",
            received="nothing",
            where=f"/data/{name}",
        )
    at = data.get("scheduled_at")
    judge.that(
        "HOOK-09",
        same_instant(at, sent["start_time"]),
        delivered.exchange,
        expected=sent["start_time"],
        received=at,
        where="/data/scheduled_at",
    )
    minutes, lasts = booked.get("duration_minutes"), data.get("duration")
    agree = same(lasts, minutes) or minutes is None or lasts is None
    judge.that(
        "HOOK-09",
        agree,
        delivered.exchange,
        expected=f"{minutes}",
        received=lasts,
        where="/data/duration",
    )


@check("HOOK-10", parts=[EVENTS])
def test_call_booked_shows_the_attribution(judge: Judge, webhooks: Webhooks) -> None:
    """`call.booked` of a booking with all five `utm_*`, and of one of the same guest with others.

    > `data` of `call.booked` MUST carry the `utm_*` values of the booking.
    """
    _, delivered = webhooks.first("call.booked")
    again = (
        webhooks.caused(OF_A_KNOWN_GUEST)[1][:1]
        if isinstance(webhooks.scenario.causes.get(OF_A_KNOWN_GUEST), Cause)
        else []
    )
    for booking, delivery in zip(("first", "second"), (delivered, *again), strict=False):
        for name, value in webhooks.scenario.utm[booking].items():
            received = delivery.data.get(name)
            judge.that(
                "HOOK-10",
                received == value,
                delivery.exchange,
                expected=value,
                received=received,
                where=f"/data/{name}",
            )


@check("HOOK-11", parts=[EVENTS])
def test_events_name_their_record(judge: Judge, webhooks: Webhooks) -> None:
    """The events of all requests to the API but the booking, and what a request has set, where they
    show it.

    > `data` of an event MUST carry the id of the record that changed, the attribution that the
    > record shows, and no value that contradicts the record.
    """
    unmet: PreconditionNotMet | None = None
    for kind in WITH_ID:
        try:
            cause, delivered = webhooks.first(kind)
            identifier = delivered.data["id"]
        except PreconditionNotMet as error:
            unmet = error
            continue
        holds = same_id(identifier, cause.record)
        judge.that(
            "HOOK-11",
            holds,
            delivered.exchange,
            expected=cause.record,
            received=identifier,
            where="/data/id",
        )
        given = json.loads(cause.exchange.request_body or b"{}") if kind in CHANGES else {}
        for name, value in given.items():
            received = delivered.data.get(name)
            if received is not None:
                judge.that(
                    "HOOK-11",
                    same(received, value) or same_text(received, value),
                    delivered.exchange,
                    expected=value,
                    received=received,
                    where=f"/data/{name}",
                )
        status = delivered.data.get("status")
        if kind == "payment.succeeded" and status is not None:
            captured = status not in NOT_CAPTURED
            judge.that(
                "HOOK-11",
                captured,
                delivered.exchange,
                expected="succeeded",
                received=status,
                where="/data/status",
            )
        shown = {name: cause.exchange.data.get(name) for name in SETTLED.get(kind, ())}
        for pointer, said, received in differences(shown, delivered.data):
            if not is_empty(said) and not is_empty(received):
                judge.that(
                    "HOOK-11",
                    holds=False,
                    exchange=delivered.exchange,
                    expected=said,
                    received=received,
                    where=f"/data{pointer}",
                )
    _attribution(judge, webhooks)
    _name_and_zone(judge, webhooks)
    _refunded(judge, webhooks)
    _amount_of_controller(judge, webhooks)
    if unmet and not judge.findings:
        raise unmet


def _attribution(judge: Judge, webhooks: Webhooks) -> None:
    """Every event of a call says where the call comes from, as far as the API says it."""
    for kind in (*OF_CALLS, REVIVED):
        booked = _booking_of(webhooks, kind)
        if booked is None:
            continue
        for delivery in webhooks.caused(kind)[1][:1]:
            for name in sorted(ATTRIBUTION & booked.keys()):
                said, received = booked[name], delivery.data.get(name)
                holds = is_empty(said) or same_id(received, said) or same(received, said)
                judge.that(
                    "HOOK-11",
                    holds,
                    delivery.exchange,
                    expected=said,
                    received=received,
                    where=f"/data/{name}",
                )
    _attribution_of_lead(judge, webhooks)


def _booking_of(webhooks: Webhooks, kind: str) -> Mapping[str, Any] | None:
    """The answer to the booking of the call that an event is of; None where there was no such
    event, or no subscription.
    """
    cause = webhooks.scenario.causes.get(kind)
    if not isinstance(cause, Cause) or isinstance(
        webhooks.observers.get(kind.partition(" ")[0]), PreconditionNotMet
    ):
        return None
    for booking in ("call.booked", OF_A_KNOWN_GUEST):
        booked = webhooks.scenario.causes.get(booking)
        if isinstance(booked, Cause) and same_id(booked.record, cause.record):
            return booked.exchange.data
    return None


def _attribution_of_lead(judge: Judge, webhooks: Webhooks) -> None:
    """An event of a lead shows a UTM value where the `source` of the lead does."""
    if not isinstance(webhooks.scenario.causes.get(GUEST_NAMED), Cause):
        return
    cause, delivered = webhooks.caused(GUEST_NAMED)
    source = cause.exchange.data.get("source")
    if not isinstance(source, dict):
        return
    for delivery in delivered[:1]:
        for name in sorted(ATTRIBUTION & source.keys()):
            said, received = source[name], delivery.data.get(name)
            holds = is_empty(said) or not is_empty(received)
            judge.that(
                "HOOK-11",
                holds,
                delivery.exchange,
                expected=said,
                received=received,
                where=f"/data/{name}",
            )


@check("HOOK-71", parts=[EVENTS])
def test_events_hold_the_whole_record(judge: Judge, webhooks: Webhooks) -> None:
    """Every event but `call.booked`, and what its record is known by; under which name it stands
    there is open.

    > `data` of an event SHOULD be the whole record: name and email of a lead, lead and time of a
    > call, lead, amount and currency of a payment.
    """
    unmet: PreconditionNotMet | None = None
    for kind in (*WITH_ID, *OF_CALLS, "payment.failed", BY_MUTATION, CAPTURED, PARTLY):
        try:
            _, delivered = webhooks.first(kind)
            data = delivered.data
        except PreconditionNotMet as error:
            unmet = error
            continue
        for name, wanted in _known_of(webhooks, kind):
            is_told = any(
                _says(value, value_wanted) for _, value in values(data) for value_wanted in wanted
            )
            judge.that(
                "HOOK-71",
                is_told,
                delivered.exchange,
                expected=f"{name} {as_json(wanted[0])}",
                received="nowhere",
                where="/data",
            )
    if unmet and not judge.findings and "HOOK-71" in judge.forgotten():
        raise unmet


def _known_of(webhooks: Webhooks, kind: str) -> Iterator[tuple[str, list[Any]]]:
    """What the record of an event is known by: what it is, and the values that it may have had when
    the event came about.
    """
    cause = webhooks.scenario.of(kind)
    shown = cause.exchange.at("/data")
    record: Mapping[str, Any] = shown if isinstance(shown, dict) else {}
    names = {"lead": ("email", "full_name"), "payment": ("lead_id", "amount", "currency")}.get(
        kind.partition(".")[0], ()
    )
    for name in names:
        if not is_empty(record.get(name)):
            yield name, [record[name]]
    if kind.startswith("call.") and (booked := _booking_of(webhooks, kind)):
        moved = [
            webhooks.scenario.causes.get(moved_event)
            for moved_event in ("call.rescheduled", REVIVED)
        ]
        starts = [
            moved_event.exchange.at("/data/scheduled_at")
            for moved_event in moved
            if isinstance(moved_event, Cause)
        ]
        yield "lead_id", [booked.get("lead_id")]
        yield "scheduled_at", [booked.get("scheduled_at"), *starts]


def _says(value: Any, wanted: Any) -> bool:
    """Whether a value is the wanted one; amounts also in cents, and times also in unix time."""
    if is_number(wanted):
        return is_number(value) and any(abs(value - wanted * unit) < 0.005 for unit in (1, 100))
    moment = instant(wanted)
    if moment is not None:
        return same_instant(value, wanted) or value in (
            moment.timestamp(),
            moment.timestamp() * 1000,
        )
    return isinstance(value, str) and value.casefold() == str(wanted).casefold()


def _name_and_zone(judge: Judge, webhooks: Webhooks) -> None:
    """A name or a zone that a lead was given: one of the events that may be of it shows it, if any
    shows the field.
    """
    for kind in (NAMED, GUEST_NAMED):
        if not isinstance(webhooks.scenario.causes.get(kind), Cause):
            continue
        cause, delivered = webhooks.caused(kind)
        given = json.loads(cause.exchange.request_body or b"{}")
        for name in sorted(given.keys() & {"full_name", "timezone"}):
            shown = {
                delivery.data[name]: delivery.exchange
                for delivery in delivered
                if isinstance(delivery.data.get(name), str)
            }
            if shown:
                received, exchange = next(iter(shown.items()))
                alike = same_zone if name == "timezone" else same
                holds = any(alike(value, given[name]) for value in shown)
                judge.that(
                    "HOOK-11",
                    holds,
                    exchange,
                    expected=given[name],
                    received=received,
                    where=f"/data/{name}",
                )


def _refunded(judge: Judge, webhooks: Webhooks) -> None:
    """A refunded payment is no larger than it was, nor is what was given back, also where only half
    of it was.
    """
    for kind in ("payment.refunded", PARTLY):
        if not isinstance(webhooks.scenario.causes.get(kind), Cause):
            continue
        cause, delivered = webhooks.caused(kind)
        recorded = cause.exchange.at("/data/amount") if kind in CHANGES else None
        for delivery in delivered:
            paid, back = (delivery.data.get(name) for name in ("amount", "refunded_amount"))
            if is_number(recorded) and is_number(paid) and recorded > 0:
                fits = abs(paid) <= recorded
                judge.that(
                    "HOOK-11",
                    fits,
                    delivery.exchange,
                    expected=f"at most {recorded}",
                    received=paid,
                    where="/data/amount",
                )
            if is_number(paid) and is_number(back):
                fits = 0 <= back <= paid
                judge.that(
                    "HOOK-11",
                    fits,
                    delivery.exchange,
                    expected=f"at most {paid}",
                    received=back,
                    where="/data/refunded_amount",
                )


def _amount_of_controller(judge: Judge, webhooks: Webhooks) -> None:
    """What the test controller was to give back, or to let fail, is what the event shows, where it
    shows it.
    """
    for kind, name in AMOUNTS_OF_CONTROLLER.items():
        if not isinstance(webhooks.scenario.causes.get(kind), Cause):
            continue
        cause, delivered = webhooks.caused(kind)
        dollars = json.loads(cause.exchange.request_body or b"{}")["amount"]
        for delivery in delivered:
            received = delivery.data.get(name)
            if same_id(delivery.data.get("id"), cause.record) and is_number(received):
                judge.that(
                    "HOOK-11",
                    abs(received - dollars) < HALF_A_CENT,
                    delivery.exchange,
                    expected=f"{dollars:.2f}",
                    received=received,
                    where=f"/data/{name}",
                )


@cache
def _keys_over_rest() -> Mapping[str, str]:
    """Documented keys of `call.booked`, with the field of the call that shows the same over
    REST.
    """
    documented = schema("event.call.booked")["$defs"]["CallBooked"]["properties"]
    return {**{name: name for name in documented if name != "status"}, **OVER_WEBHOOKS}
