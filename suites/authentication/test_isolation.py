"""What one organization sees of another: nothing."""

import json
from collections import Counter
from datetime import datetime, timedelta
from typing import Any

import pytest

from plumbline.fixtures.http.client import Client
from plumbline.fixtures.http.exchange import Exchange, NotApplicableError, PreconditionNotMet
from plumbline.fixtures.judging.judge import Judge
from plumbline.fixtures.judging.matchers import answered, any_of, finds_none, has
from plumbline.fixtures.scenarios.builders import Builders
from plumbline.fixtures.scenarios.list_walk import Walk, walk
from plumbline.fixtures.scenarios.mark import check
from plumbline.fixtures.scenarios.metrics import (
    ADS,
    CALLS,
    CAMPAIGNS,
    CLOSES,
    DASHBOARD,
    REVENUE,
    Ad,
    movements,
)
from plumbline.fixtures.scenarios.sample_requests import BY_PATH, SampleRequest
from plumbline.fixtures.scenarios.shared.analytics_looks import WINDOW_MARGIN
from plumbline.fixtures.scenarios.shared.booking_scenario import BookingScenario, CallScenario
from plumbline.fixtures.scenarios.shared.list_scenario import ListScenario
from plumbline.fixtures.scenarios.shared.refused_writes import RefusedWrites
from plumbline.spec import catalogue
from plumbline.spec.comparing import iso, same_id

CENT = 0.005
YEAR_DAYS = 366
SEEN_BY_OTHERS = "no record that the other organization sees too"
HIDDEN = any_of(answered(403), answered(404))


@check("AUTH-12")
@pytest.mark.parametrize("operation", BY_PATH)
def test_records_by_path(judge: Judge, requests_of_stranger: RefusedWrites, operation: str) -> None:
    """The owner of another organization makes a valid request for a record of this one.

    > A record of another organization addressed by path MUST be answered with 403, on every
    > operation.
    """
    judge("AUTH-12", requests_of_stranger.tried(operation), answered(403))


@check("AUTH-12")
def test_a_payment_is_not_verified_by_others(
    judge: Judge, other_org_build: Builders, build: Builders
) -> None:
    """The other organization verifies a payment of this one against a call of its own, so that
    nothing else stands in the way.

    > A record of another organization addressed by path MUST be answered with 403, on every
    > operation.
    """
    body, payment = (
        {"call_id": other_org_build.shared_call().id_of_data},
        build.shared_payment().id_of_data,
    )
    judge(
        "AUTH-12",
        other_org_build.api.post("/v1/payments/{id}/verify", body, id=payment),
        answered(403),
    )


@check("AUTH-13")
def test_records_in_bodies(judge: Judge, other_org_build: Builders, build: Builders) -> None:
    """The other organization pays for a lead and for a call of this one, verifies a payment against
    that call, books on its link.

    Whether a call that cannot be found keeps a payment from being recorded is open (PAY-O05); it
    may not be taken.

    > A record of another organization named in a body MUST be answered with 403 or 404.
    """
    status = build.sample_data.pick(catalogue().enumerations["payment-status"])
    judge("AUTH-13", other_org_build.pay(lead_id=build.lead(), status=status), HIDDEN)
    own = other_org_build.pay().id_of_data
    body = {"call_id": build.shared_call().id_of_data}
    judge("AUTH-13", other_org_build.api.post("/v1/payments/{id}/verify", body, id=own), HIDDEN)
    named = other_org_build.pay(call_id=build.shared_call().id_of_data)
    if same_id(named.at("/data/call_id"), build.shared_call().id_of_data):
        judge("AUTH-13", named, HIDDEN)
    booking = SampleRequest("POST /v1/calls", body=build.booking(build.spare_slot()))
    judge("AUTH-13", booking.by(other_org_build.api), HIDDEN)


@check("AUTH-13")
def test_a_host_is_not_borrowed(
    judge: Judge,
    booking_scenario: BookingScenario,
    call_scenario: CallScenario,
    other_org_build: Builders,
) -> None:
    """The other organization wishes for a host of this one; what becomes of a host that it does not
    have is open (CALL-O07).

    > A record of another organization named in a body MUST be answered with 403 or 404.
    """
    booked = booking_scenario.booked()
    if not _host_of(booked):  # it was booked without all that it says otherwise
        booked = call_scenario.booked()
    host, closer = _host_of(booked), booked.data.get("closer_id")
    if not host or not closer:
        raise PreconditionNotMet("the booking of this organization shows no host")
    if host in other_org_build.roster():
        raise NotApplicableError("this host works for both organizations")
    body = other_org_build.booking(other_org_build.take_slot(), closer_email=host)
    wished = other_org_build.api.post("/v1/calls", body)
    other_org_build.leave(wished)
    assigned = wished.at("/data/closer_id")
    judge.that(
        "AUTH-13",
        assigned != closer,
        wished,
        expected="a refusal, or a host of its own",
        received=assigned,
        where="/data/closer_id",
    )


