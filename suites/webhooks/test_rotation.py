"""What signs after a rotation of the secret: both secrets for a day, then the new one alone."""

from functools import partial

from plumbline.fixtures.http.exchange import PreconditionNotMet
from plumbline.fixtures.judging.judge import Judge
from plumbline.fixtures.scenarios.background.heard_events import Webhooks
from plumbline.fixtures.scenarios.background.parts import ROTATION
from plumbline.fixtures.scenarios.background.rotation import OFFSETS_SECONDS
from plumbline.fixtures.scenarios.mark import check
from plumbline.fixtures.webhooks.deliveries import Delivery
from plumbline.fixtures.webhooks.diagnosis import explained
from plumbline.fixtures.webhooks.retrying import DEAF_SECONDS
from plumbline.fixtures.webhooks.signatures import (
    LEGACY,
    V1,
    read_legacy,
    read_v1,
    ways_legacy,
    ways_v1,
)

CLOCKS_APART_SECONDS = 300
"""How far the clock of a sender may be from that of a receiver."""
TURN_SECONDS = 3.0
"""Seconds after a rotation in which a request may still arrive that was signed before."""
UNREADABLE = "signatures do not hold even without a rotation"
UNSEEN = "no delivery came with {name} to a subscription that keeps its secret"


@check("HOOK-21", parts=[ROTATION])
def test_both_secrets_sign_for_a_day(judge: Judge, webhooks: Webhooks) -> None:
    """A subscription right after its rotation, at the first attempt and at a retry; one that was
    rotated between two attempts; and one half an hour before the day is over.

    The last was rotated twice, so that its first secret may sign as well.

    > For 24 hours after a rotation `X-Svc-Signature-V1` MUST hold one `v1` under the current and
    > one under the previous secret.
    """
    _demand_signatures(webhooks, V1)
    for delivery in _in_grace(webhooks):
        value = delivery.header(V1) or ""
        header, body = read_v1(value), delivery.arrival.body
        holds = any(ways_v1(header, secrets, body) for secrets in _signing(delivery))
        expected, received, notes = (
            "two v1, one under each secret",
            value or "no such header",
            partial(explained, delivery, V1),
        )
        judge.that(
            "HOOK-21",
            holds,
            delivery.exchange,
            expected=expected,
            received=received,
            where=V1,
            notes=notes,
        )
        differ = len(set(delivery.subscription.secrets)) == len(delivery.subscription.secrets)
        judge.that(
            "HOOK-21",
            differ,
            delivery.exchange,
            expected="a new secret",
            received="the previous one, once more",
        )


@check("HOOK-22", parts=[ROTATION])
def test_the_legacy_header_holds_both(judge: Judge, webhooks: Webhooks) -> None:
    """The same deliveries.

    > For 24 hours after a rotation `X-Svc-Signature`, where present, MUST hold the current and the
    > previous signature, in this order, with a comma between.
    """
    present = [delivery for delivery in _in_grace(webhooks) if delivery.header(LEGACY) is not None]
    if present:
        _demand_signatures(webhooks, LEGACY)
    for delivery in _in_grace(webhooks):
        value = delivery.header(LEGACY)
        signatures, body = read_legacy(value or "") or (), delivery.arrival.body
        holds = value is None or any(
            ways_legacy(signatures, secrets, body) for secrets in _signing(delivery)
        )
        notes = partial(explained, delivery, LEGACY)
        judge.that(
            "HOOK-22",
            holds,
            delivery.exchange,
            expected="current,previous",
            received=value,
            where=LEGACY,
            notes=notes,
        )


