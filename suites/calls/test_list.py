"""The list of calls and its filters."""

from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest

from plumbline.fixtures.http.client import Client
from plumbline.fixtures.http.exchange import Exchange, NotApplicableError, PreconditionNotMet
from plumbline.fixtures.judging.completeness import leaves_nothing_out, same_record
from plumbline.fixtures.judging.judge import Judge
from plumbline.fixtures.judging.matchers import accepted, finds_all, finds_none, refused, resting_on
from plumbline.fixtures.judging.mismatch import Step
from plumbline.fixtures.judging.oracles.list_oracles import FILTERS
from plumbline.fixtures.judging.statuses import call_statuses
from plumbline.fixtures.judging.values_as_text import as_json
from plumbline.fixtures.scenarios.background.parts import EVENTS
from plumbline.fixtures.scenarios.builders import Builders
from plumbline.fixtures.scenarios.carriers import same_text
from plumbline.fixtures.scenarios.list_walk import MAX_PARTED_ROWS, Walk, half_of, parted, walk
from plumbline.fixtures.scenarios.mark import check
from plumbline.fixtures.scenarios.shared.booking_scenario import UTM, BookingScenario, CallScenario
from plumbline.fixtures.scenarios.shared.list_scenario import ListScenario
from plumbline.fixtures.scenarios.shared.records_of_values import (
    LISTED,
    CallValues,
    accepted_of,
    sent_body,
)
from plumbline.fixtures.session.session import Session
from plumbline.spec import catalogue
from plumbline.spec.comparing import instant, is_old, iso, same_id

CALLS = "GET /v1/calls"
SELDOM = {"unfit", "declined", "rescheduled", "follow_up"}
NEVER_HELD = frozenset({"cancelled", "rescheduled"})
"""Statuses of calls that did not take place at their time."""
CLOCK_MARGIN = timedelta(minutes=1)
"""How near to now a call may be scheduled and still count as either side of it."""
PATTERN_BREAKERS = [
    {"status": "won"},
    {"closer_id": "ada"},
    {"setter_id": "ada"},
    {"closer_id": "user_a-b!"},
]


def judge_served(judge: Judge, requirement: str, page: Exchange) -> None:
    """Judge that a filter with a documented value is served."""
    judge(requirement, page, accepted)


def judge_rows(
    judge: Judge, requirement: str, page: Exchange, *, name: str, value: str, what: str = "call"
) -> bool:
    """Judge that every row of a filtered page carries the value."""
    others = sorted(
        {as_json(row.get(name)) for row in page.rows if not same_id(row.get(name), value)}
    )
    return judge(
        requirement, page, finds_none(others, f"no {what} with another {name} than {value}")
    )


def judge_holds(judge: Judge, requirement: str, page: Exchange, wanted: set[str]) -> None:
    """Judge that calls are on a page."""
    judge(requirement, page, finds_all(page.ids, wanted, f"the calls {sorted(wanted)}"))


def judge_known(judge: Judge, requirement: str, page: Exchange, rows: list[dict[str, Any]]) -> None:
    """Judge that a page holds what is known to belong there: all of it where it is the last one,
    else something.
    """
    whole = page.at("/pagination/has_more") is False
    missing = {str(row["id"]).lower() for row in rows if row.get("id")} - page.ids
    lost = sorted(missing) if whole or not page.rows else []
    judge(
        requirement,
        page,
        finds_none(lost, f"the {len(rows)} calls that the list without a filter shows"),
    )


@check("CALL-24")
def test_the_list_holds_the_calls(judge: Judge, list_scenario: ListScenario) -> None:
    """A walk through all calls after one was booked.

    > The calls list MUST contain the calls of the organization.
    """
    walk, call = list_scenario.calls(), list_scenario.build.shared_call().id_of_data.lower()
    if call not in walk.ids:
        walk.demand_end()
    booked = list_scenario.build.shared_call()
    held = finds_all(walk.ids, [call], f"the call {call} on one of its pages")
    judge("CALL-24", walk.last, resting_on(walk.after(booked), held))
    shown = booked.data
    row = walk.row_of(call) or shown
    if row.get("status") == shown.get(
        "status"
    ):  # a call that is over may have lost its place to meet
        page, at = walk.place_of(call)
        judge(
            "CALL-24",
            page,
            resting_on([Step(booked), Step(page)], leaves_nothing_out("Call", shown, row, at)),
        )


