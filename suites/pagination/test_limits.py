"""The `limit` and the cursor of a page."""

from collections.abc import Callable

import pytest

from plumbline.fixtures.http.client import Client
from plumbline.fixtures.http.exchange import Exchange, NotApplicableError, PreconditionNotMet
from plumbline.fixtures.judging.judge import Judge
from plumbline.fixtures.judging.matchers import accepted, refused
from plumbline.fixtures.judging.mismatch import Mismatch
from plumbline.fixtures.judging.values_as_text import as_json
from plumbline.fixtures.scenarios.mark import check
from plumbline.fixtures.scenarios.shared.booking_scenario import BookingScenario
from plumbline.fixtures.scenarios.shared.growing_lists import GrowingLists
from plumbline.fixtures.scenarios.shared.list_scenario import ListScenario

DAMAGES: tuple[Callable[[str], str], ...] = (
    str.swapcase,
    lambda cursor: cursor,  # of another list
    lambda cursor: cursor * 2,
    lambda cursor: cursor[::-1],
    lambda cursor: cursor[:-1],
    lambda cursor: f" {cursor}\n",
    lambda cursor: f"{cursor}=",
    lambda cursor: cursor.replace(cursor[0], "%", 1),
    lambda cursor: f"{cursor[:-2]}\u00e9\U0001f98a",
    lambda cursor: f"'{cursor}'",
)
"""What becomes of cursors on their way through clients, one a run."""
OTHER_LIST = {"/v1/leads": "/v1/payments", "/v1/payments": "/v1/leads"}
LISTS = ("/v1/leads", "/v1/calls", "/v1/payments", "/v1/opportunities")


@check("PAG-07")
@pytest.mark.parametrize("path", LISTS)
def test_both_bounds_are_served(
    api: Client, judge: Judge, list_scenario: ListScenario, path: str
) -> None:
    """A page of a hundred rows, and a page of one where no other check asks for it.

    > A `limit` of 1 and a `limit` of 100 MUST be served on every list.
    """
    try:
        hundred = list_scenario.first_page(path)
    except PreconditionNotMet:  # the walk ends where its first page is refused
        hundred = api.get(path, limit=100)
    judge("PAG-07", hundred, accepted)
    if path != "/v1/payments":
        judge("PAG-07", list_scenario.first_row(path), accepted)


@check("PAG-05", "PAG-01")
@pytest.mark.parametrize("path", ["/v1/calls", "/v1/opportunities"])
def test_later_pages_keep_their_limit(
    api: Client, judge: Judge, list_scenario: ListScenario, path: str
) -> None:
    """The first and the second page of one row.

    > A page MUST NOT hold more rows than the `limit` that was asked for. While `has_more` is true,
    > `next_cursor` MUST be a non-empty string.
    """
    pages = [list_scenario.first_row(path)]
    cursor = pages[0].at("/pagination/next_cursor")
    if isinstance(cursor, str) and cursor:
        pages.append(api.get(path, limit=1, cursor=cursor))
    for page in pages:
        judge.traffic(page)
    if judge.forgotten():
        raise NotApplicableError(f"{path} has no second page of one row that another one follows")


@pytest.mark.parametrize(
    ("limit", "bound"),
    [pytest.param(0, 1, marks=check("PAG-08")), pytest.param(101, 100, marks=check("PAG-08"))],
)
def test_the_calls_list_clamps(
    api: Client, judge: Judge, list_scenario: ListScenario, limit: int, bound: int
) -> None:
    """A limit just below 1 and one just above 100, on the whole list of calls, which go on as they
    do for the bound.

    > The calls list MUST clamp a `limit` outside 1 to 100 to the nearest bound.
    """
    clamped = api.get("/v1/calls", limit=limit)
    judge("PAG-08", clamped, accepted)
    if clamped.ok:
        rows, more = len(clamped.rows), clamped.at("/pagination/has_more") is True
        fits = rows == bound or (rows < bound and not more)
        judge.that(
            "PAG-08",
            fits,
            clamped,
            expected=f"{bound} rows, or all there are",
            received=f"{rows} rows, has_more {as_json(more)}",
            where="/data",
        )
        calls_listed = list_scenario.calls()
        if rows == bound and (
            len(calls_listed.ids) > bound
            or (bound == len(calls_listed.ids) and not calls_listed.ended)
        ):
            judge.that(
                "PAG-08",
                more,
                clamped,
                expected=f"`has_more` true, as for a `limit` of {bound}",
                received=f"has_more {as_json(more)}",
                where="/pagination/has_more",
            )


