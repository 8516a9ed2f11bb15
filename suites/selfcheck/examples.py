"""Writes examples of requirements that are kept and broken, from runs of the embedded deployment with and without faults.

`python -m plumbline.suites.selfcheck.examples` writes all of them anew, in half an hour; with ids only these.
`plumbline explain` shows them.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from plumbline.examples import FILE as NAME
from plumbline.fixtures.reference.faults import FAULTS
from plumbline.proofs import checks
from plumbline.spec import catalogue

from .claims import is_quick
from .shortening import shortened

ROOT = Path(__file__).resolve().parents[2]
FILE = ROOT / "suites" / NAME
SEED = "20"
AT_ONCE, WAITING_AT_ONCE = 2, 16
"""Runs side by side: those that work, and those that mostly wait."""
ROUNDS = 3
"""Faults that are tried for one requirement; what shows in the whole suite may not show on its checks alone."""
FEW = 3
"""A fault that breaks no more than so many requirements tells what it is about."""

Examples = dict[str, dict[str, Any]]


def examples_of(ids: Iterable[str]) -> Examples:
    """Examples of requirements, as far as there are checks and faults; each is kept once and broken once.

    Returns:
        By requirement: `fault` (its name), `kept` and `broken` (exchanges), `expected`, `received` and `where` of what broke.
    """
    breakable = {name for fault in FAULTS.values() for name in fault.ids}
    wanted = [name for name in ids if name in checks() and name in breakable]
    found: Examples = {}
    tried: set[tuple[str, str]] = set()
    with tempfile.TemporaryDirectory() as made:
        passed = _passed(Path(made), wanted)
        for _ in range(ROUNDS):
            plan = faults_for([name for name in wanted if name not in found], tried)
            tried |= {(fault, name) for fault, names in plan.items() for name in names}
            found |= _broken_by_all(Path(made), plan)
    return {name: _example(entry, passed[name]) for name, entry in found.items() if passed.get(name)}


def faults_for(ids: Iterable[str], tried: AbstractSet[tuple[str, str]] = frozenset()) -> dict[str, list[str]]:
    """Faults with the requirements that each of them is to show broken: few faults, and rather those that break little."""
    chosen: dict[str, list[str]] = {}
    for name in ids:
        breaking = [fault for fault in FAULTS.values() if name in fault.ids]
        if left := [fault for fault in breaking if (fault.name, name) not in tried]:
            best = min(left, key=lambda fault: (len(fault.ids) > FEW, fault.name not in chosen, len(fault.ids)))
            chosen.setdefault(best.name, []).append(name)
    return chosen


def written(examples: Examples) -> str:
    """The file: one line for each requirement, in the order of the contract."""
    lines = [
        f" {json.dumps(name)}: {json.dumps(examples[name], ensure_ascii=False)}"
        for name in catalogue().requirements
        if name in examples
    ]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _passed(folder: Path, ids: list[str]) -> dict[str, dict[str, Any]]:
    """What passes without a fault, by requirement and situation."""
    file = folder / "passed.json"
    _run(folder / "whole", ids, ("-p", "plumbline.suites.selfcheck.passes"), {"PASSED_EXCHANGES": str(file)})
    noted: dict[str, dict[str, Any]] = json.loads(file.read_text(encoding="utf-8"))
    return noted


def _broken_by_all(folder: Path, plan: Mapping[str, list[str]]) -> Examples:
    """What fails with each of some faults; those that have to be waited for go side by side."""
    found: Examples = {}
    for quick, workers in ((True, AT_ONCE), (False, WAITING_AT_ONCE)):
        part = {name: ids for name, ids in plan.items() if is_quick(FAULTS[name]) is quick}
        with ThreadPoolExecutor(workers) as pool:
            for each in pool.map(lambda item: _broken(folder, *item), part.items()):
                found |= each
    return found


def _broken(folder: Path, fault: str, ids: list[str]) -> Examples:
    """What fails with a fault: the first violation of each requirement."""
    results = _run(folder / fault, ids, ("--fault", fault), {})
    found = {}
    for entry in results["requirements"]:
        samples = [{**sample, "operation": group["operation"]} for group in entry["violations"] for sample in group["samples"]]
        if entry["id"] in ids and samples:
            # A check tells more about the situation than the traffic around it.
            found[entry["id"]] = min(samples, key=lambda sample: sample["source"] != "check") | {"fault": fault}
    return found


def _example(broken: Mapping[str, Any], passed: Mapping[str, Any]) -> dict[str, Any]:
    """A broken exchange beside one that was kept in the same situation, or in the most similar one."""
    test, operation = broken["test"], broken["operation"]
    situations = sorted(passed, key=lambda name: (name != f"{test} {operation}", not name.endswith(operation), test not in name))
    where = broken["where"]
    return {
        "fault": broken["fault"],
        "kept": shortened(passed[situations[0]], where),
        "broken": shortened(broken["exchange"], where),
        "expected": broken["expected"],
        "received": broken["received"],
        "where": where,
    }


def _run(folder: Path, ids: list[str], options: Iterable[str], variables: Mapping[str, str]) -> Any:
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        f"--seed={SEED}",
        f"--report-dir={folder}",
        *options,
    ]
    command += [f"--requirement={name}" for name in ids]
    command += [f"--claim={name}" for name in dict.fromkeys(catalogue().requirements[name].conformance_class for name in ids)]
    done = subprocess.run(command, cwd=ROOT, env=os.environ | variables, capture_output=True, text=True, check=False, timeout=900)
    results = folder / "conformance.json"
    if not results.exists():
        raise RuntimeError(done.stdout + done.stderr)
    return json.loads(results.read_text(encoding="utf-8"))


if __name__ == "__main__":
    wanted = sys.argv[1:] or list(catalogue().requirements)
    before = json.loads(FILE.read_text(encoding="utf-8")) if sys.argv[1:] and FILE.exists() else {}
    FILE.write_text(written(before | examples_of(wanted)), encoding="utf-8")
