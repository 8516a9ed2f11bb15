"""Bookings that must be refused, and what they must not leave behind."""

from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import pytest

from plumbline.fixtures.http.exchange import NotApplicableError
from plumbline.fixtures.judging.judge import Judge
from plumbline.fixtures.judging.matchers import answered, finds_none, refused
from plumbline.fixtures.judging.values_as_text import as_json
from plumbline.fixtures.scenarios.builders import OFFSET, Builders, guest_fields
from plumbline.fixtures.scenarios.data import Guest
from plumbline.fixtures.scenarios.mark import check
from plumbline.fixtures.scenarios.shared.list_scenario import ListScenario
from plumbline.fixtures.scenarios.slots import JUST_PAST
from plumbline.fixtures.scenarios.wrong_values import MARKED
from plumbline.spec.comparing import iso, same, same_id, same_instant

ABSENT: Any = object()
AS_NUMBER: Any = object()
WRONG = [
    pytest.param({"booking_link_id": ABSENT}, marks=check("CALL-16"), id="no link"),
    pytest.param({"start_time": ABSENT}, marks=check("CALL-16"), id="no start"),
    pytest.param({"guest": ABSENT}, marks=check("CALL-16"), id="no guest"),
    pytest.param({"guest": "Ada"}, marks=check("CALL-16"), id="guest as text"),
    pytest.param({"start_time": "next Tuesday"}, marks=check("CALL-16"), id="start in words"),
    pytest.param({"start_time": {"at": 1}}, marks=check("CALL-16"), id="start as object"),
    pytest.param({"start_time": AS_NUMBER}, marks=check("CALL-16"), id="start in unix seconds"),
    pytest.param({"booking_link_id": {"id": 1}}, marks=check("CALL-16"), id="link as object"),
    pytest.param({"closer_email": MARKED}, marks=check("CALL-17"), id="closer without @"),
    pytest.param({"timezone": "Mars/Olympus_Mons"}, marks=check("CALL-17"), id="unknown zone"),
    pytest.param({"utm_source": "u" * 256}, marks=check("CALL-11"), id="utm_source of 256"),
    pytest.param({"utm_term": "u" * 256}, marks=check("CALL-11"), id="utm_term of 256"),
    pytest.param({"utm_content": "u" * 256}, marks=check("CALL-11"), id="utm_content of 256"),
    pytest.param({"utm_term": {"a": 1}}, marks=check("CALL-66"), id="utm_term as object"),
]


@pytest.mark.parametrize("wrong", WRONG)
def test_wrong_input_is_refused(judge: Judge, second_org: Builders, wrong: dict[str, Any]) -> None:
    """A valid booking with one field made wrong or left out.

    > A booking that lacks `booking_link_id`, `start_time` or `guest`, or gives one in the wrong
    > type or format, MUST be refused; likewise `answers` that are no object, an `end_time`,
    > `closer_email` or `timezone` that breaks its format, and a `utm_*` value longer than 255
    > characters.
    """
    body = second_org.booking(second_org.spare_slot()) | wrong
    if wrong.get("start_time") is AS_NUMBER:
        body["start_time"] = second_org.spare_slot().start
    exchange = second_org.book_wrongly(
        {name: value for name, value in body.items() if value is not ABSENT}
    )
    for requirement in judge.declared:
        judge(requirement, exchange, refused)


@check("CALL-66")
@pytest.mark.parametrize("answers", ["yes", [{"value": "yes"}]], ids=["text", "array"])
def test_answers_are_an_object(judge: Judge, build: Builders, answers: Any) -> None:
    """A booking of a link with a form, with answers that are a text or an array.

    > A booking whose `answers` is not an object MUST be refused.
    """
    judge(
        "CALL-66", build.book_wrongly(build.booking(build.spare_slot(), answers=answers)), refused
    )


@check("CALL-12", "CALL-20", "CALL-21")
def test_refused_bookings_leave_nothing(judge: Judge, build: Builders) -> None:
    """A known guest, under a new name, books the last time of a slot that is over and a free one,
    answering a field of no form.

    > A `start_time` that is not in the future MUST be refused. A refused booking MUST NOT leave a
    > call, and MUST NOT create or change a lead.
    """
    slot, lead = build.spare_slot(), build.lead()
    before = build.api.get("/v1/leads/{id}", id=lead).data
    guest = Guest(build.sample_data.guest().name, build.shared_guest.email)
    missed = iso(build.just_missed())
    late = build.book_wrongly(build.booking(slot, guest, start_time=missed, utm_source="late"))
    judge("CALL-12", late, refused)
    odd = build.answers() | {str(uuid4()): "something"}
    answered_oddly = build.book_wrongly(build.booking(slot, guest, answers=odd, utm_source="odd"))
    if late.ok or answered_oddly.ok:
        raise NotApplicableError("a booking was not refused")
    listed = build.api.get("/v1/calls", lead_id=lead, limit=100)
    tried = (missed, iso(slot.starts_at))
    own = [row for row in listed.rows if same_id(row.get("lead_id", lead), lead)]
    left = [
        at
        for row in own
        if any(same_instant(at := row.get("scheduled_at"), start) for start in tried)
    ]
    judge("CALL-20", listed, finds_none(left, f"no call at {' or '.join(tried)}"))
    after = build.api.get("/v1/leads/{id}", id=lead)
    kept, now = guest_fields(before), guest_fields(after.data)
    judge.that(
        "CALL-21",
        same(now, kept),
        after,
        expected=f"{as_json(kept)} as before the refused bookings",
        received=now,
        where="/data",
    )