@check("PAG-08")
@pytest.mark.parametrize(("limit", "rows"), [(-5, 1), (1000, 2)])
def test_the_calls_of_a_lead_clamp(
    judge: Judge, booking_scenario: BookingScenario, limit: int, rows: int
) -> None:
    """The two calls of a guest with limits far outside of the bounds.

    > The calls list MUST clamp a `limit` outside 1 to 100 to the nearest bound.
    """
    expected = min(rows, len(booking_scenario.calls_of_lead().rows))
    clamped = booking_scenario.build.api.get(
        "/v1/calls", lead_id=booking_scenario.lead(), limit=limit
    )
    count = len(clamped.rows) if clamped.ok else 0
    judge.that(
        "PAG-08",
        clamped.ok and count >= expected,
        clamped,
        expected=f"{expected} rows",
        received=clamped.summary() + f", {count} rows",
    )
    if limit < 1:
        judge.that(
            "PAG-08", count == 1, clamped, expected="1 row", received=f"{count} rows", where="/data"
        )


@check("PAG-09")
@pytest.mark.parametrize("path", [path for path in LISTS if path != "/v1/calls"])
def test_other_lists_stay_in_bounds(api: Client, judge: Judge, path: str) -> None:
    """Limits of 0 and of 101 on the lists that do not promise to clamp.

    > The other lists MUST answer a `limit` outside 1 to 100 with at most 100 rows or with a 4xx
    > refusal.
    """
    for limit in (0, 101):
        exchange = api.get(path, limit=limit)
        if exchange.ok:
            count = len(exchange.rows)
            judge.that(
                "PAG-09",
                count <= 100,
                exchange,
                expected="at most 100 rows",
                received=f"{count} rows",
                where="/data",
            )
        else:
            judge("PAG-09", exchange, refused)


@check("PAG-12")
@pytest.mark.parametrize(
    ("path", "cursor"),
    [
        ("/v1/leads", "bm8tc3VjaC1jdXJzb3I"),
        ("/v1/calls", "eCB5"),
        ("/v1/payments", "bm8tc3VjaC1jdXJzb3I"),
        ("/v1/opportunities", "eCB5"),
    ],
)
def test_an_unknown_cursor_causes_no_server_error(
    api: Client, judge: Judge, path: str, cursor: str
) -> None:
    """A cursor that was made up: Base64 of some words, without padding where it belongs and whole.

    > A cursor that the deployment did not issue MUST NOT cause a 5xx answer.
    """
    judge("PAG-12", api.get(path, limit=1, cursor=cursor), _no_crash)


@check("PAG-12", spare=True)
@pytest.mark.parametrize("path", ["/v1/leads", "/v1/payments"])
def test_a_damaged_cursor_causes_no_server_error(
    judge: Judge, growing_lists: GrowingLists, path: str
) -> None:
    """A cursor of the list itself, of which half is lost, and one that was changed in another way
    or is sent to another list.

    > A cursor that the deployment did not issue MUST NOT cause a 5xx answer.
    """
    growing_lists.walked(path)
    build, issued = growing_lists.build, growing_lists.cursor(path)
    if len(issued) < 2:
        raise NotApplicableError(f"GET {path} gives no cursor")
    change = DAMAGES[(build.session.settings.seed + path.startswith("/v1/p")) % len(DAMAGES)]
    other = OTHER_LIST[path] if change(issued) == issued else path
    for where, cursor in ((path, issued[: len(issued) // 2]), (other, change(issued))):
        judge("PAG-12", build.api.get(where, limit=1, cursor=cursor), _no_crash)


def _no_crash(answer: Exchange) -> Mismatch | None:
    return (
        Mismatch("no 5xx", answer.summary()) if answer.status >= 500 or not answer.status else None
    )
