"""Bookings, reschedules and availability while the calendar provider is not well."""

import pytest

from plumbline.fixtures.http.exchange import NotApplicableError, PreconditionNotMet
from plumbline.fixtures.judging.judge import Judge
from plumbline.fixtures.judging.matchers import accepted, answered, finds_none
from plumbline.fixtures.judging.values_as_text import as_json
from plumbline.fixtures.scenarios.builders import Builders, guest_fields
from plumbline.fixtures.scenarios.data import Guest
from plumbline.fixtures.scenarios.mark import check
from plumbline.fixtures.scenarios.sample_requests import ON_LINKS, sample_request
from plumbline.fixtures.scenarios.shared.booking_scenario import BookingScenario
from plumbline.fixtures.session.controller_client import Controller
from plumbline.spec.comparing import same, same_instant

BOOKING = [
    pytest.param("rejecting", 422, marks=check("CALL-53", "CALL-55", main=True)),
    pytest.param("degraded", 502, marks=check("CALL-54", "CALL-55", main=True)),
]
MOVING = [
    pytest.param("rejecting", 422, marks=check("CALL-56", main=True)),
    pytest.param("degraded", 502, marks=check("CALL-57", main=True)),
]
LOOKING = [
    pytest.param("rejecting", 422, marks=check("LINK-18", main=True)),
    pytest.param("degraded", 502, marks=check("LINK-19", main=True)),
]


@pytest.mark.parametrize(("mode", "status"), BOOKING)
def test_a_failed_booking_leaves_nothing(
    judge: Judge, booking_scenario: BookingScenario, mode: str, status: int
) -> None:
    """A known guest, under a new name, books a free slot while the provider rejects events or is
    degraded, two or three times.

    The last time repeats the idempotency key of the first one, whose request is no longer in
    flight. Then a new guest tries, who must not show up among the leads later on (CALL-21).
    Afterwards somebody else books the slot.

    > A booking that the calendar provider rejects MUST be answered with 422, one while the provider
    > is degraded with 502, both with `EXTERNAL_API_ERROR`. A booking that failed upstream MUST NOT
    > leave a call or a changed lead.
    """
    build, lead = booking_scenario.build, booking_scenario.lead()
    booking_scenario.calls_of_lead()
    slot, before = (
        build.take_slot(fresh=True, few_hosts=True),
        build.api.get("/v1/leads/{id}", id=lead).data,
    )
    calls = {row.get("id") for row in build.api.get("/v1/calls", lead_id=lead, limit=100).rows}
    guest = Guest(build.sample_data.guest().name, booking_scenario.guest.email)
    key = {"Idempotency-Key": build.sample_data.token()}
    with build.session.states.provider(mode):
        body = build.booking(slot, guest, utm_source="late")
        failed, *_, repeated = (
            build.api.post("/v1/calls", body, headers=headers)
            for headers in ((key, key) if len(slot.emails) <= 2 else (key, {}, key))
        )
        other_org = build.sample_data.guest()
        if not (again := build.api.post("/v1/calls", build.booking(slot, other_org))).ok:
            build.turned_away[other_org.email] = again
    requirement = next(name for name in judge.declared if name != "CALL-55")
    judge(requirement, failed, answered(status, "EXTERNAL_API_ERROR"))
    in_flight = (repeated.status, repeated.code) == (409, "CONFLICT")
    judge.that(
        requirement,
        not in_flight,
        repeated,
        expected="a key whose first request is over",
        received="409 CONFLICT",
    )
    if failed.ok:
        raise NotApplicableError("the booking did not fail")
    after = build.api.get("/v1/leads/{id}", id=lead)
    kept, now = guest_fields(before), guest_fields(after.data)
    judge.that(
        "CALL-55",
        same(now, kept),
        after,
        expected=f"{as_json(kept)} as before the failed booking",
        received=now,
        where="/data",
    )
    listed = build.api.get("/v1/calls", lead_id=lead, limit=100)
    surplus = [row.get("id") for row in listed.rows if row.get("id") not in calls]
    judge(
        "CALL-55", listed, finds_none(surplus, "no call but those from before the failed booking")
    )
    judge("CALL-55", build.api.post("/v1/calls", build.booking(slot)), accepted)


