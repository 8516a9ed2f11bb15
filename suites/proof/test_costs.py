"""The table of costs holds every check and no more, and says of receivers what they are sent."""

import json
from pathlib import Path

from plumbline.fixtures.run.planning.check_costs import Costs
from plumbline.fixtures.run.plugin.collecting import items_of_all_tiers
from plumbline.fixtures.scenarios.mark import name_of
from plumbline.spec.rows import rows

from .pages.costs import FILE, SUITES, add_costs, joined, of_receivers, table_of

TABLE = json.loads(FILE.read_text(encoding="utf-8"))
NEW = "leads/test_create.py::test_a_lead_reads_as_changed"
"""A check that stands on many steps."""
OLD = "leads/test_create.py::test_a_new_lead_is_new"


def test_every_check_has_a_row() -> None:
    """Of whatever tier; `python -m plumbline.suites.proof.pages.costs` measures a new one."""
    assert {*TABLE["checks"]} == {name_of(item) for item in items_of_all_tiers()}


def test_every_step_is_one_that_checks_stand_on() -> None:
    """What no check needs any more is not in the table."""
    costs = Costs.of(SUITES)
    assert {*TABLE["steps"]} <= {step for check in TABLE["checks"] for step in costs.steps(check)}


def test_new_check_is_added_without_its_neighbours(tmp_path: Path) -> None:
    """What the table lacks comes back as it was, steps included; another row stays as it is."""
    steps = Costs(TABLE).steps(NEW)
    checks = {name: row for name, row in TABLE["checks"].items() if name != NEW} | {OLD: {}}
    others = {name: row for name, row in TABLE["steps"].items() if name not in steps}
    file = tmp_path / FILE.name
    file.write_text(json.dumps({"checks": checks, "steps": others}), encoding="utf-8")
    assert add_costs(file) == [f"{NEW}: what it sends, added to {FILE.name}"]
    completed = {"checks": TABLE["checks"] | {OLD: {}}, "steps": TABLE["steps"]}
    assert file.read_text(encoding="utf-8") == rows(completed, levels=2)
    assert add_costs(file) == []


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
