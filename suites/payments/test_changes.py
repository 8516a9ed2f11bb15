"""Correcting and verifying payments."""

from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import pytest

from plumbline.fixtures.http.exchange import Exchange, NotApplicableError, PreconditionNotMet
from plumbline.fixtures.judging.completeness import leaves_nothing_out
from plumbline.fixtures.judging.judge import Judge
from plumbline.fixtures.judging.matchers import (
    accepted,
    answered,
    any_of,
    has,
    has_id,
    refunds_in_dollars,
    refused,
    resting_on,
    still_has,
)
from plumbline.fixtures.judging.mismatch import Mismatch, Step
from plumbline.fixtures.judging.model.keeping import leaves_alone
from plumbline.fixtures.judging.values_as_text import as_json
from plumbline.fixtures.scenarios.builders import Builders
from plumbline.fixtures.scenarios.mark import check
from plumbline.fixtures.scenarios.shared.booking_scenario import BookingScenario
from plumbline.fixtures.scenarios.shared.list_scenario import ListScenario
from plumbline.fixtures.scenarios.shared.payment_scenario import PaymentScenario
from plumbline.spec.comparing import instant, same, same_id

UNVERIFIED = ("verification_status", "verified_at")
"""Fields of a payment that the service changes as well, as long as nobody has verified it."""
CLOCK_SKEW = timedelta(hours=2)
"""How far the clock of a deployment may be off."""
CONFLICT = 409
"""Says that a change met another one, and may be sent again."""


@check("PAY-14", "PAY-15")
def test_patch_changes_what_it_names(judge: Judge, payment_scenario: PaymentScenario) -> None:
    """A PATCH of the amount alone, in dollars with cents, then one of the status alone.

    > `PATCH /v1/payments/{id}` MUST set the fields that it provides, `amount` in dollars with
    > cents, and MUST NOT change a field that it does not provide.
    """
    corrected, settled = payment_scenario.corrected(), payment_scenario.settled()
    judge("PAY-14", corrected, has("/data/amount", payment_scenario.later_amount))
    _ = corrected.data
    kept = leaves_alone(payment_scenario.recorded().data, but=UNVERIFIED)
    judge("PAY-15", corrected, kept)
    if not settled.ok:
        raise NotApplicableError("the change of status was refused")
    judge("PAY-14", settled, has("/data/status", "succeeded"))
    if payment_scenario.spoiled().ok:
        judge(
            "PAY-15",
            settled,
            still_has("/data/amount", payment_scenario.spoiled().data.get("amount")),
        )
    else:  # what a refused PATCH has changed is PAY-16
        kept = still_has("/data/amount", corrected.data.get("amount"))
        judge("PAY-15", settled, any_of(kept, has("/data/amount", payment_scenario.wrong_amount)))


@check("PAY-02", "PAY-14", "PAY-15")
def test_patch_changes_every_field(judge: Judge, second_org: Builders) -> None:
    """PATCHes of each status of a payment for a call, in another order in every run; between them
    some of the other fields. The first two, of currency and amount, are sent at the same moment;
    what is in the way of the other is sent again.

    Which statuses are taken is open. A payment that is not pending may refuse another amount. What
    was refunded is no more than the amount, in the same unit; the payment is never refunded first,
    while its amount is 0. Where an external id shows is open; another one shows there, too, and one
    of digits is a text like others.

    > `PATCH /v1/payments/{id}` MUST set the fields that it provides, `amount` in dollars with
    > cents, and MUST NOT change a field that it does not provide. `amount` MUST come back in
    > dollars with its cents.
    """
    build, linked = second_org, {}
    with suppress(PreconditionNotMet):
        linked = {
            "call_id": build.shared_call().id_of_data,
            "lead_id": build.lead_of(build.shared_call()),
        }
    reference = build.sample_data.token()
    recorded = build.pay(status="pending", external_id=reference, **linked)
    before = recorded.data
    referring = [name for name, value in before.items() if value == reference]
    ended = build.session.random("payment statuses").sample(("succeeded", "failed", "refunded"), 3)
    if ended[0] == "refunded":
        ended.reverse()
    anew: list[dict[str, Any]] = [
        {"amount": 77.07},
        {"currency": "CHF"},
        {"external_id": build.sample_data.token()},
    ]
    build.session.random("payment fields").shuffle(anew)
    before = before | _changed_at_once(judge, build, recorded, {"currency": "GBP", "amount": 0})
    steps: list[dict[str, Any]] = [
        {"status": ended[0]},
        anew[0],
        {"status": ended[1]},
        anew[1],
    ]
    steps += [
        {"status": "pending"},
        {"external_id": build.sample_data.long_number()},
        {"status": ended[2]},
    ]
    for fields in steps:
        changed = build.api.patch("/v1/payments/{id}", fields, id=recorded.id_of_data)
        if not changed.ok and ("status" in fields or before.get("status") != "pending"):
            continue
        judge(
            "PAY-14",
            changed,
            accepted,
            *(has(f"/data/{name}", fields[name]) for name in fields if name != "external_id"),
        )
        if not changed.ok:
            continue
        judge("PAY-02", changed, refunds_in_dollars)
        judge("PAY-15", changed, leaves_alone(before, but=UNVERIFIED))
        if "external_id" in fields and referring:
            judge(
                "PAY-14",
                changed,
                any_of(*(has(f"/data/{name}", fields["external_id"]) for name in referring)),
            )
        before = changed.data