@check("CALL-24", spare=True)
def test_the_list_shows_the_whole_call(judge: Judge, call_values: CallValues) -> None:
    """A call with attribution, answers and notes, as the answer to its last change and as its row
    in the list of its lead.

    > The calls list MUST contain the calls of the organization.
    """
    booked, noted = (accepted_of(step(LISTED)) for step in (call_values.booked, call_values.noted))
    call, page = booked.id_of_data, call_values.listed()
    at, row = next(
        ((at, row) for at, row in enumerate(page.rows) if same_id(row.get("id"), call)), (0, {})
    )
    shown, steps = booked.data | noted.data, [Step(booked), Step(noted), Step(page)]
    if not same_text(shown.get("notes"), sent_body(noted).get("notes")):
        shown.pop("notes", None)  # what the answer to the PATCH makes of them is CALL-31
    judge("CALL-24", page, resting_on(steps, same_record("Call", shown, row, f"/data/{at}")))


@check("CALL-24", "CALL-25", "CALL-26", "CALL-27", "CALL-28", "OPP-01", "OPP-08", spare=True)
def test_every_status_is_told_from_the_others(
    judge: Judge, second_org: Builders, call_values: CallValues
) -> None:
    """Calls of nine guests, one at each of the nine statuses, by each status, and the opportunities
    by each stage there is.

    Some of them are calls that other checks are done with. First the calls and the opportunities
    without a filter, which hide none of them. A status is asked for also where no call took it.

    One of the calls is then looked for by all that is true of it beside a lead, a user or a link
    that does not exist.

    > The calls list MUST contain the calls of the organization. Every booking call MUST appear in
    > the opportunities list. The `status` filter of the calls list MUST yield only calls with that
    > status, and all of them; likewise those by lead, user and link. The `stage` filter MUST yield
    > only opportunities of that stage, and over the whole walk all of them.
    """
    outcomes = second_org.settled | call_values.outcomes()
    changed = {
        status: outcomes.get(status)
        or second_org.api.patch(
            "/v1/calls/{id}",
            {"status": status},
            id=second_org.any_call(),
        )
        for status in call_statuses()
    }
    records = {status: answer.data for status, answer in changed.items() if answer.ok}
    if len(records) > 1:
        _judge_unfiltered(judge, second_org.api, records)
    for status in call_statuses():  # that no call takes one of them does not make it unknown
        page = second_org.api.get("/v1/calls", status=status, limit=100)
        judge_served(judge, "CALL-25", page)
        judge_rows(judge, "CALL-25", page, name="status", value=status)
        judge_known(judge, "CALL-25", page, [records[status]] if status in records else [])
    for stage in catalogue().enumerations["opportunity-stage"]:
        page = second_org.api.get("/v1/opportunities", stage=stage, limit=100)
        judge("OPP-08", page, accepted)
        judge_rows(judge, "OPP-08", page, name="stage", value=stage, what="opportunity")
    if len(records) < 2:
        raise NotApplicableError("the statuses were refused")
    call, user = records.popitem()[1], f"user_{second_org.sample_data.text(12)}"
    nothing = {
        "lead_id": str(uuid4()),
        "closer_id": user,
        "setter_id": user,
        "booking_link_id": str(uuid4()),
    }
    true = {
        name: str(call[name]) for name in ("status", *nothing) if isinstance(call.get(name), str)
    } | {"is_upcoming": "true"}
    for name, value in nothing.items():
        page = second_org.api.get("/v1/calls", **true | {name: value})
        rows: Any = page.at("/data") if page.ok else []
        judge(
            FILTERS[CALLS][name],
            page,
            finds_none(rows, f"no calls with the {name} {value}", "/data"),
        )


