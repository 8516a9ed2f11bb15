"""Requests that Schemathesis draws from the generated OpenAPI document; our client sends them, our
oracles judge.
"""

import pytest

from plumbline.fixtures.http.client import Client
from plumbline.fixtures.http.exchange import NotApplicableError
from plumbline.fixtures.judging.judge import Judge
from plumbline.fixtures.judging.matchers import refused
from plumbline.fixtures.observing.exchanges.broken_requests import (
    breakable,
    broken_by_body,
    broken_by_query,
)
from plumbline.fixtures.scenarios.boundaries import boundaries, operations
from plumbline.fixtures.scenarios.builders import Builders
from plumbline.fixtures.scenarios.linked import Links
from plumbline.fixtures.scenarios.mark import check
from plumbline.fixtures.scenarios.sample_requests import WRITES, record_of
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
MAX_BOUNDARIES = 40
"""Requests of one operation at its boundaries; those of other seeds are others."""
CHAINS, STEPS = 50, 8
"""Chains of linked operations, and the most requests of one."""
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


@check("ERR-06", "ENV-01", *breakable(), tier="exhaustive")
def test_requests_at_every_boundary(
    api: Client, judge: Judge, session: Session, build: Builders
) -> None:
    """Requests with one value at a boundary of its schema or across it, to every operation, for
    records of the run.

    > A request MUST NOT be answered with a 5xx. A value that the contract does not permit MUST be
    > refused; what it leaves open may be refused or not.
    """
    for operation in operations():
        record = record_of(build, operation, is_own=True)
        records = {
            "booking_link_id": build.booking_link(),
            "lead_id": build.lead(),
            "call_id": build.shared_call().id_of_data,
        }
        for boundary in boundaries(operation, seed=session.settings.seed, most=MAX_BOUNDARIES):
            exchange = boundary.by(api, record, records)
            judge.traffic(exchange)
            # An answer about something else, or of a service that broke, says nothing about the
            # value.
            if exchange.ok or refused(exchange) is None:
                for requirement, _ in (*broken_by_body(exchange), *broken_by_query(exchange)):
                    judge.each(requirement, exchange, refused(exchange))
    for requirement in judge.forgotten():
        judge.not_applicable(requirement, "not reached in this run")


@check("ERR-06", "ENV-01", tier="exhaustive")
def test_linked_operations(api: Client, judge: Judge, session: Session) -> None:
    """Chains of operations, each on ids that an answer before it has named.

    > A request MUST NOT be answered with a 5xx. Every answer that has a body MUST be valid JSON
    > sent with a JSON media type.
    """
    Links(api, judge).play(seed=session.settings.seed, chains=CHAINS, steps=STEPS)
