"""Edits of what a contract promises beside its schemas, each with the side that breaks.

Operation ids, statuses of success, limits, the server, defaults, headers, scopes and stability.
"""

from pathlib import Path

import pytest

from plumbline.fixtures.cli.main import main as plumbline
from plumbline.spec.compiler.build import snapshot
from plumbline.spec.compiler.reading.linking import compile_contract
from plumbline.spec.compiler.reading.reader import ContractError
from plumbline.spec.compiler.writing.openapi import openapi_document
from plumbline.spec.facts import Change, Facts, changes
from plumbline.spec.revisions import revision

HOME = Path(__file__).parents[1] / "contract"
CHAPTERS = {path.name: path.read_text(encoding="utf-8") for path in HOME.glob("*.md")}
SERVICE, LEADS, CALLS, PAYMENTS = "01-service.md", "04-leads.md", "05-calls.md", "07-payments.md"
OPPORTUNITIES, ANALYTICS, KEYS, HOOKS = (
    "08-opportunities.md", "09-analytics.md", "10-authentication.md", "11-webhooks.md",
)  # fmt: skip
ERRORS, LIMITS, GRAPHQL, VERSIONS = (
    "12-errors.md",
    "13-limits.md",
    "14-graphql.md",
    "15-versioning.md",
)
CLIENTS, SERVICES, BOTH, NONE = "clients", "services", "clients services", ""
Edits = list[tuple[str, str, str]]

RETRY = "| Retry-After | integer | yes | seconds to wait |\n"
KEY = "| Idempotency-Key | string | no |"
SIGNED = "| X-Svc-Signature | string | no |"
TAKEN = "| 409 | `SLOT_UNAVAILABLE` | `POST /v1/calls` |"
DASHBOARD = "| `GET /v1/analytics/dashboard` | 200 | single | object Dashboard |"
DEALS = "| `GET /v1/opportunities` | 200 | list | object Opportunity | core |"
PAGE = "| limit | integer | no | 1..100; [PAG-O06] | rows per page |"


def row(name: str, old: int, new: int, unit: str) -> tuple[str, str, str]:
    """An edit of a limit."""
    return LIMITS, f"| {name} | {old} | {unit} |", f"| {name} | {new} | {unit} |"


def line(chapter: str, start: str) -> str:
    """The whole line of a chapter that begins so."""
    return next(
        text for text in CHAPTERS[chapter].splitlines(keepends=True) if text.startswith(start)
    )


