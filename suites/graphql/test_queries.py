"""What holds for every schema: the name of a type, errors, credentials, introspection."""

import re
from typing import Any

import pytest

from plumbline.fixtures.http.client import Client
from plumbline.fixtures.http.exchange import Exchange, NotApplicableError
from plumbline.fixtures.judging.graphql_client import (
    PATH,
    TYPENAME,
    ask,
    connection_in,
    errors_in,
    lets_in,
    names_its_type,
    reports_errors,
)
from plumbline.fixtures.judging.judge import Judge
from plumbline.fixtures.judging.matchers import accepted, answered, causes_no_5xx, has
from plumbline.fixtures.judging.mismatch import Matcher, Mismatch
from plumbline.fixtures.judging.values_as_text import shown
from plumbline.fixtures.scenarios.builders import Builders
from plumbline.fixtures.scenarios.malformed import DOCUMENTS
from plumbline.fixtures.scenarios.mark import check
from plumbline.fixtures.scenarios.shared.graphql_scenario import GraphQLScenario
from plumbline.fixtures.session.session import Session

IN_NODE = re.compile(r"\bnode\s*\{")
DEMANDED_ID = re.compile(r"\$id\s*:\s*\w+!")
UNKNOWN_PARAMETERS = 400
"""Refuses parameters before anybody asks who sent them (AUTH-O07)."""
ABSENT = frozenset({404, 405, 501})
"""Statuses of a deployment that has no GraphQL at all, which says nothing about what the core
demands of credentials.
"""


@check("GQL-01", "GQL-02")
def test_the_query_type_has_a_name(
    judge: Judge, api: Client, graphql_scenario: GraphQLScenario
) -> None:
    """The one query that is valid for every schema, and the same by two aliases unless a library
    takes it for introspection.

    > `{ __typename }` MUST be answered with the name of the query type under `data`, unless
    > `errors` refuse it as introspection. An answer to a query MUST be a JSON object with `data`,
    > `errors` or both.
    """
    typename = graphql_scenario.typename()
    judge("GQL-01", typename, names_its_type)
    judge.traffic(typename)
    if isinstance(typename.at("/data/__typename"), str):
        aliased = ask(api, "{ one: __typename other: __typename }")
        name = aliased.at("/data/one") or aliased.at("/data/other")
        judge("GQL-01", aliased, has("/data", {"one": name, "other": name}))


@check("AUTH-05")
def test_a_valid_key_is_accepted(judge: Judge, graphql_scenario: GraphQLScenario) -> None:
    """The key under test.

    > A valid key MUST be accepted on both surfaces as `Authorization: Bearer`.
    """
    judge("AUTH-05", graphql_scenario.typename(), lets_in)


@check("SVC-03")
@pytest.mark.parametrize("key", ["main", "read_only", "other_org"])
def test_both_surfaces_know_a_key(
    judge: Judge, session: Session, graphql_scenario: GraphQLScenario, key: str
) -> None:
    """A read of one lead over REST and the simplest query, with every valid key.

    > A key that is accepted on one surface MUST be accepted on the other.
    """
    typename = graphql_scenario.typename()
    actor: Client = getattr(session, key)
    rest = actor.get("/v1/leads", limit=1)
    query = typename if key == "main" else ask(actor, TYPENAME)
    if rest.ok:
        judge("SVC-03", query, lets_in, lambda answer: _refusal(answer, typename))
    elif lets_in(query) is None and rest.status == 401:
        judge("SVC-03", rest, accepted)
    else:
        raise NotApplicableError("the key is not accepted on either surface")


def _refusal(answer: Exchange, owners: Exchange) -> Mismatch | None:
    """Errors for this key where the owner meets none refuse the key, whatever the status."""
    errors = [] if errors_in(owners) else errors_in(answer)
    return Mismatch("the answer that the owner gets", shown(errors), "/errors") if errors else None


