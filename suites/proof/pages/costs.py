"""Writes the table of costs anew: `python -m plumbline.suites.proof.pages.costs`.

A trial of the standard tier says what most checks send. Those of receivers and of clients, and
those that the standard tier leaves out, are measured in runs of their own, which take a minute.
`make prove ARGS="FAULT --write"` adds new checks of the standard tier and leaves all other rows.
"""

import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from plumbline.fixtures.run.planning.check_costs import TABLE
from plumbline.fixtures.run.plugin.collecting import all_items, items_of_all_tiers
from plumbline.fixtures.scenarios.mark import name_of
from plumbline.fixtures.tests.forks import ended
from plumbline.fixtures.tests.scenarios.receivers.good import HOOK, OBSERVER, SECRET, Receiver
from plumbline.fixtures.tests.stub import serving
from plumbline.spec.rows import rows

from ..proving import plain
from ..trials.trial import SEED

SUITES = Path(__file__).parents[2]
FILE = SUITES / TABLE

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


def joined(first: Accounts, *others: Accounts) -> Accounts:
    """The accounts of several runs; where several have a check or a step, the first one counts."""
    whole = first
    for accounts in others:
        checks = [name for name in accounts if "::" in name and name not in whole]
        needed = {step for check in checks for step in (check, *_below(check, accounts))}
        whole = {name: accounts[name] for name in needed} | whole
    return whole


def add_costs(file: Path = FILE) -> list[str]:
    """Add the checks of the standard tier that a table lacks, with the steps that they stand on.

    Returns:
        A line for each check that was added.
    """
    table = json.loads(file.read_text(encoding="utf-8"))
    missing = {name_of(item) for item in all_items()} - table["checks"].keys()
    if not missing:
        return []
    accounts = plain().accounts
    measured = table_of(accounts)
    missing &= measured["checks"].keys()
    steps = {step for check in missing for step in _below(check, accounts)}
    for title, names in (("checks", missing), ("steps", steps - table["steps"].keys())):
        table[title] |= {name: measured[title][name] for name in names & measured[title].keys()}
    file.write_text(rows(table, levels=2), encoding="utf-8")
    return [f"{name}: what it sends, added to {file.name}" for name in sorted(missing)]


def of_receivers() -> Accounts:
    """What the checks of receivers send to a correct one that has all that they may ask for."""
    with serving(Receiver()) as server:
        return accounts_of(
            *("plumbline", "receiver", server.url + HOOK),
            PLUMBLINE_RECEIVER_SECRET=SECRET,
            PLUMBLINE_RECEIVER_PREVIOUS_SECRET=f"{SECRET}-before",
            PLUMBLINE_RECEIVER_OBSERVER=server.url + OBSERVER,
        )


def of_the_exhaustive_tier() -> Accounts:
    """What the checks send that only the exhaustive tier has."""
    dearer = {name_of(item) for item in {*items_of_all_tiers()} - {*all_items()}}
    return accounts_of(
        "pytest", *(f"suites/{name}" for name in sorted(dearer)), "--tier=exhaustive"
    )


def of_clients() -> Accounts:
    """What the kit itself sends beside the client of the guide: nothing, check by check."""
    guide = (SUITES.parent / "fixtures" / "CLIENTS.md").read_text(encoding="utf-8")
    code = guide.split("```python\n")[1].split("```")[0]
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder, "client_of_the_guide.py")
        program.write_text(code, encoding="utf-8")
        return accounts_of("plumbline", "client", program=(sys.executable, str(program)))


def accounts_of(*words: str, program: Sequence[str] = (), **environment: str) -> Accounts:
    """What each check and step of a run has sent.

    Args:
        words: the command line.
        program: the command of a client under test.
        environment: variables of the run.
    """
    with tempfile.TemporaryDirectory() as folder:
        options = (f"--report-dir={folder}", f"--seed={SEED}", "-q", "-p", "no:cacheprovider")
        command = (*words, *options, *(["--", *program] if program else []))
        done = ended(*command, folder=SUITES.parent, environment=environment)
        assert done.code == 0, done.out + done.err
        files = Path(folder, "transcript").glob("*.accounts.json")
        return {
            name: account
            for file in files
            for name, account in json.loads(file.read_text(encoding="utf-8")).items()
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
    everything = joined(plain().accounts, of_receivers(), of_clients(), of_the_exhaustive_tier())
    FILE.write_text(rows(table_of(everything), levels=2), encoding="utf-8")