MINUTE = "requests per minute"
CASES: list[tuple[str, str, Edits]] = [
    # Names of methods in generated clients.
    ("POST /v1/leads", CLIENTS, [(LEADS, ", createLead", ", addLead")]),
    ("POST /v1/calls/{id}/outcome", CLIENTS, [(CALLS, ", recordCallOutcome", ", setCallOutcome")]),
    ("POST /v1/payments/{id}/verify", CLIENTS, [(PAYMENTS, ", verifyPayment", ", confirmPayment")]),
    ("GET /v1/opportunities", CLIENTS, [(OPPORTUNITIES, ", listOpportunities", ", listDeals")]),
    ("POST /graphql", CLIENTS, [(GRAPHQL, ", runGraphQL", ", queryGraphQL")]),
    # Statuses of success and of failures.
    (
        "POST /v1/leads success",
        SERVICES,
        [(LEADS, "| `POST /v1/leads` | 2xx |", "| `POST /v1/leads` | 200 |")],
    ),
    (
        "GET /v1/leads success",
        CLIENTS,
        [(LEADS, "| `GET /v1/leads` | 200 |", "| `GET /v1/leads` | 2xx |")],
    ),
    (
        "PATCH /v1/calls/{id} success",
        SERVICES,
        [(CALLS, "| `PATCH /v1/calls/{id}` | 2xx |", "| `PATCH /v1/calls/{id}` | 200 |")],
    ),
    (
        "GET /v1/webhooks/deliveries success",
        SERVICES,
        [
            (
                HOOKS,
                "| `GET /v1/webhooks/deliveries` | 2xx |",
                "| `GET /v1/webhooks/deliveries` | 200 |",
            )
        ],
    ),
    (
        "GET /v1/analytics/dashboard success",
        CLIENTS,
        [(ANALYTICS, DASHBOARD, DASHBOARD.replace("| 200 |", "| 2xx |"))],
    ),
    ("POST /v1/calls status 409", SERVICES, [(ERRORS, line(ERRORS, TAKEN), "")]),
    (
        "POST /v1/calls status 402",
        NONE,
        [
            (
                ERRORS,
                TAKEN,
                f"| 402 | open | `POST /v1/calls` | nothing is left | CALL-16 |\n{TAKEN}",
            )
        ],
    ),
    # Limits: room for clients, demands on services, the room of receivers, defaults, advice.
    (
        "limit rest-requests",
        CLIENTS,
        [row("rest-requests", 60, 30, MINUTE), (LIMITS, "idle, 60 REST", "idle, 30 REST")],
    ),
    (
        "limit graphql-requests",
        SERVICES,
        [
            row("graphql-requests", 100, 200, MINUTE),
            (LIMITS, "idle, 100 GraphQL", "idle, 200 GraphQL"),
        ],
    ),
    (
        "limit booking-requests",
        CLIENTS,
        [
            row("booking-requests", 20, 10, MINUTE),
            (LIMITS, "idle, 20 requests", "idle, 10 requests"),
        ],
    ),
    (
        "limit bulk-operations",
        SERVICES,
        [row("bulk-operations", 10, 20, MINUTE), (LIMITS, "limited to 10", "limited to 20")],
    ),
    ("limit delivery-retries", SERVICES, [row("delivery-retries", 3, 5, "retries")]),
    ("limit delivery-retries", CLIENTS, [row("delivery-retries", 3, 1, "retries")]),
    (
        "limit delivery-concurrency",
        CLIENTS,
        [
            row("delivery-concurrency", 5, 9, "requests"),
            (
                HOOKS,
                "At most 5 requests to one hostname MUST",
                "At most 9 requests to one hostname MUST",
            ),
        ],
    ),
    (
        "limit delivery-concurrency",
        SERVICES,
        [
            row("delivery-concurrency", 5, 2, "requests"),
            (
                HOOKS,
                "At most 5 requests to one hostname MUST",
                "At most 2 requests to one hostname MUST",
            ),
        ],
    ),
    (
        "limit delivery-log-retention",
        SERVICES,
        [
            row("delivery-log-retention", 30, 90, "days"),
            (HOOKS, "kept for 30 days. |", "kept for 90 days. |"),
        ],
    ),
    (
        "limit delivery-log-shown",
        CLIENTS,
        [
            row("delivery-log-shown", 50, 20, "attempts"),
            (HOOKS, "MUST show the last 50", "MUST show the last 20"),
        ],
    ),
    (
        "limit opportunities-page-size",
        BOTH,
        [
            row("opportunities-page-size", 20, 50, "rows"),
            (OPPORTUNITIES, "MUST hold 20", "MUST hold 50"),
        ],
    ),
    (
        "limit team-days-minimum",
        CLIENTS,
        [row("team-days-minimum", 1, 7, "days"), (ANALYTICS, "`days` of 1 and", "`days` of 7 and")],
    ),
    (
        "limit graphql-deprecation",
        CLIENTS,
        [
            row("graphql-deprecation", 6, 3, "months"),
            (VERSIONS, "queryable for 6 months", "queryable for 3 months"),
        ],
    ),
    ("limit key-rotation-advice", NONE, [row("key-rotation-advice", 90, 30, "days")]),
    (
        "limit export-requests",
        CLIENTS,
        [
            (
                LIMITS,
                "| bulk-operations |",
                f"| export-requests | 5 | {MINUTE} | | exports |\n| bulk-operations |",
            )
        ],
    ),
    ("limit delivery-retries", SERVICES, [(LIMITS, line(LIMITS, "| delivery-retries |"), "")]),
    # The server.
    ("server", CLIENTS, [(SERVICE, "| server | / |", "| server | https://api.example.com |")]),
    # Defaults.
    (
        "GET /v1/opportunities query limit",
        BOTH,
        [(OPPORTUNITIES, "default 20 [OPP-04]", "default 50 [OPP-04]")],
    ),
    ("GET /v1/opportunities query limit", CLIENTS, [(OPPORTUNITIES, " default 20 [OPP-04];", "")]),
    (
        "GET /v1/leads query limit",
        SERVICES,
        [(LEADS, PAGE, PAGE.replace("1..100;", "1..100; default 50;"))],
    ),
    (
        "POST /v1/payments body.currency",
        BOTH,
        [(PAYMENTS, "default `USD` [PAY-03]", "default `EUR` [PAY-03]")],
    ),
    ("POST /v1/payments body.currency", CLIENTS, [(PAYMENTS, " default `USD` [PAY-03];", "")]),
    (
        "GET /v1/team/performance query days",
        BOTH,
        [(ANALYTICS, "default `90` [ANA-11]", "default `30` [ANA-11]")],
    ),
    # Headers of answers, of deliveries, of requests.
    ("header of 429: Retry-After", CLIENTS, [(LIMITS, RETRY, "")]),
    ("header of 429: Retry-After", CLIENTS, [(LIMITS, RETRY, RETRY.replace("| yes |", "| no |"))]),
    ("header of 429: Retry-After", BOTH, [(LIMITS, RETRY, RETRY.replace("integer", "string"))]),
    (
        "header of 429: X-Budget",
        SERVICES,
        [(LIMITS, RETRY, f"{RETRY}| X-Budget | string | yes | its name |\n")],
    ),
    (
        "header of 429: X-Budget",
        NONE,
        [(LIMITS, RETRY, f"{RETRY}| X-Budget | string | no | its name |\n")],
    ),
    ("header of every delivery: X-Svc-Signature", CLIENTS, [(HOOKS, line(HOOKS, SIGNED), "")]),
    (
        "header of every delivery: X-Svc-Signature",
        SERVICES,
        [(HOOKS, SIGNED, SIGNED.replace("| no |", "| yes |"))],
    ),
    (
        "header of every request: X-Client",
        BOTH,
        [
            (
                KEYS,
                "| Authorization | string | yes |",
                "| X-Client | string | yes | its name |\n| Authorization | string | yes |",
            )
        ],
    ),
    (
        "POST /v1/calls header Idempotency-Key",
        CLIENTS,
        [(CALLS, KEY, KEY.replace("| no |", "| yes |"))],
    ),
    (
        "POST /v1/calls header X-Trace",
        SERVICES,
        [(CALLS, KEY, f"| X-Trace | string | no | a trace |\n{KEY}")],
    ),
    # Scopes.
    ("GET /v1/opportunities", CLIENTS, [(OPPORTUNITIES, f"{DEALS} no |", f"{DEALS} yes |")]),
    (
        "POST /v1/payments/{id}/verify",
        SERVICES,
        [(PAYMENTS, "| core | yes | verifies a payment |", "| core | no | verifies a payment |")],
    ),
    # Stability.
    (
        "GET /v1/opportunities",
        CLIENTS,
        [(OPPORTUNITIES, DEALS, DEALS.replace("| core |", "| analytics |"))],
    ),
    (
        "GET /v1/analytics/dashboard",
        SERVICES,
        [(ANALYTICS, f"{DASHBOARD} analytics |", f"{DASHBOARD} core |")],
    ),
    (
        "GET /v1/team/performance",
        SERVICES,
        [(SERVICE, "| analytics | `api_key` | no |", "| analytics | `api_key` | yes |")],
    ),
    # Fields of events that share the beginning of their names.
    (
        "event call.closer_reassigned data.data.new_closer_*",
        CLIENTS,
        [(HOOKS, line(HOOKS, "| new_closer_* |"), "")],
    ),
]