def _changed_at_once(
    judge: Judge, build: Builders, recorded: Exchange, fields: Mapping[str, Any]
) -> dict[str, Any]:
    """Send a PATCH for each field of a pending payment at the same moment; returns what it holds
    from then on, which the answer to either may not show yet.
    """
    patch = partial(build.api.patch, "/v1/payments/{id}", id=recorded.id_of_data)
    build.api.make_room(len(fields), "PATCH /v1/payments/{id}")
    tried = build.session.together([partial(patch, {name: fields[name]}) for name in fields])
    held = {}
    for (name, value), first in zip(fields.items(), tried, strict=True):
        changed = patch({name: value}) if first.status == CONFLICT else first
        if judge("PAY-14", changed, accepted, has(f"/data/{name}", value)):
            held[name] = value
        if changed.ok:
            judge("PAY-02", changed, refunds_in_dollars)
    return held


@check("PAY-16")
def test_a_partly_invalid_patch_changes_nothing(
    judge: Judge, payment_scenario: PaymentScenario
) -> None:
    """A PATCH with an amount and a currency that is none, and the payment as the next PATCH shows
    it.

    > A PATCH with an invalid `status`, `amount` or `currency` MUST be refused and leave the payment
    > unchanged.
    """
    refusal, settled = payment_scenario.spoiled(), payment_scenario.settled()
    if judge("PAY-16", refusal, refused) and payment_scenario.corrected().ok and settled.ok:
        before, after = (
            payment_scenario.corrected().data.get("currency"),
            settled.data.get("currency"),
        )
        changed = after != before or same(settled.data.get("amount"), payment_scenario.wrong_amount)
        received = f"{settled.data.get('amount')} {after} after the next PATCH"
        judge.that(
            "PAY-16",
            not changed,
            refusal,
            expected="an unchanged payment",
            received=received,
            where="/data",
        )


@check("PAY-16")
@pytest.mark.parametrize(
    "wrong",
    [
        {"status": "partially_refunded"},
        {"amount": 1.999},
        {"amount": -1},
        {"amount": "twelve"},
        {"status": ["failed"]},
    ],
    ids=[
        "unknown status",
        "three decimals",
        "negative amount",
        "amount in words",
        "status as array",
    ],
)
def test_wrong_corrections_are_refused(
    judge: Judge, payment_scenario: PaymentScenario, wrong: dict[str, Any]
) -> None:
    """A PATCH of one field, which is wrong.

    > A PATCH with an invalid `status`, `amount` or `currency` MUST be refused and leave the payment
    > unchanged.
    """
    payment_scenario.verified()
    judge("PAY-16", payment_scenario.patch(**wrong), refused)


@check("PAY-26")
def test_an_odd_external_id_is_refused(judge: Judge, payment_scenario: PaymentScenario) -> None:
    """A PATCH of the external id with an object.

    > A `call_id`, `external_id` or `product_id` of the wrong JSON type MUST be refused, on create
    > and on PATCH.
    """
    payment_scenario.verified()
    judge("PAY-26", payment_scenario.patch(external_id={"id": 1}), refused)


@check("PAY-17", "PAY-18", "PAY-19", "PAY-20")
def test_verify_confirms_and_links(judge: Judge, payment_scenario: PaymentScenario) -> None:
    """A payment is verified against a call.

    > Verify MUST set `verification_status` to `confirmed`, MUST link the payment to the given call,
    > MUST set `verified_at`, and MUST leave the `status` of the payment unchanged.
    """
    verified = payment_scenario.verified()
    judge("PAY-17", verified, has("/data/verification_status", "confirmed"))
    _ = verified.data
    judge(
        "PAY-18", verified, has_id("/data/call_id", payment_scenario.build.shared_call().id_of_data)
    )
    judge("PAY-19", verified, _has_moment)
    before = (
        payment_scenario.settled() if payment_scenario.settled().ok else payment_scenario.recorded()
    )
    kept = leaves_alone(before.data), leaves_nothing_out("Payment", before.data)
    judge("PAY-20", verified, *kept)
    if isinstance(lead := before.data.get("lead_id"), str):
        judge("PAY-20", verified, has_id("/data/lead_id", lead))


