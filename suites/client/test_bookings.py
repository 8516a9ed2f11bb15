"""What clients do when something comes between: limits, lost answers, slots that are taken."""

from itertools import pairwise

from plumbline.fixtures.evidence.recent_exchanges import KEY_HEADER
from plumbline.fixtures.http.exchange import NotApplicableError, PreconditionNotMet
from plumbline.fixtures.judging.judge import Judge
from plumbline.fixtures.judging.mismatch import Mismatch
from plumbline.fixtures.scenarios.clients.driver import ClientDriver
from plumbline.fixtures.scenarios.clients.repeat_matchers import (
    between,
    bookings,
    rebooked,
    start_of,
    too_early,
)
from plumbline.fixtures.scenarios.clients.reply_matchers import shows
from plumbline.fixtures.scenarios.mark import check


@check("CLI-38", "CLI-39")
def test_limits(judge: Judge, client_driver: ClientDriver) -> None:
    """The first request meets a 429 with `Retry-After: 2`, and so do those of the next two seconds;
    the second page of a list, a booking and a query meet one as well.

    > A request that met a limit MUST NOT be repeated before `Retry-After` is over.
    > A request that met a limit SHOULD be repeated after the wait, or be reported as an error.
    """
    others = ("a limited page", "a limited booking", "a limited query")
    for other in client_driver.plays(others):
        if early := too_early(other.pairs):
            judge("CLI-38", early[0], shows(early[1]))
    play, usual = client_driver.plays(("a limit", "a lead"))
    usual.demand_result()
    exchange, mismatch = too_early(play.sent("GET", "/v1/leads/")) or (play.last, None)
    judge("CLI-38", exchange, shows(mismatch))
    if mismatch:
        raise PreconditionNotMet("the client does not wait")
    is_served = any(served.is_success for served in play.served)
    holds = play.reply.error is not None or (play.reply.result is not None and is_served)
    judge.that(
        "CLI-39",
        holds,
        play.last,
        expected="the lead after the wait, or an error",
        received=play.reply.summary,
    )


@check("CLI-40")
def test_a_lost_booking(judge: Judge, client_driver: ClientDriver) -> None:
    """A booking is made, and the connection is cut in place of the answer.

    > A booking whose answer was lost SHOULD be repeated with its `Idempotency-Key` alone.
    """
    pairs = bookings(client_driver.play("a lost booking"))
    judge("CLI-40", pairs[0][1], shows(None))
    key = pairs[0][0].request.headers.get(KEY_HEADER)
    for served, exchange in rebooked(pairs):
        sent = served.request.headers.get(KEY_HEADER)
        expected = "the same `Idempotency-Key`" if key else "no repeat without an `Idempotency-Key`"
        judge.that(
            "CLI-40",
            bool(key) and sent == key,
            exchange,
            expected=expected,
            received=sent or "none",
            where=KEY_HEADER,
        )


@check("CLI-41")
def test_keys_of_two_bookings(judge: Judge, client_driver: ClientDriver) -> None:
    """Two bookings of different guests.

    > Two bookings MUST NOT share an `Idempotency-Key`.
    """
    first, second = (
        bookings(play)[0] for play in client_driver.plays(("a booking", "another booking"))
    )
    keys = [served.request.headers.get(KEY_HEADER) for served, _ in (first, second)]
    is_shared = keys[0] is not None and keys[0] == keys[1]
    judge.that(
        "CLI-41",
        not is_shared,
        second[1],
        expected="another key",
        received="the key of the first booking",
        where=KEY_HEADER,
    )


@check("CLI-42")
def test_a_booking_under_way(judge: Judge, client_driver: ClientDriver) -> None:
    """The first request is answered with `CONFLICT`, because its key is in flight.

    > A booking that met `CONFLICT` SHOULD NOT be repeated with another key or without one.
    """
    pairs = bookings(client_driver.play("a booking under way"))
    key = pairs[0][0].request.headers.get(KEY_HEADER)
    if key is None:
        raise NotApplicableError("the client sends no `Idempotency-Key`")
    judge("CLI-42", pairs[0][1], shows(None))
    for served, exchange in rebooked(pairs):
        sent = served.request.headers.get(KEY_HEADER)
        judge.that(
            "CLI-42",
            sent == key,
            exchange,
            expected="the same `Idempotency-Key`",
            received=sent or "none",
            where=KEY_HEADER,
        )


@check("CLI-43")
def test_a_slot_taken(judge: Judge, client_driver: ClientDriver) -> None:
    """Somebody else was faster: every booking is answered with `SLOT_UNAVAILABLE`.

    > A slot that was `SLOT_UNAVAILABLE` SHOULD NOT be asked for again before the slots are read
    > again.
    """
    play = client_driver.play("a slot taken")
    pairs = bookings(play)
    judge("CLI-43", pairs[0][1], shows(None))
    taken = set()
    for (refused, before), (served, exchange) in pairwise(pairs):
        taken.add(start_of(refused.request))
        is_again = start_of(served.request) in taken
        holds = not is_again or between(play, before, exchange, "/availability")
        judge.that(
            "CLI-43", holds, exchange, expected="the slots first", received="the same slot again"
        )


@check("CLI-44", "CLI-45")
def test_failed_bookings(judge: Judge, client_driver: ClientDriver) -> None:
    """The calendar provider is degraded, so that every booking is answered with 502; a slot is
    taken.

    > A booking that no success answers MUST NOT be reported as made.
    > A booking that the calendar provider has failed SHOULD be reported as an error with its code.
    """
    play, taken, usual = client_driver.plays(("a failing provider", "a slot taken", "a booking"))
    usual.demand_result()
    for failed in (play, taken):
        mismatch = (
            Mismatch("an error", failed.reply.summary) if failed.reply.result is not None else None
        )
        judge("CLI-44", bookings(failed)[-1][1], shows(mismatch))
    if play.reply.result is not None:
        raise PreconditionNotMet("the client reports the booking as made")
    code = (play.reply.error or {}).get("code")
    received = code or play.reply.summary
    judge.that(
        "CLI-45",
        code == "EXTERNAL_API_ERROR",
        play.last,
        expected="`code` EXTERNAL_API_ERROR",
        received=received,
    )


@check("CLI-46")
def test_a_lost_payment(judge: Judge, client_driver: ClientDriver) -> None:
    """A payment is recorded, and its answer is lost; no key tells a repeat.

    > A payment whose answer was lost SHOULD NOT be recorded again before the payments are read.
    """
    play = client_driver.play("a lost payment")
    pairs = play.sent("POST", "/v1/payments")
    judge("CLI-46", pairs[0][1], shows(None))
    for (_, before), (_, exchange) in pairwise(pairs):
        holds = between(play, before, exchange, "/v1/payments")
        judge.that(
            "CLI-46",
            holds,
            exchange,
            expected="the payments first",
            received="the payment once more",
        )
