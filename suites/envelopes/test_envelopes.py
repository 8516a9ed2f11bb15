"""The envelopes of every operation that reads."""

import pytest

from plumbline.fixtures.attempts import ALL, LISTS, attempt
from plumbline.fixtures.checks import check
from plumbline.fixtures.client.wire import Client
from plumbline.fixtures.expect import accepted
from plumbline.fixtures.judge import Judge
from plumbline.fixtures.stories.bookings import BookingStory
from plumbline.fixtures.stories.leads import LeadStory
from plumbline.fixtures.stories.payments import PaymentStory
from plumbline.fixtures.world import World

READS = tuple(
    operation for operation in ALL if operation.startswith("GET") and operation not in LISTS and "analysis" not in operation
)


@check("ENV-01", "ENV-04", "ENV-05", "ENV-06", "ENV-07", tier="smoke")
@pytest.mark.parametrize("operation", LISTS)
def test_lists(api: Client, judge: Judge, world: World, operation: str) -> None:
    """A page of each list.

    > A successful list answer MUST have status 200, hold its rows as an array under `data`, carry a `pagination` object whose
    > `has_more` is a boolean, and MUST NOT carry a `success` key.
    """
    page = attempt(world, operation).by(api)
    judge("ENV-04", page, accepted)
    judge("ENV-05", page, accepted)
    judge("ENV-06", page, accepted)
    judge("ENV-07", page, accepted)
    judge.traffic(page)


@check("ENV-01", "ENV-02", "ENV-03", "ENV-08")
@pytest.mark.parametrize("operation", READS)
def test_single_resources(api: Client, judge: Judge, world: World, operation: str) -> None:
    """A read of each single resource.

    > A successful single-resource answer MUST be an object whose `success` is `true`, with its resource under `data`, and a
    > successful GET of it MUST have status 200.
    """
    answer = attempt(world, operation).by(api)
    judge("ENV-02", answer, accepted)
    judge("ENV-03", answer, accepted)
    judge("ENV-08", answer, accepted)
    judge.traffic(answer)


@check("ENV-02", "ENV-03", "LEAD-26", "LEAD-29", "CALL-23", "CALL-49", "PAY-24", tier="smoke", cost=0)
def test_what_writes_return(
    judge: Judge, lead_story: LeadStory, booking_story: BookingStory, payment_story: PaymentStory
) -> None:
    """A lead, its notes, a call, its answers and a payment, right after they were written.

    > Fields of a lead, a note, a call, an answer and a payment MUST have their documented types and formats.
    """
    for exchange in (
        lead_story.created,
        lead_story.notes_listed,
        booking_story.booked,
        booking_story.answers,
        payment_story.recorded,
    ):
        judge.traffic(exchange)
        _ = exchange.data