@pytest.mark.parametrize(("mode", "status"), MOVING)
def test_a_failed_reschedule_changes_nothing(
    judge: Judge, build: Builders, mode: str, status: int
) -> None:
    """A call is moved to a free slot while the provider rejects events or is degraded; then it is
    cancelled and moved once more.

    > A reschedule that the provider rejects MUST be answered with 422, one while the provider is
    > degraded with 502, both with `EXTERNAL_API_ERROR`, and leave the call unchanged.
    """
    booked = build.book()
    call, lead = booked.id_of_data, build.lead_of(booked)
    move = sample_request(build, "POST /v1/calls/{id}/reschedule").at(call)
    with build.session.states.provider(mode):
        moved = move.by(build.api)
    (requirement,) = judge.declared
    judge(requirement, moved, answered(status, "EXTERNAL_API_ERROR"))
    cancelled = (
        mode == "degraded" and build.outcome(call, "cancelled").at("/data/status") == "cancelled"
    )
    if cancelled:
        with build.session.states.provider(mode):
            again = move.by(build.api)
    after = build.call(call, lead)
    stayed = same_instant(after.get("scheduled_at"), booked.data.get("scheduled_at"))
    stayed = stayed and (not cancelled or after.get("status") == "cancelled")
    expected = f"the{' cancelled' * cancelled} call at its old time"
    received = {name: after.get(name) for name in ("scheduled_at", "status")}
    done = moved.ok or (cancelled and again.ok)
    judge.that(requirement, stayed or done, moved, expected=expected, received=received)


@pytest.mark.parametrize(("mode", "status"), LOOKING)
def test_availability_reports_provider_errors(
    judge: Judge, build: Builders, mode: str, status: int
) -> None:
    """Availability while the provider rejects the configuration of the link or is degraded.

    > Availability MUST be answered with 422 and `EXTERNAL_API_ERROR` when the provider rejects the
    > configuration of the link, and with 502 and `EXTERNAL_API_ERROR` while the provider is
    > degraded.
    """
    look = sample_request(build, ON_LINKS[0])
    with build.session.states.provider(mode):
        answer = look.by(build.api)
    (requirement,) = judge.declared
    judge(requirement, answer, answered(status, "EXTERNAL_API_ERROR"))


@check("OPP-17", main=True)
def test_an_accepting_guest_confirms(judge: Judge, controller: Controller, build: Builders) -> None:
    """The guest of a booking accepts the invitation and is not among those of stage `booked` any
    more. That call is called off, and the guest books once more and says no.

    > The stage MUST be `confirmed` once the guest of an active future booking has accepted.
    """
    guest = build.sample_data.guest()
    booked = build.book(guest)
    lead = build.lead_of(booked)
    controller.ask("set_guest_rsvp", call_id=booked.id_of_data, status="yes")
    listed = build.api.get("/v1/opportunities", lead_id=lead)
    stages = [row.get("stage") for row in listed.rows]
    if judge.that(
        "OPP-17",
        set(stages) == {"confirmed"},
        listed,
        expected="stage confirmed",
        received=f"stages {as_json(stages)}",
        where="/data",
    ):
        filtered = build.api.get("/v1/opportunities", lead_id=lead, stage="booked")
        judge(
            "OPP-17",
            filtered,
            finds_none(filtered.rows, "no opportunity at stage booked of a guest who has accepted"),
        )
    try:
        controller.ask("cancel_call", call_id=booked.id_of_data)
    except PreconditionNotMet:  # then it is another guest who says no
        guest = build.sample_data.guest()
    booked = build.book(guest)
    controller.ask("set_guest_rsvp", call_id=booked.id_of_data, status="no")
    listed = build.api.get("/v1/opportunities", lead_id=build.lead_of(booked))
    wrong = [row for row in listed.rows if row.get("stage") == "confirmed"]
    judge("OPP-17", listed, finds_none(wrong, "no stage confirmed of a guest who has said no"))


@check("OPP-18", main=True)
def test_a_disqualified_lead(judge: Judge, controller: Controller, build: Builders) -> None:
    """A lead that is disqualified after its call was closed, and then books again.

    > A form or intent disqualification MUST derive `disqualified` unless newer booking activity
    > overrides it.
    """
    guest = build.sample_data.guest()
    booked = build.book(guest)
    lead = build.lead_of(booked)
    build.outcome(booked.id_of_data, "cancelled")
    controller.ask("disqualify_lead", lead_id=lead)
    listed = build.api.get("/v1/opportunities", lead_id=lead)
    stages = {row.get("stage") for row in listed.rows}
    judge.that(
        "OPP-18",
        stages == {"disqualified"},
        listed,
        expected="stage disqualified",
        received=f"stages {as_json(stages)}",
        where="/data",
    )
    _ = build.book(guest).data
    listed = build.api.get("/v1/opportunities", lead_id=lead)
    stages = {row.get("stage") for row in listed.rows}
    judge.that(
        "OPP-18",
        "disqualified" not in stages,
        listed,
        expected="a newer booking to override it",
        received=f"stages {as_json(stages)}",
        where="/data",
    )
