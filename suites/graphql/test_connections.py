"""Connections: their shape, walks through them, and whether they show what REST shows."""

from itertools import pairwise
from typing import Any

import pytest

from plumbline.fixtures.http.client import Client
from plumbline.fixtures.http.exchange import (
    Exchange,
    NotApplicableError,
    PreconditionNotMet,
    at,
    parse_json,
)
from plumbline.fixtures.judging.graphql_client import ask, graphql_summary, record_in
from plumbline.fixtures.judging.judge import Judge
from plumbline.fixtures.judging.matchers import accepted, finds_all, finds_none, finds_once
from plumbline.fixtures.judging.mismatch import Step
from plumbline.fixtures.judging.surface_diff import differences_over_graphql
from plumbline.fixtures.judging.values_as_text import shown
from plumbline.fixtures.scenarios.connection_walk import ConnectionWalk, walk, well_formed
from plumbline.fixtures.scenarios.mark import check
from plumbline.fixtures.scenarios.shared.graphql_scenario import GraphQLScenario, demand_ids_of_rest
from plumbline.spec.comparing import same

NAMES = ("leads", "calls", "payments", "opportunities")
MAX_LOOKUPS = 2
"""Leads that only GraphQL shows and that are asked for over REST."""


@check("GQL-08", "GQL-13")
@pytest.mark.parametrize("name", NAMES)
def test_pages(judge: Judge, connections: GraphQLScenario, name: str) -> None:
    """Every page of two walks: one by pages as large as they may be, one by small ones, the first
    of which says that it comes after null.

    > A connection MUST have `pageInfo` and `edges` with `cursor` and `node`. A page of a connection
    > MUST NOT hold more edges than `first` asks for.
    """
    for done in (connections.whole(name), connections.in_small_pages(name)):
        if done.unbegun:
            judge("GQL-08", done.unbegun, well_formed)
        for page in done.pages:
            if page.connection is None:
                continue
            judge("GQL-08", page.exchange, well_formed)
            count = len(page.edges)
            judge.that(
                "GQL-13",
                count <= page.first,
                page.exchange,
                expected=f"at most {page.first} edges",
                received=f"{count} edges",
                where=f"{page.connection.pointer}/edges",
            )


@check("GQL-09", "GQL-17")
@pytest.mark.parametrize("name", NAMES)
def test_walks(judge: Judge, connections: GraphQLScenario, name: str) -> None:
    """The same walks; the second has pages of which the last is exactly full.

    > A walk with `first` and `after` MUST yield every node once. `hasNextPage` SHOULD be false on a
    > page that ends the connection, also when the edges fill that page exactly.
    """
    whole, rest = connections.whole(name), connections.over_rest(name)
    paged = len(whole.pages) > 1 or len(whole.pages[0].edges) >= whole.largest
    judge_walk(judge, whole, set(rest.ids) if paged and whole.ended else set())
    small = connections.in_small_pages(name)
    judge_walk(judge, small, set(whole.shown_again_by(small)))


@check("GQL-09")
def test_nothing_comes_behind_the_last(judge: Judge, connections: GraphQLScenario) -> None:
    """The cursor of the last edge of the payments, without `first` where that is served; what is
    made meanwhile may come behind it, what came before it does not. Where nothing does, nothing
    follows.

    > A walk with `first` and `after` MUST yield every node once.
    """
    before, page = connections.in_small_pages("payments"), connections.behind_the_last()
    if page is None:
        raise PreconditionNotMet(
            "the end of the connection of payments was not reached",
            "use --tier exhaustive, or a smaller organization",
        )
    again = [node["id"].lower() for node in page.nodes if node["id"].lower() in set(before.ids)]
    judge("GQL-09", page.exchange, finds_none(again, "no node that came before"))
    where = f"{page.connection.pointer}/pageInfo/hasNextPage" if page.connection else ""
    judge.that(
        "GQL-09",
        bool(page.edges) or page.more is not True,
        page.exchange,
        expected="no further page behind one without edges",
        received=page.more,
        where=where,
    )


