"""What follows when a receiver fails, is late, or has had enough."""

from collections import Counter
from itertools import combinations
from math import inf

import pytest

from plumbline.fixtures.http.exchange import InDoubtError, NotApplicableError, PreconditionNotMet
from plumbline.fixtures.http.lateness import joined
from plumbline.fixtures.judging.judge import Judge
from plumbline.fixtures.judging.values_as_text import as_json
from plumbline.fixtures.scenarios.background import retries
from plumbline.fixtures.scenarios.background.event_causes import PARTLY
from plumbline.fixtures.scenarios.background.heard_events import Webhooks
from plumbline.fixtures.scenarios.background.parts import CROWD, EVENTS, RETRIES
from plumbline.fixtures.scenarios.background.retries import CROWD_SECONDS
from plumbline.fixtures.scenarios.mark import check
from plumbline.fixtures.webhooks.inbox.boxes import Arrival
from plumbline.fixtures.webhooks.retrying import (
    BACKOFF_SECONDS,
    CLOCK_SKEW_SECONDS,
    EARLY_SECONDS,
    LATE_SECONDS,
    MAX_ATTEMPTS,
    TIMEOUT_SECONDS,
    Times,
    busy_with,
    end_of,
    idle_seconds,
    is_failure,
    keep_pace,
    retried_from,
    unit_of,
)
from plumbline.fixtures.webhooks.signatures import V1, read_v1

MAX_PARALLEL_DELIVERIES = 5
"""Requests to one host name at the same time."""
PUNCTUAL_SECONDS, FIRST_LATE_SECONDS = 0.25, 0.75
"""By how much a retry may be off that proves retries punctual, and then by how much the soonest of
all first ones.
"""
MIN_FIRST_RETRIES = 4
"""First retries that are seen before anything is said about all."""
CROWD_LATENESS_SECONDS = 0.1
"""Seconds for which the inbox may do nothing while requests to one host name are counted."""


@pytest.mark.parametrize(
    ("receiver", "requirement"),
    [
        pytest.param(retries.FAILING, "HOOK-27", marks=check("HOOK-27", parts=[RETRIES]), id="5xx"),
        *(
            pytest.param(error, "HOOK-27", marks=check("HOOK-27", parts=[RETRIES]), id=error)
            for error in retries.RARE_ERRORS
        ),
        pytest.param("408", "HOOK-28", marks=check("HOOK-28", parts=[RETRIES]), id="408"),
        pytest.param("429", "HOOK-29", marks=check("HOOK-29", parts=[RETRIES]), id="429"),
    ],
)
def test_5xx_408_and_429_are_retried(
    judge: Judge, webhooks: Webhooks, receiver: str, requirement: str
) -> None:
    """A receiver answers the first attempt with a 5xx, with 408, with 429.

    > A delivery that was answered with a 5xx, with 408 or with 429 MUST be retried.
    """
    attempts = webhooks.retries.attempts(receiver)
    failed = _first_failed(attempts)
    exchange, received = webhooks.of(failed).exchange, f"none after HTTP {failed.status}"
    again = _retry_of(webhooks, failed, attempts, LATE_SECONDS[0])
    webhooks.demand_heard(again is not None, failed.at)
    judge.that(
        requirement, again is not None, exchange, expected="another attempt", received=received
    )


@check("HOOK-30", parts=[RETRIES])
def test_4xx_is_not_retried(judge: Judge, webhooks: Webhooks) -> None:
    """Receivers that answer with 400, 401, 403, 404, 409, 410, 418, 422, 425 and 499, and one that
    answers 503 and then 410.

    > A delivery that was answered with another 4xx MUST NOT be retried.
    """
    _judge_last_of_all(judge, "HOOK-30", webhooks, *map(str, retries.PERMANENT), retries.GONE)


