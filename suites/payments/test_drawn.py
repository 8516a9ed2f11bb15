"""Payments with bodies that Hypothesis draws from the schema."""

from plumbline.fixtures.http.client import Client
from plumbline.fixtures.judging.judge import Judge
from plumbline.fixtures.judging.matchers import accepted, has, has_instant
from plumbline.fixtures.planning.mark import check
from plumbline.fixtures.scenarios.builders import Builders
from plumbline.fixtures.scenarios.drawn import BODIES_PER_TIER, draw_bodies
from plumbline.fixtures.session.session import Session


@check("PAY-01", "PAY-02", "PAY-04", cost=2)
def test_valid_bodies_make_payments(api: Client, judge: Judge, session: Session, build: Builders) -> None:
    """Valid bodies of any amount, date, status, source and currency.

    > `amount` MUST come back in dollars with its cents. A recorded payment MUST hold the given `status`, `currency` and
    > `payment_date`.
    """
    fixed = {"lead_id": build.lead}
    drawn = draw_bodies(
        "POST-v1-payments.body",
        seed=f"{session.settings.seed}:payments",
        examples=BODIES_PER_TIER[session.settings.tier],
        fixed=fixed,
    )
    for body in drawn:
        recorded = api.post("/v1/payments", body)
        judge("PAY-01", recorded, accepted)
        judge("PAY-02", recorded, has("/data/amount", body["amount"]))
        given = [has(f"/data/{name}", body[name]) for name in ("status", "currency") if name in body]
        judge("PAY-04", recorded, *given, has_instant("/data/payment_date", body["payment_date"]))
