"""Checks send what they declare, the table of costs says what was sent, and a plan foretells a run."""

import json
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest

from plumbline.fixtures.costs import LANES
from plumbline.reports import plan_lines

from .costs import FILE, ROOT, Sent, sent_by, table_of, text_of

DRAWN_LESS = 5
"""A check that draws its inputs may send a fifth less than it declares."""
NEAR = 0.1
"""How far a plan may be off."""
BY_THE_WAY = 8
"""Requirements that a part of a run may judge more or less than foreseen, because all traffic is judged, whatever it was for."""


@pytest.fixture(scope="module", name="standard")
def _standard(tmp_path_factory: pytest.TempPathFactory) -> Sent:
    """A run of the standard tier."""
    return sent_by(tmp_path_factory.mktemp("standard") / "report")


def planned(*options: str) -> dict[str, Any]:
    """The plan of a run with the same options."""
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--plan=json", *options]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=60)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def by_lane(sent: Sent) -> dict[str, int]:
    """Requests by whose limits they use up."""
    found: Counter[str] = Counter()
    for account in sent.accounts.values():
        for budget, number in account["requests"].items():
            found[budget.split()[0]] += number
    return dict(found)


def judged(sent: Sent) -> dict[str, int]:
    """Requirements that were exercised, by class."""
    return {
        each["id"]: sum(each["verdicts"].get(verdict, 0) for verdict in ("passed", "warned", "failed"))
        for each in sent.results["classes"]
        if each["claimed"]
    }


def assert_foretold(plan: dict[str, Any], sent: Sent, *, by_the_way: int = 0) -> None:
    """Requests and requirements are as planned, all in all and lane by lane."""
    assert plan["requests"] == pytest.approx(sent.requests, rel=NEAR)
    assert sum(sent.results["requests"].values()) == sent.requests
    lanes = {each["lane"]: each["REST"] + each["GraphQL"] for each in plan["lanes"]}
    assert lanes == pytest.approx(by_lane(sent), rel=NEAR, abs=2)
    foreseen = {each["id"]: each["requirements"] for each in plan["classes"]}
    assert foreseen == pytest.approx(judged(sent), rel=0, abs=by_the_way)
    assert sum(each["requests"] for each in plan["classes"]) == plan["requests"]


class TestDeclarations:
    def test_checks_send_what_they_declare(self, standard: Sent) -> None:
        """One declaration may stand for several sets of parameters; then the dearest of them counts."""
        dearest: dict[tuple[str, int], int] = defaultdict(int)
        for name in standard.accounts.keys() & standard.declared:
            one = name.partition("[")[0], standard.declared[name]
            dearest[one] = max(dearest[one], sum(standard.accounts[name]["requests"].values()))
        wrong = {
            name: f"declares {cost}, sends {sent}"
            for (name, cost), sent in dearest.items()
            if not sent <= cost <= sent + sent // DRAWN_LESS
        }
        assert wrong == {}

    def test_every_request_is_on_an_account(self, standard: Sent) -> None:
        """What was sent for nobody could not be foretold."""
        assert "" not in standard.accounts
        assert standard.requests == sum(standard.results["requests"].values())

    def test_the_table_is_up_to_date(self, standard: Sent) -> None:
        """It holds every check that runs, each with what it sends and stands on; see `suites/selfcheck/costs.py`."""
        table = json.loads(FILE.read_text(encoding="utf-8"))
        assert text_of(table) == FILE.read_text(encoding="utf-8")
        found = table_of(standard.accounts)
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


class TestPlans:
    def test_of_the_standard_tier(self, standard: Sent) -> None:
        """Everything that a whole run sends and judges."""
        plan = planned()
        assert_foretold(plan, standard)
        assert {each["lane"] for each in plan["lanes"]} == set(LANES)
        assert not any(each["beyond"] for each in plan["lanes"])

    @pytest.mark.parametrize(
        "options",
        [("--tier=smoke",), ("-k", "pagination"), ("--requirement=CALL-29",), ("--budget=120",), ("--tier=smoke", "-n", "2")],
        ids=" ".join,
    )
    def test_of_a_part(self, tmp_path: Path, options: tuple[str, ...]) -> None:
        """Whatever is selected, and however it is shared out."""
        assert_foretold(planned(*options), sent_by(tmp_path / "report", *options), by_the_way=BY_THE_WAY)

    def test_it_can_be_read(self) -> None:
        """A screen for people, with the same numbers."""
        plan = planned("--tier=smoke")
        text = "\n".join(plan_lines(plan))
        assert len(text.splitlines()) < 45
        assert f"in all {plan['requests']:>9}".split()[-1] in text