@check("HOOK-55", parts=[EVENTS, RETRIES])
def test_trouble_at_one_receiver_is_not_that_of_others(judge: Judge, webhooks: Webhooks) -> None:
    """A payment is refunded in part while one receiver of such events still fails, and others have
    refused the one before.

    > An event MUST reach every subscription to its kind.
    """
    cause, delivered = webhooks.caused(PARTLY)
    reached = {id(delivery.subscription) for delivery in delivered}
    # What fails may keep its own events back.
    before = {
        name: one
        for name, one in webhooks.retries.subscriptions.items()
        if name != retries.FAILING and one.box.own
    }
    missing = [name for name, one in before.items() if id(one) not in reached]
    webhooks.demand_heard(not missing, cause.at)
    expected = f"a delivery to all {len(before)} other receivers that got the event before"
    judge.that(
        "HOOK-55",
        not missing,
        cause.exchange,
        expected=expected,
        received=f"none to the receivers {as_json(missing)}",
    )


@check("HOOK-26", parts=[RETRIES])
def test_2xx_is_not_retried(judge: Judge, webhooks: Webhooks) -> None:
    """Receivers that answer with 200, 201, 202 and 204 at once. The same event may arrive again,
    but not as a failed one does.

    > A delivery that was answered with a 2xx in time MUST NOT be retried as a failed one
    > is.
    """
    _judge_last_of_all(judge, "HOOK-26", webhooks, *map(str, retries.SUCCESSES))


@check("HOOK-36", parts=[RETRIES])
def test_retries_end_with_a_success(judge: Judge, webhooks: Webhooks) -> None:
    """A receiver that answers 503 and then 200.

    > A retry that was answered with a 2xx MUST be the last one.
    """
    attempts = webhooks.retries.attempts(retries.RECOVERING)
    if len(attempts) < 2:
        raise PreconditionNotMet("there was no retry that could succeed")
    _judge_last(judge, "HOOK-36", webhooks, attempts)


@check("HOOK-31", parts=[RETRIES])
def test_connection_errors_are_retried(judge: Judge, webhooks: Webhooks) -> None:
    """Receivers that cut the connection twice, refuse the TLS handshake, or do not listen yet.

    > A delivery whose connection fails MUST be retried.
    """
    if not webhooks.hears_directly:
        raise PreconditionNotMet(
            "a proxy stands between the deployment and the inbox",
            "let the inbox end TLS itself, with `listen` https",
        )
    attempts = webhooks.retries.attempts(retries.DROPPED)
    cut = [*filter(is_failure, attempts)] if webhooks.copies == 1 else [_first_failed(attempts)]
    received = "none after a cut connection"
    for failed in cut:
        again = _retry_of(webhooks, failed, attempts, LATE_SECONDS[0])
        webhooks.demand_heard(again is not None, failed.at)
        judge.that(
            "HOOK-31",
            again is not None,
            webhooks.of(failed).exchange,
            expected="another attempt",
            received=received,
        )
    for place in retries.PLACES:
        if place in webhooks.retries.subscriptions:
            came = bool(webhooks.retries.at(place).box.own)
            webhooks.demand_heard(came, attempts[0].at)
            expected = f"the event at the {place} port, as soon as it takes connections"
            judge.that(
                "HOOK-31",
                came,
                webhooks.of(attempts[0]).exchange,
                expected=expected,
                received="no attempt but the first",
            )