def _has_moment(exchange: Exchange) -> Mismatch | None:
    """Whether the time of a verification is about now: payments of this run are hours old when they
    are verified.
    """
    value = exchange.at("/data/verified_at")
    moment = instant(value)
    near = moment is not None and abs(moment - datetime.now(UTC)) < CLOCK_SKEW
    return (
        None
        if near
        else Mismatch("the time of the verification", as_json(value), "/data/verified_at")
    )


@check("PAY-02", "PAY-20")
def test_verify_keeps_every_status(judge: Judge, build: Builders) -> None:
    """A payment of the lead of a call that failed or was refunded is verified against that call.

    What was refunded is no more than the amount, in the same unit.

    > `amount` MUST come back in dollars with its cents. Verify MUST leave the `status` of the
    > payment unchanged.
    """
    call = build.shared_call()
    status = build.session.random("verified status").choice(("failed", "refunded"))
    paid = build.pay(status=status, lead_id=build.lead_of(call))
    verified = build.api.post(
        "/v1/payments/{id}/verify", {"call_id": call.id_of_data}, id=paid.id_of_data
    )
    judge("PAY-02", verified, refunds_in_dollars)
    judge("PAY-20", verified, has("/data/status", paid.data.get("status")))


@check("PAY-18", "PAY-20")
def test_verify_links_another_call(judge: Judge, booking_scenario: BookingScenario) -> None:
    """A pending payment for the first call of a lead is verified against the second one.

    > Verify MUST link the payment to the given call, and MUST leave the `status` of the payment
    > unchanged.
    """
    paid, verified = booking_scenario.paid_for_first(), booking_scenario.verified_for_second()
    judge("PAY-18", verified, has_id("/data/call_id", booking_scenario.booked_again().id_of_data))
    judge("PAY-20", verified, has("/data/status", paid.data.get("status")))


@check("PAY-18")
def test_a_call_names_the_payment_that_was_verified(
    judge: Judge, booking_scenario: BookingScenario
) -> None:
    """The second call of the lead in the list of calls, once the only payment that names it was
    verified.

    Nothing says that a call names a payment at all, so that one of the two calls has to show that
    calls do.

    > Verify MUST link the payment to the given call.
    """
    listed, verified = booking_scenario.closed_calls(), booking_scenario.verified_for_second()
    call = booking_scenario.booked_again().id_of_data
    at = next((at for at, row in enumerate(listed.rows) if same_id(row.get("id"), call)), None)
    if at is None or not same_id(verified.data.get("call_id"), call):
        raise NotApplicableError(
            "the payment was not linked to the call, or the list does not show the call"
        )
    if not any(row.get("linked_payment_id") for row in listed.rows):
        raise NotApplicableError("no call names a payment")
    linked = has_id(f"/data/{at}/linked_payment_id", verified.id_of_data)
    judge("PAY-18", listed, resting_on([Step(verified), Step(listed)], linked))


@check("PAY-21")
def test_verify_needs_a_call_that_exists(judge: Judge, list_scenario: ListScenario) -> None:
    """A fresh payment is verified against a made-up call; the payment in the list afterwards.

    > Verify with a call that does not exist MUST be answered with 404 and `NOT_FOUND`.
    """
    refused, fresh = list_scenario.refused_verification(), list_scenario.paid()[0].data
    judge("PAY-21", refused, answered(404, "NOT_FOUND"))
    walk = list_scenario.payments()
    row = walk.row_of(fresh["id"])
    if row and not refused.ok:
        received, expected = (payment.get("verification_status") for payment in (row, fresh))
        judge.that(
            "PAY-21",
            received == expected,
            walk.last,
            expected=f"a payment that is {as_json(expected)}",
            received=received,
        )


@check("PAY-22", "PAY-27")
def test_verify_needs_a_call(judge: Judge, payment_scenario: PaymentScenario) -> None:
    """Verifications without a call, and with a call of a wrong type.

    > Verify without `call_id` MUST be refused.
    """
    api, payment = payment_scenario.build.api, payment_scenario.id()
    for requirement, body in (("PAY-22", {}), ("PAY-27", {"call_id": {"id": 1}})):
        judge(requirement, api.post("/v1/payments/{id}/verify", body, id=payment), refused)
