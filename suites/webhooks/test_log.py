"""The log of deliveries, whatever the shape in which it is listed."""

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Any

import pytest

from plumbline.fixtures.http.exchange import Exchange, NotApplicableError, PreconditionNotMet
from plumbline.fixtures.judging.judge import Judge
from plumbline.fixtures.judging.matchers import accepted, answered, any_of, finds_none
from plumbline.fixtures.scenarios.background import retries
from plumbline.fixtures.scenarios.background.heard_events import Webhooks
from plumbline.fixtures.scenarios.background.parts import EVENTS, RETRIES
from plumbline.fixtures.scenarios.background.retries import (
    COMPLAINT,
    COMPLAINT_EMAIL,
    COMPLAINT_PHONE,
    FAILING,
    LONG_EMAIL,
)
from plumbline.fixtures.scenarios.mark import check
from plumbline.fixtures.session.session import Session
from plumbline.fixtures.webhooks.inbox.boxes import Arrival
from plumbline.fixtures.webhooks.retrying import MAX_ATTEMPTS
from plumbline.spec.comparing import is_number

MAX_ERROR_LENGTH = 500
MIN_ROW_FIELDS = 3
"""Fields of an object that nothing but an attempt is likely to have all alike."""
OF_TIME = re.compile(r"time|date|_at$|At$|ms$|Ms$|duration|latency|seconds|id$|Id$", re.IGNORECASE)
"""Names of what is no HTTP status, whatever a log calls that."""
OF_ERRORS = re.compile(r"error|message|reason|detail", re.IGNORECASE)
OF_ATTEMPTS = re.compile(r"attempt|tries", re.IGNORECASE)


@check("HOOK-64", parts=[])
def test_deliveries_are_listed(judge: Judge, webhooks: Webhooks) -> None:
    """The list of deliveries of a subscription, asked for by a key with `read` and `write`.

    > The list of deliveries MUST be served to a valid key, or refused with 403 for its scope.
    """
    listed = webhooks.listed
    if not isinstance(listed, Exchange):
        raise listed or PreconditionNotMet(
            "no subscription is known whose deliveries could be listed",
            "let the test controller offer `subscribe`, and return an `id`",
        )
    judge("HOOK-64", listed, any_of(accepted, answered(403)))


@check("HOOK-65", parts=[RETRIES])
def test_attempts_are_logged(judge: Judge, webhooks: Webhooks) -> None:
    """The list of deliveries of a receiver that takes everything, of one that never does, and of
    one that fails at first.

    Names and shape are open. But each list has to hold every HTTP status that the receiver answered
    with, since every attempt is logged with its own, and not in the text of an error alone. A
    number of attempts, where there is one, has to count up to the last attempt.

    > Every attempt MUST be logged with its status, HTTP status, response time, number of attempts
    > and sanitized error message.
    """
    log, tries = webhooks.listed_failures, webhooks.retries.attempts(FAILING)
    if not (webhooks.logged.id and webhooks.retries.at(FAILING).id):
        raise PreconditionNotMet(
            "the ids of the subscriptions are not known", "let the test controller return them"
        )
    _judge_statuses(
        judge, [delivery.arrival for delivery in webhooks.at(webhooks.logged)], webhooks.listed
    )
    _judge_statuses(judge, tries, log)
    if (
        isinstance(webhooks.listed_recovery, Exchange)
        and retries.RECOVERING in webhooks.retries.subscriptions
    ):
        _judge_statuses(
            judge, webhooks.retries.attempts(retries.RECOVERING), webhooks.listed_recovery
        )
    counts = [
        value
        for name, value in _values(_served(log).json)
        if OF_ATTEMPTS.search(name) and is_number(value)
    ]
    if counts and len(tries) >= MAX_ATTEMPTS:
        # Counted from one or from zero.
        enough = max(counts) >= MAX_ATTEMPTS - 1
        judge.that(
            "HOOK-65",
            enough,
            _served(log),
            expected=f"up to {MAX_ATTEMPTS} attempts",
            received=f"{max(counts)}",
        )


