"""Edits of the contract are told apart: who kept the earlier revision and breaks under the later
one.
"""

import json
from pathlib import Path

import pytest

from plumbline.fixtures.cli.main import main as plumbline
from plumbline.spec import catalogue
from plumbline.spec.__main__ import main
from plumbline.spec.compiler.build import build
from plumbline.spec.facts import Change, Facts, changes
from plumbline.spec.revisions import NEWEST, moved, revision

HOME = Path(__file__).parents[1]
CHAPTERS = {
    path.name: path.read_text(encoding="utf-8") for path in (HOME / "contract").glob("*.md")
}
LEADS, CALLS, PAYMENTS, HOOKS = "04-leads.md", "05-calls.md", "07-payments.md", "11-webhooks.md"
BODY = "| company | string | no | | company that the lead works for |\n"
RESOURCE = "| company | string | | company that the lead works for |\n"
LAST_OUTCOME, OUTCOME = "| `declined` | turned down |", "POST /v1/calls/{id}/outcome"
HELD = "| `refunded` | given back |\n| `held` | kept |"
AMOUNT = "| amount | number | >= 0; 2 decimals | what was paid, in dollars |"
TOO_LARGE = "| 413 | open | `POST /v1/calls` | the body is too large | CALL-16 |\n"
CLIENTS, SERVICES, BOTH = "clients", "services", "clients services"

BREAKING = [
    # What clients rely on goes away or widens.
    (LEADS, RESOURCE, "", CLIENTS, "gone", "GET /v1/leads/{id} answer.data.company"),
    (LEADS, BODY, "", CLIENTS, "gone", "POST /v1/leads body.company"),
    (LEADS, RESOURCE, "| firm | string | | |\n", CLIENTS, "gone",
     "GET /v1/leads/{id} answer.data.company"),
    (PAYMENTS, "| `refunded` | given back |", HELD, BOTH, "laxer",
     "GET /v1/payments answer.data[].status"),
    (PAYMENTS, "| id | string (uuid) | required |", "| id | string (uuid) | |",
     CLIENTS, "laxer", "GET /v1/payments answer.data[].id"),
    (PAYMENTS, AMOUNT, "| amount | string | | what was paid |", BOTH, "changed",
     "GET /v1/payments answer.data[].amount"),
    (HOOKS,
     "| duration | number | | length of the call, in minutes; `duration_minutes` over REST |\n", "",
     CLIENTS, "gone", "event call.booked data.data.duration"),
    # What clients send is refused.
    (LEADS, "| full_name | string | no | | name of the person, in one text |\n| phone",
     "| full_name | string | yes | | |\n| phone",
     CLIENTS, "stricter", "POST /v1/leads body.full_name"),
    (LEADS, "length 8..128", "length 8..64", CLIENTS, "stricter", "POST /v1/leads body.visitor_id"),
    (LEADS, "nullable [LEAD-11]", "[LEAD-11]", CLIENTS, "stricter", "POST /v1/leads body.metadata"),
    (CALLS, "length <= 255 [CALL-11]", "length <= 100 [CALL-11]", CLIENTS, "stricter",
     "POST /v1/calls body.utm_source"),
    (CALLS, f"{LAST_OUTCOME}\n\n## Enumeration: upcoming", "\n## Enumeration: upcoming",
     CLIENTS, "stricter", f"{OUTCOME} body.status"),
    (PAYMENTS, "| product_id | string | no |", "| product_id | integer | no |",
     BOTH, "changed", "POST /v1/payments body.product_id"),
    (PAYMENTS, "| >= 0 [PAY-07]", "| >= 1 [PAY-07]", CLIENTS, "stricter",
     "POST /v1/payments body.amount"),
    # What a service has to do grows.
    (LEADS, BODY, BODY + "| vat_id | string | no | | |\n", SERVICES, "new",
     "POST /v1/leads body.vat_id"),
    (LEADS, BODY, BODY + "| vat_id | string | yes | | |\n", BOTH, "new",
     "POST /v1/leads body.vat_id"),
    (LEADS, RESOURCE, RESOURCE + "| vat_id | string | required | |\n", SERVICES, "new",
     "GET /v1/leads/{id} answer.data.vat_id"),
    (LEADS, "| email | string (email) | | ", "| email | string (email) | required | ",
     SERVICES, "stricter", "GET /v1/leads/{id} answer.data.email"),
    (LEADS, "length 8..128", "length 8..256", SERVICES, "laxer", "POST /v1/leads body.visitor_id"),
    (PAYMENTS, "| lead_id | string (uuid) | yes |", "| lead_id | string (uuid) | no |",
     SERVICES, "laxer", "POST /v1/payments body.lead_id"),
    (LEADS, "A new lead MUST have the `status` `new`.",
     "A new lead MUST have the `status` `fresh`.",
     SERVICES, "changed", "requirement LEAD-02"),
    (HOOKS, "| `payment.failed` | object Payment | an attempt to pay fails |\n", "", CLIENTS,
     "gone", "event payment.failed"),
]  # fmt: skip

