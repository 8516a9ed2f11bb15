"""Checks send what they declare, and the table of costs says what was sent."""

import json
from collections import Counter, defaultdict
from typing import Any

import pytest

from .collected import all_checks
from .costs import FILE, Accounts, table_of, text_of
from .proving import plain

DRAWN_LESS = 5
"""A check that draws its inputs may send a fifth less than it declares."""


@pytest.fixture(scope="module", name="accounts")
def _accounts() -> Accounts:
    """What a run of the standard tier sends."""
    return plain().accounts


def test_checks_send_what_they_declare(accounts: Accounts) -> None:
    """One declaration may stand for several sets of parameters; then the dearest of them counts."""
    declared = {check.name: check.cost for check in all_checks()}
    dearest: dict[tuple[str, int], int] = defaultdict(int)
    for name in accounts.keys() & declared:
        one = name.partition("[")[0], declared[name]
        dearest[one] = max(dearest[one], sum(accounts[name]["requests"].values()))
    wrong = {
        name: f"declares {cost}, sends {sent}"
        for (name, cost), sent in dearest.items()
        if not sent <= cost <= sent + sent // DRAWN_LESS
    }
    assert wrong == {}


def test_every_request_is_on_an_account(accounts: Accounts) -> None:
    """What was sent for nobody could not be foretold."""
    assert "" not in accounts


def test_the_table_is_up_to_date(accounts: Accounts) -> None:
    """It holds every check that runs, each with what it sends and stands on; see `suites/selfcheck/costs.py`."""
    table = json.loads(FILE.read_text(encoding="utf-8"))
    assert text_of(table) == FILE.read_text(encoding="utf-8")
    found = table_of(accounts)
    assert sorted(found["checks"]) == sorted(table["checks"])
    assert sorted(found["steps"]) == sorted(table["steps"])
    changed = {
        name: (entry, found[title][name])
        for title, entries in table.items()
        for name, entry in entries.items()
        if not _alike(entry, found[title][name])
    }
    assert changed == {}


def _alike(before: dict[str, Any], now: dict[str, Any]) -> bool:
    """Whether two entries are the same, but for what inputs that are drawn bring along."""
    counts = [Counter(entry.get("requests", {})) for entry in (before, now)]
    close = all(abs(counts[0][each] - counts[1][each]) <= counts[0][each] // DRAWN_LESS for each in counts[0] | counts[1])
    return before.get("on") == now.get("on") and close
