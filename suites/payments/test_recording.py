"""Recording payments: what is taken and refused, and how the list and the lead show it."""

from typing import Any
from uuid import uuid4

import pytest

from plumbline.fixtures.http.exchange import MISSING, NotApplicableError
from plumbline.fixtures.judging.completeness import leaves_nothing_out, same_record
from plumbline.fixtures.judging.judge import Judge
from plumbline.fixtures.judging.matchers import (
    accepted,
    answered,
    finds_all,
    finds_none,
    finds_once,
    has,
    has_id,
    has_instant,
    has_instant_or_second,
    refunds_in_dollars,
    refused,
    resting_on,
)
from plumbline.fixtures.judging.mismatch import Step
from plumbline.fixtures.scenarios.builders import OFFSET, Builders
from plumbline.fixtures.scenarios.list_walk import MAX_PAGES, Walk, walk
from plumbline.fixtures.scenarios.mark import check
from plumbline.fixtures.scenarios.shared.growing_lists import PAYMENTS, GrowingLists
from plumbline.fixtures.scenarios.shared.list_scenario import AWKWARD, ListScenario
from plumbline.fixtures.scenarios.shared.payment_scenario import PaymentScenario
from plumbline.spec.comparing import is_number, iso, same

ABSENT: Any = object()
MISTAKEN_HOURS = (12, 0)
"""Hours of a day that a clock of twelve hours takes for each other."""
STATUSES = ("pending", "succeeded", "failed", "refunded")
WRONG = [
    pytest.param({"amount": -0.01}, marks=check("PAY-07"), id="amount below zero"),
    pytest.param({"amount": 12.345}, marks=check("PAY-08"), id="amount with three decimals"),
    pytest.param({"currency": "EU"}, marks=check("PAY-10"), id="currency of 2"),
    pytest.param({"currency": "EURO"}, marks=check("PAY-10"), id="currency of 4"),
    pytest.param({"currency": ""}, marks=check("PAY-10"), id="empty currency"),
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


@check("PAY-01", "PAY-02", "PAY-03", "PAY-04")
def test_a_payment_is_recorded(judge: Judge, payment_scenario: PaymentScenario) -> None:
    """A pending payment with dollars and cents, and no currency.

    > `POST /v1/payments` with its required fields MUST record a payment for the given lead.
    > `amount` MUST come back in dollars with its cents. `currency` MUST default to `USD`. A
    > recorded payment MUST hold the given `status` and `payment_date`.
    """
    recorded, body = payment_scenario.recorded(), payment_scenario.body()
    judge("PAY-01", recorded, has_id("/data/lead_id", body["lead_id"]))
    _ = recorded.data
    judge("PAY-02", recorded, has("/data/amount", body["amount"]))
    judge("PAY-03", recorded, has("/data/currency", "USD"))
    judge(
        "PAY-04",
        recorded,
        has("/data/status", "pending"),
        has_instant("/data/payment_date", body["payment_date"]),
    )


@check("OPP-15", "PAG-04", "PAY-02", "PAY-04", "PAY-05", "PAY-09", "PAY-25")
def test_every_valid_input_is_accepted(judge: Judge, list_scenario: ListScenario) -> None:
    """Payments with each status, another currency, a date with an offset and half a second, a call,
    amounts of 0, of a cent, of many dollars.

    Two are of the hours after noon and after midnight. Two are for one call, which is listed once
    nonetheless.

    What was refunded is no more than the amount, in the same unit.

    > Each of the four statuses MUST be accepted on create. `amount` MUST come back in dollars with
    > its cents. An `amount` of 0 and one with two decimals MUST be accepted. A given `call_id` MUST
    > be held by the payment. A recorded payment MUST hold the given `status`, `currency` and
    > `payment_date`. Money of an opportunity MUST be in dollars, as documented. A walk MUST NOT
    > yield a record twice.
    """
    build = list_scenario.build
    for status, paid in list_scenario.paid_by_status().items():
        amount = AWKWARD[status]
        if judge("PAY-25", paid, accepted):
            judge("PAY-04", paid, has("/data/status", status))
            judge("PAY-02", paid, has("/data/amount", amount), refunds_in_dollars)
    for amount, hour in zip((0, 48231.56), MISTAKEN_HOURS, strict=True):
        paid_at = iso(build.ago(days=2).replace(hour=hour, minute=34, microsecond=0))
        paid = build.pay(amount=amount, payment_date=paid_at)
        if judge("PAY-09", paid, accepted):
            judge("PAY-02", paid, has("/data/amount", amount))
            judge("PAY-04", paid, has_instant("/data/payment_date", paid_at))
    call, lead = build.shared_call().id_of_data, build.lead_of(build.shared_call())
    linked = build.pay(call_id=call, lead_id=lead, amount=0.01)
    if judge("PAY-09", linked, accepted):
        judge("PAY-05", linked, has_id("/data/call_id", call))
        deals = build.api.get("/v1/opportunities", lead_id=lead)
        values = [row.get("actual_value") for row in deals.rows]
        judge(
            "OPP-15",
            deals,
            finds_none(
                [value for value in values if same(value, 1)],
                "no value of 1, which one cent is not",
            ),
        )
    paid_at = f"{build.ago(days=1).astimezone(OFFSET):%Y-%m-%dT%H:%M:%S}.5+05:30"
    foreign = build.pay(currency="EUR", payment_date=paid_at, call_id=call, lead_id=lead)
    judge(
        "PAY-04",
        foreign,
        has("/data/currency", "EUR"),
        has_instant_or_second("/data/payment_date", paid_at),
    )
    listed = build.api.get("/v1/calls", lead_id=lead, limit=100)
    judge("PAG-04", listed, finds_once(Walk([listed]).ids))


@pytest.mark.parametrize("wrong", WRONG)
def test_wrong_input_is_refused(judge: Judge, second_org: Builders, wrong: dict[str, Any]) -> None:
    """A valid payment of any status with one field made wrong or left out.

    > A negative `amount`, one with more than two decimals, a `currency` without exactly 3
    > characters, a `status` outside the four values, a missing required field and a wrong type MUST
    > be refused.
    """
    valid = second_org.payment(status=second_org.sample_data.pick(STATUSES))
    exchange = second_org.api.post(
        "/v1/payments",
        {name: value for name, value in (valid | wrong).items() if value is not ABSENT},
    )
    for requirement in judge.declared:
        judge(requirement, exchange, refused)


@check("PAY-06")
def test_the_lead_must_exist(judge: Judge, build: Builders) -> None:
    """A payment for a made-up lead.

    > A payment for a lead that does not exist MUST be answered with 404 and `NOT_FOUND`.
    """
    status = build.sample_data.pick(STATUSES)
    amount = build.sample_data.rare_amount()
    judge(
        "PAY-06",
        build.pay(lead_id=str(uuid4()), status=status, amount=amount),
        answered(404, "NOT_FOUND"),
    )


@check("PAY-23", "PAY-07", "PAY-11", "PAY-13")
def test_the_list_holds_the_payments(judge: Judge, list_scenario: ListScenario) -> None:
    """A walk through all payments after two were recorded at once, and two refused for their amount
    and for their status.

    Before it, payments of all statuses were recorded, too.

    > The payments list MUST contain the payments of the organization with their amounts in dollars.
    > A negative `amount` MUST be refused. A `status` outside the four values MUST be refused. A
    > refused payment MUST NOT be recorded.
    """
    attempts = list_scenario.refused_payment(), list_scenario.refused_status()
    for requirement, attempt in zip(("PAY-07", "PAY-11"), attempts, strict=True):
        judge(requirement, attempt, refused)
    walk = list_scenario.payments()
    for paid, wanted in zip(list_scenario.paid(), list_scenario.paid_amounts, strict=True):
        row = walk.row_of(paid.id_of_data)
        if row is None:
            walk.demand_end()
        amount: Any = row.get("amount") if row else MISSING
        close = is_number(amount) and abs(amount - wanted) < 0.001
        page, at = walk.place_of(paid.id_of_data)
        both, where = [Step(paid), Step(page)], f"{at}/amount"
        judge.that(
            "PAY-23",
            close,
            page,
            expected=f"the payment of {wanted}",
            received=amount,
            where=where,
            sequence=both,
        )
        judge(
            "PAY-23",
            page,
            resting_on(both, leaves_nothing_out("Payment", paid.data, row or paid.data, at)),
        )
    for paid in (paid for paid in list_scenario.paid_by_status().values() if paid.ok):
        page, at = walk.place_of(paid.id_of_data)
        status, shown = paid.data.get("status"), walk.row_of(paid.id_of_data) or {}
        listed, both = shown.get("status"), [Step(paid), Step(page)]
        judge.that(
            "PAY-23",
            listed == status,
            page,
            expected=f"the {status} payment",
            received=listed,
            where=at,
            sequence=both,
        )
    tried = zip(list_scenario.refused_amounts, attempts, strict=True)
    refused_amounts = {amount for amount, attempt in tried if not attempt.ok}
    if not refused_amounts:
        raise NotApplicableError("neither a negative amount nor an unknown status was refused")
    left = [
        row.get("amount")
        for row in walk.rows
        if is_number(row.get("amount")) and round(abs(row["amount"]), 2) in refused_amounts
    ]
    judge(
        "PAY-13",
        walk.last,
        resting_on(walk.after(*attempts), finds_none(left, "no payment that was refused")),
    )


@check("PAY-23", spare=True)
def test_the_list_shows_the_whole_payment(judge: Judge, growing_lists: GrowingLists) -> None:
    """A payment in a currency without decimals with an external id that was verified, and one of
    0; their answers and rows in the list.

    > The payments list MUST contain the payments of the organization with their amounts in dollars.
    """
    listed, nothing = growing_lists.walked(PAYMENTS), growing_lists.of_nothing()
    payment, verified = growing_lists.record(PAYMENTS).id_of_data, growing_lists.verified()
    wanted = [payment, *([nothing.id_of_data] if nothing.ok else [])]
    if not {name.lower() for name in wanted} <= set(listed.ids):
        listed = walk(
            growing_lists.build.api,
            PAYMENTS,
            pages=MAX_PAGES[growing_lists.build.session.settings.tier],
            until=wanted,
            limit=100,
        )
    if nothing.ok and listed.ended:
        judge(
            "PAY-23",
            listed.last,
            finds_all(listed.ids, [nothing.id_of_data.lower()], "the payment of 0 as well"),
        )
    row, (page, at) = listed.row_of(payment), listed.place_of(payment)
    if row is None:
        raise NotApplicableError("the first pages of the list do not show the payment")
    judge(
        "PAY-23",
        page,
        resting_on([Step(verified), Step(page)], same_record("Payment", verified.data, row, at)),
    )


@check("LEAD-28")
def test_paid_totals_are_in_cents(judge: Judge, build: Builders) -> None:
    """A succeeded payment of a new lead, whose total is read before and after.

    > A change of `total_paid_cents` after one succeeded payment MUST equal the amount of that
    > payment in cents.
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
