"""Walking lists to their end, page by page."""

from collections.abc import Collection, Mapping, Sequence
from datetime import timedelta

import pytest

from plumbline.fixtures.http.client import Client
from plumbline.fixtures.http.exchange import Exchange, NotApplicableError, PreconditionNotMet
from plumbline.fixtures.judging.judge import Judge
from plumbline.fixtures.judging.matchers import (
    accepted,
    finds_all,
    finds_none,
    finds_once,
    resting_on,
)
from plumbline.fixtures.judging.mismatch import Step
from plumbline.fixtures.scenarios.builders import Builders
from plumbline.fixtures.scenarios.list_walk import Walk, before_twin, walk
from plumbline.fixtures.scenarios.mark import check
from plumbline.fixtures.scenarios.shared.booking_scenario import BookingScenario
from plumbline.fixtures.scenarios.shared.growing_lists import LEADS, GrowingLists
from plumbline.fixtures.scenarios.shared.list_scenario import MAX_PAGE_ROWS, ListScenario
from plumbline.spec.comparing import first_repeated, instant, same_id

DATED_BY_SERVICE = ("GET /v1/leads", "GET /v1/calls")
"""Lists whose `created_at` is the moment since when a row can be there: payments may have that of
their client, and opportunities that of their lead.
"""
SURELY_THERE = timedelta(minutes=1)
"""What is older than another record by so much was listed when that one was."""
ROWS_OF_A_LONG_LIST = 99
"""How many of them are read again by pages of other sizes, where the end is far."""
WALK = ("PAG-02", "PAG-03", "PAG-04", "PAG-06")


def judge_walk(
    judge: Judge, done: Walk, ids: Collection[str] = (), before: Walk | None = None
) -> None:
    """Judge a walk: it ends, repeats nothing, holds all that was known before it, and no page after
    `has_more` is empty.
    """
    last = done.last
    judge.that(
        "PAG-02",
        not done.looped,
        last,
        expected="a new cursor on every page",
        received="a cursor that was followed before",
        where="/pagination/next_cursor",
        sequence=[Step(page) for page in done.pages],
    )
    judge_repeated(judge, done)
    empty = next((place for place, page in enumerate(done.pages) if place and not page.rows), 0)
    judge.that(
        "PAG-06",
        not empty,
        done.pages[empty or -1],
        expected="no page after the one that ends the list",
        received="an empty page after `has_more` true",
        where="/data",
        sequence=[
            Step(done.pages[empty - 1], "says that there is more", "/pagination"),
            Step(done.pages[empty]),
        ],
    )
    if done.ended or done.looped or ids:
        judge_lost(judge, done, ids, before)


def judge_repeated(
    judge: Judge, done: Walk, expected: str = "every record once", changed: Collection[str] = ()
) -> None:
    """Judge that no record comes twice in a walk, but for those that have changed meanwhile."""
    ids = [identifier for identifier in done.ids if identifier not in changed]
    twice = first_repeated(ids)
    shown_twice = resting_on(done.showing(twice, f"shows {twice}"), finds_once(ids, expected))
    judge("PAG-04", done.page_of(twice) if twice else done.last, shown_twice)


def older_of(again: Walk, first: Walk) -> list[str]:
    """The records of a walk that were made well before the newest one of an earlier walk, so that
    they were there when that began.
    """
    newest = max(filter(None, (instant(row.get("created_at")) for row in first.rows)), default=None)
    return [
        str(row.get("id")).lower()
        for row in again.rows
        if newest and (made := instant(row.get("created_at"))) and made < newest - SURELY_THERE
    ]


def judge_lost(
    judge: Judge,
    done: Walk,
    ids: Collection[str],
    before: Walk | None,
    meanwhile: Sequence[Exchange] = (),
) -> None:
    """Judge that a walk shows all records that an earlier one has shown; the page that begins after
    a lost one is at fault.

    Args:
        judge: of the check.
        done: the walk.
        ids: of those records.
        before: the earlier walk.
        meanwhile: what was written between the pages.
    """
    ids_shown = set(done.ids)
    lost = next((identifier for identifier in ids if identifier not in ids_shown), "")
    steps = done.losing(lost, before) if lost and before else []
    steps[-1:-1] = [Step(write, "between the pages") for write in meanwhile] if steps else []
    complete = finds_all(done.ids, ids, f"all {len(ids)} records that were there before")
    judge("PAG-03", steps[-1].exchange if steps else done.last, resting_on(steps, complete))


