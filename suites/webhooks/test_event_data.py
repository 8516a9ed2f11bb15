"""What events say of the record that they are about."""

import json

from plumbline.fixtures.http.exchange import PreconditionNotMet
from plumbline.fixtures.judging.judge import Judge
from plumbline.fixtures.judging.surface_diff import differences, is_empty
from plumbline.fixtures.planning.mark import check
from plumbline.fixtures.scenarios.background.booked_calls import OF_A_KNOWN_GUEST
from plumbline.fixtures.scenarios.background.events import PARTLY, Cause
from plumbline.fixtures.scenarios.background.last_events import GUEST_NAMED, NAMED
from plumbline.fixtures.scenarios.background.parts import EVENTS
from plumbline.fixtures.scenarios.background.webhooks import Webhooks
from plumbline.fixtures.values import is_number, same, same_id, same_instant

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
CHANGES = ("lead.updated", "lead.status_changed", "call.updated", "payment.refunded")
"""Kinds that a PATCH causes, whose fields are those of the record."""
SETTLED = {
    "payment.succeeded": ("amount", "currency", "payment_date", "lead_id"),
    "payment.refunded": ("currency", "lead_id", "refunded_amount"),
    "call.rescheduled": ("scheduled_at",),
}
"""Fields of events that say what the answer to the request said, because no later request of the scenario changes them."""
ATTRIBUTION = frozenset({"utm_source", "utm_medium", "utm_campaign", "booking_link_id"})
"""Where a call comes from, which no request changes."""
NOT_CAPTURED = ("pending", "failed")
"""Statuses of payments of which nothing was captured."""


@check("HOOK-09", cost=0, parts=[EVENTS])
def test_call_booked_shows_the_booking(judge: Judge, webhooks: Webhooks) -> None:
    """`call.booked` beside the booking that caused it.

    > `data` of `call.booked` MUST describe the call that was booked: its id, lead, booking link and
    > time, and each other documented key that the answer to the booking shows.
    """
    cause, delivered = webhooks.first("call.booked")
    sent, booked, data = webhooks.scenario.booking[0], cause.exchange.data, delivered.data
    wanted = {"id": booked.get("id"), "lead_id": booked.get("lead_id"), "booking_link_id": sent["booking_link_id"]}
    for name, value in wanted.items():
        judge.that(
            "HOOK-09",
            same_id(data.get(name), value),
            delivered.exchange,
            expected=value,
            received=data.get(name),
            where=f"/data/{name}",
        )
    for name in ("closer_id", "created_at", "updated_at"):
        shown = data.get(name) is not None or booked.get(name) is None
        judge.that("HOOK-09", shown, delivered.exchange, expected=f"`{name}`", received="nothing", where=f"/data/{name}")
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
    judge.that("HOOK-09", agree, delivered.exchange, expected=f"{minutes}", received=lasts, where="/data/duration")


@check("HOOK-10", cost=0, parts=[EVENTS])
def test_call_booked_shows_the_attribution(judge: Judge, webhooks: Webhooks) -> None:
    """`call.booked` of a booking with all five `utm_*`, and of one of the same guest with others.

    > `data` of `call.booked` MUST carry the `utm_*` values of the booking.
    """
    _, delivered = webhooks.first("call.booked")
    again = webhooks.caused(OF_A_KNOWN_GUEST)[1][:1] if isinstance(webhooks.scenario.causes.get(OF_A_KNOWN_GUEST), Cause) else []
    for booking, each in zip(("first", "second"), (delivered, *again), strict=False):
        for name, value in webhooks.scenario.utm[booking].items():
            found = each.data.get(name)
            judge.that("HOOK-10", found == value, each.exchange, expected=value, received=found, where=f"/data/{name}")


