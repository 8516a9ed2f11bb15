"""The table of costs holds every check and no more, and says of receivers what they are sent."""

import json

from plumbline.fixtures.run.planning.check_costs import Costs
from plumbline.fixtures.run.plugin.collecting import items_of_all_tiers
from plumbline.fixtures.scenarios.mark import name_of

from .pages.costs import FILE, SUITES, joined, of_receivers, table_of

TABLE = json.loads(FILE.read_text(encoding="utf-8"))


def test_every_check_has_a_row() -> None:
    """Of whatever tier; `python -m plumbline.suites.proof.pages.costs` measures a new one."""
    assert {*TABLE["checks"]} == {name_of(item) for item in items_of_all_tiers()}


def test_every_step_is_one_that_checks_stand_on() -> None:
    """What no check needs any more is not in the table."""
    costs = Costs.of(SUITES)
    assert {*TABLE["steps"]} <= {step for check in TABLE["checks"] for step in costs.steps(check)}


def test_deliveries_are_in_the_table() -> None:
    """What a receiver is sent, delivery by delivery, as the next run sends it."""
    measured = table_of(joined({}, of_receivers()))
    assert measured["checks"]
    for title, entries in measured.items():
        assert {name: TABLE[title].get(name) for name in entries} == entries


def test_accounts_of_runs_are_joined() -> None:
    """A later run adds the checks that the earlier ones do not have, and the steps below these."""
    plain = {"leads/a.py::one": {"requests": {"main GET /v1/leads": 1}, "on": []}}
    other = {
        "leads/a.py::one": {"requests": {"main GET /v1/leads": 9}, "on": ["above"]},
        "leads/a.py::two": {"requests": {}, "on": ["above"]},
        "above": {"requests": {}, "on": ["below"]},
        "below": {"requests": {"main POST /v1/leads": 1}, "on": []},
        "look": {"requests": {"main GET /v1/leads": 1}, "on": []},
    }
    assert joined(plain, other) == {name: (other | plain)[name] for name in other if name != "look"}