def judge_again(judge: Judge, first: Walk, again: Walk) -> None:
    """Judge a later walk through a list by pages of another size, as far as it went; what it shows
    that is older than the newest record of the first walk has to be in that one, if that has ended
    and the service itself says when its records came into being.
    """
    ids_of_first = dict.fromkeys(first.shown_again_by(again))
    judge_walk(judge, again, ids_of_first, first)
    if first.ended and first.last.operation in DATED_BY_SERVICE:
        judge(
            "PAG-03",
            first.last,
            resting_on(
                again.after(*first.pages),
                finds_all(first.ids, older_of(again, first), "what a later walk shows as well"),
            ),
        )
    if not ids_of_first:
        again.demand_end()


@pytest.mark.parametrize(
    ("path", "size"),
    [
        pytest.param("/v1/calls", 1, marks=check(*WALK, "PAG-11")),
        pytest.param("/v1/opportunities", 2, marks=check(*WALK, "PAG-11")),
    ],
)
def test_a_filtered_walk(
    judge: Judge, booking_scenario: BookingScenario, path: str, size: int
) -> None:
    """The two bookings of a guest, by pages of one row and by a page that they fill exactly.

    > A walk to the end MUST yield every record that existed before the walk began, and none twice;
    > `has_more` SHOULD be false on a page that ends the list, also when the rows fill it exactly. A
    > filter MUST stay in force on every page of a walk.
    """
    walk_before = Walk(
        [
            (
                booking_scenario.calls_of_lead()
                if path == "/v1/calls"
                else booking_scenario.opportunities()
            )
        ]
    )
    if len(walk_before.rows) < 2:
        raise NotApplicableError(f"{path} does not show two records of the lead")
    done = walk(
        booking_scenario.build.api, path, pages=6, lead_id=booking_scenario.lead(), limit=size
    )
    judge_walk(judge, done, walk_before.ids if done.ended or done.looped else (), walk_before)
    strangers = [
        row.get("lead_id")
        for row in done.rows
        if row.get("lead_id") and not same_id(row["lead_id"], booking_scenario.lead())
    ]
    judge("PAG-11", done.last, finds_none(strangers, "no row of another lead on any page"))


@check("PAG-03", "PAG-04", "PAG-11", varies=True)
def test_a_list_changes_during_a_walk(judge: Judge, second_org: Builders) -> None:
    """The calls of a lead that have a status, and its opportunities; no other check looks at this
    lead.

    Between two pages one more call is booked, the last call of the first page gets another status,
    and one behind it notes. One was booked before all of them, so that at either end of the list
    there is a call without that status.

    > A walk to the end MUST yield every record that existed before the walk began, and MUST NOT
    > yield a record twice. A filter MUST stay in force on every page of a walk.
    """
    build, guest = second_org, second_org.sample_data.guest()
    lead = build.lead_of(build.book(guest))
    calls = [build.book(guest).id_of_data.lower() for _ in range(3)]
    marked = [build.api.patch("/v1/calls/{id}", {"status": "shown"}, id=call).ok for call in calls]
    queries = {"/v1/calls": {"status": "shown"} if all(marked) else {}, "/v1/opportunities": {}}
    walks = {
        path: Walk([build.api.get(path, lead_id=lead, limit=100, **more)])
        for path, more in queries.items()
    }
    begun = {
        path: build.api.get(path, lead_id=lead, limit=2, **more) for path, more in queries.items()
    }
    _ = build.book(guest).data
    behind = [call for call in calls if call not in begun["/v1/calls"].ids]
    last = next(
        (
            call
            for row in begun["/v1/calls"].rows[1:]
            for call in calls
            if same_id(row.get("id"), call)
        ),
        calls[0],
    )
    changes = {last: {"status": "lost"}} | {
        call: {"notes": build.sample_data.remark()} for call in behind
    }
    changed = [
        build.api.patch("/v1/calls/{id}", change, id=call) for call, change in changes.items()
    ]
    for path, more in queries.items():
        cursor = begun[path].at("/pagination/next_cursor")
        if not isinstance(cursor, str) or not cursor:
            raise NotApplicableError(f"{path} shows no second page for its records")
        rest = build.api.get(path, lead_id=lead, limit=50, cursor=cursor, **more)
        judge(
            "PAG-11",
            rest,
            finds_none(
                _strangers(rest, {"lead_id": lead, **more}), "only what the first page asked for"
            ),
        )
        done = Walk([begun[path], rest], ended=rest.at("/pagination/has_more") is False)
        if not done.ended:
            raise PreconditionNotMet(f"{path} does not say that its second page is the last one")
        judge_lost(judge, done, walks[path].ids, walks[path], changed)
        # Opportunities are newest first, whatever changes in them; the order of calls is open.
        judge_repeated(judge, done, changed=changes if path == "/v1/calls" else ())


