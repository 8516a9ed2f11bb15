"""The dashboard of one product."""

from plumbline.fixtures.http.exchange import NotApplicableError
from plumbline.fixtures.judging.judge import Judge
from plumbline.fixtures.scenarios.mark import check
from plumbline.fixtures.scenarios.metrics import DASHBOARD, summed
from plumbline.fixtures.scenarios.shared.analytics_looks import AROUND_OTHER
from plumbline.fixtures.scenarios.shared.analytics_scenario import AnalyticsScenario

CALLS = "/data/total_calls"


@check("ANA-19")
def test_a_product_counts_its_calls(analytics_scenario: AnalyticsScenario, judge: Judge) -> None:
    """The dashboard around a call once it was held, by the product of the call; all other looks at
    that call, before and after, are at all products. A product may be unknown (ANA-O07).

    > A dashboard that is served for the product of a call MUST count that call where the one of all
    > products does.
    """
    scenario, place = analytics_scenario, (DASHBOARD, AROUND_OTHER)
    held, *others = (
        look[place]
        for look in (
            scenario.after_miss("shown"),
            scenario.after_no_show(),
            scenario.after_miss("lost"),
        )
    )
    if not held.ok:
        raise NotApplicableError("the product of the call was refused")
    if not scenario.product():
        raise NotApplicableError("the call has no product, or there are others at its time")
    if not all(look.ok and summed(look, CALLS) == 1 for look in others):
        raise NotApplicableError("what came of the call decides about whether it counts")
    judge.that(
        "ANA-19",
        summed(held, CALLS) == 1,
        held,
        expected=f"the call, whose `product_id` is {scenario.product()}",
        received=f"{summed(held, CALLS):g} calls",
        where=CALLS,
    )
