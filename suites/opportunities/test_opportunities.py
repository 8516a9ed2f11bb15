"""The opportunities list and the stages that it derives."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from plumbline.fixtures.http.exchange import Exchange, NotApplicableError, PreconditionNotMet
from plumbline.fixtures.judging.judge import Judge
from plumbline.fixtures.judging.matchers import finds_exactly, finds_none, finds_once, refused
from plumbline.fixtures.planning.mark import check
from plumbline.fixtures.scenarios.builders import OFFSET, Builders
from plumbline.fixtures.scenarios.pagination import MAX_PARTED_ROWS, half_of, walk
from plumbline.fixtures.scenarios.shared.bookings import BookingScenario
from plumbline.fixtures.scenarios.shared.lists import ListScenario
from plumbline.fixtures.scenarios.shared.stages import FALL_THROUGH, STAGE_OF, StageScenario, stages_of
from plumbline.fixtures.values import instant, is_old, iso, same_id, same_instant
from plumbline.spec import catalogue

NINE = frozenset(catalogue().enumerations["call-status"])
ACTIVE = frozenset({"booked", "confirmed"})
STAGE_JUDGED = {"closed": "OPP-11", "shown": "OPP-12"}
"""The requirements about the stages of two outcomes; OPP-13 holds all others."""
SETTLED = frozenset(STAGE_OF.values())
EASILY_CONFUSED = {
    "unfit": "disqualified",
    "won": "attended",
    "attended": "won",
    "no_show": "cancelled",
    "cancelled": "declined",
    "declined": "lost",
    "lost": "declined",
    "follow_up": "attended",
    "booked": "confirmed",
    "interested": "qualified",
}
MIN_ROWS = 3
"""As many opportunities make a walk of more than one page."""


def judge_stages(judge: Judge, requirement: str, exchange: Exchange, allowed: Iterable[str]) -> None:
    """Judge that a lead has opportunities, all at an allowed stage: the stage derives from the whole history of the lead."""
    found, wanted = stages_of(exchange), frozenset(allowed)
    judge.that(
        requirement,
        bool(found) and wanted >= found,
        exchange,
        expected=f"stage {' or '.join(sorted(wanted))}",
        received=f"stages {sorted(found)}",
        where="/data",
    )


@check("OPP-01", "OPP-02", "OPP-05", "OPP-16", cost=0)
def test_bookings_are_opportunities(judge: Judge, booking_scenario: BookingScenario) -> None:
    """A guest who has booked twice, and the opportunities of the lead.

    > Every booking call MUST appear in the opportunities list, joined to its lead. `lead` MUST hold the id, name and email of the
    > lead. The `lead_id` filter MUST yield only opportunities of that lead, and all of them. `call_status`, `scheduled_at` and
    > `booking_link_id` MUST agree with the call.
    """
    listed, calls, lead = booking_scenario.opportunities(), booking_scenario.calls_of_lead().rows, booking_scenario.lead()
    rows, known = listed.rows, booking_scenario.lead_read().data
    expected = f"{len(calls)} opportunities, one for each call"
    judge.that("OPP-01", len(rows) >= len(calls) > 0, listed, expected=expected, received=f"{len(rows)}", where="/data")
    others = [row["lead_id"] for row in rows if row.get("lead_id") and not same_id(row["lead_id"], lead)]
    received = f"{len(rows)} rows, of other leads {others[:3]}"
    holds = not others and bool(rows)
    judge.that("OPP-05", holds, listed, expected="opportunities of the lead only", received=received, where="/data")
    wanted = known.get("full_name"), known.get("email")
    joined = [row["lead"] for row in rows if isinstance(row.get("lead"), dict)]
    odd = [each for each in joined if not same_id(each.get("id"), lead) or (each.get("name"), each.get("email")) != wanted]
    judge.that("OPP-02", bool(joined) and not odd, listed, expected=f"{wanted}", received=(odd or rows)[:1], where="/data/0/lead")
    for call in calls:
        twin = next((row for row in rows if same_instant(row.get("scheduled_at"), call.get("scheduled_at"))), None)
        expected = f"an opportunity like the call {call.get('id')}"
        found = twin or "none at its time"
        judge.that("OPP-16", twin is not None and agrees(twin, call), listed, expected=expected, received=found, where="/data")


def agrees(opportunity: Mapping[str, Any], call: Mapping[str, Any]) -> bool:
    """Whether an opportunity has the status of its call, as far as it shows one, and its booking link.

    A call without an outcome may have one word in the calls list and another one here (CALL-O01).
    """
    link, shown, status = call.get("booking_link_id"), opportunity.get("call_status"), call.get("status")
    linked = link is None or same_id(opportunity.get("booking_link_id"), link)
    return linked and (shown in (status, None) or NINE.isdisjoint({shown, status}))


@check("OPP-10", cost=0)
def test_an_active_booking_is_booked(judge: Judge, booking_scenario: BookingScenario) -> None:
    """A lead with two bookings in the future.

    > A lead with an active future booking MUST be at stage `booked`, or `confirmed` when the guest accepted.
    """
    judge_stages(judge, "OPP-10", booking_scenario.opportunities(), ACTIVE)


@check("OPP-11", "OPP-14", cost=0)
def test_an_active_booking_wins_over_a_closed_call(judge: Judge, booking_scenario: BookingScenario) -> None:
    """A lead with two calls: first one of them is closed while the other is booked, then the other one too.

    > An active future booking MUST win over any past outcome. A `closed` outcome MUST derive the stage `won`.
    """
    if not (booking_scenario.first_closed().ok and booking_scenario.second_closed().ok):
        raise NotApplicableError("an outcome of a call in the future was refused")
    judge_stages(judge, "OPP-14", booking_scenario.with_one_closed(), ACTIVE)
    judge_stages(judge, "OPP-11", booking_scenario.with_both_closed(), {"won"} | FALL_THROUGH)


@check("OPP-10", "OPP-13", "OPP-14", "OPP-11", cost=0)
def test_the_latest_outcome_counts(judge: Judge, stage_scenario: StageScenario) -> None:
    """An earlier call that was missed, a later one that is booked meanwhile, then closed.

    > An active future booking MUST win over any past outcome; then the most recent past outcome counts.
    """
    judge_stages(judge, "OPP-10", stage_scenario.booked(), ACTIVE)
    if not (stage_scenario.missed().ok and stage_scenario.closed().ok):
        raise NotApplicableError("an outcome of a call in the future was refused")
    judge_stages(judge, "OPP-13", stage_scenario.after_miss(), {"no_show"} | stage_scenario.fall_through_of_first())
    judge_stages(judge, "OPP-14", stage_scenario.booked_again(), ACTIVE)
    judge_stages(judge, "OPP-11", stage_scenario.after_close(), {"won"} | stage_scenario.fall_through())


@pytest.mark.parametrize(
    "status",
    [pytest.param(status, marks=check(STAGE_JUDGED.get(status, "OPP-13"), "OPP-01", "OPP-16", cost=0)) for status in STAGE_OF],
)
def test_every_outcome_derives_its_stage(judge: Judge, stage_scenario: StageScenario, status: str) -> None:
    """Each status in turn on the latest of the two calls of a lead.

    > Every booking call MUST appear in the opportunities list. `closed` MUST derive `won`, `shown` MUST derive `attended`, and
    > `no_show`, `cancelled`, `lost`, `follow_up`, `declined` and `unfit` the stage of the same name. `call_status` MUST agree
    > with its call.
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
    judge.that("OPP-16", agree, step.opportunities, expected=f"a call that is {status}", received=shown, where="/data")
    judge.that("OPP-01", len(rows) >= 2, step.opportunities, expected="both calls", received=f"{len(rows)} rows", where="/data")
    # Where the outcome of the earlier call was refused, that call is still booked and comes first.
    still_booked = frozenset() if stage_scenario.missed().ok else ACTIVE
    judge_stages(judge, requirement, step.opportunities, {STAGE_OF[status]} | stage_scenario.fall_through() | still_booked)


