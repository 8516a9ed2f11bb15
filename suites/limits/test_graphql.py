"""An organization that is idle and uses up its REST limit by nothing but reads, then its GraphQL
limit.
"""

from plumbline.fixtures.http.exchange import PreconditionNotMet
from plumbline.fixtures.http.pacing import GRAPHQL_PER_MINUTE
from plumbline.fixtures.judging.judge import Judge
from plumbline.fixtures.scenarios.background.burst import names_budget, nothing_left, served
from plumbline.fixtures.scenarios.background.limits import GraphQLLimits
from plumbline.fixtures.scenarios.background.parts import QUERIES, READS_BESIDE_QUERIES
from plumbline.fixtures.scenarios.mark import check


@check("LIM-03", parts=[QUERIES])
def test_a_hundred_queries_are_served(judge: Judge, graphql_limits: GraphQLLimits) -> None:
    """Small queries, as fast as they go, by an organization that was idle.

    > From idle, 100 GraphQL requests within a minute MUST be served.
    """
    for exchange in graphql_limits.queries.within_budget:
        judge("LIM-03", exchange, served)


@check("LIM-04", parts=[QUERIES])
def test_queries_meet_their_limit(judge: Judge, graphql_limits: GraphQLLimits) -> None:
    """The queries go on to more than twice the limit.

    > Requests beyond the GraphQL budget of a minute MUST be answered with 429.
    """
    judge("LIM-04", graphql_limits.queries.shown(), graphql_limits.queries.keeps_limit)


@check("LIM-19", "LIM-20", parts=[QUERIES])
def test_429_of_queries_names_its_budget(judge: Judge, graphql_limits: GraphQLLimits) -> None:
    """The first query that met the limit.

    > `X-RateLimit-Remaining` beside an `X-RateLimit-Limit` that names the budget that was used up
    > MUST be 0. `X-RateLimit-Limit` of a 429 SHOULD be one of the documented budgets of its
    > surface.
    """
    refused = graphql_limits.queries.used_up
    if refused is None:
        raise PreconditionNotMet("no query met the limit, so nothing follows from it")
    judge("LIM-19", refused, nothing_left(GRAPHQL_PER_MINUTE))
    judge("LIM-20", refused, names_budget(GRAPHQL_PER_MINUTE))


@check("LIM-02", parts=[READS_BESIDE_QUERIES])
def test_sixty_reads_are_served(judge: Judge, graphql_limits: GraphQLLimits) -> None:
    """Nothing but reads, as fast as they go, by an organization that was idle.

    > From idle, 60 REST requests within a minute MUST be served.
    """
    for exchange in graphql_limits.reads.within_budget:
        judge("LIM-02", exchange, served)


@check("LIM-01", parts=[READS_BESIDE_QUERIES])
def test_reads_meet_their_limit(judge: Judge, graphql_limits: GraphQLLimits) -> None:
    """Nothing but reads; where more than a minute's worth is served, once more at another phase of
    the minute.

    > Requests beyond the REST budget of a minute MUST be answered with 429.
    """
    judge("LIM-01", graphql_limits.reads.shown(), graphql_limits.reads.keeps_limit)
