"""Mutations: what they make, and how they tell what is wrong."""

import pytest

from plumbline.fixtures.http.client import Client
from plumbline.fixtures.http.exchange import Exchange, NotApplicableError, PreconditionNotMet
from plumbline.fixtures.judging.graphql_client import (
    Found,
    errors_in,
    graphql_summary,
    record_in,
    reports_no_errors,
    reports_no_user_errors,
    reports_user_errors,
    user_errors_in,
)
from plumbline.fixtures.judging.judge import Judge
from plumbline.fixtures.judging.matchers import finds_none, has
from plumbline.fixtures.judging.mismatch import Mismatch
from plumbline.fixtures.judging.surface_diff import differences_over_graphql
from plumbline.fixtures.judging.values_as_text import shown
from plumbline.fixtures.scenarios.mark import check
from plumbline.fixtures.scenarios.shared.graphql_scenario import GraphQLScenario, demand_ids_of_rest

SHOWN_AT_ONCE = {"email", "status", "full_name", "phone"}
"""Fields of a new lead that nothing changes on its own."""


@check("GQL-15", "LEAD-02", "SVC-04")
def test_a_valid_mutation_takes_effect(
    api: Client, judge: Judge, graphql_scenario: GraphQLScenario
) -> None:
    """A lead that a mutation makes of nothing but an email, and the same lead over REST.

    > A mutation with valid input MUST take effect and report no `userErrors`. A new lead MUST have
    > the `status` `new`. Both surfaces MUST show the same data.
    """
    created = graphql_scenario.created()
    _demand_understood(created)
    made = record_in(created)
    judge("GQL-15", created, reports_no_user_errors)
    judge.that(
        "GQL-15",
        made is not None,
        created,
        expected="the `id` of a lead in `data`",
        received=graphql_summary(created),
        where="/data",
    )
    if made is not None:
        demand_ids_of_rest([made.value["id"]])
        email = has("/data/email", graphql_scenario.email)
        lead = api.get("/v1/leads/{id}", id=made.value["id"])
        if judge("GQL-15", lead, email):
            judge("LEAD-02", lead, has("/data/status", "new"))
        _judge_answer(judge, created, made, lead)


def _judge_answer(judge: Judge, created: Exchange, made: Found, lead: Exchange) -> None:
    """What a mutation shows of the lead that it made is what REST shows of it."""
    read = {
        name: value
        for name, value in lead.data.items()
        if name in made.value.keys() & SHOWN_AT_ONCE
    }
    if not read:
        judge.not_applicable(
            "SVC-04", "the mutation of the profile asks for nothing but the id of the lead"
        )
        return
    wrong = differences_over_graphql(read, made.value)
    pointer, left, right = wrong[0] if wrong else ("", read, made.value)
    judge.that(
        "SVC-04",
        not wrong,
        created,
        expected=shown(left),
        received=right,
        where=f"{made.pointer}{pointer}",
    )


@check("GQL-10", "GQL-11")
@pytest.mark.parametrize("index", [0, 1], ids=["without @", "without a host"])
def test_invalid_input_is_a_user_error(
    judge: Judge, graphql_scenario: GraphQLScenario, index: int
) -> None:
    """The same mutation with a text that is no address.

    > A mutation with invalid input MUST report it in `data` as `userErrors` with `field` and
    > `message`, and MUST NOT report it in `errors`.
    """
    _demand_understood(graphql_scenario.created())
    rejected = graphql_scenario.rejected()[index]
    judge("GQL-10", rejected, reports_user_errors)
    judge("GQL-11", rejected, reports_no_errors)


@check("LEAD-13")
def test_a_refused_mutation_leaves_nothing(judge: Judge, connections: GraphQLScenario) -> None:
    """The leads over REST after mutations that were refused for their email.

    > A refused create MUST NOT leave a lead behind.
    """
    _demand_operation(connections)
    if not all(
        user_errors_in(mutation) and not reports_user_errors(mutation)
        for mutation in connections.rejected()
    ):
        raise NotApplicableError("the mutation was not refused with user errors")
    _judge_no_lead(judge, "LEAD-13", connections, connections.nearly)


@check("AUTH-10", "AUTH-11")
def test_a_read_only_key_cannot_write(
    judge: Judge, read_only: Client, connections: GraphQLScenario
) -> None:
    """The same mutation, valid as it is, with a key that has `read` only, behind a comment or a
    query; how GraphQL refuses it is open.

    > A key without `write` MUST be refused on every write of leads, calls and payments, and the
    > write MUST NOT have an effect.
    """
    _demand_operation(connections)
    _demand_understood(connections.created())
    tried = connections.tried_by_reader()
    if judge("AUTH-10", tried, _makes_nothing):
        _judge_no_lead(judge, "AUTH-11", connections, connections.readers_email)
    else:
        judge.not_applicable("AUTH-11", "the write was not refused")


def _makes_nothing(exchange: Exchange) -> Mismatch | None:
    record = record_in(exchange)
    return (
        Mismatch("a refusal in any form", shown(record.value), record.pointer) if record else None
    )


def _judge_no_lead(judge: Judge, requirement: str, scenario: GraphQLScenario, address: str) -> None:
    """Judge that no lead over REST has an address, where a lead that was made beside it shows
    up.
    """
    walk = scenario.over_rest("leads")
    if not walk.ended and scenario.lead().lower() not in walk.ids:
        raise PreconditionNotMet(
            "new leads are not on the first page of GET /v1/leads, so nothing follows from what it"
            " does not show"
        )
    addresses = [
        row["email"] for row in walk.rows if address.lower() in str(row.get("email")).lower()
    ]
    judge(requirement, walk.last, finds_none(addresses, f"no lead with {address}"))


def _demand_operation(scenario: GraphQLScenario) -> None:
    if not scenario.build.session.profile.graphql.create_lead:
        raise NotApplicableError("the profile has no mutation to try")


def _demand_understood(exchange: Exchange) -> None:
    """Stop where the deployment does not know the mutation at all: then the profile has to be
    mended.

    Errors of execution say where in the data they happened, those of the text of a query do not.
    """
    errors = errors_in(exchange)
    located = any(isinstance(error, dict) and error.get("path") for error in errors)
    if errors and not located and not exchange.at("/data"):
        raise PreconditionNotMet(
            "the operation `create_lead` of the profile is not understood:"
            f" {graphql_summary(exchange)}",
            "try it by hand, and correct graphql.create_lead in the profile",
        )
