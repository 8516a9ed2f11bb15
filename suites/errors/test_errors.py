"""Records that do not exist, and bodies that are no JSON objects."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TypeVar
from uuid import uuid4

import pytest

from plumbline.fixtures.http.client import Client
from plumbline.fixtures.http.exchange import Exchange, PreconditionNotMet
from plumbline.fixtures.judging.judge import Judge
from plumbline.fixtures.judging.matchers import answered, refused
from plumbline.fixtures.judging.mismatch import Mismatch
from plumbline.fixtures.scenarios.builders import Builders
from plumbline.fixtures.scenarios.mark import check
from plumbline.fixtures.scenarios.sample_requests import BY_PATH, CREATES, sample_request

T = TypeVar("T")
ONE_OF_EACH = (
    "GET /v1/leads/{id}",
    "GET /v1/leads/{id}/notes",
    "PATCH /v1/calls/{id}",
    "GET /v1/calls/{id}/answers",
    "GET /v1/booking-links/{id}/fields",
    "PATCH /v1/payments/{id}",
)
NO_IDS = (
    *("not-a-uuid", "undefined", "null", "0", "[object Object]", "NaN", "-1", "{id}"),
    *(
        "01890a5d-ac96-774b-bcce-b302099a805",
        "01890a5d-ac96-774b-bcce-b302099a80577",
        "01890g5d-ac96-774b-bcce-b302099a8057",
    ),
)
"""What stands in paths when a client has no id, and what is nearly a UUID."""
CUT = (
    *(
        b'{"email": "ada@example.com',
        b'{"email": "ada@example.com"',
        b'{"email"',
        b"{",
        b'{"email":',
        b'{"email": }',
    ),
    *(
        b'{"email" "ada@example.com"}',
        b'{"email": "ada@example.com"]',
        b"<email>ada@example.com</email>",
        b"]",
    ),
)
"""Texts that no reader of JSON can read, however lenient it is."""
NO_OBJECTS = (b"null", b'"text"', b"[]", b"[{}]", b"0", b"true", b'""', b"false", b"[[]]", b"-1.5")
UNREAD = (
    *("POST /v1/leads", "PATCH /v1/calls/{id}", "POST /v1/payments"),
    *("POST /v1/calls/{id}/outcome", "POST /v1/payments/{id}/verify"),
)
SLOTS, NO_DAY = "/v1/booking-links/{id}/availability", f"{datetime.now(UTC).year + 1}-02-30"


@check("ERR-07")
@pytest.mark.parametrize("operation", BY_PATH)
def test_a_made_up_id_is_not_found(judge: Judge, second_org: Builders, operation: str) -> None:
    """A valid request for a record with a made-up UUID, of any version.

    > A well-formed id that does not exist MUST be answered with 404 and `NOT_FOUND`, on every
    > operation that addresses a record.
    """
    judge(
        "ERR-07",
        sample_request(second_org, operation)
        .at(second_org.sample_data.made_up_id())
        .by(second_org.api),
        answered(404, "NOT_FOUND"),
    )


@check("ERR-08")
@pytest.mark.parametrize("operation", ONE_OF_EACH)
def test_an_id_must_be_a_uuid(judge: Judge, second_org: Builders, operation: str) -> None:
    """A valid request whose path holds no UUID, but what a client sends that has none.

    > A path id that is not a UUID MUST be refused.
    """
    identifier = _turn(second_org, NO_IDS, ONE_OF_EACH.index(operation))
    judge(
        "ERR-08", sample_request(second_org, operation).at(identifier).by(second_org.api), refused
    )


@check("ERR-08", spare=True)
@pytest.mark.parametrize(
    "operation", [operation for operation in BY_PATH if operation not in ONE_OF_EACH]
)
def test_an_id_must_be_a_uuid_everywhere(
    judge: Judge, second_org: Builders, operation: str
) -> None:
    """The same for the other operations that address a record.

    > A path id that is not a UUID MUST be refused.
    """
    identifier = _turn(second_org, NO_IDS, BY_PATH.index(operation))
    judge(
        "ERR-08", sample_request(second_org, operation).at(identifier).by(second_org.api), refused
    )


@check("ERR-09")
@pytest.mark.parametrize("operation", UNREAD)
def test_a_body_must_be_json(judge: Judge, second_org: Builders, operation: str) -> None:
    """A body that breaks off, or lacks a mark without which it says nothing.

    > A body that is not JSON MUST be refused.
    """
    content = _turn(second_org, CUT, UNREAD.index(operation))
    judge("ERR-09", sample_request(second_org, operation).raw_by(second_org.api, content), refused)


@check("ERR-10")
@pytest.mark.parametrize("operation", CREATES)
def test_a_body_must_be_an_object(judge: Judge, second_org: Builders, operation: str) -> None:
    """A body that is JSON, but an array, a text, a number, a boolean or null.

    > A JSON body that is not an object MUST be refused.
    """
    content = _turn(second_org, NO_OBJECTS, 3 * CREATES.index(operation))
    judge("ERR-10", sample_request(second_org, operation).raw_by(second_org.api, content), refused)


@check("ERR-06")
def test_odd_requests_cause_no_server_error(api: Client, judge: Judge, build: Builders) -> None:
    """An unknown path and method, a day that no calendar has, a time in words, an unknown call, an
    early review.

    > A request MUST NOT be answered with a 5xx, except for a typed failure of a provider or of
    > analytics.
    """
    tried = [
        api.get("/v1/no-such-thing"),
        api.request("DELETE", "/v1/leads/{id}", id=build.lead()),
        api.get(SLOTS, id=build.booking_link(), start_date=NO_DAY, end_date=NO_DAY),
        api.get("/v1/opportunities", from_date="soon"),
        build.pay(call_id=build.sample_data.made_up_id()),
        api.get("/v1/calls/{id}/analysis", id=build.shared_call().id_of_data),
    ]
    for exchange in tried:
        judge("ERR-06", exchange, _no_5xx)


def _turn(build: Builders, values: Sequence[T], place: int) -> T:
    """One of several values, by the seed and the place of an operation, so that every operation
    gets each in turn.
    """
    return values[(build.session.settings.seed + place) % len(values)]


def _no_5xx(exchange: Exchange) -> Mismatch | None:
    broken = exchange.status >= 500 or not exchange.status
    return Mismatch("an answer below 500", exchange.summary()) if broken else None


@check("ERR-01", "ERR-02", "ERR-03", "ERR-04", "ERR-05", "ERR-11")
def test_errors_have_their_shape(api: Client, judge: Judge) -> None:
    """Two records that do not exist, the second one asked for without saying what is accepted.

    > An error answer MUST be an object whose `success` is `false`, with non-empty strings under
    > `error`, `code` and `requestId`; `requestId` MUST differ between answers.
    """
    for headers in ({}, {"accept": None}):
        missing = api.request("GET", "/v1/leads/{id}", id=str(uuid4()), headers=headers)
        judge.traffic(missing)
    if judge.forgotten():
        raise PreconditionNotMet("an answer carries no `requestId`, or no message")