def _host_of(booked: Exchange) -> str | None:
    """The address of the host whom a booking wished for."""
    host: str | None = json.loads(booked.request_body or b"{}").get("closer_email")
    return host


@check("AUTH-14")
@pytest.mark.parametrize("name", ["leads", "calls", "payments", "opportunities"])
def test_lists(judge: Judge, list_scenario: ListScenario, other_org: Client, name: str) -> None:
    """A list as the owner of another organization sees it, against this one's: its first page, and
    what follows its first row and, by the cursor of this organization, the first row of this one.

    The later page of the leads is asked for with `direction`. The first row and the later page are
    asked for with `is_upcoming` for calls, and with both dates for opportunities.

    > A list MUST hold only records of the organization of the key.
    """
    own, path = set(list_scenario.whole(name).ids), f"/v1/{name}"
    within = {
        name: iso(list_scenario.build.ago(days=days))
        for name, days in (("from_date", YEAR_DAYS), ("to_date", -YEAR_DAYS))
    }
    chosen = {"calls": {"is_upcoming": "true"}, "opportunities": within}.get(name, {})
    pages = [
        walk(other_org, path, pages=1, limit=100).last,
        walk(other_org, path, pages=1, limit=1, **chosen).last,
    ]
    cursor = pages[-1].at("/pagination/next_cursor")
    if isinstance(cursor, str) and cursor:
        forward = {"direction": "next"} if name == "leads" else chosen
        later = other_org.get(path, limit=100, cursor=cursor, **forward)
        pages += [later] if later.ok else []
    # A cursor may work once, so it is one that nobody else follows.
    first = list_scenario.build.api.get(path, limit=1)
    foreign = first.at("/pagination/next_cursor") if first.ok else None
    if isinstance(foreign, str) and foreign:
        pages.append(other_org.get(path, limit=100, cursor=foreign))
    shown = [(page, sorted(own & set(Walk([page]).ids))) for page in pages if page.ok and page.rows]
    page, shared = next(
        (page_and_ids for page_and_ids in shown if page_and_ids[1]), (pages[-1], [])
    )
    judge("AUTH-14", page, finds_none(shared, SEEN_BY_OTHERS))


@check("AUTH-14")
def test_opportunities_of_a_stage(
    judge: Judge, list_scenario: ListScenario, other_org: Client
) -> None:
    """The opportunities of the stage at which most of the newest ones of this organization are, as
    another one sees them.

    > A list MUST hold only records of the organization of the key.
    """
    newest = list_scenario.opportunities()
    stages = [
        row["stage"]
        for row in newest.rows[:20]
        if row.get("stage") in catalogue().enumerations["opportunity-stage"]
    ]
    stage = Counter(stages).most_common(1)[0][0] if stages else "booked"
    walked = walk(other_org, "/v1/opportunities", pages=1, stage=stage, limit=100)
    judge("AUTH-14", walked.last, finds_none(sorted({*newest.ids} & {*walked.ids}), SEEN_BY_OTHERS))


@check("AUTH-14")
def test_metrics_stay_apart(judge: Judge, build: Builders, other_org_build: Builders) -> None:
    """A booking of another organization by way of an ad, which is closed and paid for; what this
    organization sees of it.

    The dashboard is looked at before and after, in a window that holds hardly more than this call.

    > A list MUST hold only records of the organization of the key.
    """
    ad, slot, amount = (
        Ad.new(other_org_build.sample_data),
        other_org_build.take_slot(),
        other_org_build.sample_data.rare_amount(),
    )
    before = _around(build, slot.starts_at, WINDOW_MARGIN)
    booked = other_org_build.api.post("/v1/calls", other_org_build.booking(slot, **ad.utm))
    closed = other_org_build.outcome(booked.id_of_data, "closed")
    other_org_build.settle(closed)
    paid_for = {
        "lead_id": other_org_build.lead_of(booked),
        "call_id": booked.id_of_data,
        "payment_date": iso(slot.starts_at),
    }
    other_org_build.pay(amount=amount, **paid_for)
    # Another second, so that no answer that was kept is given again.
    after = _around(build, slot.starts_at, WINDOW_MARGIN + timedelta(seconds=1))
    paid = [
        move
        for move in movements(before, after, REVENUE[DASHBOARD])
        if abs(move.by - amount) < CENT
    ]
    judge(
        "AUTH-14",
        after,
        finds_none([move.pointer for move in paid], "no revenue of the other organization"),
    )
    # Where others act for this organization at the same moment, they may close a call at this very
    # time.
    if build.session.workers == 1 and closed.ok:
        counted = [
            [move.by for move in movements(before, after, places[DASHBOARD][:1])]
            for places in (CALLS, CLOSES)
        ]
        judge(
            "AUTH-14",
            after,
            finds_none(
                ["a call"] if counted == [[1], [1]] else [], "no call of the other organization"
            ),
        )
    window = {"start_date": iso(build.ago(days=1)), "end_date": iso(build.ago(days=-60))}
    exchanges = [
        exchange for path in (CAMPAIGNS, ADS) if (exchange := build.api.get(path, **window)).ok
    ]
    if not exchanges:
        raise NotApplicableError("no metrics of campaigns and ads are served")
    for exchange in exchanges:
        names = [name for name in ad.utm.values() if name.encode() in exchange.body]
        judge("AUTH-14", exchange, finds_none(names, "no ad of the other organization"))