@check("GQL-02", "GQL-03", "GQL-04")
def test_syntax_errors_are_reported(api: Client, judge: Judge, build: Builders) -> None:
    """A query whose selection is never closed, and one with a bracket that was never opened.

    > A query with a syntax error MUST be answered with `errors`. `errors`, where present, MUST be
    > an array of objects with a `message`. An answer to a query MUST be a JSON object with `data`,
    > `errors` or both.
    """
    for query in (f"query q{build.sample_data.text(6)} {{ __typename", "{ __typename } )"):
        exchange = ask(api, query)
        judge("GQL-04", exchange, reports_errors)
        judge.traffic(exchange)


@check("GQL-02", "GQL-03", "GQL-05")
def test_an_unknown_field_is_reported(api: Client, judge: Judge, build: Builders) -> None:
    """A field with a name that was just made up: beside one that exists, and in a node of each
    connection of the profile.

    > A query for a field that does not exist MUST be answered with `errors`.
    """
    exchange = ask(api, f"{{ __typename x{build.sample_data.text(11)} }}")
    judge("GQL-05", exchange, reports_errors)
    judge.traffic(exchange)
    for query in build.session.profile.graphql.connections():
        unknown = IN_NODE.sub(rf"\g<0> x{build.sample_data.text(11)} ", query, count=1)
        if unknown != query:
            judge("GQL-05", ask(api, unknown, first=1), reports_errors)


@check("GQL-18")
def test_a_missing_variable_is_reported(api: Client, judge: Judge, session: Session) -> None:
    """A variable that must not be null and has no value, in a query that every schema knows; and
    the id of the query for a lead, where the profile has one that demands it.

    > A query that gives no value to a variable that must not be null SHOULD be answered with
    > `errors`.
    """
    queries = ["query ($hidden: Boolean!) { __typename @skip(if: $hidden) }"]
    lead = session.profile.graphql.lead
    queries += [lead] if DEMANDED_ID.search(lead) else []
    for query in queries:
        judge("GQL-18", ask(api, query), reports_errors)


@check("GQL-03", "GQL-16")
def test_a_failing_connection_is_reported(api: Client, judge: Judge, session: Session) -> None:
    """One connection is asked for fewer than no edges, one for what is behind a cursor that nobody
    has issued; others by seed.

    What becomes of either is open, but a connection that is null has failed.

    > An answer whose `data`, or a connection in it, is null MUST carry at least one entry in
    > `errors`. `errors`, where present, MUST be an array of objects with a `message`.
    """
    connections, seed = session.profile.graphql.connections(), session.settings.seed
    if not connections:
        raise NotApplicableError("the profile has no connection to ask for")
    tries: tuple[dict[str, Any], ...] = ({"first": -1}, {"first": 2, "after": f"no-cursor-{seed}"})
    for number, variables in enumerate(tries):
        tried = ask(api, connections[(seed + number) % len(connections)], **variables)
        failed = tried.ok and connection_in(tried) is None
        judge("GQL-16", tried, *([reports_errors] if failed else []))
        judge.traffic(tried)
    if "GQL-03" in judge.forgotten():
        judge.not_applicable("GQL-03", "neither was an error")


@check("GQL-06", "AUTH-01")
def test_missing_credentials_are_refused(judge: Judge, anonymous: Client, session: Session) -> None:
    """The simplest query without any credentials, and one for leads, if the profile has one.

    > A query without a valid key MUST be answered with 401. A request without credentials MUST be
    > answered with 401, on every operation.
    """
    _judge_refused(judge, ask(anonymous, TYPENAME))
    if leads := session.profile.graphql.leads:
        _judge_refused(judge, ask(anonymous, leads, first=1))


@check("GQL-06", "AUTH-01")
def test_a_key_elsewhere_opens_nothing(judge: Judge, anonymous: Client, session: Session) -> None:
    """The simplest query with the key under test in other headers and in cookies and, if it is no
    live key, in its address.

    > A query without a valid key MUST be answered with 401. A request without credentials in an
    > `Authorization` header MUST be answered with 401, on every operation, wherever else it carries
    > a key.
    """
    key = session.profile.keys.api or ""
    elsewhere = {"x-api-key": key, "cookie": f"api_key={key}; access_token={key}"}
    _judge_refused(
        judge, anonymous.request("POST", PATH, json_body={"query": TYPENAME}, headers=elsewhere)
    )
    if not key.startswith("svc_pk_live_"):
        query = {"api_key": key, "access_token": key}
        tried = anonymous.request("POST", PATH, query=query, json_body={"query": TYPENAME})
        if tried.status != UNKNOWN_PARAMETERS:
            _judge_refused(judge, tried)


