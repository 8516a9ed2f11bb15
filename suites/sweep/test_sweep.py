"""Requests that Schemathesis draws from the generated OpenAPI document; our client sends them, our
oracles judge.
"""

import pytest

from plumbline.fixtures.http.client import Client
from plumbline.fixtures.http.exchange import NotApplicableError
from plumbline.fixtures.judging.judge import Judge
from plumbline.fixtures.planning.mark import check
from plumbline.fixtures.scenarios.builders import Builders
from plumbline.fixtures.scenarios.requests import WRITES, record_of
from plumbline.fixtures.scenarios.sweep import draw
from plumbline.fixtures.session.session import Session

DRAWN = (*WRITES, "GET /v1/booking-links/{id}/availability")
"""Operations with a body, or with a query that is required."""
RICH = {
    "POST /v1/leads",
    "PATCH /v1/leads/{id}",
    "POST /v1/calls",
    "PATCH /v1/calls/{id}",
    "POST /v1/payments",
}
"""Those whose bodies have most to draw."""
EXAMPLES = {"smoke": 1, "standard": 1, "exhaustive": 20}


@pytest.mark.parametrize(
    "operation",
    [
        pytest.param(
            operation,
            marks=check(
                "ERR-06",
                "ENV-01",
                tier="standard" if operation in RICH else "exhaustive",
                varies=True,
            ),
        )
        for operation in DRAWN
    ],
)
def test_drawn_requests(
    api: Client, judge: Judge, session: Session, build: Builders, operation: str
) -> None:
    """Requests with every field drawn from its schema, for a new record; most of them name other
    records that do not exist.

    > A request MUST NOT be answered with a 5xx. Every answer that has a body MUST be valid JSON
    > sent with a JSON media type.
    """
    record = record_of(build, operation, is_own=True)
    for drawn in draw(
        operation, seed=session.settings.seed, examples=EXAMPLES[session.settings.tier]
    ):
        judge.traffic(drawn.by(api, record))
    if judge.forgotten():
        raise NotApplicableError("no answer had a body")