@pytest.mark.parametrize("receiver", [retries.SILENT, retries.DRIPPING])
@check("HOOK-32", parts=[RETRIES])
def test_timeouts_are_retried(judge: Judge, webhooks: Webhooks, receiver: str) -> None:
    """A receiver that does not answer the first attempt, and one that sends its status line too
    slowly for 10 seconds.

    > A delivery without an answer after 10 seconds MUST be retried.
    """
    attempts = webhooks.retries.attempts(receiver)
    first = _first_failed(attempts)
    exchange = webhooks.of(first).exchange
    if webhooks.hears_directly:
        # How long the pause is before the next attempt is another question.
        second, latest = _retry_of(webhooks, first, attempts), TIMEOUT_SECONDS + LATE_SECONDS[0]
        if first.ended_at is None:
            webhooks.demand_heard(holds=False, since=first.at)
            holds, received = False, "the connection is still open"
        else:
            holds = webhooks.seconds_between(first.at, first.ended_at) <= latest
            received = f"after {first.ended_at - first.at:.1f} s"
        judge.that(
            "HOOK-32",
            holds,
            exchange,
            expected=f"the connection given up within {latest:.0f} s",
            received=received,
        )
        webhooks.demand_heard(second is not None, first.at)
        judge.that(
            "HOOK-32", second is not None, exchange, expected="another attempt", received="none"
        )
        return
    earliest = TIMEOUT_SECONDS if webhooks.copies > 1 else 0
    second = next(
        (attempt for attempt in attempts if attempt.at - first.at > earliest + EARLY_SECONDS), None
    )
    latest = TIMEOUT_SECONDS + BACKOFF_SECONDS[0] + LATE_SECONDS[-1]
    received = "none" if second is None else f"one after {second.at - first.at:.1f} s"
    holds = second is not None and second.at - first.at <= latest
    webhooks.demand_heard(holds, first.at)
    judge.that(
        "HOOK-32",
        holds,
        exchange,
        expected=f"another attempt within {latest:.0f} s",
        received=received,
    )


@check("HOOK-33", parts=[RETRIES])
def test_a_slow_success_is_not_retried(judge: Judge, webhooks: Webhooks) -> None:
    """A receiver that takes almost 10 seconds for its 200, and one that does so when it is tried
    again.

    > A 2xx that comes shortly before the 10 seconds are over MUST count as success.
    """
    expected = f"patience for {retries.SLOW_ANSWER_SECONDS} s"
    attempts = webhooks.retries.attempts(retries.SLOWLY)
    first, ended = attempts[0], attempts[0].ended_at or attempts[0].at
    waited = ended - first.at
    later = [
        attempt for attempt in attempts[1:] if attempt.at - first.at > retries.DUPLICATE_SECONDS
    ]
    received = (
        f"the connection was given up after {waited:.1f} s"
        if not first.status
        else "another attempt"
    )
    holds = first.status is not None and (not later or len(attempts) <= webhooks.copies)
    webhooks.demand_punctual(holds, first.at, max(ended, attempts[-1].at))
    judge.that("HOOK-33", holds, webhooks.of(first).exchange, expected=expected, received=received)
    again = webhooks.retries.subscriptions.get(retries.SLOWLY_AGAIN)
    whole = (
        [arrival for arrival in again.box.own[1:] if arrival.at + TIMEOUT_SECONDS < webhooks.over]
        if again
        else []
    )
    for retry in whole:
        received = f"a retry that was given up after {end_of(retry) - retry.at:.1f} s"
        webhooks.demand_punctual(retry.status is not None, retry.at, end_of(retry))
        judge.that(
            "HOOK-33",
            retry.status is not None,
            webhooks.of(retry).exchange,
            expected=expected,
            received=received,
        )


@check("HOOK-34", parts=[EVENTS, RETRIES])
def test_four_attempts_are_made(judge: Judge, webhooks: Webhooks) -> None:
    """A receiver that answers every attempt with a 5xx, and refuses another event with a 400
    meanwhile. An event that is sent more than once is attempted 4 times each time.

    > A delivery that keeps failing MUST be attempted 4 times and no more.
    """
    attempts = webhooks.retries.attempts(retries.FAILING)
    number, rest = divmod(len(attempts), MAX_ATTEMPTS)
    copied = (
        number <= webhooks.copies or _split(attempts, number, _busy(webhooks, attempts)) is not None
    )
    received = (
        f"{len(attempts)}, the last one {attempts[-1].at - attempts[0].at:.1f} s after the first"
    )
    holds = not rest and copied
    webhooks.demand_punctual(holds, attempts[0].at, inf)
    judge.that(
        "HOOK-34",
        holds,
        webhooks.of(attempts[-1]).exchange,
        expected="4 attempts",
        received=received,
    )