@check("HOOK-11", cost=0, parts=[EVENTS])
def test_events_name_their_record(judge: Judge, webhooks: Webhooks) -> None:
    """The events of all requests to the API but the booking, and what a request has set, where they show it.

    > `data` of an event that an API call caused MUST carry the id of the record that changed, and no
    > value that contradicts the record.
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
        judge.that("HOOK-11", holds, delivered.exchange, expected=cause.record, received=identifier, where="/data/id")
        given = json.loads(cause.exchange.request_body or b"{}") if kind in CHANGES else {}
        for name, value in given.items():
            found = delivered.data.get(name)
            if found is not None:
                judge.that(
                    "HOOK-11", same(found, value), delivered.exchange, expected=value, received=found, where=f"/data/{name}"
                )
        status = delivered.data.get("status")
        if kind == "payment.succeeded" and status is not None:
            captured = status not in NOT_CAPTURED
            judge.that("HOOK-11", captured, delivered.exchange, expected="succeeded", received=status, where="/data/status")
        shown = {name: cause.exchange.data.get(name) for name in SETTLED.get(kind, ())}
        for pointer, said, found in differences(shown, delivered.data):
            if not is_empty(said) and not is_empty(found):
                judge.that(
                    "HOOK-11", holds=False, exchange=delivered.exchange, expected=said, received=found, where=f"/data{pointer}"
                )
    _attribution(judge, webhooks)
    _name_and_zone(judge, webhooks)
    _refunded(judge, webhooks)
    if unmet and not judge.findings:
        raise unmet


def _attribution(judge: Judge, webhooks: Webhooks) -> None:
    """Where an event of a call has a key for where the call comes from, it says what the API says, and not nothing."""
    for kind in ("call.updated", "call.rescheduled"):
        if not isinstance(webhooks.scenario.causes.get(kind), Cause):
            continue
        cause, delivered = webhooks.caused(kind)
        for each in delivered[:1]:
            for name in ATTRIBUTION & each.data.keys() & cause.exchange.data.keys():
                said, found = cause.exchange.data[name], each.data[name]
                holds = is_empty(said) or same_id(found, said) or same(found, said)
                judge.that("HOOK-11", holds, each.exchange, expected=said, received=found, where=f"/data/{name}")
    _attribution_of_lead(judge, webhooks)


def _attribution_of_lead(judge: Judge, webhooks: Webhooks) -> None:
    """Where an event of a lead has a key for a UTM value that the `source` of the lead shows, it shows one as well."""
    if not isinstance(webhooks.scenario.causes.get(GUEST_NAMED), Cause):
        return
    cause, delivered = webhooks.caused(GUEST_NAMED)
    source = cause.exchange.data.get("source")
    if not isinstance(source, dict):
        return
    for each in delivered[:1]:
        for name in sorted(ATTRIBUTION & each.data.keys() & source.keys()):
            said, found = source[name], each.data[name]
            holds = is_empty(said) or not is_empty(found)
            judge.that("HOOK-11", holds, each.exchange, expected=said, received=found, where=f"/data/{name}")


def _name_and_zone(judge: Judge, webhooks: Webhooks) -> None:
    """A name or a zone that a lead was given: one of the events that may be of it shows it, if any shows the field."""
    for kind in (NAMED, GUEST_NAMED):
        if not isinstance(webhooks.scenario.causes.get(kind), Cause):
            continue
        cause, delivered = webhooks.caused(kind)
        given = json.loads(cause.exchange.request_body or b"{}")
        for name in sorted(given.keys() & {"full_name", "timezone"}):
            shown = {each.data[name]: each.exchange for each in delivered if isinstance(each.data.get(name), str)}
            if shown:
                received, exchange = next(iter(shown.items()))
                holds = given[name] in shown
                judge.that("HOOK-11", holds, exchange, expected=given[name], received=received, where=f"/data/{name}")


def _refunded(judge: Judge, webhooks: Webhooks) -> None:
    """A refunded payment is no larger than it was, nor is what was given back, also where only half of it was."""
    for kind in ("payment.refunded", PARTLY):
        if not isinstance(webhooks.scenario.causes.get(kind), Cause):
            continue
        cause, delivered = webhooks.caused(kind)
        recorded = cause.exchange.at("/data/amount") if kind in CHANGES else None
        for each in delivered:
            paid, back = (each.data.get(name) for name in ("amount", "refunded_amount"))
            if is_number(recorded) and is_number(paid) and recorded > 0:
                fits = abs(paid) <= recorded
                judge.that("HOOK-11", fits, each.exchange, expected=f"at most {recorded}", received=paid, where="/data/amount")
            if is_number(paid) and is_number(back):
                fits = 0 <= back <= paid
                judge.that(
                    "HOOK-11", fits, each.exchange, expected=f"at most {paid}", received=back, where="/data/refunded_amount"
                )