@check("GQL-06", "AUTH-02")
def test_a_wrong_key_is_refused(judge: Judge, session: Session, build: Builders) -> None:
    """A key that was made up.

    > A query without a valid key MUST be answered with 401. A request with a wrong key MUST be
    > answered with 401.
    """
    _judge_refused(
        judge,
        ask(
            session.bearer("guesser", f"Bearer svc_pk_test_{build.sample_data.text(32)}"), TYPENAME
        ),
    )


@check("GQL-06", "AUTH-03")
def test_a_malformed_header_is_refused(judge: Judge, session: Session) -> None:
    """The key under test without `Bearer` before it.

    > A query without a valid key MUST be answered with 401. A request whose `Authorization` header
    > is malformed MUST be answered with 401.
    """
    _judge_refused(judge, ask(session.bearer("muddler", str(session.profile.keys.api)), TYPENAME))


@pytest.mark.parametrize(
    "key",
    [
        pytest.param("revoked", marks=check("GQL-06", "AUTH-06")),
        pytest.param("expired", marks=check("GQL-06", "AUTH-07")),
        pytest.param("deleted", marks=check("GQL-06", "AUTH-08")),
    ],
)
def test_an_ended_key_is_refused(judge: Judge, session: Session, key: str) -> None:
    """A key that once worked.

    > A query without a valid key MUST be answered with 401. A revoked key, an expired key and a
    > deleted key MUST be answered with 401.
    """
    _judge_refused(judge, ask(session.holder_of(key), TYPENAME))


def _judge_refused(judge: Judge, exchange: Exchange) -> None:
    for requirement in sorted(judge.declared):
        if requirement == "GQL-06" or exchange.status not in ABSENT:
            judge(requirement, exchange, answered(401))
        else:
            judge.not_applicable(requirement, "there is no GraphQL at the address of the document")


@check("GQL-07")
def test_introspection_is_refused(
    api: Client, judge: Judge, session: Session, graphql_scenario: GraphQLScenario
) -> None:
    """Introspection queries, anonymous and under an unusual name, so that no list of known queries
    has them.

    > Introspection of the schema MUST be refused in production.
    """
    if not session.profile.target.production:
        raise NotApplicableError("the profile does not say that the deployment runs in production")
    name = graphql_scenario.typename().at("/data/__typename")
    of_type = (
        f'{{ kind: __type(name: "{name if isinstance(name, str) else "Query"}") {{ name fields {{'
        " name } } }"
    )
    for query, field in (
        ("{\n  __schema\n  { queryType { name } types { name } }\n}", "__schema"),
        (of_type, "kind"),
    ):
        judge("GQL-07", ask(api, query), _discloses_nothing(f"/data/{field}"))


def _discloses_nothing(pointer: str) -> Matcher:
    """The answer tells nothing of the schema; a refusal may have any status and any form."""

    def matcher(exchange: Exchange) -> Mismatch | None:
        value = exchange.at(pointer)
        return (
            Mismatch("nothing about the schema", shown(value), pointer)
            if isinstance(value, dict | list) and value
            else None
        )

    return matcher


@check("ERR-06", "GQL-04")
def test_malformed_queries_are_answered(judge: Judge, second_org: Builders) -> None:
    """A query with a syntax error, and one each of odd bodies, variables and documents, of which
    ten seeds in a row send all.

    > A query with a syntax error MUST be answered with `errors`. A request MUST NOT be answered
    > with a 5xx.
    """
    for queries in DOCUMENTS.values():
        query = queries[second_org.session.settings.seed % len(queries)]
        answer = second_org.api.request(
            "POST", PATH, content=query.content, headers={"content-type": "application/json"}
        )
        if answer.status not in ABSENT:
            judge("ERR-06", answer, causes_no_5xx(query.name, query.reason))
        if query.is_syntax_error:
            judge("GQL-04", answer, reports_errors)
    if "ERR-06" in judge.forgotten():
        judge.not_applicable("ERR-06", "there is no GraphQL at the address of the document")