@check("HOOK-35", parts=[RETRIES])
def test_retries_follow_the_backoff(judge: Judge, webhooks: Webhooks) -> None:
    """The pauses of the same delivery, or of each of its copies.

    > The retries MUST follow at 1, 5 and 15 seconds, counted either from the failure before or from
    > the first one.
    """
    attempts, copies = webhooks.retries.attempts(retries.FAILING), webhooks.copies
    busy = _busy(webhooks, attempts)
    most = attempts[: MAX_ATTEMPTS * copies]
    begun = [
        attempt
        for attempt in attempts
        if attempt.at - end_of(attempts[0]) < BACKOFF_SECONDS[0] - EARLY_SECONDS
    ]
    number = max(-(-len(most) // MAX_ATTEMPTS), min(copies, len(begun)))
    if len(most) <= number:
        raise PreconditionNotMet("there was no retry")
    whole = -(-len(attempts) // MAX_ATTEMPTS)
    holds = any(_split(*pair, busy) is not None for pair in ((most, number), (attempts, whole)))
    received = (
        f"attempts {', '.join(f'{attempt.at - attempts[0].at:.1f}' for attempt in attempts)} s"
        " after the first one"
    )
    expected = "retries 1, 5 and 15 s after the failure before or the first one"
    webhooks.demand_punctual(holds, attempts[0].at, attempts[-1].at)
    judge.that(
        "HOOK-35", holds, webhooks.of(attempts[-1]).exchange, expected=expected, received=received
    )


@check("HOOK-35", parts=[RETRIES])
def test_the_first_retry_has_a_pause_of_its_own(judge: Judge, webhooks: Webhooks) -> None:
    """The first retries at all receivers that fail once, where the second one of a delivery shows
    that retries are punctual.

    A queue that looks for work now and then is late for some of them, not for all.

    > The retries MUST follow at 1, 5 and 15 seconds, counted either from the failure before or from
    > the first one.
    """
    if webhooks.copies > 1:
        raise NotApplicableError(
            "an event is sent more than once, so it is unknown which attempt follows which"
        )
    boxes = (webhooks.retries.at(name).box for name in webhooks.retries.subscriptions)
    failed = [
        box.own[:2]
        for box in boxes
        if len(box.own) > 1 and is_failure(box.own[0]) and box.own[0].ended_at
    ]
    attempts, (_, second, _) = webhooks.retries.attempts(retries.FAILING), BACKOFF_SECONDS
    pauses = (
        [attempts[2].at - end_of(attempt) for attempt in attempts[:2]] if len(attempts) > 2 else []
    )
    if len(failed) < MIN_FIRST_RETRIES or not any(
        abs(pause - second) < PUNCTUAL_SECONDS for pause in pauses
    ):
        raise NotApplicableError(
            "retries are too few, or too late, to tell how long the first one waits"
        )
    before, soonest = min(failed, key=lambda pair: pair[1].at - end_of(pair[0]))
    pause = soonest.at - end_of(before)
    holds = pause <= BACKOFF_SECONDS[0] + FIRST_LATE_SECONDS
    webhooks.demand_punctual(holds, before.at, soonest.at)
    received = f"none of {len(failed)} before {pause:.1f} s, and a second one in time"
    judge.that(
        "HOOK-35",
        holds,
        webhooks.of(soonest).exchange,
        expected="first retries after 1 s",
        received=received,
    )


@check("HOOK-37", parts=[RETRIES])
def test_a_retry_has_the_same_body(judge: Judge, webhooks: Webhooks) -> None:
    """All retries of the run. Copies of an event may differ from each other, so as many bodies are
    good as there are copies.

    > The body of a retry MUST be byte for byte the body of the first attempt.
    """
    for name in webhooks.retries.subscriptions:
        attempts = webhooks.retries.at(name).box.own
        counted = Counter(attempt.body for attempt in attempts)
        same_number = (
            name != retries.FAILING or len(set(counted.values())) == 1
        )  # each copy fails as often there
        good = list(counted)[: webhooks.copies if same_number else 1]
        for retry in attempts[1:]:
            same = retry.body in good
            received = retry.body.decode("utf-8", "replace")
            judge.that(
                "HOOK-37",
                same,
                webhooks.of(retry).exchange,
                expected="the bytes of the first attempt",
                received=received,
            )
    if not judge.findings:
        raise PreconditionNotMet("there was no retry")


@check("HOOK-15", parts=[RETRIES])
def test_each_attempt_is_signed_anew(judge: Judge, webhooks: Webhooks) -> None:
    """The first and the last attempt at a receiver that always fails.

    > Each attempt MUST be signed at its own time of delivery.
    """
    attempts = [
        attempt
        for attempt in webhooks.retries.attempts(retries.FAILING)
        if not webhooks.of(attempt).clock_moved
    ]
    if not attempts:
        raise PreconditionNotMet("every attempt was made while the clock was moved")
    first, last = attempts[0], attempts[-1]
    times = [read_v1(attempt.headers.get(V1.lower(), "")).unix_ms for attempt in (first, last)]
    if last.at - first.at < 2 * CLOCK_SKEW_SECONDS or times[0] is None or times[1] is None:
        raise PreconditionNotMet(
            "there are no two attempts far enough apart whose signatures have a time"
        )
    passed, signed = last.at - first.at, (times[1] - times[0]) / unit_of(times[0], first.at)
    expected = f"times {passed:.1f} s apart, as the attempts are"
    late = webhooks.lateness.during(
        first.at - TIMEOUT_SECONDS, last.at
    )  # each attempt may have waited for the inbox
    holds = abs(signed - passed) <= CLOCK_SKEW_SECONDS + late
    judge.that(
        "HOOK-15",
        holds,
        webhooks.of(last).exchange,
        expected=expected,
        received=f"{signed:.1f} s apart",
        where=V1,
    )


@check("HOOK-39", parts=[CROWD])
def test_five_at_a_time(judge: Judge, webhooks: Webhooks) -> None:
    """One event for many subscriptions at one hostname, which all take their time; where the inbox
    has two ports of that name, half of them are at each.

    > At most 5 requests to one hostname MUST be under way at the same time.
    """
    if (
        len([subscription for subscription in webhooks.retries.crowd if subscription.box.own])
        <= MAX_PARALLEL_DELIVERIES
    ):
        raise PreconditionNotMet(
            "there were not more than 5 deliveries at a time that a hostname could have got"
        )
    arrived = [delivery.arrival for delivery in webhooks.deliveries]
    for host in sorted({arrival.host for arrival in arrived}):
        here = [
            arrival for arrival in arrived if arrival.host == host and arrival.ended_at is not None
        ]
        crowd = max((_under_way(here, arrival.at) for arrival in here), key=len)
        received = f"{len(crowd)} at {host}"
        holds = len(crowd) <= MAX_PARALLEL_DELIVERIES
        # After a pause the end of a request may be noticed later than the beginning of the next
        # one.
        webhooks.demand_punctual(
            holds, crowd[0].at, crowd[-1].at + CROWD_SECONDS, CROWD_LATENESS_SECONDS
        )
        judge.that(
            "HOOK-39",
            holds,
            webhooks.of(crowd[-1]).exchange,
            expected="5 at a time",
            received=received,
        )


def _split(attempts: list[Arrival], number: int, busy: Times) -> list[list[Arrival]] | None:
    """The attempts as those of so many deliveries that each keep the pace; None when they cannot
    be.
    """

    def place(rest: list[Arrival], made: list[list[Arrival]]) -> list[list[Arrival]] | None:
        if not rest:
            return made if len(made) == number else None
        for place_in, chain in enumerate(made):
            longer = [*chain, rest[0]]
            if len(longer) <= MAX_ATTEMPTS and keep_pace(longer, busy):
                placed = place(rest[1:], [*made[:place_in], longer, *made[place_in + 1 :]])
                if placed is not None:
                    return placed
        return place(rest[1:], [*made, [rest[0]]]) if len(made) < number else None

    return place(attempts, [])


def _busy(webhooks: Webhooks, attempts: list[Arrival]) -> Times:
    """When the sender had something under way to the hostname of some attempts, or the inbox did
    nothing.
    """
    busy = busy_with(
        delivery.arrival
        for delivery in webhooks.deliveries
        if delivery.arrival.host == attempts[0].host
    )
    return joined(
        [*busy, *webhooks.lateness.spans(attempts[0].at - TIMEOUT_SECONDS, webhooks.over)]
    )


def _first_failed(attempts: list[Arrival]) -> Arrival:
    """The first attempt that failed; where an event comes more than once, another copy of it may
    have come before.
    """
    return next(filter(is_failure, attempts), attempts[0])


def _retry_of(
    webhooks: Webhooks, failed: Arrival, attempts: list[Arrival], late: float = inf
) -> Arrival | None:
    """The attempt after a failed one; where an event comes more than once, the one that comes when
    a retry has to.
    """
    due = end_of(failed) + BACKOFF_SECONDS[0]
    alone, busy = webhooks.copies == 1, _busy(webhooks, attempts)

    def in_time(at: float) -> bool:
        return at >= due - EARLY_SECONDS and idle_seconds(due, at, busy) <= late

    return next(
        (
            attempt
            for attempt in attempts[attempts.index(failed) + 1 :]
            if alone or in_time(attempt.at)
        ),
        None,
    )


def _judge_last_of_all(judge: Judge, requirement: str, webhooks: Webhooks, *receivers: str) -> None:
    """Judge the last attempts at several receivers, each by itself: one that cannot be judged does
    not keep the others from it.
    """
    unmet: PreconditionNotMet | None = None
    for receiver in receivers:
        try:
            _judge_last(judge, requirement, webhooks, webhooks.retries.attempts(receiver))
        except PreconditionNotMet as error:
            unmet = unmet if isinstance(unmet, InDoubtError) else error
    if unmet:
        raise unmet


def _judge_last(
    judge: Judge, requirement: str, webhooks: Webhooks, attempts: list[Arrival]
) -> None:
    """Judge that no more attempts come than there are copies, one more for each that failed; and
    none in the way of retries.
    """
    failed = list(filter(is_failure, attempts))
    done = [attempt for attempt in attempts if not is_failure(attempt)]
    later = [
        attempt
        for attempt in done[1:]
        if webhooks.seconds_between(end_of(done[0]), attempt.at) > retries.DUPLICATE_SECONDS
    ]
    retried = any(
        keep_pace(combination) for combination in combinations(done, MAX_ATTEMPTS - 1)
    ) or retried_from(failed[:1], done)
    shown = webhooks.of(later[0] if later else attempts[0]).exchange
    holds = not later or (len(attempts) <= webhooks.copies + len(failed) and not retried)
    # What comes after an answer proves something, unless the answer may have come too late itself.
    for attempt in done[:1]:
        webhooks.demand_punctual(holds, attempt.at, end_of(attempt), TIMEOUT_SECONDS / 2)
    expected = (
        f"no attempt after the one that was answered with HTTP {done[0].status}"
        if done
        else "no attempt but retries"
    )
    judge.that(
        requirement, holds, shown, expected=expected, received=f"{len(later)} further attempts"
    )


def _under_way(arrivals: list[Arrival], moment: float) -> list[Arrival]:
    return [
        arrival for arrival in arrivals if arrival.at <= moment < (arrival.ended_at or arrival.at)
    ]
