"""Team performance: the period that it looks at."""

from plumbline.fixtures.judging.judge import Judge
from plumbline.fixtures.judging.matchers import accepted
from plumbline.fixtures.scenarios.mark import check
from plumbline.fixtures.scenarios.metrics import TEAM
from plumbline.fixtures.scenarios.shared.analytics_looks import ALWAYS
from plumbline.fixtures.scenarios.shared.analytics_scenario import AnalyticsScenario
from plumbline.spec.comparing import same

from .test_metrics import allowed


@check("ANA-12")
def test_the_shortest_and_the_longest_period(
    analytics_scenario: AnalyticsScenario, judge: Judge
) -> None:
    """Periods of 1 and of 365 days.

    > `days` of 1 and of 365 MUST be served.
    """
    for look in analytics_scenario.team_of().values():
        judge("ANA-12", allowed(look), accepted)


@check("ANA-11")
def test_the_period_is_echoed(analytics_scenario: AnalyticsScenario, judge: Judge) -> None:
    """Periods of 1 and of 365 days, and no word about the period.

    > `period_days` MUST be the `days` that were asked for, or 90 if none were.
    """
    scenario = analytics_scenario
    for days, look in (
        (90, scenario.whole()[TEAM, ALWAYS]),
        *((int(days), look) for days, look in scenario.team_of().items()),
    ):
        shown_days = look.data.get("period_days")
        holds = shown_days is None or same(shown_days, days)
        judge.that(
            "ANA-11",
            holds,
            look,
            expected=f"{days}",
            received=shown_days,
            where="/data/period_days",
        )
