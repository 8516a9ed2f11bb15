"""How far metrics move when something happens: by exactly as much, or not yet; never the wrong
way.
"""

from collections.abc import Iterable

import pytest

from plumbline.fixtures.http.exchange import NotApplicableError, PreconditionNotMet
from plumbline.fixtures.judging.judge import Judge
from plumbline.fixtures.scenarios.mark import check
from plumbline.fixtures.scenarios.metrics import (
    ADS,
    CALLS,
    CAMPAIGNS,
    CLOSES,
    DASHBOARD,
    NO_SHOWS,
    REVENUE,
    SHOWS,
    TEAM,
    Metrics,
    Movement,
    movements,
    summed,
)
from plumbline.fixtures.scenarios.shared.analytics_looks import (
    ALWAYS,
    AROUND_CALL,
    AROUND_NOW,
    AROUND_OTHER,
    OF_NOW,
    OF_OTHER,
    SINCE_LONG_AGO,
    UNTIL_CALL,
    Place,
)
from plumbline.fixtures.scenarios.shared.analytics_scenario import AnalyticsScenario

CENT = 0.005
OTHER_UNIT = 5
"""Times of the revenue in total from which rows are taken for another unit; a sale may count for
two people.
"""


def on_call(scenario: AnalyticsScenario) -> tuple[Place, ...]:
    """Where nothing but the call of the ad can move a metric."""
    team = ((TEAM, AROUND_CALL),) if scenario.team_minds_window() else ()
    return ((DASHBOARD, AROUND_CALL), (CAMPAIGNS, UNTIL_CALL), *team)


def judge_counts(judge: Judge, requirement: str, moves: Iterable[Movement], most: int) -> None:
    """Judge that counts moved up by a whole number from 0 to `most`; some follow late, and some may
    not count such a call.
    """
    for movement in moves:
        judge.that(
            requirement,
            movement.by in range(most + 1),
            movement.look,
            expected=(
                f"{movement.pointer} as before, or up by"
                f" {' or '.join(map(str, range(1, most + 1)))}"
            ),
            received=f"{movement.by:+g}",
            where=movement.pointer,
        )


def judge_direction(
    judge: Judge, requirement: str, scenario: AnalyticsScenario, metrics: Metrics
) -> None:
    """Judge that the totals of everything did not fall; only in a run of one worker, because others
    may lower them.
    """
    if scenario.alone:
        for movement in scenario.moved(metrics, (DASHBOARD, ALWAYS), every_place=False):
            judge.that(
                requirement,
                movement.by > -CENT,
                movement.look,
                expected=f"{movement.pointer} no lower than before",
                received=f"{movement.by:+g}",
                where=movement.pointer,
            )


def demand_judged(judge: Judge) -> None:
    """Distinguish a deployment that serves no metrics from one whose metrics were judged."""
    if not judge.findings:
        raise PreconditionNotMet("no metrics were served")


@check("ANA-05")
def test_a_booked_call_counts_once(analytics_scenario: AnalyticsScenario, judge: Judge) -> None:
    """Two bookings, one of them far ahead, and the counts of calls before and after them.

    > After one more booked call, the counts of calls MUST be one higher or unchanged.
    """
    scenario = analytics_scenario
    _ = scenario.other().data, scenario.booked().data
    for place in on_call(scenario):
        judge_counts(
            judge,
            "ANA-05",
            scenario.moved(CALLS, place),
            2 if scenario.near() and place[0] != CAMPAIGNS else 1,
        )
    if scenario.alone:
        judge_counts(
            judge, "ANA-05", scenario.moved(CALLS, (DASHBOARD, AROUND_NOW), every_place=False), 2
        )
    judge_direction(judge, "ANA-05", scenario, CALLS)
    demand_judged(judge)


@check("ANA-03")
def test_a_closed_call_counts_once(analytics_scenario: AnalyticsScenario, judge: Judge) -> None:
    """An outcome of `closed`, and the counts of closes before and after it.

    > After one more closed call, the totals of closes MUST be one higher or unchanged.
    """
    scenario = analytics_scenario
    if not scenario.closed().ok:
        raise NotApplicableError("an outcome of a call in the future was refused")
    for place in (*on_call(scenario), (ADS, AROUND_CALL)):
        judge_counts(judge, "ANA-03", scenario.moved(CLOSES, place), 1)
    if scenario.alone:
        judge_counts(
            judge, "ANA-03", scenario.moved(CLOSES, (DASHBOARD, AROUND_NOW), every_place=False), 1
        )
    judge_direction(judge, "ANA-03", scenario, CLOSES)
    demand_judged(judge)