HARMLESS = [
    (LEADS, RESOURCE, RESOURCE + "| vat_id | string | | |\n"),
    (LEADS, RESOURCE, RESOURCE + "| address | object LeadSource | | |\n"),
    (CALLS, "| action_items", "| mood | number | | |\n| action_items"),
    (PAYMENTS, "| provider | string | [PAY-O01] |",
     "| tip | number | | |\n| provider | string | [PAY-O01] |"),
    (HOOKS, "| duration | number | |", "| room | string | | |\n| duration | number | |"),
    (LEADS, "| `qualified` | the one other value that is known |",
     "| `qualified` | known |\n| `won` | known |"),
    (CALLS, "| `booking` | the one value that was seen |",
     "| `booking` | seen |\n| `demo` | seen |"),
    (PAYMENTS, "| `email_exact` | the one value that was seen |",
     "| `email_exact` | seen |\n| `name` | seen |"),
    (LEADS, "A lead is a person who may buy.", "A lead is somebody who may buy."),
    (LEADS, "Only `email` has to be given.", "Give an `email` at least."),
    (LEADS, ", in cents, unlike every other amount |", ", in cents |"),
    (CALLS, "| books a call on an active booking link |", "| books a call |"),
    (CALLS, "| called off |", "| cancelled |"),
    (CALLS, "| CALL-O17 | An", "| CALL-O17 | Any"),
    (CALLS, "| not observable: calendars lie outside the API |",
     "| not observable: calendars are elsewhere |"),
    (PAYMENTS, "example `manual`", "example `card`"),
    ("01-service.md", "| contact | Sales Pipeline Service support |", "| contact | Support |"),
    ("12-errors.md", "| 409 | `CONFLICT` | `POST /v1/calls` |",
     f"{TOO_LARGE}| 409 | `CONFLICT` | `POST /v1/calls` |"),
    ("13-limits.md", "| bulk operations, per key and per organization |", "| bulk operations |"),
]  # fmt: skip


def facts(chapters: dict[str, str]) -> Facts:
    """The facts that chapters freeze."""
    files = build(chapters)
    frozen: Facts = json.loads(
        next(text for path, text in files.items() if path.startswith("frozen/"))
    )["facts"]
    return frozen


@pytest.fixture(scope="module")
def before() -> Facts:
    return facts(CHAPTERS)


def edited(chapter: str, old: str, new: str, before: Facts) -> list[Change]:
    """The changes that an edit makes."""
    assert old in CHAPTERS[chapter]
    return changes(before, facts(CHAPTERS | {chapter: CHAPTERS[chapter].replace(old, new, 1)}))


