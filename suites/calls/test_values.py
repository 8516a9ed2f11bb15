"""Bookings with values of every class that their formats have, and what is done with the calls."""

from contextlib import suppress

from plumbline.fixtures.http.exchange import NotApplicableError
from plumbline.fixtures.judging.judge import Judge
from plumbline.fixtures.judging.matchers import has_id
from plumbline.fixtures.scenarios.carriers import (
    comes_back,
    judge_carried,
    moves_to,
    requirement_of,
)
from plumbline.fixtures.scenarios.covering import REQUESTS
from plumbline.fixtures.scenarios.mark import check
from plumbline.fixtures.scenarios.shared.records_of_values import (
    REPEATED,
    Answers,
    CallValues,
    accepted_of,
)
from plumbline.spec.values.fields import BOOK, END, MOVE, NOTE

UTM = ("utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content")
OF_CALL = {"notes": "/data/notes", **{name: f"/data/{name}" for name in UTM}}
OF_LEAD = {"guest.email": "/data/email", "guest.name": "/data/full_name"}
STARTS = ("start_time", "scheduled_at")


@check("CALL-01", "CALL-05", "CALL-06", "CALL-08", "CALL-10")
def test_a_call_is_booked_of_any_valid_value(judge: Judge, call_values: CallValues) -> None:
    """Bookings whose guest, attribution, zone, start and key are of many classes at once; a refusal
    is told apart.

    > A valid booking of an offered slot MUST create a call on the given booking link at the given
    > start. A `start_time` with an offset MUST be taken as that instant. A booking MUST create a
    > lead for a guest email that is new to the organization, with the email and name of the guest.
    > `utm_*` values of a booking MUST be recorded on the call. A `utm_*` value of 255 characters
    > MUST be accepted.
    """
    for number in range(REQUESTS[BOOK]):
        booked, read = call_values.booked(number), call_values.lead_read(number)
        _judge(judge, booked)
        for given, exchange in booked:
            if given.field.path in OF_LEAD and exchange is accepted_of(booked):
                judge.each("CALL-06", read, comes_back(given, OF_LEAD[given.field.path])(read))


@check("CALL-50")
def test_any_valid_key_returns_the_first_call(judge: Judge, call_values: CallValues) -> None:
    """One of these bookings, sent once more with its idempotency key.

    > A repeated `Idempotency-Key` with the same body MUST return the call that was created first.
    """
    first = accepted_of(call_values.booked(REPEATED))
    judge("CALL-50", call_values.repeated(), has_id("/data/id", first.id_of_data))


@check("CALL-31", "CALL-37", "CALL-38", "CALL-39")
def test_a_call_takes_any_valid_value(judge: Judge, call_values: CallValues) -> None:
    """Notes, a new time in a form of its own, a zone, and an outcome with notes, of calls that were
    just booked.

    > `PATCH /v1/calls/{id}` MUST set `notes` and change nothing else. A reschedule to a future slot
    > that is free MUST be accepted. An accepted reschedule MUST move `scheduled_at` to the given
    > instant. The `notes` of an accepted outcome MUST be stored on the call.
    """
    for number in range(REQUESTS[NOTE]):
        _judge(judge, call_values.noted(number))
    for number in range(REQUESTS[MOVE]):
        with suppress(NotApplicableError):
            _judge(judge, call_values.moved(number))
    for number in range(REQUESTS[END]):
        with suppress(NotApplicableError):
            _judge(judge, call_values.ended(number))
    for requirement in judge.forgotten():
        judge.not_applicable(
            requirement, "no call could be moved to a slot that is surely free, or took an outcome"
        )


def _judge(judge: Judge, answers: Answers) -> None:
    """Judge given values; times by the instant that was sent."""
    judge_carried(judge, [row for row in answers if row[0].field.path not in STARTS], OF_CALL)
    for given, exchange in answers:
        if given.field.path in STARTS:
            judge.each(
                requirement_of(given, exchange),
                exchange,
                moves_to(given, given.field.path)(exchange),
            )