@check("AUTH-15", parts=[EVENTS])
def test_deliveries_are_not_listed_elsewhere(
    judge: Judge, session: Session, request: pytest.FixtureRequest
) -> None:
    """Another organization asks for the list of deliveries of a subscription of this one; the shape
    of either list is open.

    It takes the subscriptions of the other checks of webhooks, and is no reason to make any.

    > A filter that names another organization's record MUST NOT yield rows.
    """
    if not session.background.is_open("webhooks"):
        raise NotApplicableError("no webhooks are judged in this run")
    webhooks: Webhooks = request.getfixturevalue("webhooks")
    elsewhere, failing = webhooks.listed_elsewhere, webhooks.listed_failures
    if not isinstance(elsewhere, Exchange):
        raise elsewhere or PreconditionNotMet(
            "there is no other organization, or no subscription whose id is known"
        )
    own = _served(failing if isinstance(failing, Exchange) else webhooks.listed)
    rows = [row for row in _rows(own.json) if len(row) >= MIN_ROW_FIELDS]
    shared = [row for row in _rows(elsewhere.json) if row in rows] if elsewhere.ok else []
    judge("AUTH-15", elsewhere, finds_none(shared, "no delivery of the other organization", ""))


def _rows(value: Any) -> Iterator[dict[str, Any]]:
    """All objects inside a JSON value."""
    if isinstance(value, dict):
        yield value
    for inner in (
        value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    ):
        yield from _rows(inner)


@check("HOOK-66", parts=[RETRIES])
def test_logged_errors_are_sanitized(judge: Judge, webhooks: Webhooks) -> None:
    """The list of deliveries of a receiver that answers with an email address, a telephone number
    and much more, some addresses among it where the text has to be cut.

    > Logged error texts MUST be free of email addresses and telephone numbers and no longer than
    > 500 characters.
    """
    if not isinstance(webhooks.listed_failures, Exchange):
        _ = webhooks.retries.at(FAILING)  # says why there is no such receiver
    listed = _served(webhooks.listed_failures)
    errors = [
        value
        for name, value in _values(listed.json)
        if OF_ERRORS.search(name) and isinstance(value, str)
    ]
    if not any(COMPLAINT.lower() in error.lower() for error in errors):
        raise NotApplicableError("the log keeps nothing of what receivers answer")
    number = _digits(COMPLAINT_PHONE)[-7:]
    # Of an address that was cut before it was looked for, its beginning is left.
    addresses = COMPLAINT_EMAIL.lower(), LONG_EMAIL.partition("@")[0] + "@"
    left = [error for error in errors if any(text in error.lower() for text in addresses)]
    judge("HOOK-66", listed, finds_none(left, "no email address"))
    judge(
        "HOOK-66",
        listed,
        finds_none([error for error in errors if number in _digits(error)], "no telephone number"),
    )
    judge(
        "HOOK-66",
        listed,
        finds_none(
            [len(error) for error in errors if len(error) > MAX_ERROR_LENGTH],
            "at most 500 characters",
        ),
    )


def _judge_statuses(
    judge: Judge, attempts: Sequence[Arrival], log: Exchange | PreconditionNotMet | None
) -> None:
    """Judge that a log holds each of the statuses with which a receiver has answered."""
    given = {attempt.status for attempt in attempts if attempt.status is not None}
    if given:
        listed = _served(log)
        missing = [
            status
            for status in sorted(given)
            if not any(_is_one_of({status}, *value) for value in _values(listed.json))
        ]
        expected = f"attempts with HTTP status {' and '.join(map(str, sorted(given)))}"
        received = f"none with {' and '.join(map(str, missing))}"
        judge.that("HOOK-65", not missing, listed, expected=expected, received=received)


def _served(log: Exchange | PreconditionNotMet | None) -> Exchange:
    """The list, if there is one.

    Raises:
        NotApplicableError: when the key may not see it.
        PreconditionNotMet: when it was not asked for, or not served.
    """
    if not isinstance(log, Exchange):
        raise log or PreconditionNotMet(
            "no subscription is known whose deliveries could be listed",
            "let the test controller offer `subscribe`, and return an `id`",
        )
    if log.status == 403:
        raise NotApplicableError("the key may not see the list of deliveries")
    if not log.ok:
        raise PreconditionNotMet(f"the list of deliveries was not served: {log.summary()}")
    return log


def _values(node: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """All values inside a JSON value, each with the nearest name above it."""
    if isinstance(node, dict):
        for key, value in node.items():
            yield from _values(value, key)
    elif isinstance(node, list):
        for value in node:
            yield from _values(value, name)
    else:
        yield name, node


def _is_one_of(statuses: Collection[int], name: str, value: Any) -> bool:
    """Whether a value is an HTTP status, or a text, but none of an error, that has one as a word of
    its own.
    """
    if OF_TIME.search(name):
        return False
    if isinstance(value, str) and not OF_ERRORS.search(name):
        return any(re.search(rf"(?<![\w.:-]){status}(?![\w:-])", value) for status in statuses)
    return is_number(value) and value in statuses


def _digits(text: str) -> str:
    return re.sub(r"\D", "", text)