def _judge_unfiltered(judge: Judge, api: Client, records: Mapping[str, Mapping[str, Any]]) -> None:
    """Judge that lists without a filter hide calls of no status, nor their opportunities, as far as
    one page goes.
    """
    leads = {str(call.get("lead_id")).lower(): status for status, call in records.items()}
    for requirement, path, name, wanted in (
        (
            "CALL-24",
            "/v1/calls",
            "id",
            {str(call["id"]).lower(): status for status, call in records.items()},
        ),
        ("OPP-01", "/v1/opportunities", "lead_id", leads),
    ):
        page = api.get(path, limit=100)
        shown = [str(row.get(name)).lower() for row in page.rows]
        hidden = [status for status_shown, status in wanted.items() if status_shown not in shown]
        surely = page.at("/pagination/has_more") is False or len(hidden) < len(wanted)
        judge(
            requirement,
            page,
            finds_none(hidden if surely else [], "no status that a list without a filter hides"),
        )


@check("CALL-25")
def test_the_status_filter_leaves_out(judge: Judge, call_scenario: CallScenario) -> None:
    """The lost calls of all leads, or with every other seed those that were held, among whose calls
    with other outcomes one was just cancelled.

    > The `status` filter of the calls list MUST yield only calls with that status, and all of them.
    """
    if not call_scenario.cancelled().ok:
        raise NotApplicableError("the outcome was refused")
    page = call_scenario.listed_without_it()
    judge_served(judge, "CALL-25", page)
    judge_rows(judge, "CALL-25", page, name="status", value=call_scenario.other_status)


@check("CALL-25", "CALL-26")
def test_the_status_filter_holds(judge: Judge, booking_scenario: BookingScenario) -> None:
    """The closed calls of a lead, both of whose calls were closed: two filters at once.

    > The `status` filter of the calls list MUST yield only calls with that status, and all of them.
    > The `lead_id` filter of the calls list MUST yield only calls of that lead, and all of them.
    """
    if not (booking_scenario.first_closed().ok and booking_scenario.second_closed().ok):
        raise NotApplicableError("an outcome was refused")
    page = booking_scenario.closed_calls()
    judge_rows(judge, "CALL-25", page, name="status", value="closed")
    judge_holds(judge, "CALL-25", page, booking_scenario.both_calls())
    judge_rows(judge, "CALL-26", page, name="lead_id", value=booking_scenario.lead())


@check("CALL-25")
def test_the_status_filter_forgets(judge: Judge, call_scenario: CallScenario) -> None:
    """The cancelled calls of a lead, whose only call was cancelled and revived.

    > The `status` filter of the calls list MUST yield only calls with that status, and all of them.
    """
    revived = call_scenario.revived()
    if not (call_scenario.cancelled().ok and revived.ok):
        raise NotApplicableError("the call was not revived")
    page = call_scenario.listed_as_cancelled()
    judge_served(judge, "CALL-25", page)
    steps = [Step(call_scenario.cancelled()), Step(revived), Step(page)]
    left = finds_none(page.ids if page.ok else (), "no call, since the one of the lead is revived")
    judge("CALL-25", page, resting_on(steps, left))


@check("CALL-25")
def test_the_status_filter_alone(api: Client, judge: Judge, list_scenario: ListScenario) -> None:
    """The calls of each status that is seldom asked for and that calls from before the run have.

    > The `status` filter of the calls list MUST yield only calls with that status, and all of them.
    """
    old = [row for row in list_scenario.calls().rows if row.get("status") in SELDOM and is_old(row)]
    if not old:
        raise NotApplicableError("no call from before the run has such a status")
    for status in sorted({row["status"] for row in old}):
        page = api.get("/v1/calls", status=status, limit=100)
        judge_rows(judge, "CALL-25", page, name="status", value=status)
        judge_known(judge, "CALL-25", page, [row for row in old if row["status"] == status])


@check("CALL-26", spare=True)
def test_two_filters_at_once(api: Client, judge: Judge, list_scenario: ListScenario) -> None:
    """The calls of a lead with the most frequent status.

    > The `lead_id` filter of the calls list MUST yield only calls of that lead, and all of them.
    """
    rows = [
        row
        for row in list_scenario.calls().rows
        if row.get("status") in call_statuses() and row.get("lead_id")
    ]
    if not rows:
        raise NotApplicableError("no call has an outcome")
    ((status, _),) = Counter(str(row["status"]) for row in rows).most_common(1)
    lead = next(str(row["lead_id"]) for row in rows if row["status"] == status)
    page = api.get("/v1/calls", lead_id=lead, status=status, limit=100)
    judge_rows(judge, "CALL-26", page, name="lead_id", value=lead)


