"""Recording, correcting and verifying payments."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest

from plumbline.fixtures.http.exchange import MISSING, Exchange, NotApplicableError, PreconditionNotMet
from plumbline.fixtures.judging.completeness import leaves_nothing_out, same_record
from plumbline.fixtures.judging.judge import Judge, Matcher, Mismatch, Step
from plumbline.fixtures.judging.matchers import (
    accepted,
    answered,
    any_of,
    finds_all,
    finds_none,
    has,
    has_id,
    has_instant,
    refused,
    resting_on,
    still_has,
)
from plumbline.fixtures.planning.mark import check
from plumbline.fixtures.scenarios.builders import OFFSET, Builders
from plumbline.fixtures.scenarios.pagination import MAX_PAGES, walk
from plumbline.fixtures.scenarios.shared.bookings import BookingScenario
from plumbline.fixtures.scenarios.shared.lists import ListScenario
from plumbline.fixtures.scenarios.shared.payments import PaymentScenario
from plumbline.fixtures.values import instant, is_number, same, same_id

ABSENT: Any = object()
AWKWARD = (8.29, 19.99, 1.15, 18.75)
"""Dollars; a hundred times the first three is a hair below a whole number of cents in binary floating point."""
CENT = 0.005
NAMED_ONCE = ("provider", "provider_payment_id", "processor_charge_id")
LINKED_ONCE = ("organization_id", "lead_id", "call_id")
"""What a payment is given when it is recorded, or by a PATCH that names it, and no other change takes away."""
STATUSES = ("pending", "succeeded", "failed", "refunded")
CLOCK_SKEW = timedelta(hours=2)
"""How far the clock of a deployment may be off."""
WRONG = [
    pytest.param({"amount": -0.01}, marks=check("PAY-07"), id="amount below zero"),
    pytest.param({"amount": 12.345}, marks=check("PAY-08"), id="amount with three decimals"),
    pytest.param({"currency": "EU"}, marks=check("PAY-10"), id="currency of 2"),
    pytest.param({"currency": "EURO"}, marks=check("PAY-10"), id="currency of 4"),
    pytest.param({"currency": ""}, marks=check("PAY-10"), id="empty currency"),
    pytest.param({"status": "paid-in-shells"}, marks=check("PAY-11"), id="unknown status"),
    pytest.param({"lead_id": ABSENT}, marks=check("PAY-12"), id="no lead"),
    pytest.param({"amount": ABSENT}, marks=check("PAY-12"), id="no amount"),
    pytest.param({"payment_date": ABSENT}, marks=check("PAY-12"), id="no date"),
    pytest.param({"status": ABSENT}, marks=check("PAY-12"), id="no status"),
    pytest.param({"source": ABSENT}, marks=check("PAY-12"), id="no source"),
    pytest.param({"amount": {"dollars": 12}}, marks=check("PAY-12"), id="amount as object"),
    pytest.param({"amount": "twelve"}, marks=check("PAY-12"), id="amount in words"),
    pytest.param({"payment_date": "yesterday"}, marks=check("PAY-12"), id="date in words"),
    pytest.param({"source": {"name": "manual"}}, marks=check("PAY-12"), id="source as object"),
    pytest.param({"call_id": {"id": 1}}, marks=check("PAY-26"), id="call as object"),
    pytest.param({"external_id": ["x"]}, marks=check("PAY-26"), id="external id as array"),
    pytest.param({"product_id": {"id": 1}}, marks=check("PAY-26"), id="product as object"),
    pytest.param({"currency": ["USD"]}, marks=check("PAY-12"), id="currency as array"),
]


@check("PAY-01", "PAY-02", "PAY-03", "PAY-04", cost=0)
def test_a_payment_is_recorded(judge: Judge, payment_scenario: PaymentScenario) -> None:
    """A pending payment with dollars and cents, and no currency.

    > `POST /v1/payments` with its required fields MUST record a payment for the given lead. `amount` MUST come back in dollars
    > with its cents. `currency` MUST default to `USD`. A recorded payment MUST hold the given `status` and `payment_date`.
    """
    recorded, body = payment_scenario.recorded(), payment_scenario.body()
    judge("PAY-01", recorded, has_id("/data/lead_id", body["lead_id"]))
    _ = recorded.data
    judge("PAY-02", recorded, has("/data/amount", body["amount"]))
    judge("PAY-03", recorded, has("/data/currency", "USD"))
    judge("PAY-04", recorded, has("/data/status", "pending"), has_instant("/data/payment_date", body["payment_date"]))


@check("OPP-15", "PAY-02", "PAY-04", "PAY-05", "PAY-09", "PAY-25", cost=9)
def test_every_valid_input_is_accepted(judge: Judge, second_org: Builders) -> None:
    """Payments with each status, another currency, a date with an offset, a call, amounts of 0, of a cent and of many dollars.

    What was refunded is no more than the amount, in the same unit.

    > Each of the four statuses MUST be accepted on create. `amount` MUST come back in dollars with its cents. An `amount` of 0
    > and one with two decimals MUST be accepted. A given `call_id` MUST be held by the payment. A recorded payment MUST hold the
    > given `status`, `currency` and `payment_date`. Money of an opportunity MUST be in dollars, as documented.
    """
    build = second_org
    for status, amount in zip(STATUSES, AWKWARD, strict=True):
        paid = build.pay(status=status, amount=amount)
        if judge("PAY-25", paid, accepted):
            judge("PAY-04", paid, has("/data/status", status))
            judge("PAY-02", paid, has("/data/amount", amount), _refunds_in_dollars)
    for amount in (0, 48231.56):
        paid = build.pay(amount=amount)
        if judge("PAY-09", paid, accepted):
            judge("PAY-02", paid, has("/data/amount", amount))
    paid_at = build.ago(days=1).replace(microsecond=0).astimezone(OFFSET).isoformat()
    foreign = build.pay(currency="EUR", payment_date=paid_at)
    judge("PAY-04", foreign, has("/data/currency", "EUR"), has_instant("/data/payment_date", paid_at))
    call = build.shared_call().id_of_data
    linked = build.pay(call_id=call, lead_id=build.lead_of(build.shared_call()), amount=0.01)
    if judge("PAY-09", linked, accepted):
        judge("PAY-05", linked, has_id("/data/call_id", call))
        listed = build.api.get("/v1/opportunities", lead_id=build.lead_of(build.shared_call()))
        values = [row.get("actual_value") for row in listed.rows]
        judge("OPP-15", listed, finds_none([value for value in values if same(value, 1)], "no value of 1, which one cent is not"))


@pytest.mark.parametrize("wrong", WRONG)
def test_wrong_input_is_refused(judge: Judge, build: Builders, wrong: dict[str, Any]) -> None:
    """A valid payment with one field made wrong or left out.

    > A negative `amount`, one with more than two decimals, a `currency` without exactly 3 characters, a `status` outside the four
    > values, a missing required field and a wrong type MUST be refused.
    """
    body = {name: value for name, value in (build.payment() | wrong).items() if value is not ABSENT}
    exchange = build.api.post("/v1/payments", body)
    for requirement in judge.declared:
        judge(requirement, exchange, refused)


@check("PAY-06")
def test_the_lead_must_exist(judge: Judge, build: Builders) -> None:
    """A payment for a made-up lead.

    > A payment for a lead that does not exist MUST be answered with 404 and `NOT_FOUND`.
    """
    judge("PAY-06", build.pay(lead_id=str(uuid4())), answered(404, "NOT_FOUND"))


@check("PAY-14", "PAY-15", cost=0)
def test_patch_changes_what_it_names(judge: Judge, payment_scenario: PaymentScenario) -> None:
    """A PATCH of the amount alone, in dollars with cents, then one of the status alone.

    > `PATCH /v1/payments/{id}` MUST set the fields that it provides, `amount` in dollars with cents, and MUST NOT change a field
    > that it does not provide.
    """
    corrected, settled, body = payment_scenario.corrected(), payment_scenario.settled(), payment_scenario.body()
    judge("PAY-14", corrected, has("/data/amount", payment_scenario.later_amount))
    _ = corrected.data
    status = payment_scenario.recorded().data.get("status")
    judge("PAY-15", corrected, has("/data/status", status))
    judge("PAY-15", corrected, *_keeps(payment_scenario.recorded().data), has_instant("/data/payment_date", body["payment_date"]))
    if not settled.ok:
        raise NotApplicableError("the change of status was refused")
    judge("PAY-14", settled, has("/data/status", "succeeded"))
    if payment_scenario.spoiled().ok:
        judge("PAY-15", settled, still_has("/data/amount", payment_scenario.spoiled().data.get("amount")))
    else:  # what a refused PATCH has changed is PAY-16
        kept = still_has("/data/amount", corrected.data.get("amount"))
        judge("PAY-15", settled, any_of(kept, has("/data/amount", payment_scenario.wrong_amount)))


@check("PAY-16", cost=0)
def test_a_spoiled_patch_changes_nothing(judge: Judge, payment_scenario: PaymentScenario) -> None:
    """A PATCH with an amount and a currency that is none, and the payment as the next PATCH shows it.

    > A PATCH with an invalid `status`, `amount` or `currency` MUST be refused and leave the payment unchanged.
    """
    refusal, settled = payment_scenario.spoiled(), payment_scenario.settled()
    if judge("PAY-16", refusal, refused) and payment_scenario.corrected().ok and settled.ok:
        before, after = payment_scenario.corrected().data.get("currency"), settled.data.get("currency")
        changed = after != before or same(settled.data.get("amount"), payment_scenario.wrong_amount)
        received = f"{settled.data.get('amount')} {after} after the next PATCH"
        judge.that("PAY-16", not changed, refusal, expected="an unchanged payment", received=received, where="/data")


@check("PAY-16")
@pytest.mark.parametrize(
    "wrong",
    [{"status": "partially_refunded"}, {"amount": 1.999}, {"amount": -1}, {"amount": "twelve"}, {"status": ["failed"]}],
    ids=["unknown status", "three decimals", "negative amount", "amount in words", "status as array"],
)
def test_wrong_corrections_are_refused(judge: Judge, payment_scenario: PaymentScenario, wrong: dict[str, Any]) -> None:
    """A PATCH of one field, which is wrong.

    > A PATCH with an invalid `status`, `amount` or `currency` MUST be refused and leave the payment unchanged.
    """
    payment_scenario.verified()
    judge("PAY-16", payment_scenario.patch(**wrong), refused)


@check("PAY-26")
def test_an_odd_external_id_is_refused(judge: Judge, payment_scenario: PaymentScenario) -> None:
    """A PATCH of the external id with an object.

    > A `call_id`, `external_id` or `product_id` of the wrong JSON type MUST be refused, on create and on PATCH.
    """
    payment_scenario.verified()
    judge("PAY-26", payment_scenario.patch(external_id={"id": 1}), refused)


@check("PAY-02", "PAY-14", "PAY-15", cost=9)
def test_patch_changes_every_field(judge: Judge, second_org: Builders) -> None:
    """PATCHes of each status of a payment for a call, in another order in every run; between them some of the other fields.

    Which statuses are taken is open. A payment that is not pending may refuse another amount. What was refunded is no more than
    the amount, in the same unit; the payment is never refunded first, while its amount is 0.

    > `PATCH /v1/payments/{id}` MUST set the fields that it provides, `amount` in dollars with cents, and MUST NOT change a field
    > that it does not provide. `amount` MUST come back in dollars with its cents.
    """
    build, linked = second_org, {}
    with suppress(PreconditionNotMet):
        linked = {"call_id": build.shared_call().id_of_data, "lead_id": build.lead_of(build.shared_call())}
    recorded = build.pay(status="pending", **linked)
    before = recorded.data
    ended = build.session.random("payment statuses").sample(("succeeded", "failed", "refunded"), 3)
    if ended[0] == "refunded":
        ended.reverse()
    steps: list[dict[str, Any]] = [{"currency": "GBP"}, {"amount": 0}, {"status": ended[0]}, {"amount": 77.07}]
    steps += [{"status": ended[1]}, {"status": "pending"}, {"external_id": build.sample_data.token()}, {"status": ended[2]}]
    for fields in steps:
        changed = build.api.patch("/v1/payments/{id}", fields, id=recorded.id_of_data)
        if not changed.ok and ("status" in fields or before.get("status") != "pending"):
            continue
        judge("PAY-14", changed, accepted, *(has(f"/data/{name}", fields[name]) for name in fields if name != "external_id"))
        if not changed.ok:
            continue
        judge("PAY-02", changed, _refunds_in_dollars)
        kept = (name for name in ("status", "amount", "currency") if name not in fields)
        judge("PAY-15", changed, *(still_has(f"/data/{name}", before.get(name)) for name in kept))
        judge("PAY-15", changed, *_keeps({name: before.get(name) for name in LINKED_ONCE} if "external_id" in fields else before))
        before = changed.data


@check("PAY-17", "PAY-18", "PAY-19", "PAY-20", cost=0)
def test_verify_confirms_and_links(judge: Judge, payment_scenario: PaymentScenario) -> None:
    """A payment is verified against a call.

    > Verify MUST set `verification_status` to `confirmed`, MUST link the payment to the given call, MUST set `verified_at`, and
    > MUST leave the `status` of the payment unchanged.
    """
    verified = payment_scenario.verified()
    judge("PAY-17", verified, has("/data/verification_status", "confirmed"))
    _ = verified.data
    judge("PAY-18", verified, has_id("/data/call_id", payment_scenario.build.shared_call().id_of_data))
    judge("PAY-19", verified, _has_moment)
    before = payment_scenario.settled() if payment_scenario.settled().ok else payment_scenario.recorded()
    judge("PAY-20", verified, has("/data/status", before.data.get("status")), has("/data/amount", before.data.get("amount")))


def _keeps(before: Mapping[str, Any]) -> Iterator[Matcher]:
    """Whether an answer holds what the payment was given before."""
    yield from (has(f"/data/{name}", before[name]) for name in NAMED_ONCE if before.get(name) is not None)
    yield from (has_id(f"/data/{name}", before[name]) for name in LINKED_ONCE if before.get(name) is not None)


def _has_moment(exchange: Exchange) -> Mismatch | None:
    """Whether the time of a verification is about now: payments of this run are hours old when they are verified."""
    found = exchange.at("/data/verified_at")
    moment = instant(found)
    near = moment is not None and abs(moment - datetime.now(UTC)) < CLOCK_SKEW
    return None if near else Mismatch("the time of the verification", repr(found), "/data/verified_at")


def _refunds_in_dollars(exchange: Exchange) -> Mismatch | None:
    """Whether what was refunded of a payment, where the answer shows it, is no more than its amount."""
    amount, refunded = exchange.at("/data/amount"), exchange.at("/data/refunded_amount")
    if not is_number(amount) or not is_number(refunded) or -CENT < refunded < amount + CENT:
        return None
    return Mismatch(f"0 to {amount} dollars", repr(refunded), "/data/refunded_amount")


@check("PAY-02", "PAY-20", cost=2)
def test_verify_keeps_every_status(judge: Judge, build: Builders) -> None:
    """A payment that failed or was refunded is verified. What was refunded is no more than the amount, in the same unit.

    > `amount` MUST come back in dollars with its cents. Verify MUST leave the `status` of the payment unchanged.
    """
    call = build.shared_call().id_of_data
    paid = build.pay(status=build.session.random("verified status").choice(("failed", "refunded")))
    verified = build.api.post("/v1/payments/{id}/verify", {"call_id": call}, id=paid.id_of_data)
    judge("PAY-02", verified, _refunds_in_dollars)
    judge("PAY-20", verified, has("/data/status", paid.data.get("status")))


@check("PAY-18", "PAY-20", cost=0)
def test_verify_links_another_call(judge: Judge, booking_scenario: BookingScenario) -> None:
    """A pending payment for the first call of a lead is verified against the second one.

    > Verify MUST link the payment to the given call, and MUST leave the `status` of the payment unchanged.
    """
    paid, verified = booking_scenario.paid_for_first(), booking_scenario.verified_for_second()
    judge("PAY-18", verified, has_id("/data/call_id", booking_scenario.booked_again().id_of_data))
    judge("PAY-20", verified, has("/data/status", paid.data.get("status")))


@check("PAY-18", cost=0)
def test_a_call_names_the_payment_that_was_verified(judge: Judge, booking_scenario: BookingScenario) -> None:
    """The second call of the lead in the list of calls, once the only payment that names it was verified.

    > Verify MUST link the payment to the given call.
    """
    listed, verified = booking_scenario.closed_calls(), booking_scenario.verified_for_second()
    call = booking_scenario.booked_again().id_of_data
    at = next((at for at, row in enumerate(listed.rows) if same_id(row.get("id"), call)), None)
    if at is None or not same_id(verified.data.get("call_id"), call):
        raise NotApplicableError("the payment was not linked to the call, or the list does not show the call")
    linked = has_id(f"/data/{at}/linked_payment_id", verified.id_of_data)
    judge("PAY-18", listed, resting_on([Step(verified), Step(listed)], linked))


@check("PAY-21", cost=0)
def test_verify_needs_a_call_that_exists(judge: Judge, list_scenario: ListScenario) -> None:
    """A fresh payment is verified against a made-up call; the payment in the list afterwards.

    > Verify with a call that does not exist MUST be answered with 404 and `NOT_FOUND`.
    """
    refused, fresh = list_scenario.refused_verification(), list_scenario.paid()[0].data
    judge("PAY-21", refused, answered(404, "NOT_FOUND"))
    walk = list_scenario.payments()
    row = walk.row_of(fresh["id"])
    if row and not refused.ok:
        received, expected = (each.get("verification_status") for each in (row, fresh))
        judge.that("PAY-21", received == expected, walk.last, expected=f"a payment that is {expected}", received=received)


@check("PAY-22", "PAY-27", cost=2)
def test_verify_needs_a_call(judge: Judge, payment_scenario: PaymentScenario) -> None:
    """Verifications without a call, and with a call of a wrong type.

    > Verify without `call_id` MUST be refused.
    """
    api, payment = payment_scenario.build.api, payment_scenario.id()
    for requirement, body in (("PAY-22", {}), ("PAY-27", {"call_id": {"id": 1}})):
        judge(requirement, api.post("/v1/payments/{id}/verify", body, id=payment), refused)


@check("PAY-23", "PAY-13", cost=0)
def test_the_list_holds_the_payments(judge: Judge, list_scenario: ListScenario) -> None:
    """A walk through all payments after two were recorded at once, and two refused for their amount and for their status.

    > The payments list MUST contain the payments of the organization with their amounts in dollars. A refused payment MUST NOT
    > be recorded.
    """
    walk = list_scenario.payments()
    for paid, wanted in zip(list_scenario.paid(), list_scenario.paid_amounts, strict=True):
        row = walk.row_of(paid.id_of_data)
        if row is None:
            walk.demand_end()
        amount: Any = row.get("amount") if row else MISSING
        close = is_number(amount) and abs(amount - wanted) < 0.001
        page, at = walk.place_of(paid.id_of_data)
        both, where = [Step(paid), Step(page)], f"{at}/amount"
        judge.that("PAY-23", close, page, expected=f"the payment of {wanted}", received=amount, where=where, sequence=both)
        judge("PAY-23", page, resting_on(both, leaves_nothing_out("Payment", paid.data, row or paid.data, at)))
    attempts = list_scenario.refused_payment(), list_scenario.refused_status()
    tried = zip(list_scenario.refused_amounts, attempts, strict=True)
    refused_amounts = {amount for amount, attempt in tried if not attempt.ok}
    if not refused_amounts:
        raise NotApplicableError("neither a negative amount nor an unknown status was refused")
    left = [
        row.get("amount") for row in walk.rows if is_number(row.get("amount")) and round(abs(row["amount"]), 2) in refused_amounts
    ]
    judge("PAY-13", walk.last, resting_on(walk.after(*attempts), finds_none(left, "no payment that was refused")))


@check("PAY-23", cost=4, spare=True)
def test_the_list_shows_the_whole_payment(judge: Judge, second_org: Builders) -> None:
    """A payment in another currency with an external id that was verified, and one of 0; their answers and rows in the list.

    > The payments list MUST contain the payments of the organization with their amounts in dollars.
    """
    call = second_org.shared_call()
    recorded = second_org.pay(
        lead_id=second_org.lead_of(call), amount=87.65, currency="GBP", external_id=second_org.sample_data.token()
    )
    payment = recorded.id_of_data
    verified = second_org.api.post("/v1/payments/{id}/verify", {"call_id": call.id_of_data}, id=payment)
    nothing = second_org.pay(amount=0)
    wanted = [payment, *([nothing.id_of_data] if nothing.ok else [])]
    listed = walk(second_org.api, "/v1/payments", pages=MAX_PAGES[second_org.session.settings.tier], until=wanted, limit=100)
    if nothing.ok and listed.ended:
        judge("PAY-23", listed.last, finds_all(listed.ids, [nothing.id_of_data.lower()], "the payment of 0 as well"))
    row, (page, at) = listed.row_of(payment), listed.place_of(payment)
    if row is None:
        raise NotApplicableError("the first pages of the list do not show the payment")
    judge("PAY-23", page, resting_on([Step(verified), Step(page)], same_record("Payment", verified.data, row, at)))


@check("LEAD-28", cost=3)
def test_paid_totals_are_in_cents(judge: Judge, build: Builders) -> None:
    """A succeeded payment of a new lead, whose total is read before and after.

    > A change of `total_paid_cents` after one succeeded payment MUST equal the amount of that payment in cents.
    """
    created = build.create_lead()
    lead, before = created.id_of_data, created.data.get("total_paid_cents") or 0
    shown = build.pay(lead_id=lead, amount=19.99).data.get("amount")
    after = build.api.get("/v1/leads/{id}", id=lead)
    total = after.data.get("total_paid_cents") or 0
    moved = total - before if is_number(total) and is_number(before) else total
    judge.that(
        "LEAD-28",
        moved in (0, 1999) or (is_number(shown) and moved == round(shown * 100)),
        after,
        expected="1999 more than before, or no change yet",
        received=moved,
        where="/data/total_paid_cents",
    )