@check("OPP-03", "OPP-15", cost=0)
def test_newest_first(judge: Judge, list_scenario: ListScenario) -> None:
    """A walk through all opportunities.

    > The opportunities list MUST be ordered newest first.
    """
    rows, last = list_scenario.opportunities().rows, list_scenario.opportunities().pages[0]
    judge.traffic(last)
    orders = {key: [moment for row in rows if (moment := instant(row.get(key)))] for key in ("created_at", "scheduled_at")}
    falling = [key for key, moments in orders.items() if len(moments) > 1 and moments == sorted(moments, reverse=True)]
    if all(len(moments) < 2 for moments in orders.values()):
        raise NotApplicableError("fewer than two opportunities carry a time")
    first = {key: [iso(moment) for moment in moments[:4]] for key, moments in orders.items()}
    judge.that(
        "OPP-03", bool(falling), last, expected="`created_at` or `scheduled_at` never increasing", received=first, where="/data"
    )


@check("OPP-04")
def test_the_default_page_holds_twenty(judge: Judge, build: Builders, list_scenario: ListScenario) -> None:
    """A page without `limit`, in an organization with more than 20 opportunities.

    > Without `limit` a page MUST hold 20 opportunities when there are more.
    """
    page = build.api.get("/v1/opportunities")
    rows, more = len(page.rows), page.at("/pagination/has_more") is True
    if rows <= 20 and not more and len(list_scenario.opportunities().rows) <= 20:
        raise NotApplicableError("the organization has no more than 20 opportunities")
    judge.that("OPP-04", rows == 20, page, expected="20 rows", received=f"{rows} rows", where="/data")