@check("ANA-18")
def test_a_window_without_a_start_holds_everything(
    analytics_scenario: AnalyticsScenario, judge: Judge
) -> None:
    """The dashboard of all time that is asked for by a start long before the first record, and then
    without any.

    > Without a `start_date` a window MUST begin with the first record.
    """
    since, always = (
        analytics_scenario.before()[DASHBOARD, window] for window in (SINCE_LONG_AGO, ALWAYS)
    )
    if not (since.ok and always.ok):
        raise PreconditionNotMet("the dashboard was not served")
    for pointer in (
        pointer
        for metrics in (CALLS, CLOSES)
        for pointer in metrics[DASHBOARD]
        if "*" not in pointer
    ):
        most, counted_here = summed(since, pointer), summed(always, pointer)
        # Others may have added something between the two looks, and taken nothing away that was
        # long there.
        received, expected = f"{counted_here:g}", f"{pointer} of {most:g}, as since long ago"
        few = analytics_scenario.alone and counted_here < most
        judge.that("ANA-18", not few, always, expected=expected, received=received, where=pointer)


@check("ANA-04")
def test_a_payment_counts_in_dollars(analytics_scenario: AnalyticsScenario, judge: Judge) -> None:
    """A payment with cents for the closed call, and the metrics of revenue before and after it; a
    smaller one for the other call comes before both.

    > After one more succeeded payment, revenue MUST be higher by its amount in dollars or
    > unchanged.
    """
    scenario = analytics_scenario
    _ = scenario.paid().data
    places = on_call(scenario)
    for place in (*places, (DASHBOARD, AROUND_NOW)) if scenario.alone else places:
        # Where the outcome shows only now, revenue may hold the value of the deal as well.
        if not scenario.was_late(place):
            judge_revenue(
                judge,
                scenario,
                scenario.moved(
                    REVENUE, place, since=scenario.after_close(), every_place=place[1] != AROUND_NOW
                ),
            )
    for window in (AROUND_CALL, AROUND_NOW):
        judge_revenue(judge, scenario, scenario.moved(REVENUE, (ADS, window)))
    _judge_unit_of_rows(judge, scenario)
    judge_direction(judge, "ANA-04", scenario, REVENUE)
    demand_judged(judge)


def _judge_unit_of_rows(judge: Judge, scenario: AnalyticsScenario) -> None:
    """Judge that rows of all reports do not hold many times the revenue of the dashboard, as if
    they were in another unit.
    """
    looks = scenario.whole()
    total = (
        summed(looks[DASHBOARD, ALWAYS], "/data/total_revenue")
        if looks[DASHBOARD, ALWAYS].ok
        else 0
    )
    for (path, window), look in looks.items():
        for pointer in (
            pointer
            for pointer in REVENUE.get(path, ())
            if "*" in pointer and look.ok and total > scenario.amount
        ):
            sum_of_rows = summed(look, pointer)
            expected = f"at most the {total:.2f} dollars of the dashboard {window}"
            judge.that(
                "ANA-04",
                sum_of_rows < OTHER_UNIT * total,
                look,
                expected=expected,
                received=f"{sum_of_rows:.2f}",
                where=pointer,
            )


def judge_revenue(judge: Judge, scenario: AnalyticsScenario, moves: Iterable[Movement]) -> None:
    """Judge that revenue moved up by the payment, or by the earlier one as well, which may count
    late, or stayed.
    """
    earlier = scenario.earlier_amount
    steps = (0, scenario.amount, earlier, scenario.amount + earlier)
    for movement in moves:
        judge.that(
            "ANA-04",
            min(abs(movement.by - step) for step in steps) < CENT,
            movement.look,
            expected=(
                f"{movement.pointer} as before, or up by {scenario.amount:.2f} dollars, by the"
                f" {earlier:.2f} of the payment before, or by both"
            ),
            received=f"{movement.by:+.2f}",
            where=movement.pointer,
        )


