"""What every delivery has to be: its wrapper, its data, its headers."""

from collections.abc import Iterator, Sequence
from contextlib import suppress

from plumbline.fixtures.http.exchange import PreconditionNotMet
from plumbline.fixtures.judging.judge import Judge
from plumbline.fixtures.judging.values_as_text import shown
from plumbline.fixtures.scenarios.background.heard_events import Webhooks
from plumbline.fixtures.scenarios.background.parts import EVENTS
from plumbline.fixtures.scenarios.mark import check
from plumbline.fixtures.webhooks.deliveries import Delivery
from plumbline.spec.comparing import instant


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


@check("HOOK-74", parts=[EVENTS])
def test_changes_can_be_told_apart(judge: Judge, webhooks: Webhooks) -> None:
    """Several changes of one record, each with an event of the same kind to the same subscription.

    A copy of an event may be made anew, and show its record as it is by then. So an event counts
    only if its `data` come with no other identity as well.

    > Events of different changes SHOULD differ in `data.id` or `created_at`, by which receivers
    > drop what they have seen.
    """
    groups = [
        [delivery for delivery in webhooks.at(subscription) if _is_readable(delivery)]
        for subscription in webhooks.subscriptions
    ]
    if not any(groups):
        raise PreconditionNotMet("no delivery could be read")
    pairs = (pair for group in groups for pair in _taken_for_one(group))
    first, second = next(pairs, (None, None))
    exchange = second.exchange if second else next(filter(None, groups))[0].exchange
    expected, received = "another `created_at` for another change of a record", "none is the same"
    if first and second:
        name = next(iter(_differences(first, second)))
        received = (
            f"{first.identity[1]} as in the event before, where `{name}` is"
            f" {shown(first.data.get(name))} and not {shown(second.data.get(name))}"
        )
    judge.that(
        "HOOK-74",
        second is None,
        exchange,
        expected=expected,
        received=received,
        where="/created_at" if second else "",
    )


def _taken_for_one(deliveries: Sequence[Delivery]) -> Iterator[tuple[Delivery, Delivery]]:
    """Deliveries to one subscription that a receiver takes for one event, though they tell of two
    changes.
    """
    said: dict[tuple[str, str], Delivery] = {}
    for delivery in deliveries:
        first = said.setdefault(delivery.identity, delivery)
        is_made_anew = any(
            other.identity != delivery.identity and other.data == delivery.data
            for other in deliveries
        )
        if _differences(first, delivery) and not is_made_anew:
            yield first, delivery


def _is_readable(delivery: Delivery) -> bool:
    """Whether a delivery is an event of a record with a time, and no test of the dashboard."""
    with suppress(PreconditionNotMet):
        is_timed = instant(delivery.identity[1]) is not None
        return bool(delivery.data) and is_timed and not delivery.is_test
    return False


def _differences(first: Delivery, second: Delivery) -> list[str]:
    """The fields that two events show otherwise; one without a value may be null or absent."""
    return [name for name, value in second.data.items() if value != first.data.get(name)]


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