@check("CALL-21")
def test_a_refused_booking_makes_no_lead(judge: Judge, list_scenario: ListScenario) -> None:
    """A new guest books a slot of an earlier week; the list of leads afterwards, also without all
    others who were refused.

    > A refused booking MUST NOT create or change a lead.
    """
    if list_scenario.refused_booking().ok:
        raise NotApplicableError("the booking was not refused")
    walk, email = list_scenario.leads_after_booking(), list_scenario.refused_guest.email
    if list_scenario.lead() not in walk.ids:
        walk.demand_end()
    refused_to = {email: list_scenario.refused_booking()} | list_scenario.build.turned_away
    addresses = [row["email"] for row in walk.rows if row.get("email") in refused_to]
    shown = refused_to[addresses[0]] if addresses else walk.last
    judge("CALL-21", shown, finds_none(addresses, "no lead for the guest of a refused booking"))


@check("CALL-12")
def test_a_booking_a_moment_ago_is_refused(judge: Judge, build: Builders) -> None:
    """A start little more than a minute ago, written with an offset, so that it reads as if it lay
    ahead; then with its end.

    > A `start_time` that is not in the future MUST be refused.
    """
    slot, past = build.spare_slot(), (datetime.now(UTC) - JUST_PAST).astimezone(OFFSET)
    end = past + (slot.ends_at - slot.starts_at)
    late = build.booking(slot, start_time=past.isoformat())
    judge("CALL-12", build.book_wrongly(late), refused)
    said = {"end_time": end.isoformat(), "timezone": build.sample_data.zone()}
    judge("CALL-12", build.book_wrongly(late | said), refused)


@check("CALL-13")
def test_an_unknown_field_is_refused(judge: Judge, build: Builders) -> None:
    """A valid booking with an answer to a field that the link does not have; by the seed one whose
    name many objects have by nature.

    > An unknown answer field id MUST be answered with 400.
    """
    unknown = ("constructor", str(uuid4()), "toString", "__class__")
    name = unknown[build.session.settings.seed % len(unknown)]
    answers = build.answers() | {name: "something"}
    judge(
        "CALL-13",
        build.book_wrongly(build.booking(build.spare_slot(), answers=answers)),
        answered(400),
    )


@check("CALL-14", main=True)
def test_an_unanswered_required_field_is_refused(judge: Judge, build: Builders) -> None:
    """Bookings on a link that has a required custom question: with answers to all others, and
    without any, wishing for a host.

    > An unanswered required field MUST be answered with 400.
    """
    required = [field for field in build.custom_fields() if field.get("required") is True]
    if not required:
        raise NotApplicableError(
            "the form of the booking link has no required question", "use a booking link with one"
        )
    answers = {
        name: value
        for name, value in build.answers(optional=True).items()
        if name != required[0]["id"]
    }
    judge(
        "CALL-14",
        build.book_wrongly(build.booking(build.spare_slot(), answers=answers)),
        answered(400),
    )
    slot = build.spare_slot()
    body = build.booking(slot, None, **({"closer_email": slot.emails[0]} if slot.emails else {}))
    del body["answers"]
    judge("CALL-14", build.book_wrongly(body), answered(400))


@check("CALL-14", main=True)
def test_an_empty_answer_is_none(judge: Judge, build: Builders) -> None:
    """A booking whose answer to a required custom question is null, or an empty text.

    > An unanswered required field MUST be answered with 400.
    """
    required = [field for field in build.custom_fields() if field.get("required") is True]
    if not required:
        raise NotApplicableError(
            "the form of the booking link has no required question", "use a booking link with one"
        )
    nothing = build.session.random("an empty answer").choice((None, ""))
    answers = build.answers() | {required[0]["id"]: nothing}
    judge(
        "CALL-14", build.book_wrongly(build.booking(build.spare_slot(), answers=answers)), refused
    )


@check("CALL-15")
def test_an_unknown_link_is_not_found(judge: Judge, build: Builders) -> None:
    """A valid booking on a link with a made-up id.

    > A booking on a booking link that does not exist MUST be answered with 404 and `NOT_FOUND`.
    """
    body = build.booking(build.spare_slot(), booking_link_id=str(uuid4()))
    body.pop("answers", None)
    judge("CALL-15", build.book_wrongly(body), answered(404, "NOT_FOUND"))
