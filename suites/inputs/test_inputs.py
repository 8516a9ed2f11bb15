"""Inputs that break a rule, in further places and in further ways than the chapters try.

They are asked of an organization that has requests to spare; where there is none, they are left to the exhaustive tier.
"""

from typing import Any

import pytest

from plumbline.fixtures.attempts import attempt
from plumbline.fixtures.checks import check
from plumbline.fixtures.expect import answered, refused
from plumbline.fixtures.judge import Judge
from plumbline.fixtures.world import World

CREATE, CHANGE = "POST /v1/leads", "PATCH /v1/leads/{id}"
BOOK, NOTE, END, MOVE = "POST /v1/calls", "PATCH /v1/calls/{id}", "POST /v1/calls/{id}/outcome", "POST /v1/calls/{id}/reschedule"
PAY, CORRECT, VERIFY = "POST /v1/payments", "PATCH /v1/payments/{id}", "POST /v1/payments/{id}/verify"
NOTED_AT = "2026-01-05T10:00:00Z"
EXPECTED = {"LEAD-17": answered(400, "VALIDATION_ERROR")}
"""What is more than a refusal."""
RULES: dict[tuple[str, str], list[dict[str, Any]]] = {
    ("LEAD-05", CREATE): [{"email": "ada@"}, {"email": "@example.com"}, {"email": "ada lovelace@example.com"}],
    ("LEAD-06", CREATE): [{"phone": "+"}, {"phone": ""}, {"phone": "+49(30)901820"}],
    ("LEAD-07", CREATE): [{"timezone": "+02:00"}, {"timezone": "UTC+2"}],
    ("LEAD-12", CREATE): [{"company": 4711}, {"timezone": ["Europe/Berlin"]}, {"metadata": ["utmSource"]}],
    ("LEAD-17", CHANGE): [
        {"timezone": "Mars/Olympus_Mons"},
        {"phone": "+1234567890123456"},
        {"email": "ada@"},
        {"notes": [{"created_at": NOTED_AT}]},
        {"notes": {"content": "called back", "created_at": NOTED_AT}},
    ],
    ("CALL-11", BOOK): [{"utm_medium": "u" * 256}, {"utm_campaign": "u" * 256}],
    ("CALL-16", BOOK): [
        {"guest": {"email": "no address", "name": "Ada"}},
        {"guest": {"email": ["ada@example.com"], "name": "Ada"}},
        {"guest": []},
        {"booking_link_id": "not-a-uuid"},
        {"start_time": ["2031-01-07T15:00:00Z"]},
    ],
    ("CALL-17", BOOK): [{"closer_email": ["ada@example.com"]}, {"timezone": {"name": "Europe/Berlin"}}],
    ("CALL-33", NOTE): [{"status": "Lost"}, {"status": ""}, {"notes": ["called back"]}],
    ("CALL-36", END): [{"status": "Shown"}, {"status": ""}, {"status": ["shown"]}],
    ("CALL-41", MOVE): [{"scheduled_at": 1930000000}, {"scheduled_at": ["2031-01-07T15:00:00Z"]}],
    ("CALL-66", BOOK): [{"utm_medium": ["paid"]}, {"utm_campaign": {"name": "spring"}}, {"utm_content": ["hero"]}],
    ("CALL-67", END): [{"notes": ["called back"]}],
    ("PAY-07", PAY): [{"amount": -50}],
    ("PAY-08", PAY): [{"amount": 0.001}, {"amount": 100.999}],
    ("PAY-10", PAY): [{"currency": "US-D"}, {"currency": "$"}],
    ("PAY-11", PAY): [{"status": "Succeeded"}, {"status": "paid"}, {"status": ""}],
    ("PAY-12", PAY): [
        {"lead_id": {"id": 1}},
        {"lead_id": "not-a-uuid"},
        {"amount": "12.50"},
        {"amount": True},
        {"amount": None},
        {"payment_date": ["2026-01-05T10:00:00Z"]},
        {"status": ["pending"]},
        {"source": ["manual"]},
    ],
    ("PAY-16", CORRECT): [
        {"amount": -0.01},
        {"amount": "12.50"},
        {"amount": True},
        {"amount": {"dollars": 12}},
        {"currency": "EU"},
        {"currency": ""},
        {"currency": ["USD"]},
        {"status": "Succeeded"},
    ],
    ("PAY-26", PAY): [{"external_id": 4711}, {"call_id": 4711}, {"product_id": ["x"]}],
    ("PAY-26", CORRECT): [{"external_id": 4711}, {"external_id": ["x"]}],
    ("PAY-27", VERIFY): [{"call_id": 4711}, {"call_id": ["x"]}],
}


def _named(operation: str, wrong: dict[str, Any]) -> str:
    return f"{operation} {wrong}".replace("u" * 256, "u*256").replace("/", " ")


@pytest.mark.parametrize(
    ("operation", "wrong"),
    [
        pytest.param(operation, wrong, marks=check(requirement, spare=True), id=_named(operation, wrong))
        for (requirement, operation), each in RULES.items()
        for wrong in each
    ],
)
def test_a_wrong_field_is_refused(judge: Judge, spare_world: World, operation: str, wrong: dict[str, Any]) -> None:
    """A valid request with one field made wrong: another type, another format, or out of bounds.

    > The input rule of the field, as its requirement words it; the request MUST be refused.
    """
    valid = attempt(spare_world, operation)
    body = valid.body | wrong
    sent = spare_world.book_wrongly(body) if operation == BOOK else valid.with_body(body).by(spare_world.api)
    (requirement,) = judge.declared
    judge(requirement, sent, EXPECTED.get(requirement, refused))