@check("CALL-25", "PAG-11", spare=True)
def test_the_status_filter_on_later_pages(
    api: Client, judge: Judge, list_scenario: ListScenario
) -> None:
    """Two pages of the calls with the most frequent status; others lie between them, and more
    follow where there are many.

    > The `status` filter of the calls list MUST yield only calls with that status, and all of them.
    > A filter MUST stay in force on every page of a walk.
    """
    counted = Counter(
        str(row["status"])
        for row in list_scenario.calls().rows
        if row.get("status") in call_statuses()
    )
    if not counted:
        raise NotApplicableError("no call has an outcome")
    status, number = counted.most_common(1)[0]
    rows = [
        row | {"status": row.get("status") if row.get("status") in call_statuses() else None}
        for row in list_scenario.calls().rows
    ]
    status, size = parted(rows, "status", status) or (status, min(99, number // 2 + 1))
    walked = walk(api, "/v1/calls", pages=2, status=status, limit=size)
    for requirement, page in walked.filtered_by("CALL-25"):
        if not judge_rows(judge, requirement, page, name="status", value=status):
            break
    if judge.forgotten():
        raise NotApplicableError("the first page is the last")


@check("CALL-27", "PAG-11")
def test_the_user_filters(
    judge: Judge, booking_scenario: BookingScenario, list_scenario: ListScenario
) -> None:
    """The calls of a lead by their closer, also as their setter, and those of a user who does not
    exist.

    Beside these, the first calls of that closer and of a setter of all leads.

    > The `closer_id` and `setter_id` filters of the calls list MUST yield only calls of that user.
    > A filter MUST stay in force on every page of a walk.
    """
    api, lead, closer = (
        booking_scenario.build.api,
        booking_scenario.lead(),
        booking_scenario.booked().data.get("closer_id"),
    )
    if isinstance(closer, str):
        page = api.get("/v1/calls", lead_id=lead, closer_id=closer, limit=100)
        judge_rows(judge, "CALL-27", page, name="closer_id", value=closer)
        judge_holds(judge, "CALL-27", page, {booking_scenario.call().lower()})
        judge_rows(
            judge,
            "CALL-27",
            api.get("/v1/calls", lead_id=lead, setter_id=closer),
            name="setter_id",
            value=closer,
        )
        by_setter = [
            row
            for row in list_scenario.calls().rows
            if isinstance(row.get("setter_id"), str) and is_old(row)
        ]
        setter = by_setter[0]["setter_id"] if by_setter else closer
        host, size = parted(list_scenario.calls().rows, "closer_id", closer) or (
            closer,
            MAX_PARTED_ROWS,
        )
        for name, user, limit in (("closer_id", host, size), ("setter_id", setter, 10)):
            walked = walk(api, "/v1/calls", pages=2, limit=limit, **{name: user})
            for requirement, page in walked.filtered_by("CALL-27"):
                if not judge_rows(judge, requirement, page, name=name, value=user):
                    break
        judge_known(
            judge,
            "CALL-27",
            walked.pages[0],
            [row for row in by_setter if same_id(row["setter_id"], setter)],
        )
    other_org = f"user_{booking_scenario.build.sample_data.text(12)}"
    page = api.get("/v1/calls", lead_id=lead, closer_id=other_org)
    judge("CALL-27", page, finds_none(page.ids if page.ok else (), f"no calls of {other_org}"))
    if judge.forgotten():
        raise NotApplicableError("the first page is the last")


@check("CALL-27", parts=[EVENTS])
def test_the_closer_filter_follows(
    judge: Judge, session: Session, request: pytest.FixtureRequest
) -> None:
    """The calls of a lead by a closer, one of whose calls got another closer before.

    It takes the events of the checks of webhooks, and is no reason to make any.

    > The `closer_id` and `setter_id` filters of the calls list MUST yield only calls of that user.
    """
    if not session.background.is_open("webhooks"):
        raise NotApplicableError("no webhooks are judged in this run")
    reassigned = request.getfixturevalue("webhooks").scenario.reassigned
    if reassigned is None:
        raise NotApplicableError("no call got another closer whom a slot names")
    judge_rows(judge, "CALL-27", reassigned.listed, name="closer_id", value=reassigned.former)


@check("CALL-28", "PAG-11")
def test_the_link_filter(
    judge: Judge, booking_scenario: BookingScenario, list_scenario: ListScenario
) -> None:
    """The calls of a lead by their booking link, and all calls of another link, or of one that does
    not exist.

    > The `booking_link_id` filter of the calls list MUST yield only calls of that link. A filter
    > MUST stay in force on every page of a walk.
    """
    api, lead, link = (
        booking_scenario.build.api,
        booking_scenario.lead(),
        booking_scenario.build.booking_link(),
    )
    shown = booking_scenario.booked().at("/data/booking_link_id")
    # In the letter case in which the service shows it, which may be another one.
    link = shown if isinstance(shown, str) and same_id(shown, link) else link
    page = api.get("/v1/calls", lead_id=lead, booking_link_id=link, limit=100)
    judge_holds(judge, "CALL-28", page, {booking_scenario.call().lower()})
    rows = [
        row
        for row in list_scenario.calls().rows
        if isinstance(row.get("booking_link_id"), str) and is_old(row)
    ]
    made_up = str(uuid4())
    other = next(
        (row["booking_link_id"] for row in rows if not same_id(row["booking_link_id"], link)),
        made_up,
    )
    other, size = parted(list_scenario.calls().rows, "booking_link_id", other) or (other, 100)
    first = api.get("/v1/calls", limit=size, booking_link_id=other)
    is_open = other == made_up and not first.ok  # PAG-O09
    walked = (
        Walk()
        if is_open
        else walk(api, "/v1/calls", pages=2, first=first, limit=size, booking_link_id=other)
    )
    for requirement, page in walked.filtered_by("CALL-28"):
        if not judge_rows(judge, requirement, page, name="booking_link_id", value=other):
            break
    if judge.forgotten():
        raise NotApplicableError("the first page is the last")


@check("CALL-29")
def test_the_time_filter(judge: Judge, build: Builders) -> None:
    """The booked call of a lead, as an upcoming and as a past one.

    > `is_upcoming` MUST yield only calls scheduled after now when `true` and before now when
    > `false`.
    """
    booked = build.shared_call()
    call, lead = booked.id_of_data.lower(), build.lead_of(booked)
    upcoming, past = (
        build.api.get("/v1/calls", lead_id=lead, is_upcoming=value, limit=100)
        for value in ("true", "false")
    )
    for page in (upcoming, past):
        judge_served(judge, "CALL-29", page)
    judge("CALL-29", upcoming, finds_all(upcoming.ids, [call], "the booked call"))
    judge("CALL-29", past, finds_none(past.ids, "no calls, because it lies ahead"))


@pytest.mark.parametrize(
    "value",
    [
        pytest.param("true", marks=check("CALL-29", "PAG-04", "PAG-11")),
        pytest.param("false", marks=check("CALL-29")),
    ],
)
def test_the_time_filter_alone(
    api: Client, judge: Judge, list_scenario: ListScenario, value: str
) -> None:
    """All upcoming calls, by pages of which the last one has room for others; then a page of past
    ones, which leaves out none that was there before the run, whether it has an outcome or not.

    Others may move a call meanwhile, so one that comes twice counts only where it has not changed.

    > `is_upcoming` MUST yield only calls scheduled after now when `true` and before now when
    > `false`. A walk MUST NOT yield a record twice. A filter MUST stay in force on every page of a
    > walk.
    """
    now = datetime.now(UTC)
    if value == "true":
        walked = walk(
            api,
            "/v1/calls",
            pages=4,
            is_upcoming=value,
            limit=half_of(list_scenario.calls().rows, now),
        )
    else:
        walked = Walk([list_scenario.past_calls()])
    for requirement, page in walked.filtered_by("CALL-29"):
        times = [moment for row in page.rows if (moment := instant(row.get("scheduled_at")))]
        answered = max(
            now, datetime.fromtimestamp(page.answered_at, UTC)
        )  # it may have waited for its turn
        wrong = [
            iso(moment)
            for moment in times
            if (
                moment < now - CLOCK_MARGIN if value == "true" else moment > answered + CLOCK_MARGIN
            )
        ]
        expected = f"no call {'before' if value == 'true' else 'after'} {iso(now)}"
        if not judge(requirement, page, finds_none(wrong, expected)):
            break
    if value == "true":
        twice = [row.get("id") for at, row in enumerate(walked.rows) if row in walked.rows[:at]]
        judge(
            "PAG-04", walked.last, resting_on(walked.after(), finds_none(twice, "every call once"))
        )
    elif walked.last.ok:
        _judge_past(judge, list_scenario.calls(), walked.last)
    if judge.forgotten():
        raise NotApplicableError("the first page is the last")


def _judge_past(judge: Judge, whole: Walk, past: Exchange) -> None:
    """Judge that the first page of past calls leaves out none that the whole list shows: none of
    all where it is the last one, or else none before its last row, where both come in one order.

    Whether a call that was cancelled or has moved counts as past is left to the service.
    """
    page_first = min(whole.pages[0], past, key=lambda page: page.answered_at)
    until = datetime.fromtimestamp(page_first.answered_at, UTC) - CLOCK_MARGIN
    over = [
        str(row.get("id")).lower()
        for row in whole.rows
        if is_old(row)
        and row.get("status") not in NEVER_HELD
        and (start := instant(row.get("scheduled_at"))) is not None
        and start < until
    ]
    places = [over.index(call) for call in Walk([past]).ids if call in over]
    if past.at("/pagination/has_more") is not False:
        over = over[: places[-1] + 1] if places == sorted(places) and places else []
    judge(
        "CALL-29",
        past,
        resting_on(
            [*map(Step, whole.pages), Step(past)],
            finds_all(past.ids, over, "every call of the whole list whose time has passed"),
        ),
    )


@check("CALL-30", tier="standard")
@pytest.mark.parametrize(
    "query",
    PATTERN_BREAKERS,
    ids=["stage for status", "closer", "setter", "closer with other characters"],
)
def test_unknown_filter_values_are_refused(
    api: Client, judge: Judge, query: dict[str, str]
) -> None:
    """A stage that is no status, and user ids that break their pattern.

    > An unknown `status` or `is_upcoming`, or a `closer_id` or `setter_id` that breaks its pattern,
    > MUST be refused by the calls list.
    """
    judge("CALL-30", api.get("/v1/calls", **query), refused)


@check("CALL-01", "CALL-08", "CALL-23")
def test_the_list_shows_calls_as_booked(judge: Judge, booking_scenario: BookingScenario) -> None:
    """A call right after it was booked, as the list of its lead shows it.

    > A valid booking of an offered slot MUST create a call on the given booking link at the given
    > start. `utm_*` values of a booking MUST be recorded on the call.
    """
    page, (sent, _) = (
        booking_scenario.calls_of_lead(),
        booking_scenario.sent[booking_scenario.booked().id],
    )
    judge.traffic(page)
    row = next((row for row in page.rows if same_id(row.get("id"), booking_scenario.call())), None)
    if row is None:
        raise PreconditionNotMet("the list does not show the call")
    at, wanted = row.get("scheduled_at"), sent["start_time"]
    judge.that(
        "CALL-01",
        instant(at) == instant(wanted),
        page,
        expected=wanted,
        received=at,
        where="/data/0/scheduled_at",
    )
    shown = booking_scenario.booked().data
    for name in (name_of_utm for name_of_utm in UTM if shown.get(name_of_utm) is not None):
        kept = row.get(name) == shown[name]
        judge.that(
            "CALL-08",
            kept,
            page,
            expected=f"{name} {as_json(shown[name])}",
            received=row.get(name),
            where="/data",
        )
    if judge.forgotten():
        raise NotApplicableError("the call has no attribution")