def judge_walk(judge: Judge, done: ConnectionWalk, ids: set[str]) -> None:
    """Judge a walk: it can be followed, repeats nothing, and holds all that was known before it, if
    it was seen to its end.
    """
    judge.that(
        "GQL-09",
        not done.trouble,
        done.last,
        expected="a way to the next page or an end",
        received=done.trouble,
    )
    twice = done.first_repeated()
    judge(
        "GQL-09",
        done.page_of(twice).exchange if twice else done.last,
        finds_once(done.ids, "every node once", ""),
    )
    alike = next(
        (page for page in done.pages if len(set(page.edge_cursors)) < len(page.edge_cursors)), None
    )
    shown_by = alike.exchange if alike else done.last
    judge.that(
        "GQL-09",
        not alike,
        shown_by,
        expected="a cursor of its own for every edge",
        received="edges with one cursor",
    )
    if ids:
        judge(
            "GQL-09",
            done.last,
            finds_all(done.ids, ids, f"all {len(ids)} nodes that were there before"),
        )
    if done.trouble or ids - set(done.ids):
        return  # a page without edges has lost them
    pairs = enumerate(pairwise(done.pages), 1)
    empty = next((at for at, (page, behind) in pairs if page.more is True and not behind.edges), 0)
    judge.that(
        "GQL-17",
        not empty,
        done.pages[empty or -1].exchange,
        expected="no page after the one that ends the connection",
        received="a page without edges after `hasNextPage` true",
        where="/data",
        sequence=[Step(done.pages[empty - 1].exchange), Step(done.pages[empty].exchange)],
    )


@check("SVC-04")
@pytest.mark.parametrize("name", NAMES)
def test_records(judge: Judge, connections: GraphQLScenario, name: str) -> None:
    """A list over REST and its connection: the fields that both show, record by record, and whether
    a record is missing.

    > Both surfaces MUST show the same data.
    """
    rest, whole = connections.over_rest(name), connections.whole(name)
    demand_ids_of_rest(whole.ids)
    shared = set(rest.ids) & set(whole.ids)
    lost = sorted(set(rest.ids) - set(whole.ids))
    if whole.ended and len(whole.pages) == 1 and len(whole.pages[0].edges) < whole.largest:
        judge(
            "SVC-04",
            whole.last,
            finds_all(
                whole.ids, rest.ids, f"the {len(rest.ids)} records that GET /v1/{name} shows"
            ),
        )
    if not shared and not lost:
        raise NotApplicableError(f"there are no {name}")
    if not shared:
        raise PreconditionNotMet(
            f"what was seen of the connection of {name} and of GET /v1/{name} are different records"
        )
    difference = next(iter(connections.disagreements(name)), None)
    where, left, right = difference.difference if difference else ("", None, None)
    judge.that(
        "SVC-04",
        difference is None,
        difference.exchange if difference else whole.last,
        expected=(
            f"{shown(left)} in {where} of {difference.record if difference else ''}, as GET"
            f" /v1/{name} shows it"
        ),
        received=right,
        where="/data",
    )


@check("SVC-04")
def test_one_lead(judge: Judge, graphql_scenario: GraphQLScenario) -> None:
    """A query for a lead that was made over REST, and again after it was changed over REST, beside
    another lead by an alias.

    > Both surfaces MUST show the same data.
    """
    given = graphql_scenario.first_profile
    created, changed = (
        graphql_scenario.lead_created().data,
        graphql_scenario.lead_changed().at("/data"),
    )
    judge_lead(
        judge,
        graphql_scenario,
        graphql_scenario.lead_queried(),
        {name: created.get(name) for name in given},
    )
    # What REST shows differently just before and just after the query may have changed meanwhile.
    settled = {
        name: value
        for name, value in graphql_scenario.lead_read().data.items()
        if same(value, at(changed, f"/{name}"))
    }
    queried = graphql_scenario.lead_queried_again()
    judge_lead(judge, graphql_scenario, queried, settled)
    other = at(parse_json(queried.request_body or b""), "/variables/other")
    if isinstance(other, str):
        judge.that(
            "SVC-04",
            record_in(queried, other) is not None,
            queried,
            expected=f"the lead {other} as well",
            received=graphql_summary(queried),
            where="/data/other",
        )