@check("HOOK-23", parts=[ROTATION])
def test_the_old_secret_ends(judge: Judge, webhooks: Webhooks) -> None:
    """A minute after the day is over, by the clock of the deployment.

    > Later than 24 hours after a rotation deliveries MUST be signed under the current secret alone.
    """
    _demand_signatures(webhooks, V1)
    for delivery in _within(webhooks, "over"):
        current, body = delivery.subscription.secrets[:1], delivery.arrival.body
        value, legacy = delivery.header(V1) or "", delivery.header(LEGACY)
        expected = "one signature, under the current secret"
        holds = bool(ways_v1(read_v1(value), current, body))
        notes = partial(explained, delivery, V1)
        judge.that(
            "HOOK-23",
            holds,
            delivery.exchange,
            expected=expected,
            received=value,
            where=V1,
            notes=notes,
        )
        if legacy is not None and "," in legacy:
            judge.that(
                "HOOK-23",
                holds=False,
                exchange=delivery.exchange,
                expected=expected,
                received=legacy,
                where=LEGACY,
            )


def _signing(delivery: Delivery) -> tuple[list[str], list[str]]:
    """The secrets that have to sign in the grace, the current one and the one before; and all,
    whose days are not over either.
    """
    secrets = delivery.subscription.secrets
    return secrets[:2], secrets


def _in_grace(webhooks: Webhooks) -> list[Delivery]:
    """Deliveries for which both secrets have to sign."""
    rotation = webhooks.rotation
    if rotation.now is None or "now" in rotation.unmet:
        raise rotation.unmet.get("now", PreconditionNotMet("no secret was rotated"))
    in_grace = [
        delivery
        for delivery in [*webhooks.at(rotation.now), *_after_turn(webhooks)]
        if not delivery.clock_moved
    ]
    try:
        in_grace = [*in_grace, *_within(webhooks, "still")]
    except PreconditionNotMet:
        if not in_grace:
            raise
    return in_grace


def _after_turn(webhooks: Webhooks) -> list[Delivery]:
    """Deliveries to the subscription that was rotated between two attempts, later than those that
    may have been signed before.
    """
    rotation = webhooks.rotation
    if rotation.meanwhile is None or rotation.turned is None:
        return []
    since = rotation.turned + TURN_SECONDS
    return [one for one in webhooks.at(rotation.meanwhile) if one.arrival.at > since]


def _within(webhooks: Webhooks, name: str) -> list[Delivery]:
    """Deliveries that were sent while the clock was moved so far, as their signatures say; or else
    those of events that came for the first time then.

    Raises:
        PreconditionNotMet: when there are none, or the inbox may have noted some too late.
    """
    rotation = webhooks.rotation
    if name in rotation.unmet or rotation.later is None:
        raise rotation.unmet.get(name, PreconditionNotMet("no secret was rotated"))
    begun, over = rotation.windows[name]
    since, until = (time + OFFSETS_SECONDS[name] for time in (begun, over))
    signed = [
        delivery
        for delivery in webhooks.at(rotation.later)
        if delivery.signed_at is not None
        and since - CLOCKS_APART_SECONDS <= delivery.signed_at <= until + CLOCKS_APART_SECONDS
    ]
    if signed:
        return signed
    webhooks.demand_noted_in_time(begun, over, DEAF_SECONDS)
    earlier = {
        delivery.identity for delivery in webhooks.at(rotation.later) if delivery.arrival.at < begun
    }
    deliveries = [
        delivery
        for delivery in webhooks.at(rotation.later)
        if begun <= delivery.arrival.at <= over and delivery.identity not in earlier
    ]
    if not deliveries:
        raise PreconditionNotMet("no event arrived while the clock was moved")
    return deliveries


def _demand_signatures(webhooks: Webhooks, name: str) -> None:
    """Nothing can be said of two secrets where one alone does not verify.

    Raises:
        PreconditionNotMet: when it does not, or nothing came that it could verify.
    """
    is_seen = False
    for delivery in webhooks.deliveries:
        secrets, body, value = (
            delivery.subscription.secrets,
            delivery.arrival.body,
            delivery.header(name),
        )
        if len(secrets) == 1 and value is not None:
            read = (
                ways_v1(read_v1(value), secrets, body)
                if name == V1
                else ways_legacy(read_legacy(value) or (), secrets, body)
            )
            if read:
                return
            is_seen = True
    raise PreconditionNotMet(UNREADABLE if is_seen else UNSEEN.format(name=name))
