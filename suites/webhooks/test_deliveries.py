"""What every delivery has to be: its wrapper, its data, its headers."""

from plumbline.fixtures.http.exchange import PreconditionNotMet
from plumbline.fixtures.judging.judge import Judge
from plumbline.fixtures.scenarios.background.heard_events import Webhooks
from plumbline.fixtures.scenarios.background.parts import EVENTS
from plumbline.fixtures.scenarios.mark import check


@check(
    "HOOK-01",
    "HOOK-02",
    "HOOK-03",
    "HOOK-04",
    "HOOK-05",
    "HOOK-06",
    "HOOK-07",
    "HOOK-08",
    parts=[EVENTS],
)
def test_events_are_wrapped(judge: Judge, webhooks: Webhooks) -> None:
    """Every delivery of the run, to subscriptions of all kinds; meanwhile another organization
    makes a lead.

    > A delivery MUST be a POST request whose body is a JSON object with `event` (the kind of the
    > subscription), `created_at`, `organization_id` (the same for all deliveries to it, which tell
    > of its records alone) and `data`, an object with an `id` and with fields as documented.
    """
    _judge_all(judge, webhooks)
    foreign = webhooks.scenario.foreign
    for delivery in webhooks.deliveries if foreign else ():
        if foreign and delivery.speaks_of(*foreign.marks):
            received = "an event of another organization"
            judge.that(
                "HOOK-05",
                holds=False,
                exchange=delivery.exchange,
                expected="events of one organization",
                received=received,
            )


@check("HOOK-12", "HOOK-13", "HOOK-14", "HOOK-16", "HOOK-17", "HOOK-18", "HOOK-19", parts=[EVENTS])
def test_deliveries_are_signed(judge: Judge, webhooks: Webhooks) -> None:
    """The headers of every delivery of the run, verified against its raw bytes.

    > Every delivery MUST carry `X-Svc-Signature-V1` in its form, with the time of the delivery and
    > the HMAC of time and raw body; `X-Svc-Signature`, where present, MUST be that of the raw body;
    > `X-Automation-Signature` MUST NOT be there.
    """
    _judge_all(judge, webhooks)


def _judge_all(judge: Judge, webhooks: Webhooks) -> None:
    """Enter what the oracles have found in each delivery, as far as the check declares it."""
    if not webhooks.deliveries:
        raise PreconditionNotMet("no delivery arrived")
    for delivery in webhooks.deliveries:
        judge.delivery(delivery)
    if forgotten := judge.forgotten():
        raise PreconditionNotMet(
            f"no delivery could be read so far that {' and '.join(forgotten)} could be judged"
        )