def judge_lead(
    judge: Judge, scenario: GraphQLScenario, queried: Exchange, row: dict[str, Any]
) -> None:
    """Judge a query for the lead of the scenario by what REST shows of it."""
    record = record_in(queried, scenario.lead())
    if record is None and (other := record_in(queried)):
        demand_ids_of_rest([other.value["id"]])
    judge.that(
        "SVC-04",
        record is not None,
        queried,
        expected="the lead of REST",
        received=graphql_summary(queried),
        where="/data",
    )
    for pointer, left, right in differences_over_graphql(row, record.value) if record else ():
        where = f"{record.pointer}{pointer}" if record else ""
        judge.that(
            "SVC-04",
            holds=False,
            exchange=queried,
            expected=shown(left),
            received=right,
            where=where,
        )


@check("GQL-14")
def test_nodes_are_known_over_rest(api: Client, judge: Judge, connections: GraphQLScenario) -> None:
    """Leads of a connection, spread over those that no list over REST has shown, one by one over
    REST.

    > A connection MUST hold only records of the organization of the key.
    """
    ids_over_rest, ids_shown = (
        connections.over_rest("leads").ids,
        _seen(connections, "leads"),
    )
    if not ids_shown:
        raise NotApplicableError("the connection of leads holds no lead")
    demand_ids_of_rest(ids_shown)
    doubtful = [
        identifier for identifier in ids_shown if identifier not in ids_over_rest
    ] or ids_shown
    step = -(-len(doubtful) // MAX_LOOKUPS)
    for identifier in doubtful[step // 2 :: step]:
        judge("GQL-14", api.get("/v1/leads/{id}", id=identifier), accepted)


@check("GQL-14")
@pytest.mark.parametrize("name", NAMES)
def test_another_organization_sees_nothing(
    judge: Judge, connections: GraphQLScenario, other_org: Client, name: str
) -> None:
    """A connection as the owner of another organization sees it, by a small page and large ones.

    > A connection MUST hold only records of the organization of the key.
    """
    own = set(_seen(connections, name)) | set(connections.over_rest(name).ids)
    largest = connections.whole(name).largest
    walked = walk(other_org, connections.operation(name), pages=2, sizes=[1, largest])
    shared = sorted(own & set(walked.ids))
    judge(
        "GQL-14",
        walked.page_of(shared[0]).exchange if shared else walked.last,
        finds_none(shared, "no record that the other organization sees too"),
    )


@check("SVC-04")
def test_another_organization_sees_no_lead(
    judge: Judge, connections: GraphQLScenario, other_org: Client
) -> None:
    """A query for one lead by the owner of another organization, who is refused it over REST.

    > Both surfaces MUST show the same data.
    """
    operation, lead = connections.operation("lead"), connections.lead()
    over_rest = other_org.get("/v1/leads/{id}", id=lead)
    if over_rest.ok:
        raise NotApplicableError("the lead of another organization is shown over REST as well")
    asked: Exchange = ask(other_org, operation, id=connections.lead_known_as())
    record = record_in(asked, lead)
    judge.that(
        "SVC-04",
        record is None,
        asked,
        expected=f"no lead, as REST refuses it to this key with {over_rest.status}",
        received=shown(record.value if record else None),
        where=record.pointer if record else "/data",
    )


def _seen(scenario: GraphQLScenario, name: str) -> list[str]:
    """The ids that the owner's walks through a connection have shown, in order."""
    return list(dict.fromkeys([*scenario.whole(name).ids, *scenario.in_small_pages(name).ids]))
