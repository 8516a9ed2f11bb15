"""What reports on a team and its reviewed calls show of another organization: nothing."""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

from plumbline.fixtures.http.client import Client
from plumbline.fixtures.http.exchange import Exchange, NotApplicableError, PreconditionNotMet
from plumbline.fixtures.judging.judge import Judge
from plumbline.fixtures.judging.matchers import finds_none
from plumbline.fixtures.scenarios.mark import check
from plumbline.fixtures.scenarios.metrics import OBJECTIONS, TEAM, summed
from plumbline.fixtures.scenarios.shared.analytics_looks import WINDOW_MARGIN, YEARS_AGO
from plumbline.fixtures.scenarios.shared.list_scenario import ListScenario
from plumbline.spec.comparing import instant, iso

DAY = timedelta(days=1)
MAX_WINDOWS = 3
"""Calls at whose times is looked."""


@check("AUTH-14")
def test_teams_stay_apart(judge: Judge, api: Client, other_org: Client) -> None:
    """The performance of the teams of two organizations over a year, each held against all calls of
    its organization, where these stand on one page. A call that does not say so may have a review.

    > A list MUST hold only records of the organization of the key.
    """
    for client in (api, other_org):
        # The list comes last, so that it holds whatever was counted.
        team, calls = client.get(TEAM, days="365"), client.get("/v1/calls", limit=100)
        if not (team.ok and calls.ok) or calls.at("/pagination/has_more") is not False:
            continue
        all_calls = len(calls.rows)
        reviewed = sum(row.get("has_analysis") is not False for row in calls.rows)
        for name, most, what in (
            ("total_calls", all_calls, "calls"),
            ("coverage/booking_calls_in_window", all_calls, "calls"),
            ("coverage/analysed_calls", reviewed, "calls with a review"),
        ):
            number = summed(team, f"/data/{name}")
            judge.that(
                "AUTH-14",
                number <= most,
                team,
                expected=f"at most the {most} {what} of the organization",
                received=f"{number:g}",
                where=f"/data/{name}",
            )
    if judge.forgotten():
        raise PreconditionNotMet(
            "no team is shown, or the end of the calls is not on their first page"
        )


@check("AUTH-14")
def test_objections_stay_apart(
    judge: Judge, list_scenario: ListScenario, other_org: Client
) -> None:
    """The objections of another organization at the very times of calls of this one that were
    reviewed, those that were lost first; it has no such call within a day of them.

    > A list MUST hold only records of the organization of the key.
    """
    calls = other_org.get("/v1/calls", limit=100)
    if not calls.ok or calls.at("/pagination/has_more") is not False:
        raise PreconditionNotMet(
            "the end of the calls of the other organization is not on their first page"
        )
    if _met(_objections(other_org, YEARS_AGO)):
        raise NotApplicableError("objections do not mind their window")
    theirs = _times(row for row in calls.rows if row.get("has_analysis") is not False)
    ours = sorted(list_scenario.calls().rows, key=lambda row: row.get("status") != "lost")
    apart = [
        at
        for at in _times(row for row in ours if row.get("has_analysis") is True)
        if all(abs(at - other) > DAY for other in theirs)
    ]
    for look in (_objections(other_org, at) for at in apart[:MAX_WINDOWS]):
        if look.ok:
            what = "no objection of another organization's call"
            judge("AUTH-14", look, finds_none(_met(look), what))
    if judge.forgotten():
        raise NotApplicableError("no objections are served, or no call has a review")


def _objections(client: Client, at: datetime) -> Exchange:
    """The objections in a window that holds hardly more than a moment."""
    start, end = iso(at - WINDOW_MARGIN), iso(at + WINDOW_MARGIN)
    return client.get(OBJECTIONS, start_date=start, end_date=end)


def _met(look: Exchange) -> list[Any]:
    """The categories of objections that were met; none where they are not served."""
    return [row.get("category") for row in look.rows if row.get("count") != 0] if look.ok else []


def _times(rows: Iterable[Mapping[str, Any]]) -> list[datetime]:
    """When the calls of some rows are."""
    times = (instant(row.get("scheduled_at")) for row in rows)
    return [at for at in times if at]
