"""An organization that uses up its GraphQL limit."""

from plumbline.fixtures.checks import check
from plumbline.fixtures.expect import answered
from plumbline.fixtures.judge import Judge
from plumbline.fixtures.watches.limits import Burst, served


@check("LIM-03", cost=0)
def test_a_hundred_queries_are_served(judge: Judge, graphql_limits: Burst) -> None:
    """Small queries, as fast as they go, by an organization that was idle.

    > From idle, 100 GraphQL requests within a minute MUST be served.
    """
    for exchange in graphql_limits.within_budget:
        judge("LIM-03", exchange, served)


@check("LIM-04", cost=0)
def test_queries_meet_their_limit(judge: Judge, graphql_limits: Burst) -> None:
    """The queries go on to more than twice the limit.

    > More than twice the GraphQL budget within a minute MUST meet a 429.
    """
    judge("LIM-04", graphql_limits.demand_overrun(), answered(429))
