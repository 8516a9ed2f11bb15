"""What a refund does to revenue: takes it back at most once, and never adds to it."""

from plumbline.fixtures.http.exchange import NotApplicableError
from plumbline.fixtures.judging.judge import Judge
from plumbline.fixtures.scenarios.mark import check
from plumbline.fixtures.scenarios.metrics import ADS, CAMPAIGNS, DASHBOARD, REVENUE, movements
from plumbline.fixtures.scenarios.shared.analytics_looks import AROUND_CALL, AROUND_NOW
from plumbline.fixtures.scenarios.shared.analytics_scenario import AnalyticsScenario

from .test_moves import CENT, demand_judged, judge_revenue, on_call


@check("ANA-04", spare=True)
def test_a_refund_adds_no_revenue(analytics_scenario: AnalyticsScenario, judge: Judge) -> None:
    """The payment for the closed call is refunded: whether reports show what came in or what is
    left of it, the payment counts once or not at all.

    > After one more succeeded payment, revenue MUST be higher by its amount in dollars or
    > unchanged.
    """
    scenario = analytics_scenario
    if not scenario.refunded().ok:
        raise NotApplicableError("the refund of a payment was refused")
    before = {**scenario.after_close(), (ADS, AROUND_CALL): scenario.before_close()}
    only = {CAMPAIGNS: scenario.ad.is_campaign_of, ADS: scenario.ad.is_named_by}
    for place in (*on_call(scenario), (ADS, AROUND_CALL)):
        # Where the outcome shows only now, revenue may hold the value of the deal as well.
        if place[0] == ADS or not scenario.was_late(place):
            path, look = place[0], scenario.after_refund()[place]
            judge_revenue(
                judge,
                scenario,
                movements(before[place], look, REVENUE[path], only.get(path)),
            )
    if scenario.alone:
        _judge_taken_off_once(judge, scenario)
    demand_judged(judge)


def _judge_taken_off_once(judge: Judge, scenario: AnalyticsScenario) -> None:
    """Judge that the revenue of now did not fall by more than was given back."""
    now = (DASHBOARD, AROUND_NOW)
    totals = tuple(pointer for pointer in REVENUE[DASHBOARD] if "*" not in pointer)
    for movement in movements(scenario.before_refund()[now], scenario.after_refund()[now], totals):
        judge.that(
            "ANA-04",
            movement.by > -scenario.amount - CENT,
            movement.look,
            expected=(
                f"{movement.pointer} lower by the {scenario.amount:.2f} dollars of the refund at"
                " most"
            ),
            received=f"{movement.by:+.2f}",
            where=movement.pointer,
        )
