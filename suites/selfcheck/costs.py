"""Writes the table of costs anew, from a run of the standard tier: `python -m plumbline.suites.selfcheck.costs`, a minute."""

import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plumbline.fixtures.costs import TABLE

ROOT = Path(__file__).parents[2]
FILE = ROOT / "suites" / TABLE
SEED = "20"

Accounts = dict[str, dict[str, Any]]


@dataclass(frozen=True)
class Sent:
    """What a run has sent.

    Attributes:
        accounts: for each check and each step, `requests` by lane and operation, and the steps that it stands `on`.
        declared: what the checks declare.
        results: conformance.json.
    """

    accounts: Accounts
    declared: dict[str, int]
    results: dict[str, Any]

    @property
    def requests(self) -> int:
        """All of them."""
        return sum(sum(account["requests"].values()) for account in self.accounts.values())


def sent_by(folder: Path, *options: str) -> Sent:
    """Run the suites on the embedded deployment.

    Args:
        folder: for the report.
        options: further options of the run.

    Raises:
        RuntimeError: when it does not end well.
    """
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "plumbline.suites.selfcheck.declared"]
    command += [f"--seed={SEED}", f"--report-dir={folder}", *options]
    costs = folder.with_suffix(".declared.json")
    environment = os.environ | {"DECLARED_COSTS": str(costs)}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=600)
    if done.returncode:
        raise RuntimeError(done.stdout + done.stderr)
    accounts: Accounts = {}
    for file in (folder / "transcript").glob("*.accounts.json"):
        for name, account in _read(file).items():
            known = accounts.setdefault(name, {"requests": {}, "on": []})
            known["requests"] = dict(Counter(known["requests"]) + Counter(account["requests"]))
            known["on"] = [*dict.fromkeys([*known["on"], *account["on"]])]
    return Sent(accounts, _read(costs), _read(folder / "conformance.json"))


def table_of(accounts: Accounts) -> dict[str, Accounts]:
    """The table of costs: checks and steps in order, without what is 0 or none, and without steps that others stand on anyway."""
    below = {name: _below(name, accounts) for name in accounts}
    entries: Accounts = {}
    for name, account in sorted(accounts.items()):
        dear = [step for step in account["on"] if any(accounts[each]["requests"] for each in {step, *below[step]})]
        on = sorted(step for step in dear if not any(step in below[other] for other in dear))
        entries[name] = {key: value for key, value in (("requests", account["requests"]), ("on", on)) if value}
    checks = {name: entry for name, entry in entries.items() if "::" in name}
    return {"checks": checks, "steps": {name: entry for name, entry in entries.items() if entry and name not in checks}}


def text_of(table: Mapping[str, Accounts]) -> str:
    """The table as JSON with one line for each entry, so that a change of a check is a change of a line."""
    parts = []
    for title, entries in table.items():
        lines = ",\n".join(f"  {json.dumps(name)}: {json.dumps(entry)}" for name, entry in entries.items())
        parts.append(f" {json.dumps(title)}: {{\n{lines}\n }}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _below(name: str, accounts: Accounts) -> set[str]:
    """All steps that a check or step stands on."""
    found: set[str] = set()
    left = [*accounts[name]["on"]]
    while left:
        if (step := left.pop()) not in found:
            found.add(step)
            left += accounts[step]["on"]
    return found


def _read(file: Path) -> Any:
    return json.loads(file.read_text(encoding="utf-8"))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        FILE.write_text(text_of(table_of(sent_by(Path(made) / "report").accounts)), encoding="utf-8")