@check("OPP-06", "OPP-07", cost=4)
def test_date_bounds(judge: Judge, booking_scenario: BookingScenario) -> None:
    """The two bookings of a lead, with bounds at and just after their times, one of them with an offset, and with both bounds.

    Of both bounds the earlier one is a day off, so that only the later one decides.

    > `from_date` MUST yield only calls scheduled at or after it, and all of them; `to_date` only those at or before it.
    """
    rows = booking_scenario.opportunities().rows
    times = sorted(moment for row in rows if (moment := instant(row.get("scheduled_at"))))
    if len(times) < 2 or times[0] == times[-1]:
        raise NotApplicableError("the two bookings do not show as two opportunities with a time")
    first, later, last = times[0], times[0] + timedelta(seconds=1), times[-1]
    for requirement, bounds in (
        ("OPP-06", {"from_date": last}),
        ("OPP-06", {"from_date": later}),
        ("OPP-07", {"to_date": later}),
        ("OPP-07", {"from_date": first - timedelta(days=1), "to_date": first}),
    ):
        lowest, highest = bounds.get("from_date", first), bounds.get("to_date", last)
        kept = [time for time in times if lowest <= time <= highest]
        query = {name: iso(each) if name == "to_date" else each.astimezone(OFFSET).isoformat() for name, each in bounds.items()}
        page = booking_scenario.build.api.get("/v1/opportunities", lead_id=booking_scenario.lead(), limit=100, **query)
        found = sorted(moment for row in page.rows if (moment := instant(row.get("scheduled_at"))))
        judge(requirement, page, finds_exactly(found, kept, f"for {query} calls at", ordered=True))