def facts(edits: Edits = []) -> Facts:  # noqa: B006  never changed
    """The facts of the contract after edits."""
    chapters = dict(CHAPTERS)
    for chapter, old, new in edits:
        assert old in chapters[chapter], old
        chapters[chapter] = chapters[chapter].replace(old, new, 1)
    contract = compile_contract(chapters)
    edited: Facts = snapshot(contract, openapi_document(contract, {}))["facts"]
    return edited


@pytest.fixture(scope="module")
def before() -> Facts:
    return facts()


NAMES = [f"{number} {case[0]}" for number, case in enumerate(CASES)]


@pytest.mark.parametrize(("fact", "breaks", "edits"), CASES, ids=NAMES)
def test_edit_names_who_breaks(before: Facts, fact: str, breaks: str, edits: Edits) -> None:
    """Of the fact itself; a requirement that moves with a limit binds services beside it."""
    by_fact: dict[str, Change] = {change.fact: change for change in changes(before, facts(edits))}
    assert set(by_fact[fact].breaks) == set(breaks.split())


def test_edits_are_of_every_kind_that_schemas_do_not_show() -> None:
    """At least forty; `test_facts` has as many of what schemas show."""
    kinds = {
        "operation ids": [case for case in CASES if case[2][0][1].startswith(", ")],
        "statuses": [case for case in CASES if " success" in case[0] or " status " in case[0]],
        "limits": [case for case in CASES if case[0].startswith("limit ")],
        "servers": [case for case in CASES if case[0] == "server"],
        "defaults": [case for case in CASES if " query " in case[0] or "currency" in case[0]],
        "headers": [case for case in CASES if "header" in case[0]],
    }
    assert [kind for kind, cases in kinds.items() if not cases] == []
    assert len(CASES) >= 40


