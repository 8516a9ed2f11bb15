"""What holds for each of the five answers, whatever happened: they are served, well shaped, and
count only what there is.
"""

import pytest

from plumbline.fixtures.http.exchange import Exchange, PreconditionNotMet
from plumbline.fixtures.judging.judge import Judge
from plumbline.fixtures.judging.matchers import accepted
from plumbline.fixtures.scenarios.builders import Builders
from plumbline.fixtures.scenarios.mark import check
from plumbline.fixtures.scenarios.metrics import ADS, DASHBOARD, PATHS, TEAM, counted
from plumbline.fixtures.scenarios.shared.analytics_looks import ALWAYS, LONG_AGO
from plumbline.fixtures.scenarios.shared.analytics_scenario import AnalyticsScenario

WINDOWED = tuple(path for path in PATHS if path != TEAM)
"""Team performance looks at a number of days, 90 unless others are given; how they go together with
a window is open.
"""
FRESH = "2001-02-03T01:02:03Z"
"""The beginning of a window that was never asked for, so that no answer to it is kept."""


def allowed(exchange: Exchange) -> Exchange:
    """An answer that does not say that plan or scope leave the metrics out; both may do so."""
    if exchange.status == 403:
        raise PreconditionNotMet(
            f"{exchange.operation} was answered with 403",
            "use a key whose plan and scopes include the metrics",
        )
    return exchange


@check("ANA-01", "ANA-02")
@pytest.mark.parametrize("path", PATHS)
def test_metrics_are_served(analytics_scenario: AnalyticsScenario, judge: Judge, path: str) -> None:
    """Each endpoint without a window and with one.

    > Each analytics endpoint MUST be served with a window and without one. Fields of analytics
    > answers MUST have their documented types.
    """
    for looks, window in (
        (analytics_scenario.whole(), ALWAYS),
        (analytics_scenario.long_ago(), LONG_AGO),
    ):
        look = allowed(looks[path, window])
        if judge("ANA-02", look, accepted):
            judge.traffic(look)


@check("ANA-08")
def test_ads_have_no_cost(analytics_scenario: AnalyticsScenario, judge: Judge) -> None:
    """The rows of all ads.

    > Ad performance MUST NOT hold spend, ROAS or CAC.
    """
    look = analytics_scenario.whole()[ADS, ALWAYS]
    _ = look.rows
    judge.traffic(look)


@check("ANA-06")
@pytest.mark.parametrize("path", WINDOWED)
def test_an_empty_window_counts_nothing(
    analytics_scenario: AnalyticsScenario, judge: Judge, path: str
) -> None:
    """A window that lies before the first record.

    > A window that ends before the first record MUST count nothing.
    """
    look = allowed(analytics_scenario.long_ago()[path, LONG_AGO])
    if not look.ok:
        raise PreconditionNotMet(f"{look.operation} was not served with a window")
    counts = counted(look, path)
    judge.that(
        "ANA-06",
        not counts,
        look,
        expected="no figure but 0",
        received=counts,
        where=next(iter(counts), ""),
    )


@check("ANA-09", main=True)
@pytest.mark.usefixtures("controller")
def test_a_failing_query_is_an_error(
    analytics_scenario: AnalyticsScenario, judge: Judge, build: Builders
) -> None:
    """Every query for metrics fails, also one that was never sent before; the test controller
    arranges that for the main key.

    > A failing query for figures MUST be answered with a 5xx and `DATABASE_ERROR`.
    """
    windows = {
        path: {"start_date": FRESH} if analytics_scenario.long_ago()[path, LONG_AGO].ok else {}
        for path in PATHS
    }
    with build.session.states.broken_metrics():
        looks = [build.api.get(path, **windows[path]) for path in PATHS]
    for look in looks:
        reported = look.status >= 500 and look.code == "DATABASE_ERROR"
        judge.that(
            "ANA-09",
            reported,
            look,
            expected="a 5xx with code DATABASE_ERROR",
            received=look.summary(),
            where="/code",
        )


@check("ANA-09")
def test_nonsense_breaks_no_query(analytics_scenario: AnalyticsScenario, judge: Judge) -> None:
    """A window that begins on no day, and a period of no number of days; what they are answered
    with is open.

    > A failing query for figures MUST be answered with a 5xx and `DATABASE_ERROR`.
    """
    api = analytics_scenario.build.api
    for look in (api.get(DASHBOARD, start_date="yesterday"), api.get(TEAM, days="ninety")):
        sound = look.status < 500 or look.code == "DATABASE_ERROR"
        judge.that(
            "ANA-09",
            sound,
            look,
            expected="no 5xx without code DATABASE_ERROR",
            received=look.summary(),
        )
