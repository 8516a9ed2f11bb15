"""The opportunities list and the stages that it derives."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import zip_longest
from operator import itemgetter
from typing import Any

import pytest

from plumbline.fixtures.http.exchange import Exchange, NotApplicableError, PreconditionNotMet
from plumbline.fixtures.judging.judge import Judge
from plumbline.fixtures.judging.matchers import finds_none, resting_on
from plumbline.fixtures.judging.mismatch import Step
from plumbline.fixtures.judging.statuses import call_statuses
from plumbline.fixtures.judging.values_as_text import as_json
from plumbline.fixtures.scenarios.builders import Builders
from plumbline.fixtures.scenarios.mark import check
from plumbline.fixtures.scenarios.shared.booking_scenario import BookingScenario
from plumbline.fixtures.scenarios.shared.list_scenario import ListScenario
from plumbline.fixtures.scenarios.shared.stage_scenario import (
    FALL_THROUGH,
    STAGE_OF,
    StageScenario,
    stages_of,
)
from plumbline.spec.comparing import instant, is_old, same_id, same_instant

ACTIVE = frozenset({"booked", "confirmed"})
EARLIEST = datetime.min.replace(tzinfo=UTC)
MAX_LEADS_READ = 2
"""Leads from before the run whose calls are read."""
STAGE_JUDGED = {"closed": "OPP-11", "shown": "OPP-12"}
"""The requirements about the stages of two outcomes; OPP-13 holds all others."""


def judge_stages(
    judge: Judge, requirement: str, exchange: Exchange, allowed: Iterable[str]
) -> None:
    """Judge that a lead has opportunities, all at an allowed stage: the stage derives from the
    whole history of the lead.
    """
    stages, wanted = stages_of(exchange), frozenset(allowed)
    judge.that(
        requirement,
        bool(stages) and wanted >= stages,
        exchange,
        expected=f"stage {' or '.join(sorted(wanted))}",
        received=f"stages {as_json(sorted(stages))}",
        where="/data",
    )


@check("OPP-01", "OPP-02", "OPP-05", "OPP-16")
def test_bookings_are_opportunities(judge: Judge, booking_scenario: BookingScenario) -> None:
    """A guest who has booked twice, and the opportunities of the lead.

    > Every booking call MUST appear in the opportunities list, joined to its lead. `lead` MUST hold
    > the id, name and email of the lead. The `lead_id` filter MUST yield only opportunities of that
    > lead, and all of them. `call_status`, `scheduled_at` and `booking_link_id` MUST agree with the
    > call.
    """
    listed, calls, lead = (
        booking_scenario.opportunities(),
        booking_scenario.calls_of_lead().rows,
        booking_scenario.lead(),
    )
    rows, lead_data = listed.rows, booking_scenario.lead_read().data
    expected = f"{len(calls)} opportunities, one for each call"
    judge.that(
        "OPP-01",
        len(rows) >= len(calls) > 0,
        listed,
        expected=expected,
        received=f"{len(rows)}",
        where="/data",
    )
    others = [
        row["lead_id"] for row in rows if row.get("lead_id") and not same_id(row["lead_id"], lead)
    ]
    received = f"{len(rows)} rows, of other leads {others[:3]}"
    holds = not others and bool(rows)
    judge.that(
        "OPP-05",
        holds,
        listed,
        expected="opportunities of the lead only",
        received=received,
        where="/data",
    )
    wanted = lead_data.get("full_name"), lead_data.get("email")
    joined = [row["lead"] for row in rows if isinstance(row.get("lead"), dict)]
    odd = [
        row_joined
        for row_joined in joined
        if not same_id(row_joined.get("id"), lead)
        or (row_joined.get("name"), row_joined.get("email")) != wanted
    ]
    judge.that(
        "OPP-02",
        bool(joined) and not odd,
        listed,
        expected=as_json(wanted),
        received=(odd or rows)[:1],
        where="/data/0/lead",
    )
    for call in calls:
        twin = next(
            (
                row
                for row in rows
                if same_instant(row.get("scheduled_at"), call.get("scheduled_at"))
            ),
            None,
        )
        expected = f"an opportunity like the call {call.get('id')}"
        stage = twin or "none at its time"
        judge.that(
            "OPP-16",
            twin is not None and agrees(twin, call),
            listed,
            expected=expected,
            received=stage,
            where="/data",
        )


@check("OPP-02", spare=True)
def test_an_opportunity_shows_the_lead_of_now(judge: Judge, second_org: Builders) -> None:
    """A guest who has booked gets another name and address as a lead; then the opportunities of
    the lead.

    > `lead` of an opportunity MUST hold the id, name and email of the lead.
    """
    build = second_org
    booked, guest = build.book(), build.sample_data.guest()
    lead = build.lead_of(booked)
    build.leave(booked)
    renamed = build.api.patch(
        "/v1/leads/{id}", {"full_name": guest.name, "email": guest.email}, id=lead
    )
    shown = renamed.at("/data/full_name"), renamed.at("/data/email")
    if not renamed.ok or not all(isinstance(text, str) for text in shown):
        raise PreconditionNotMet(f"the lead was not renamed: {renamed.summary()}")
    listed = build.api.get("/v1/opportunities", lead_id=lead, limit=100)
    joined = [row["lead"] for row in listed.rows if isinstance(row.get("lead"), dict)]
    stale = [row for row in joined if (row.get("name"), row.get("email")) != shown]
    named = finds_none(stale, f"no lead but {as_json(shown)}", "/data")
    judge("OPP-02", listed, resting_on([Step(booked), Step(renamed), Step(listed)], named))


def _judge_newest_first(judge: Judge, page: Exchange, rows: list[dict[str, Any]]) -> bool | None:
    """Judge that opportunities come newest first by either time that they carry; None where that
    says nothing.
    """
    orders = {
        key: [moment for row in rows if (moment := instant(row.get(key)))]
        for key in ("created_at", "scheduled_at")
    }
    if all(len(moments) < 2 for moments in orders.values()):
        return None
    falling = any(
        len(moments) > 1 and moments == sorted(moments, reverse=True) for moments in orders.values()
    )
    first = {key: [row.get(key) for row in rows[:4]] for key in orders}
    expected = "`created_at` or `scheduled_at` never increasing"
    return judge.that("OPP-03", falling, page, expected=expected, received=first, where="/data")


def agrees(opportunity: Mapping[str, Any], call: Mapping[str, Any]) -> bool:
    """Whether an opportunity has the status of its call, as far as it shows one, and its booking
    link.

    A call without an outcome may have one word in the calls list and another one here (CALL-O01).
    """
    link, shown, status = (
        call.get("booking_link_id"),
        opportunity.get("call_status"),
        call.get("status"),
    )
    linked = link is None or same_id(opportunity.get("booking_link_id"), link)
    return linked and (shown in (status, None) or {shown, status}.isdisjoint(call_statuses()))


@check("OPP-10")
def test_an_active_booking_is_booked(judge: Judge, booking_scenario: BookingScenario) -> None:
    """A lead with two bookings in the future.

    > A lead with an active future booking MUST be at stage `booked`, or `confirmed` when the guest
    > accepted.
    """
    judge_stages(judge, "OPP-10", booking_scenario.opportunities(), ACTIVE)


@check("OPP-11", "OPP-14")
def test_an_active_booking_wins_over_a_closed_call(
    judge: Judge, booking_scenario: BookingScenario
) -> None:
    """A lead with two calls: first one of them is closed while the other is booked, then the other
    one too.

    > An active future booking MUST win over any past outcome. A `closed` outcome MUST derive the
    > stage `won`.
    """
    if not (booking_scenario.first_closed().ok and booking_scenario.second_closed().ok):
        raise NotApplicableError("an outcome of a call in the future was refused")
    judge_stages(judge, "OPP-14", booking_scenario.with_one_closed(), ACTIVE)
    judge_stages(judge, "OPP-11", booking_scenario.with_both_closed(), {"won"} | FALL_THROUGH)


@check("OPP-03", "OPP-10", "OPP-13", "OPP-14", "OPP-11")
def test_the_latest_outcome_counts(judge: Judge, stage_scenario: StageScenario) -> None:
    """An earlier call that was missed, a later one that is booked meanwhile, then closed; the later
    one is listed first.

    > An active future booking MUST win over any past outcome; then the most recent past outcome
    > counts. The opportunities list MUST be ordered newest first.
    """
    judge_stages(judge, "OPP-10", stage_scenario.booked(), ACTIVE)
    if not (stage_scenario.missed().ok and stage_scenario.closed().ok):
        raise NotApplicableError("an outcome of a call in the future was refused")
    judge_stages(
        judge,
        "OPP-13",
        stage_scenario.after_miss(),
        {"no_show"} | stage_scenario.fall_through_of_first(),
    )
    judge_stages(judge, "OPP-14", stage_scenario.booked_again(), ACTIVE)
    if (
        _judge_newest_first(
            judge, stage_scenario.booked_again(), stage_scenario.booked_again().rows
        )
        is None
    ):
        judge.not_applicable("OPP-03", "fewer than two opportunities of the lead carry a time")
    judge_stages(
        judge, "OPP-11", stage_scenario.after_close(), {"won"} | stage_scenario.fall_through()
    )


@pytest.mark.parametrize(
    "status",
    [
        pytest.param(status, marks=check(STAGE_JUDGED.get(status, "OPP-13"), "OPP-01", "OPP-16"))
        for status in STAGE_OF
    ],
)
def test_every_outcome_derives_its_stage(
    judge: Judge, stage_scenario: StageScenario, status: str
) -> None:
    """Each status in turn on the latest of the two calls of a lead, each beside another outcome of
    the earlier one.

    > Every booking call MUST appear in the opportunities list. `closed` MUST derive `won`, `shown`
    > MUST derive `attended`, and `no_show`, `cancelled`, `lost`, `follow_up`, `declined` and
    > `unfit` the stage of the same name. `call_status` MUST agree with its call.
    """
    step = stage_scenario.patched(status)
    if not step.changed.ok:
        raise NotApplicableError(f"a PATCH to `{status}` was refused")
    if step.after != status:
        raise PreconditionNotMet(f"a PATCH to `{status}` was accepted and set `{step.after}`")
    (requirement,) = judge.declared - {"OPP-01", "OPP-16"}
    rows = step.opportunities.rows
    shown = [row.get("call_status") for row in rows]
    agree = status in shown or set(shown) == {None}
    judge.that(
        "OPP-16",
        agree,
        step.opportunities,
        expected=f"a call that is {status}",
        received=shown,
        where="/data",
    )
    judge.that(
        "OPP-01",
        len(rows) >= 2,
        step.opportunities,
        expected="both calls",
        received=f"{len(rows)} rows",
        where="/data",
    )
    # Where the outcome of the earlier call was refused, or moved it, that call may still be booked
    # and comes first.
    judge_stages(
        judge,
        requirement,
        step.opportunities,
        {STAGE_OF[status]} | stage_scenario.fall_through() | step.also,
    )


@check("OPP-11", "OPP-12", "OPP-13")
def test_stages_of_earlier_leads(judge: Judge, list_scenario: ListScenario) -> None:
    """Leads with several calls from before the run whose time has passed, one for each latest
    outcome that there is.

    The latest outcome is that of the call which was scheduled and changed last; where these are
    two, nothing is said. A lead with a call that is over without an outcome comes first: it is no
    booking any more, and whether the outcome before it counts is open. Whether a lead was
    disqualified since is not known.

    > `closed` MUST derive `won`, `shown` MUST derive `attended`, and `no_show`, `cancelled`,
    > `lost`, `follow_up`, `declined` and `unfit` the stage of the same name.
    """
    build = list_scenario.build
    for lead in _leads_with_several(list_scenario.opportunities().rows)[:MAX_LEADS_READ]:
        listed = build.api.get("/v1/calls", lead_id=lead, limit=100)
        if status := _latest_outcome(listed.rows):
            over = FALL_THROUGH if _ends_without_outcome(listed.rows) else frozenset()
            at = next(
                at
                for at, row in enumerate(list_scenario.opportunities().rows)
                if same_id(row.get("lead_id"), lead)
            )
            row = list_scenario.opportunities().rows[at]
            page, where = list_scenario.opportunities().place_of(str(row.get("id")))
            allowed, stage = {STAGE_OF[status], "disqualified"} | over, row.get("stage")
            expected = f"{STAGE_OF[status]}, as the latest outcome of the lead is {status}"
            requirement, steps = STAGE_JUDGED.get(status, "OPP-13"), [Step(listed), Step(page)]
            judge.that(
                requirement,
                stage in allowed,
                page,
                expected=expected,
                received=stage,
                where=where,
                sequence=steps,
            )
    for requirement in judge.forgotten():
        judge.not_applicable(
            requirement,
            "no lead of the first opportunities has several calls from before with such an outcome",
        )


def _leads_with_several(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Leads with several old opportunities whose time has passed, spread over the statuses of the
    latest one, those with the most outcomes first; before them one whose last call has no outcome.
    """
    calls = defaultdict[str, list[Mapping[str, Any]]](list)
    for row in rows:
        calls[str(row.get("lead_id")).lower()].append(row)
    several = {
        lead: own
        for lead, own in calls.items()
        if len(own) > 1 and all(map(is_old, own)) and _latest_outcome(own)
    }
    by_status = defaultdict[str, list[str]](list)
    for lead, own in sorted(several.items(), key=lambda item: -len({*map(_status, item[1])})):
        by_status[str(_latest_outcome(own))].append(lead)
    spread = [lead for some in zip_longest(*by_status.values()) for lead in some if lead]
    first = next((lead for lead in spread if _ends_without_outcome(several[lead])), "")
    return sorted(spread, key=lambda lead: lead != first)


