"""The envelopes of answers, judged on requests that other checks share."""

import pytest

from plumbline.fixtures.http.exchange import Exchange
from plumbline.fixtures.judging.judge import Judge
from plumbline.fixtures.scenarios.mark import check
from plumbline.fixtures.scenarios.shared.booking_scenario import BookingScenario
from plumbline.fixtures.scenarios.shared.lead_scenario import LeadScenario
from plumbline.fixtures.scenarios.shared.list_scenario import ListScenario
from plumbline.fixtures.scenarios.shared.payment_scenario import PaymentScenario


@check("ENV-01", "ENV-04", "ENV-05", "ENV-06", "ENV-07")
@pytest.mark.parametrize("path", ["/v1/leads", "/v1/calls", "/v1/payments", "/v1/opportunities"])
def test_lists(judge: Judge, list_scenario: ListScenario, path: str) -> None:
    """The first page of each list.

    > A successful list answer MUST have status 200, hold its rows as an array under `data`, carry a
    > `pagination` object whose `has_more` is a boolean, and MUST NOT carry a `success` key.
    """
    judge.traffic(list_scenario.first_page(path))


@check("ENV-01", "ENV-02", "ENV-03", "ENV-08")
def test_single_resources(
    judge: Judge, lead_scenario: LeadScenario, booking_scenario: BookingScenario
) -> None:
    """A read of each single resource: a lead, its notes, the answers of a call, availability, a
    booking form.

    > A successful single-resource answer MUST be an object whose `success` is `true`, with its
    > resource under `data`, and a successful GET of it MUST have status 200.
    """
    build = lead_scenario.build
    for exchange in (
        lead_scenario.read_at_last(),
        lead_scenario.notes_listed(),
        booking_scenario.answers(),
        build.month(),
        build.form(),
    ):
        judge_resource(judge, exchange)


@check("ENV-02", "ENV-03", "ENV-09", "LEAD-26", "LEAD-29", "CALL-23", "CALL-49", "PAY-24")
def test_answers_of_writes(
    judge: Judge,
    lead_scenario: LeadScenario,
    booking_scenario: BookingScenario,
    payment_scenario: PaymentScenario,
) -> None:
    """A lead, its notes, a call, its answers and a payment, right after they were written.

    > Fields of a lead, a note, a call, an answer and a payment MUST have their documented types and
    > formats, and a timestamp SHOULD have an offset from UTC.
    """
    written = (lead_scenario.created(), booking_scenario.booked(), payment_scenario.recorded())
    for exchange in (*written, lead_scenario.notes_listed(), booking_scenario.answers()):
        judge_resource(judge, exchange)


def judge_resource(judge: Judge, exchange: Exchange) -> None:
    """Judge an answer by all oracles; without a resource in it there is nothing to go on with."""
    judge.traffic(exchange)
    _ = exchange.data