@check("OPP-06", "PAG-11", cost=2)
def test_date_bounds_on_every_page(judge: Judge, build: Builders, list_scenario: ListScenario) -> None:
    """Two pages of opportunities from now on; the second page is longer than what is left.

    > `from_date` MUST yield only calls scheduled at or after it. A filter MUST stay in force on every page of a walk.
    """
    now = datetime.now(UTC)
    size = half_of(list_scenario.opportunities().rows, now)
    found = walk(build.api, "/v1/opportunities", pages=2, from_date=iso(now), limit=size)
    for requirement, page in found.filtered_by("OPP-06"):
        early = [iso(moment) for row in page.rows if (moment := instant(row.get("scheduled_at"))) and moment < now]
        if not judge(requirement, page, finds_none(early, f"no call before {iso(now)}")):
            break
    if judge.forgotten():
        raise NotApplicableError("the first page is the last")


@check("OPP-07", "PAG-11", cost=2, spare=True)
def test_the_later_bound_on_every_page(judge: Judge, list_scenario: ListScenario) -> None:
    """Two pages of opportunities up to a time, of which the second one would show a later one if it forgot about the time.

    > `to_date` MUST yield only calls scheduled at or before it. A filter MUST stay in force on every page of a walk.
    """
    bound, size = _later_on_next_page(list_scenario.opportunities().rows)
    found = walk(list_scenario.build.api, "/v1/opportunities", pages=2, to_date=iso(bound), limit=size)
    for requirement, page in found.filtered_by("OPP-07"):
        late = [iso(moment) for row in page.rows if (moment := instant(row.get("scheduled_at"))) and moment > bound]
        if not judge(requirement, page, finds_none(late, f"no call after {iso(bound)}")):
            break
    if judge.forgotten():
        raise NotApplicableError("the first page is the last")


def _later_on_next_page(rows: list[dict[str, Any]]) -> tuple[datetime, int]:
    """A time in whole seconds and a size of pages: both pages of what lies before it leave out something later."""
    times = [moment for row in rows if (moment := instant(row.get("scheduled_at")))]
    for bound in sorted({moment for moment in times if not moment.microsecond}, reverse=True):
        places = [at for at, moment in enumerate(times) if moment <= bound]
        for size, at in enumerate(places[:-1], 1):
            if size <= MAX_PARTED_ROWS and max(times[:size]) > bound and max(times[at + 1 : at + 1 + size]) > bound:
                return bound, size
    raise NotApplicableError("the opportunities are listed by the time at which they are scheduled")


@check("OPP-08", cost=0)
def test_the_stage_filter_knows_more_than_one_call(judge: Judge, booking_scenario: BookingScenario) -> None:
    """The won opportunities of a lead who has a closed call and an active booking.

    > The `stage` filter MUST yield only opportunities of that stage, and over the whole walk all of them.
    """
    stages = stages_of(booking_scenario.with_one_closed())
    if not booking_scenario.first_closed().ok or "won" in stages:
        raise NotApplicableError("the opportunities of the lead are won, or an outcome was refused")
    found = booking_scenario.won_with_one_closed()
    judge("OPP-08", found, finds_none(stages_of(found), f"no opportunity, because all are {stages}"))