@pytest.mark.parametrize("row", BREAKING, ids=[f"{row[4]} {row[5]}" for row in BREAKING])
def test_breaking_edit_names_who_breaks(before: Facts, row: tuple[str, ...]) -> None:
    chapter, old, new, breaks, kind, fact = row
    edits = edited(chapter, old, new, before)
    assert {who for edit in edits for who in edit.breaks} == set(breaks.split())
    assert kind in [edit.kind for edit in edits if edit.fact == fact]


@pytest.mark.parametrize(
    ("chapter", "old", "new"), HARMLESS, ids=[row[1][:40].strip("| \n") for row in HARMLESS]
)
def test_harmless_edit_breaks_no_side(before: Facts, chapter: str, old: str, new: str) -> None:
    assert [edit for edit in edited(chapter, old, new, before) if edit.breaks] == []


def test_edits_of_what_schemas_show_are_forty_at_least() -> None:
    assert len(BREAKING) + len(HARMLESS) >= 40


def test_parts_of_what_is_new_are_not_listed_again(before: Facts) -> None:
    edits = edited(LEADS, RESOURCE, RESOURCE + "| address | object LeadSource | | |\n", before)
    assert {edit.fact.rpartition(".")[2] for edit in edits} == {"address"}


def test_frozen_fact_is_kept(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    chapter, service = home / "contract/04-leads.md", home / "contract/01-service.md"
    chapter.write_text(CHAPTERS[LEADS].replace(RESOURCE, "", 1), encoding="utf-8")
    assert main([], home) == 1
    said = capsys.readouterr().err
    now = catalogue().revision
    assert f"answer.data[].company is gone, not what revision {now} froze" in said
    text = CHAPTERS["01-service.md"].replace(f"| revision | {now} |", f"| revision | {now + 1} |")
    service.write_text(text, encoding="utf-8")
    assert main([], home) == 0
    capsys.readouterr()
    later = str(home / "frozen" / NEWEST)
    assert plumbline(["contract", "diff", str(now), later]) == 1
    assert (
        "gone      GET /v1/leads/{id} answer.data.company (breaks clients)"
        in capsys.readouterr().out
    )
    assert plumbline(["contract", "diff", later, later, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == []


def test_what_the_kit_judges_by_is_frozen(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Another reading of the kit needs a revision, even where the published document says the
    same.
    """
    chapter = home / "contract/08-opportunities.md"
    text = CHAPTERS[chapter.name]
    edited_text = text.replace(
        "| from_date | timestamp | no | published as string; [OPP-06];",
        "| from_date | string | no | [OPP-06];",
    )
    assert edited_text != text
    assert changes(facts(CHAPTERS), facts(CHAPTERS | {chapter.name: edited_text})) == []
    chapter.write_text(edited_text, encoding="utf-8")
    assert main([], home) == 1
    assert "what judges OPP-06 (GET-v1-opportunities.query) is not what" in capsys.readouterr().err


def test_requirement_moves_with_its_words_and_with_its_constraints() -> None:
    now = revision(catalogue().revision)
    assert moved(now, now) == []
    assert moved(revision(3), revision(4)) == ["HOOK-05", "HOOK-42", "HOOK-46"]
    edit = CHAPTERS | {LEADS: CHAPTERS[LEADS].replace("length 8..128", "length 8..64", 1)}
    after = json.loads(
        next(text for path, text in build(edit).items() if path.startswith("frozen/"))
    )
    assert moved(now, after) == ["LEAD-08"]
    with pytest.raises(KeyError):
        moved(revision(2), now)
    with pytest.raises(LookupError):
        revision(99)


@pytest.mark.parametrize("name", ["1", "99", "no-such-file.json", str(HOME / "frozen" / "3.json")])
def test_revision_without_facts_is_refused_in_a_sentence(
    capsys: pytest.CaptureFixture[str], name: str
) -> None:
    assert plumbline(["contract", "diff", name, "3"]) == 11
    assert capsys.readouterr().err.startswith(f"plumbline: {name}: ")
