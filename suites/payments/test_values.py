"""Payments with values of every class that their formats have."""

from plumbline.fixtures.judging.judge import Judge
from plumbline.fixtures.scenarios.carriers import judge_carried
from plumbline.fixtures.scenarios.covering import REQUESTS
from plumbline.fixtures.scenarios.mark import check
from plumbline.fixtures.scenarios.shared.records_of_values import PaymentValues
from plumbline.spec.values.fields import CORRECT, PAY

SHOWN = {name: f"/data/{name}" for name in ("amount", "currency", "payment_date")}


@check("PAY-01", "PAY-02", "PAY-04")
def test_a_payment_is_recorded_of_any_valid_value(
    judge: Judge, payment_values: PaymentValues
) -> None:
    """Payments whose amount, currency, date and external id are of many classes at once; a refusal
    is told apart.

    > `POST /v1/payments` with its required fields MUST record a payment for the given lead.
    > `amount` MUST come back in dollars with its cents. A recorded payment MUST hold the given
    > `currency` and `payment_date`.
    """
    for number in range(REQUESTS[PAY]):
        judge_carried(judge, payment_values.recorded(number), SHOWN)


@check("PAY-14")
def test_a_payment_changes_to_any_valid_value(judge: Judge, payment_values: PaymentValues) -> None:
    """PATCHes of these payments, again with values of many classes.

    > `PATCH /v1/payments/{id}` MUST set the fields that it provides, `amount` in dollars with
    > cents.
    """
    for number in range(REQUESTS[CORRECT]):
        judge_carried(judge, payment_values.corrected(number), SHOWN)