@check("OPP-08", "PAG-04", "PAG-11", cost=7)
def test_a_walk_through_one_stage(judge: Judge, list_scenario: ListScenario) -> None:
    """The opportunities of a stage, if possible one that an empty page comes before, by pages that may be short or empty.

    > The `stage` filter MUST yield only opportunities of that stage, and over the whole walk all of them. A walk to the end MUST
    > NOT yield a record twice. A filter MUST stay in force on every page of a walk.
    """
    whole = list_scenario.opportunities()
    settled = [row for row in whole.rows if row.get("stage") in SETTLED]
    if len(settled) < MIN_ROWS:
        raise NotApplicableError(f"fewer than {MIN_ROWS} opportunities have an outcome")
    size = min(99, len(whole.rows) // 6 + 1)
    pages = {
        stage: [at // size for at, row in enumerate(whole.rows) if row.get("stage") == stage]
        for stage in sorted({str(row["stage"]) for row in settled})
    }
    stage = max(pages, key=lambda each: (len(set(pages[each])) <= pages[each][-1], -len(pages[each])))
    found = walk(list_scenario.build.api, "/v1/opportunities", pages=8 if whole.ended else 6, stage=stage, limit=size)
    for requirement, page in found.filtered_by("OPP-08"):
        others = stages_of(page) - {stage}
        if not judge(requirement, page, finds_none(others, f"no row at another stage than {stage}")):
            break
    judge("PAG-04", found.last, finds_once(found.ids))
    known = set(whole.shown_again_by(found))
    if not known:
        found.demand_end()
    lost = [row["id"] for row in settled if row["stage"] == stage and str(row["id"]).lower() in known - set(found.ids)]
    if lost and not all(is_old(row) for row in settled if row["id"] in lost):
        # Somebody may have changed a young one meanwhile, so it is looked at again.
        now = list_scenario.build.api.get("/v1/opportunities", limit=100).rows
        lost = [row["id"] for row in now if row.get("id") in lost and row.get("stage") == stage]
    judge("OPP-08", found.last, finds_none(lost, f"no record missing of the {len(pages[stage])} at {stage}"))
    if judge.forgotten():
        raise NotApplicableError("the first page is the last")


@check("OPP-05", spare=True)
def test_two_filters_at_once(judge: Judge, list_scenario: ListScenario) -> None:
    """The opportunities of a lead that are at a stage at which those of other leads are, too; or of one that has none.

    > The `lead_id` filter MUST yield only opportunities of that lead, and all of them.
    """
    rows = [row for row in list_scenario.opportunities().rows if row.get("stage") in SETTLED and row.get("lead_id")]
    leads = {stage: {str(row["lead_id"]) for row in rows if row["stage"] == stage} for stage in SETTLED}
    stage = max(leads, key=lambda each: len(leads[each]))
    lead = min(leads[stage], default="")
    if len(leads[stage]) < 2:
        stage, lead = "booked", list_scenario.lead()
    page = list_scenario.build.api.get("/v1/opportunities", lead_id=lead, stage=stage, limit=100)
    others = {str(row.get("lead_id")) for row in page.rows if not same_id(row.get("lead_id"), lead)}
    judge("OPP-05", page, finds_none(others, f"no row of another lead than {lead}"))


@check("OPP-08", cost=3)
def test_the_stage_filter(judge: Judge, stage_scenario: StageScenario) -> None:
    """The opportunities of one lead, filtered by the stage that they have and by one that is easily confused with it.

    > The `stage` filter MUST yield only opportunities of that stage, and over the whole walk all of them.
    """
    plain = stage_scenario.opportunities()
    found = stages_of(plain)
    if len(found) != 1:
        raise NotApplicableError("the opportunities of one lead are not at one stage")
    (stage,) = found
    if stage != "new":  # a stored status may be shown (OPP-O08), but cannot be asked for
        same = walk(
            stage_scenario.build.api, "/v1/opportunities", pages=5, lead_id=stage_scenario.lead(), stage=stage, limit=100
        ).demand_end()
        judge.that(
            "OPP-08",
            len(same.rows) == len(plain.rows),
            same.last,
            expected=f"{len(plain.rows)} opportunities at {stage}",
            received=f"{len(same.rows)}",
            where="/data",
        )
    other = EASILY_CONFUSED.get(stage, "interested")
    none = walk(
        stage_scenario.build.api, "/v1/opportunities", pages=5, lead_id=stage_scenario.lead(), stage=other, limit=100
    ).demand_end()
    judge("OPP-08", none.last, finds_none([row.get("stage") for row in none.rows], f"no opportunity, because none is at {other}"))


@check("OPP-09")
def test_an_unknown_stage_is_refused(judge: Judge, build: Builders) -> None:
    """A filter by a call status that is no stage.

    > A `stage` outside the thirteen values MUST be refused.
    """
    judge("OPP-09", build.api.get("/v1/opportunities", stage="closed"), refused)
