"""The filters of the opportunities list: by lead, by time, by stage."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any
from uuid import uuid4

from plumbline.fixtures.http.exchange import NotApplicableError
from plumbline.fixtures.judging.judge import Judge
from plumbline.fixtures.judging.matchers import (
    accepted,
    finds_exactly,
    finds_none,
    finds_once,
    refused,
)
from plumbline.fixtures.judging.oracles.list_oracles import FILTERS
from plumbline.fixtures.judging.values_as_text import as_json
from plumbline.fixtures.scenarios.builders import Builders
from plumbline.fixtures.scenarios.carriers import values_for
from plumbline.fixtures.scenarios.covering import REQUESTS
from plumbline.fixtures.scenarios.list_walk import MAX_PARTED_ROWS, half_of, walk
from plumbline.fixtures.scenarios.mark import check
from plumbline.fixtures.scenarios.shared.booking_scenario import BookingScenario
from plumbline.fixtures.scenarios.shared.list_scenario import ListScenario
from plumbline.fixtures.scenarios.shared.stage_scenario import STAGE_OF, StageScenario, stages_of
from plumbline.spec import catalogue
from plumbline.spec.comparing import instant, is_old, iso, same_id
from plumbline.spec.values.times import FORMS

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
DEALS, YEAR = "GET /v1/opportunities", timedelta(days=366)
LAST = REQUESTS[DEALS] - 1
"""Which of the forms of times stand without the other bound."""
PARTS = 4
"""Of the opportunities that were read, as pages; those of one stage are on some of them."""
MIN_ROWS = 3
"""As many opportunities make a walk of more than one page."""


@check("OPP-06", "OPP-07")
def test_date_bounds(judge: Judge, booking_scenario: BookingScenario) -> None:
    """The two bookings of a lead, with bounds at and just after their times, each written in
    another form.

    The other bound is a day off, so that only one decides; at last there is no other one.

    > `from_date` MUST yield only calls scheduled at or after it, and all of them; `to_date` only
    > those at or before it.
    """
    rows = booking_scenario.opportunities().rows
    times = sorted(moment for row in rows if (moment := instant(row.get("scheduled_at"))))
    if len(times) < 2 or times[0] == times[-1]:
        raise NotApplicableError("the two bookings do not show as two opportunities with a time")
    first, later, last, day = (
        times[0],
        times[0] + timedelta(seconds=1),
        times[-1],
        timedelta(days=1),
    )
    build = booking_scenario.build
    for number, (requirement, lowest, highest) in enumerate(
        (
            ("OPP-06", last, last + day),
            ("OPP-06", later, last + day),
            ("OPP-07", first - day, later),
            ("OPP-07", first - day, first),
            ("OPP-07", first - day, last),
        )
    ):
        kept = [time for time in times if lowest <= time <= highest]
        query = _written(build, number, lowest, highest)
        if number == LAST:
            del query["from_date"]
        page = build.api.get(
            "/v1/opportunities", lead_id=booking_scenario.lead(), limit=100, **query
        )
        moments = sorted(
            moment
            for row in (page.rows if page.ok else ())
            if (moment := instant(row.get("scheduled_at")))
        )
        judge(
            requirement,
            page,
            accepted,
            finds_exactly(moments, kept, f"for {as_json(query)} calls at", ordered=True),
        )


@check("OPP-06", "PAG-11")
def test_date_bounds_on_every_page(
    judge: Judge, build: Builders, list_scenario: ListScenario
) -> None:
    """Two pages of opportunities from a time on, of which the second one would show an earlier one
    if it forgot about the time.

    If there is no such time, the opportunities from now on; the second page is longer than what is
    left. The time is written in a form of its own.

    > `from_date` MUST yield only calls scheduled at or after it. A filter MUST stay in force on
    > every page of a walk.
    """
    now, rows = datetime.now(UTC), list_scenario.opportunities().rows
    bound, size = _left_out_on_next_page(rows, lambda moment, bound: moment < bound) or (
        now,
        half_of(rows, now),
    )
    from_date = _written(build, LAST, bound, now)["from_date"]
    walked = walk(build.api, "/v1/opportunities", pages=2, limit=size, from_date=from_date)
    for requirement, page in walked.filtered_by("OPP-06"):
        early = [
            iso(moment)
            for row in page.rows
            if (moment := instant(row.get("scheduled_at"))) and moment < bound
        ]
        if not judge(requirement, page, finds_none(early, f"no call before {iso(bound)}")):
            break
    if judge.forgotten():
        raise NotApplicableError("the first page is the last")


@check("OPP-07", "PAG-11", spare=True)
def test_the_later_bound_on_every_page(judge: Judge, list_scenario: ListScenario) -> None:
    """Two pages of opportunities up to a time, of which the second one would show a later one if it
    forgot about the time.

    > `to_date` MUST yield only calls scheduled at or before it. A filter MUST stay in force on
    > every page of a walk.
    """
    chosen = _left_out_on_next_page(
        list_scenario.opportunities().rows, lambda moment, bound: moment > bound
    )
    if chosen is None:
        raise NotApplicableError(
            "the opportunities are listed by the time at which they are scheduled"
        )
    bound, size = chosen
    walked = walk(
        list_scenario.build.api, "/v1/opportunities", pages=2, to_date=iso(bound), limit=size
    )
    for requirement, page in walked.filtered_by("OPP-07"):
        late = [
            iso(moment)
            for row in page.rows
            if (moment := instant(row.get("scheduled_at"))) and moment > bound
        ]
        if not judge(requirement, page, finds_none(late, f"no call after {iso(bound)}")):
            break
    if judge.forgotten():
        raise NotApplicableError("the first page is the last")


def _written(build: Builders, number: int, lowest: datetime, highest: datetime) -> dict[str, str]:
    """Both bounds, in the forms that one of the requests of a run carries."""
    forms = {
        value.field.path: FORMS[value.parts[0][0]] for value in values_for(build, DEALS, number)
    }
    return {
        "from_date": forms["?from_date"].write(lowest),
        "to_date": forms["?to_date"].write(highest),
    }


def _left_out_on_next_page(
    rows: list[dict[str, Any]], is_beyond: Callable[[datetime, datetime], bool]
) -> tuple[datetime, int] | None:
    """A bound in whole seconds and a page size with which both pages of a filtered walk leave
    something out; None without one.
    """
    times = [moment for row in rows if (moment := instant(row.get("scheduled_at")))]
    for bound in sorted({moment for moment in times if not moment.microsecond}, reverse=True):
        beyond = [is_beyond(moment, bound) for moment in times]
        places = [at for at, left_out in enumerate(beyond) if not left_out]
        for size, at in enumerate(places[:-1], 1):
            if (
                size <= MAX_PARTED_ROWS
                and any(beyond[:size])
                and any(beyond[at + 1 : at + 1 + size])
            ):
                return bound, size
    return None


@check("OPP-08")
def test_the_stage_filter_knows_more_than_one_call(
    judge: Judge, booking_scenario: BookingScenario
) -> None:
    """The won opportunities of a lead who has a closed call and an active booking.

    > The `stage` filter MUST yield only opportunities of that stage, and over the whole walk all of
    > them.
    """
    stages = stages_of(booking_scenario.with_one_closed())
    if not booking_scenario.first_closed().ok or "won" in stages:
        raise NotApplicableError("the opportunities of the lead are won, or an outcome was refused")
    shown = booking_scenario.won_with_one_closed()
    judge(
        "OPP-08", shown, finds_none(stages_of(shown), f"no opportunity, because all are {stages}")
    )


@check("OPP-08", "PAG-04", "PAG-11")
def test_a_walk_through_one_stage(judge: Judge, list_scenario: ListScenario) -> None:
    """The opportunities of a stage, if possible one that an empty page comes before, by pages that
    may be short or empty.

    > The `stage` filter MUST yield only opportunities of that stage, and over the whole walk all of
    > them. A walk to the end MUST NOT yield a record twice. A filter MUST stay in force on every
    > page of a walk.
    """
    whole = list_scenario.opportunities()
    settled = [row for row in whole.rows if row.get("stage") in SETTLED]
    if len(settled) < MIN_ROWS:
        raise NotApplicableError(f"fewer than {MIN_ROWS} opportunities have an outcome")
    size = min(99, len(whole.rows) // PARTS + 1)
    pages = {
        stage: [at // size for at, row in enumerate(whole.rows) if row.get("stage") == stage]
        for stage in sorted({str(row["stage"]) for row in settled})
    }
    stage = max(
        pages,
        key=lambda stage_of_pages: (
            len(set(pages[stage_of_pages])) <= pages[stage_of_pages][-1],
            -len(pages[stage_of_pages]),
        ),
    )
    walked = walk(
        list_scenario.build.api,
        "/v1/opportunities",
        pages=PARTS + 2 if whole.ended else PARTS,
        stage=stage,
        limit=size,
    )
    for requirement, page in walked.filtered_by("OPP-08"):
        others = stages_of(page) - {stage}
        if not judge(
            requirement, page, finds_none(others, f"no row at another stage than {stage}")
        ):
            break
    judge("PAG-04", walked.last, finds_once(walked.ids))
    ids_of_whole = set(whole.shown_again_by(walked))
    if not ids_of_whole:
        walked.demand_end()
    lost = [
        row["id"]
        for row in settled
        if row["stage"] == stage and str(row["id"]).lower() in ids_of_whole - set(walked.ids)
    ]
    if lost and not all(is_old(row) for row in settled if row["id"] in lost):
        # Somebody may have changed a young one meanwhile, so it is looked at again.
        now = list_scenario.build.api.get("/v1/opportunities", limit=100).rows
        lost = [row["id"] for row in now if row.get("id") in lost and row.get("stage") == stage]
    judge(
        "OPP-08",
        walked.last,
        finds_none(lost, f"no record missing of the {len(pages[stage])} at {stage}"),
    )
    if judge.forgotten():
        raise NotApplicableError("the first page is the last")


@check("OPP-05", spare=True)
def test_two_filters_at_once(judge: Judge, list_scenario: ListScenario) -> None:
    """The opportunities of a lead that are at a stage at which those of other leads are, too; or of
    one that has none.

    > The `lead_id` filter MUST yield only opportunities of that lead, and all of them.
    """
    rows = [
        row
        for row in list_scenario.opportunities().rows
        if row.get("stage") in SETTLED and row.get("lead_id")
    ]
    leads = {
        stage: {str(row["lead_id"]) for row in rows if row["stage"] == stage} for stage in SETTLED
    }
    stage = max(leads, key=lambda stage_of_leads: len(leads[stage_of_leads]))
    lead = min(leads[stage], default="")
    if len(leads[stage]) < 2:
        stage, lead = "booked", list_scenario.lead()
    page = list_scenario.build.api.get("/v1/opportunities", lead_id=lead, stage=stage, limit=100)
    others = {str(row.get("lead_id")) for row in page.rows if not same_id(row.get("lead_id"), lead)}
    judge("OPP-05", page, finds_none(others, f"no row of another lead than {lead}"))


@check("OPP-05", "OPP-06", "OPP-07", "OPP-08", spare=True)
def test_no_filter_gives_way_to_another(judge: Judge, second_org: Builders) -> None:
    """The opportunities of a call: by all that is true of them beside a lead, a time or a stage
    that none of them has.

    > The filters by lead, time and stage MUST yield only opportunities of that lead, within that
    > time, at that stage.
    """
    lead, list_of = (
        second_org.lead_of(second_org.shared_call()),
        partial(second_org.api.get, "/v1/opportunities"),
    )
    row = next(iter(list_of(lead_id=lead, limit=100).rows), None)
    if row is None or not (start := instant(row.get("scheduled_at"))):
        raise NotApplicableError("the call does not show as an opportunity with a time")
    true = {"lead_id": lead, "from_date": iso(start - YEAR), "to_date": iso(start + YEAR)}
    if (stage := str(row.get("stage"))) in catalogue().enumerations["opportunity-stage"]:
        true["stage"] = stage
    false = {
        "lead_id": str(uuid4()),
        "from_date": iso(start + YEAR),
        "to_date": iso(start - YEAR),
        "stage": EASILY_CONFUSED.get(stage, "interested"),
    }
    for name, value in false.items():
        others = {
            filter_name: text
            for filter_name, text in true.items()
            if not ("date" in name and "date" in filter_name)
        }
        page = list_of(**others | {name: value})
        rows = (
            [listed for listed in page.rows if _leaves_out(name, value, listed)] if page.ok else []
        )
        judge(
            FILTERS[DEALS][name],
            page,
            finds_none(rows, f"none that {name} {value} leaves out", "/data"),
        )


def _leaves_out(name: str, value: str, row: Mapping[str, Any]) -> bool:
    """Whether a filter leaves a row out."""
    if name in ("lead_id", "stage"):
        return not same_id(row.get(name), value)
    start, bound = instant(row.get("scheduled_at")), instant(value)
    return (
        start is not None
        and bound is not None
        and (start < bound if name == "from_date" else start > bound)
    )


@check("OPP-08")
def test_the_stage_filter(judge: Judge, stage_scenario: StageScenario) -> None:
    """The opportunities of one lead, filtered by the stage that they have and by one that is easily
    confused with it.

    > The `stage` filter MUST yield only opportunities of that stage, and over the whole walk all of
    > them.
    """
    plain = stage_scenario.as_they_are()
    stages = stages_of(plain)
    if len(stages) != 1:
        raise NotApplicableError("the opportunities of one lead are not at one stage")
    (stage,) = stages
    if stage != "new":  # a stored status may be shown (OPP-O08), but cannot be asked for
        same = walk(
            stage_scenario.build.api,
            "/v1/opportunities",
            pages=5,
            lead_id=stage_scenario.lead(),
            stage=stage,
            limit=100,
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
        stage_scenario.build.api,
        "/v1/opportunities",
        pages=5,
        lead_id=stage_scenario.lead(),
        stage=other,
        limit=100,
    ).demand_end()
    judge(
        "OPP-08",
        none.last,
        finds_none(
            [row.get("stage") for row in none.rows], f"no opportunity, because none is at {other}"
        ),
    )


@check("OPP-09")
def test_an_unknown_stage_is_refused(judge: Judge, build: Builders) -> None:
    """A filter by a call status that is no stage.

    > A `stage` outside the thirteen values MUST be refused.
    """
    judge("OPP-09", build.api.get("/v1/opportunities", stage="closed"), refused)
