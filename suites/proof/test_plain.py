"""A run without any fault: nothing is red, and checks send what the table of costs says."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from plumbline.fixtures.judging.open_items.unobserved import UNOBSERVED
from plumbline.fixtures.reference.variations.faults import FAULTS
from plumbline.fixtures.run.planning.check_costs import ANONYMOUS, ORGANIZATIONS, PACED_APART
from plumbline.fixtures.run.planning.matrix import matrix
from plumbline.spec import catalogue

from .pages.costs import FILE, Accounts, table_of
from .pages.examples import FILE as EXAMPLES_FILE
from .pages.examples import examples_of
from .pages.observed import observed
from .proving import is_green, judgements, plain, plain_exchanges, unproved
from .test_plans import MAX_RELATIVE_ERROR, planned

EXAMPLES: dict[str, dict[str, Any]] = json.loads(EXAMPLES_FILE.read_text(encoding="utf-8"))
MIN_OBSERVED = 1000
"""Exchanges of a whole run, at least."""
MIN_CHOICES = 90
"""Open items of which a run of the standard tier with all classes observes what the deployment
chose.
"""
MIN_SHARE = 0.9
"""How many of the requirements that a fault breaks have an example at least."""
AGAIN = ("LEAD-05", "CALL-02", "PAG-03", "ERR-01")
"""Requirements whose examples are recorded anew: a refusal, a field, a fact that spans several
exchanges, traffic.
"""
DRAWN_TOLERANCE = 5
"""A check that draws its inputs may send a fifth more or less than the table says."""


@pytest.fixture(scope="module", name="accounts")
def _accounts() -> Accounts:
    """What a run of the standard tier sends."""
    return plain().accounts


def test_nothing_is_red_without_a_fault_and_every_judgement_has_one() -> None:
    """A judgement that nothing proves is on the list of the matrix; a new one needs a fault."""
    assert is_green(plain()), (plain().red, plain().harness)
    assert unproved(judgements(plain()), matrix().faults.values()) == list(matrix().unproved)


def test_no_check_changes_what_refused_writes_are_compared_by() -> None:
    """In whatever order checks run: a record to which somebody had no access is changed by no other
    check.
    """
    writes = [
        exchange
        for exchange in plain_exchanges()
        if exchange.method != "GET" and "{id}" in exchange.operation
    ]
    refused = {write.path_id for write in writes if write.status == 403}
    assert refused
    assert [write.summary() for write in writes if write.ok and write.path_id in refused] == []


@pytest.mark.parametrize("complete", [True, False])
def test_traffic_without_a_fault_breaks_nothing(complete: bool) -> None:
    broken, judged = observed(plain_exchanges(), complete=complete)
    assert broken == set()
    assert judged > MIN_OBSERVED


def test_a_run_observes_most_choices() -> None:
    """Of the open items of the contract at least as many as the page says, and all but those with a
    reason.
    """
    page = (
        (Path(__file__).parents[2] / "reports" / "README.md")
        .read_text(encoding="utf-8")
        .partition("## Choices")[2]
    )
    explained = {item for items in UNOBSERVED.values() for item in items}
    assert explained <= catalogue().open_items.keys()
    assert len(plain().choices) >= MIN_CHOICES
    assert catalogue().open_items.keys() - plain().choices.keys() <= explained
    assert f"at least {MIN_CHOICES} of the {len(catalogue().open_items)}" in page


def test_every_request_is_on_an_account(accounts: Accounts) -> None:
    """A request on no account could not be planned."""
    assert "" not in accounts


def test_the_table_is_up_to_date(accounts: Accounts) -> None:
    """It holds every check and step of a run, with what it sends; see `pages/costs.py`."""
    table = json.loads(FILE.read_text(encoding="utf-8"))
    measured = table_of(accounts)
    assert [name for title in table for name in measured[title].keys() - table[title].keys()] == []
    changed = {
        name: (table[title][name], entry)
        for title, entries in measured.items()
        for name, entry in entries.items()
        if not _alike(table[title][name], entry)
    }
    assert changed == {}


def test_the_plan_of_everything_is_what_everything_sends(accounts: Accounts) -> None:
    """Request by request, since the table of costs holds what a whole run has sent; within the
    bound of every organization.
    """
    plan = planned()
    assert plan["requests"] == pytest.approx(
        sum(sum(account["requests"].values()) for account in accounts.values()),
        rel=MAX_RELATIVE_ERROR,
    )
    assert {lane["lane"] for lane in plan["lanes"]} == {
        *ORGANIZATIONS,
        ANONYMOUS,
        *PACED_APART,
    }
    assert not any(lane["beyond"] for lane in plan["lanes"])


def _alike(before: dict[str, Any], now: dict[str, Any]) -> bool:
    """Whether two entries are the same, but for what inputs that are drawn bring along."""
    counts = [Counter(entry.get("requests", {})) for entry in (before, now)]
    close = all(
        abs(counts[0][kind] - counts[1][kind]) <= counts[0][kind] // DRAWN_TOLERANCE
        for kind in counts[0] | counts[1]
    )
    return before.get("on") == now.get("on") and close


@pytest.fixture(name="recorded", scope="module")
def _recorded() -> dict[str, dict[str, Any]]:
    return examples_of(AGAIN)


@pytest.mark.parametrize("name", AGAIN)
def test_a_run_shows_the_same_again(recorded: dict[str, dict[str, Any]], name: str) -> None:
    """The same fault, the same request and the same judgement; ids and times differ from run to
    run.
    """
    before, again = EXAMPLES[name], recorded[name]
    for part in ("kept", "broken"):
        assert (
            again[part]["request"].partition("?")[0].partition(" ")[0]
            == before[part]["request"].partition(" ")[0]
        )
        assert again[part]["status"] == before[part]["status"]
    assert (again["fault"], again["expected"], again["where"]) == (
        before["fault"],
        before["expected"],
        before["where"],
    )


def test_examples_are_about_what_exists() -> None:
    """Each one names a requirement and a fault that breaks it, and differs where it is kept from
    where it is broken.
    """
    for name, example in EXAMPLES.items():
        fault = FAULTS[example["fault"]]
        assert name in {*fault.ids, *fault.also}, f"record the example of {name} anew"
        assert name in catalogue().requirements
        assert example["kept"] != example["broken"]
        assert example["expected"] != example["received"]


def test_most_requirements_have_an_example() -> None:
    """Nearly every requirement has an example."""
    broken = {name for row in matrix().faults.values() for name in row.red}
    assert len(broken & set(EXAMPLES)) >= MIN_SHARE * len(broken)


def test_no_secret_stands_in_examples() -> None:
    """Keys are blacked out before anything is kept."""
    assert "svc_pk_test_" not in EXAMPLES_FILE.read_text(encoding="utf-8").replace(
        "svc_pk_test_[secret]", ""
    )