def _latest_outcome(rows: Iterable[Mapping[str, Any]]) -> str:
    """The latest outcome of some calls or opportunities whose time has passed; empty where it
    cannot be told.
    """
    calls = [
        (instant(row.get("scheduled_at")), instant(row.get("updated_at")), _status(row))
        for row in rows
    ]
    now = datetime.now(UTC) - timedelta(minutes=1)
    if not all(at and changed and at < now for at, changed, _ in calls):
        return ""
    decided = [call for call in calls if call[2] in call_statuses()]
    by_time, by_change = (
        max(decided, key=itemgetter(place), default=(None, None, "")) for place in (0, 1)
    )
    alone = len({at for at, _, _ in calls}) == len(calls)
    return by_time[2] if by_time == by_change and alone and by_time[2] in STAGE_OF else ""


def _ends_without_outcome(rows: Iterable[Mapping[str, Any]]) -> bool:
    """Whether the last of some calls or opportunities with a time has none of the nine statuses."""
    last = max(rows, key=lambda row: instant(row.get("scheduled_at")) or EARLIEST)
    return _status(last) not in call_statuses()


def _status(row: Mapping[str, Any]) -> str:
    """The status of a call, or of the call of an opportunity."""
    return str(row.get("call_status", row.get("status")))


@check("OPP-03", "OPP-15")
def test_newest_first(judge: Judge, list_scenario: ListScenario) -> None:
    """A walk through all opportunities.

    > The opportunities list MUST be ordered newest first.
    """
    rows, last = list_scenario.opportunities().rows, list_scenario.opportunities().pages[0]
    judge.traffic(last)
    if _judge_newest_first(judge, last, rows) is None:
        raise NotApplicableError("fewer than two opportunities carry a time")


@check("OPP-04", main=True)
def test_the_default_page_holds_twenty(judge: Judge, build: Builders, second_org: Builders) -> None:
    """A page without `limit`, in the first organization with more than 20 opportunities.

    > Without `limit` a page MUST hold 20 opportunities when there are more.
    """
    for organization in (build, second_org):
        page = organization.api.get("/v1/opportunities")
        rows = len(page.rows)
        if rows > 20 or page.at("/pagination/has_more") is True:
            judge.that(
                "OPP-04",
                rows == 20,
                page,
                expected="20 rows",
                received=f"{rows} rows",
                where="/data",
            )
            return
    raise NotApplicableError("no organization has more than 20 opportunities")