def test_limit_and_its_requirement_change_together() -> None:
    expected = r"13-limits\.md:\d+, column Value: '70' found, expected a number that LIM-02 names"
    with pytest.raises(ContractError, match=expected):
        facts([row("rest-requests", 60, 70, MINUTE)])
    with pytest.raises(ContractError, match="expected a number that HOOK-13 names"):
        facts([row("signature-freshness", 300, 240, "seconds")])


def test_lists_tell_what_they_add_and_remove(before: Facts) -> None:
    held = "| `refunded` | given back |\n| `held` | kept |"
    change, *_ = changes(before, facts([(PAYMENTS, "| `refunded` | given back |", held)]))
    assert change.what == "enum adds `held`"
    gone = changes(before, facts([(PAYMENTS, "| `pending` | announced |\n", "")]))
    assert gone[0].what == "enum removes `pending`"


def test_revision_that_was_frozen_without_promises_is_comparable(before: Facts) -> None:
    words = {change.fact.partition(" ")[0] for change in changes(revision(11)["facts"], before)}
    assert words <= {"GET", "POST", "PATCH", "event", "requirement"}
    assert not [
        change for change in changes(revision(11)["facts"], before) if "operationId" in change.what
    ]


def test_gate_asks_for_one_side(capsys: pytest.CaptureFixture[str]) -> None:
    """From 5 to 6 services alone have to do more."""
    assert plumbline(["contract", "diff", "5", "6"]) == 1
    shown = capsys.readouterr().out
    assert plumbline(["contract", "diff", "5", "6", "--side", "services"]) == 1
    assert plumbline(["contract", "diff", "5", "6", "--side", "clients"]) == 0
    assert capsys.readouterr().out == shown * 2