def _strangers(page: Exchange, wanted: Mapping[str, str]) -> list[str]:
    """What rows of a filtered page show in place of the values that were asked for."""
    return [
        f"{name} {row[name]}"
        for row in page.rows
        for name, value in wanted.items()
        if row.get(name) is not None and not same_id(row[name], value)
    ]


@check("PAG-02", "PAG-03", "PAG-04", "PAG-06", "PAG-10")
def test_the_leads_walk_forward(judge: Judge, list_scenario: ListScenario) -> None:
    """The leads by pages of 100, then again by other pages with `direction=next`; to the end where
    it is near.

    > The leads list MUST accept `direction=next` and page forward with it.
    """
    first = list_scenario.leads()
    judge_walk(judge, first)
    try:
        again = list_scenario.leads_after_booking()
    except PreconditionNotMet:  # the walk ends where its first page is refused
        judge(
            "PAG-10",
            list_scenario.build.api.get("/v1/leads", direction="next", limit=100),
            accepted,
        )
        raise
    judge_again(judge, first, again)
    judge.that(
        "PAG-10",
        bool(again.rows) and not again.looped,
        again.pages[0],
        expected="the leads",
        received=f"{len(again.rows)} rows",
        where="/data",
    )


@check("PAG-02", "PAG-03", "PAG-04", "PAG-06")
@pytest.mark.parametrize("name", ["payments", "calls"])
def test_whole_lists(judge: Judge, list_scenario: ListScenario, name: str) -> None:
    """A list by pages of 100, then again by pages of another size; to the end where it is near.

    > A walk to the end MUST yield every record that existed before the walk began, and none twice.
    """
    first = list_scenario.whole(name)
    judge_walk(judge, first)
    judge_again(judge, first, list_scenario.again(name))