@check("ANA-03")
@pytest.mark.parametrize("status", ["shown", "lost"])
def test_misses_do_not_count(
    analytics_scenario: AnalyticsScenario, judge: Judge, status: str
) -> None:
    """A call that was held or lost is no close.

    > After one more closed call, the totals of closes MUST be one higher or unchanged.
    """
    scenario = analytics_scenario
    before, after = scenario.before_misses(), scenario.after_miss(status)
    for place in OF_OTHER:
        held = movements(before[place], after[place], CLOSES[DASHBOARD])
        judge_counts(
            judge, "ANA-03", held, int(scenario.near())
        )  # where both calls are near, the call of the ad may count late
    demand_judged(judge)


@check("ANA-04")
def test_a_failed_payment_is_no_revenue(
    analytics_scenario: AnalyticsScenario, judge: Judge
) -> None:
    """A payment for a call that was lost fails; the revenue around that call and around now.

    > After one more succeeded payment, revenue MUST be higher by its amount in dollars or
    > unchanged.
    """
    scenario = analytics_scenario
    before, after = scenario.before_misses(), scenario.after_failure()
    for place in (*OF_OTHER, *OF_NOW):
        for movement in movements(before[place], after[place], REVENUE[DASHBOARD]):
            judge.that(
                "ANA-04",
                abs(movement.by - scenario.missed_amount) >= CENT,
                after[place],
                expected=(
                    f"{movement.pointer} without the {scenario.missed_amount:.2f} dollars of a"
                    " payment that failed"
                ),
                received=f"{movement.by:+.2f}",
                where=movement.pointer,
            )
    demand_judged(judge)


@check("ANA-05")
def test_calls_count_by_what_came_of_them(
    analytics_scenario: AnalyticsScenario, judge: Judge
) -> None:
    """A call that was closed is none that was missed, a call that was missed is no show, and one
    that was cancelled is neither.

    > After one more booked call, the counts of calls MUST be one higher or unchanged.
    """
    scenario, place = analytics_scenario, (DASHBOARD, AROUND_OTHER)
    before, cancelled, missed = (
        look[place]
        for look in (
            scenario.before_misses(),
            scenario.after_cancelling(),
            scenario.after_no_show(),
        )
    )
    closed = scenario.moved(NO_SHOWS, (DASHBOARD, AROUND_CALL)) if scenario.closed().ok else []
    moved = [
        *(
            ("cancelled", move)
            for move in movements(before, cancelled, (*SHOWS[DASHBOARD], *NO_SHOWS[DASHBOARD]))
        ),
        *(("missed", move) for move in movements(before, missed, SHOWS[DASHBOARD])),
        *(("closed", move) for move in closed),
    ]
    for what, movement in moved:
        judge.that(
            "ANA-05",
            movement.by
            <= scenario.near(),  # where both calls are near, the close of the ad may count late
            movement.look,
            expected=f"{movement.pointer} no higher for a call that was {what}",
            received=f"{movement.by:+g}",
            where=movement.pointer,
        )
    demand_judged(judge)


@check("ANA-05")
def test_a_lead_alone_is_no_call(analytics_scenario: AnalyticsScenario, judge: Judge) -> None:
    """A lead of an ad that has booked nothing; the rows of that ad and of its campaign.

    > After one more booked call, the counts of calls MUST be one higher or unchanged.
    """
    scenario = analytics_scenario
    if not scenario.lead_alone().ok:
        raise NotApplicableError("a lead with UTM values was refused")
    ad = scenario.fruitless_ad
    for path, window, only in (
        (CAMPAIGNS, UNTIL_CALL, ad.is_campaign_of),
        (ADS, AROUND_NOW, ad.is_named_by),
    ):
        look = scenario.after()[path, window]
        for movement in movements(None, look, CALLS[path], only):
            expected, pointer = "no call of a lead that has booked nothing", movement.pointer
            judge.that(
                "ANA-05",
                movement.by == 0,
                look,
                expected=expected,
                received=f"{movement.by:g}",
                where=pointer,
            )
    demand_judged(judge)