def _around(build: Builders, moment: datetime, margin: timedelta) -> Exchange:
    """The dashboard of a window around a moment."""
    return build.api.get(DASHBOARD, start_date=iso(moment - margin), end_date=iso(moment + margin))


@check("AUTH-15")
def test_filters(
    judge: Judge, booking_scenario: BookingScenario, list_scenario: ListScenario, other_org: Client
) -> None:
    """The owner of another organization filters its lists by records and users of this one.

    > A filter that names another organization's record MUST NOT yield rows.
    """
    lead, link = booking_scenario.lead(), booking_scenario.build.booking_link()
    closer = str(booking_scenario.booked().data.get("closer_id") or "user_unknown")
    setters = [
        row["setter_id"]
        for row in list_scenario.calls().rows
        if isinstance(row.get("setter_id"), str)
    ]
    for path, query in (
        *(("/v1/calls", {"setter_id": setter}) for setter in setters[:1]),
        ("/v1/calls", {"closer_id": closer}),
        ("/v1/calls", {"lead_id": lead}),
        ("/v1/opportunities", {"lead_id": lead}),
        ("/v1/calls", {"booking_link_id": link}),
    ):
        page = other_org.get(path, **query)
        rows: Any = page.rows if page.ok else []
        judge.that(
            "AUTH-15",
            rows == [] or not page.ok,
            page,
            expected="no rows",
            received=f"{len(rows) if isinstance(rows, list) else rows} rows",
            where="/data",
        )


@check("AUTH-16")
def test_another_organization_changes_nothing(
    judge: Judge, requests_of_stranger: RefusedWrites
) -> None:
    """Every change of a record by the owner of another organization that was refused, and the
    records before and after.

    > A request refused for its organization MUST NOT have an effect.
    """
    for trace in requests_of_stranger.traces():
        judge.that(
            "AUTH-16",
            trace.kept,
            trace.exchange,
            expected=trace.expected,
            received=trace.after,
            where=trace.where,
        )
    if judge.forgotten():
        raise NotApplicableError("no change by another organization was refused")


@check("AUTH-17", "AUTH-30")
def test_idempotency_keys_and_guests_stay_apart(
    judge: Judge, booking_scenario: BookingScenario, other_org_build: Builders
) -> None:
    """Another organization books for the same guest, under an idempotency key that this one has
    used.

    > An idempotency key of one organization MUST NOT yield a call of another. A booking or a new
    > lead MUST NOT get the lead of another organization that has the same email address.
    """
    _, key = booking_scenario.sent[booking_scenario.booked().id]
    booked = other_org_build.book(booking_scenario.guest, headers={"Idempotency-Key": key})
    if not booked.ok:
        raise NotApplicableError("the booking of the other organization was refused")
    other = str(booked.data.get("id")).lower()
    judge.that(
        "AUTH-17",
        other != booking_scenario.call().lower(),
        booked,
        expected="a call of its own",
        received=f"the call {other}",
        where="/data/id",
    )
    if other != booking_scenario.call().lower():
        other_org_build.leave(booked)
        lead = other_org_build.lead_of(booked)
        judge.that(
            "AUTH-30",
            not same_id(lead, booking_scenario.lead()),
            booked,
            expected="a lead of its own",
            received=f"the lead {lead}",
            where="/data/lead_id",
        )


@check("AUTH-30", "LEAD-01")
def test_new_leads_stay_apart(judge: Judge, build: Builders, other_org_build: Builders) -> None:
    """Another organization, which does not know it, creates a lead with the address of a lead of
    this one.

    > A booking or a new lead MUST NOT get the lead of another organization that has the same email
    > address. `POST /v1/leads` with nothing but a valid `email` MUST create a lead with that
    > `email`.
    """
    lead = build.shared_lead()
    created = other_org_build.create_lead(email=lead.data.get("email"))
    judge("LEAD-01", created, has("/data/email", build.shared_guest.email))
    if not created.ok:
        raise NotApplicableError("the lead of the other organization was refused")
    judge.that(
        "AUTH-30",
        not same_id(created.data.get("id"), lead.id_of_data),
        created,
        expected="a lead of its own",
        received=f"the lead {lead.id_of_data}",
        where="/data/id",
    )