@check("PAG-02", "PAG-03", "PAG-04", "PAG-06", spare=True)
@pytest.mark.parametrize("name", ["calls", "opportunities", "payments", "leads"])
def test_pages_of_other_sizes(
    api: Client, judge: Judge, list_scenario: ListScenario, name: str
) -> None:
    """A whole list by pages of about a quarter of it, an odd number, and by pages that are all full
    where its end is near. By pages of all but one row the other lists are walked elsewhere.

    Lists may be ordered by the last change, and others change records meanwhile, so a walk that
    lost something is walked again.

    > A walk to the end MUST yield every record that existed before the walk began, and none twice;
    > `has_more` SHOULD be false on a page that ends the list, also when the rows fill it exactly.
    """
    first = list_scenario.whole(name)
    number = len(first.ids) if first.ended else ROWS_OF_A_LONG_LIST
    sizes = {number // 4 | 1}
    if first.ended:  # in few pages, so that a plan can tell what they cost
        full = [max(1, number // pages) for pages in (2, 1) if number % pages == 0]
        sizes |= {*[size for size in full if size < MAX_PAGE_ROWS][:1]}
        if name == "opportunities" and number <= MAX_PAGE_ROWS:
            sizes.add(max(1, number - 1))
    for size in {min(99, size_tried) for size_tried in sizes}:
        for _ in range(2):
            done = walk(
                api,
                f"/v1/{name}",
                pages=2 * list_scenario.pages if first.ended else -(-number // size),
                limit=size,
            )
            if set(first.shown_again_by(done)) <= set(done.ids) and not done.first_repeated():
                break
        judge_again(judge, first, done)


@check("PAG-03", "PAG-04", spare=True)
@pytest.mark.parametrize("path", ["/v1/leads", "/v1/payments"])
def test_more_is_recorded_during_a_walk(
    judge: Judge, growing_lists: GrowingLists, path: str
) -> None:
    """Two leads, or payments; between two pages a third is recorded, and the first lead is changed.

    The third may show up or not. Where the second is the first row of all, the first one follows
    it, whatever has changed.

    > A walk to the end MUST yield every record that existed before the walk began, and MUST NOT
    > yield a record twice.
    """
    done, record = growing_lists.walked(path), growing_lists.record(path)
    newest, own = growing_lists.newest(path), record.id_of_data.lower()
    if len(done.pages) == 1:
        raise NotApplicableError(f"{path} shows no second page for one record and more")
    judge_repeated(judge, done, changed=[own])
    if done.pages[0].ids != {newest.id_of_data.lower()} or not (
        done.ended or _goes_beyond(done.last, record)
    ):
        raise NotApplicableError(
            f"the page after the first row of {path} need not hold what was recorded before it"
        )
    steps = done.after(record, newest)
    if path == LEADS:
        steps[-1:-1] = [Step(growing_lists.noted(), "between the pages")]
    judge(
        "PAG-03",
        done.last,
        resting_on(
            steps,
            finds_all(done.ids, [own], "the record that was there before the first page"),
        ),
    )


def _goes_beyond(page: Exchange, record: Exchange) -> bool:
    """Whether a page is ordered from the newest record on, and holds one that is older than
    another.
    """
    times = [
        instant(row.get("created_at"))
        for row in page.rows
        if not same_id(row.get("id"), record.id_of_data)
    ]
    made = instant(record.data.get("created_at"))
    times_known = [time for time in times if time is not None]
    return (
        made is not None
        and len(times_known) == len(times)
        and times_known == sorted(times_known, reverse=True)
        and min(times_known, default=made) < made
    )


@pytest.mark.parametrize(
    "path",
    [
        pytest.param("/v1/payments", marks=check("PAG-03", "PAG-04", "PAG-05", "PAG-07")),
        pytest.param("/v1/leads", marks=check("PAG-03", "PAG-04", "PAG-05", "PAG-07", spare=True)),
    ],
)
def test_small_pages(api: Client, judge: Judge, path: str) -> None:
    """A page of many rows, then the first three pages of one row each, or two pages of which the
    first ends between two rows that were made in the same millisecond.

    Lists may be ordered by the last change, and others change records meanwhile, so a row that
    seems skipped is looked for again.

    > A walk to the end MUST yield every record that existed before the walk began, and MUST NOT
    > yield a record twice. A `limit` of 1 MUST be served on every list.
    """
    for _ in range(3):
        before, first = Walk([api.get(path, limit=100)]), api.get(path, limit=1)
        judge("PAG-07", first, accepted)
        size = before_twin(before.rows)
        small = (
            walk(api, path, pages=3, first=first, limit=1)
            if size == 1
            else walk(api, path, pages=2, limit=size)
        )
        if len(small.pages) == 1:
            if small.ended:
                judge(
                    "PAG-03",
                    first,
                    finds_none(
                        before.ids[1:], "no further record where a page of one row is the last"
                    ),
                )
            raise NotApplicableError("the first page of one row is the last")
        judge.traffic(small.last)
        skipped = _between(small.ids, before.ids)
        if not skipped:
            break
    judge_repeated(judge, small, "another record on each page")
    steps = small.losing(skipped[0], before) if skipped else []
    judge(
        "PAG-03", small.last, resting_on(steps, finds_none(skipped, "no record between the pages"))
    )


def _between(some: list[str], order: list[str]) -> list[str]:
    """What stands between ids in a list that holds all of them and others; nothing for anything
    else.
    """
    if not set(some) <= set(order):
        return []
    places = sorted(order.index(identifier) for identifier in some)
    return (
        [identifier for identifier in order[places[0] : places[-1]] if identifier not in some]
        if places
        else []
    )
