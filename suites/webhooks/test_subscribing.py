"""Which URLs can be subscribed, and what subscribing causes."""

from math import inf

from plumbline.fixtures.http.exchange import Exchange, PreconditionNotMet
from plumbline.fixtures.judging.judge import Judge
from plumbline.fixtures.scenarios.background.event_causes import Cause
from plumbline.fixtures.scenarios.background.forbidden_addresses import Probes
from plumbline.fixtures.scenarios.background.heard_events import OF_OPERATORS, TESTED, Webhooks
from plumbline.fixtures.scenarios.background.parts import ADDRESSES, EVENTS, SCHEMES, TEST_EVENT
from plumbline.fixtures.scenarios.mark import check


@check("HOOK-59", parts=[SCHEMES])
def test_only_https_urls_are_accepted(judge: Judge, webhooks: Webhooks) -> None:
    """The test controller is asked to subscribe URLs with other schemes, at a public host.

    > A subscription to a URL that is not HTTPS MUST be rejected.
    """
    _all_refused(judge, "HOOK-59", webhooks, webhooks.schemes)


@check("HOOK-60", parts=[ADDRESSES])
def test_only_public_hosts_are_accepted(judge: Judge, webhooks: Webhooks) -> None:
    """The test controller is asked to subscribe hosts that are no public ones, in every notation;
    it has let the inbox through.

    > A subscription to a URL at localhost, or in a private, link-local, carrier-grade NAT,
    > multicast or broadcast range, MUST be rejected.
    """
    _all_refused(judge, "HOOK-60", webhooks, webhooks.addresses)


@check("HOOK-62", parts=[EVENTS])
def test_subscribing_sends_nothing(judge: Judge, webhooks: Webhooks) -> None:
    """Subscriptions to kinds of events that no client can cause, until the test controller causes
    them.

    > Subscribing MUST NOT by itself cause a request to the URL.
    """
    # What the test controller failed to report may have happened all the same.
    causes = {kind: webhooks.scenario.causes.get(kind) for kind in OF_OPERATORS}
    judged = [kind for kind, cause in causes.items() if not isinstance(cause, PreconditionNotMet)]
    if not judged:
        raise next(cause for cause in causes.values() if isinstance(cause, PreconditionNotMet))
    pinged = []
    for kind in judged:
        box = webhooks.observer(kind).box
        cause = _cause(webhooks, kind)
        begun = cause.at if cause else inf
        if kind == TESTED and isinstance(webhooks.tested, Exchange):
            begun = min(begun, webhooks.tested.sent_at)
        pinged += [kind] if any(arrival.at < begun for arrival in box.arrivals) else []
    # Something may really have happened to somebody else's call; a ping comes to every
    # subscription.
    first = next(
        (delivery for delivery in webhooks.deliveries if delivery.subscription.event in pinged),
        None,
    )
    exchange = first.exchange if first else webhooks.scenario.of("lead.created").exchange
    expected, received = (
        "no request before anything has happened",
        f"requests for {', '.join(pinged)}",
    )
    judge.that("HOOK-62", len(pinged) < len(judged), exchange, expected=expected, received=received)


@check("HOOK-63", parts=[TEST_EVENT])
def test_a_test_event_arrives(judge: Judge, webhooks: Webhooks) -> None:
    """The test controller sends a test event to one subscription.

    > A test event that is sent from the dashboard MUST arrive as a signed delivery.
    """
    tested = webhooks.tested
    if not isinstance(tested, Exchange):
        raise tested or PreconditionNotMet("no test event was sent")
    _ = webhooks.observer(TESTED)
    arrived = [delivery for delivery in webhooks.deliveries if delivery.is_test]
    expected = f"a delivery to the subscription to {TESTED}"
    webhooks.demand_heard(bool(arrived), tested.sent_at)
    judge.that(
        "HOOK-63",
        bool(arrived),
        arrived[0].exchange if arrived else tested,
        expected=expected,
        received="none arrived",
    )


def _cause(webhooks: Webhooks, kind: str) -> Cause | None:
    try:
        return webhooks.scenario.of(kind)
    except PreconditionNotMet:
        return None


def _all_refused(judge: Judge, requirement: str, webhooks: Webhooks, probes: Probes) -> None:
    """Each URL that was taken is a violation; that others are taken shows in the subscriptions of
    the run.
    """
    if not any(subscription.id for subscription in webhooks.subscriptions):
        raise PreconditionNotMet(
            "no test controller has made a subscription",
            "let the test controller offer `subscribe`",
        )
    for url, asked in probes.taken:
        judge.that(
            requirement,
            holds=False,
            exchange=asked,
            expected="a refusal",
            received=f"a subscription to {url}",
        )
    if probes.unmet and not probes.taken:
        raise probes.unmet
    if not probes.taken:
        shown = (
            webhooks.deliveries[0].exchange
            if webhooks.deliveries
            else webhooks.scenario.of("lead.created").exchange
        )
        judge.that(
            requirement,
            bool(probes.refused),
            shown,
            expected="refusals",
            received="nothing was tried",
        )
