"""Writes the table of costs anew, from what a run of the standard tier sends: `python -m
plumbline.suites.proof.pages.costs`.
"""

from pathlib import Path
from typing import Any

from plumbline.fixtures.planning.costs import TABLE
from plumbline.spec.rows import rows

from ..proving import plain

FILE = Path(__file__).parents[2] / TABLE

Accounts = dict[str, dict[str, Any]]
"""For each check and each step, `requests` by lane and operation, and the steps that it stands
`on`.
"""


def table_of(accounts: Accounts) -> dict[str, Accounts]:
    """The table of costs: checks and steps in order, without what is 0 or none, and without steps
    that others stand on anyway.
    """
    below = {name: _below(name, accounts) for name in accounts}
    entries: Accounts = {}
    for name, account in sorted(accounts.items()):
        dear = [
            step
            for step in account["on"]
            if any(accounts[step_below]["requests"] for step_below in {step, *below[step]})
        ]
        on = sorted(step for step in dear if not any(step in below[other] for other in dear))
        requests = dict(
            sorted(account["requests"].items())
        )  # threads of the background come in any order
        entries[name] = {key: value for key, value in (("requests", requests), ("on", on)) if value}
    checks = {name: entry for name, entry in entries.items() if "::" in name}
    return {
        "checks": checks,
        "steps": {name: entry for name, entry in entries.items() if entry and name not in checks},
    }


def _below(name: str, accounts: Accounts) -> set[str]:
    """All steps that a check or step stands on."""
    steps: set[str] = set()
    left = [*accounts[name]["on"]]
    while left:
        if (step := left.pop()) not in steps:
            steps.add(step)
            left += accounts[step]["on"]
    return steps


if __name__ == "__main__":
    FILE.write_text(rows(table_of(plain().accounts), levels=2), encoding="utf-8")
