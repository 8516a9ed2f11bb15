"""Writes examples of requirements that are kept and broken, from trials with and without faults.

`python -m plumbline.suites.proof.pages.examples` writes all of them anew, in some minutes; with ids
only these. `make prove ARGS="FAULT --write"` adds those that are missing. `plumbline explain` shows
them.
"""

import json
import sys
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from plumbline.fixtures.cli.requirement_examples import FILE as NAME
from plumbline.fixtures.reference.variations.faults import FAULTS
from plumbline.fixtures.run.planning.matrix import matrix
from plumbline.spec import catalogue
from plumbline.spec.rows import rows

from ..proving import focused, plain
from .shortening import shortened

FILE = Path(__file__).resolve().parents[2] / NAME
MAX_IDS_OF_A_TELLING_FAULT = 3
"""A fault that breaks no more than so many requirements tells what it is about."""

Examples = dict[str, dict[str, Any]]


def examples_of(ids: Iterable[str]) -> Examples:
    """Examples of requirements, as far as there are faults; each is kept once and broken once.

    Returns:
        By requirement: `fault` (its name), `kept` and `broken` (exchanges), `expected`, `received`
        and `where` of what broke.
    """
    plan: dict[str, list[str]] = {}
    for name in ids:
        if fault := best_fault(name):
            plan.setdefault(fault, []).append(name)
    kept = plain().kept if plan else {}
    examples: Examples = {}
    for fault, names in plan.items():
        broken = _broken(fault)
        made = {
            name: _example(broken[name], kept[name])
            for name in names
            if name in broken and kept.get(name)
        }
        # What differs only in what was asked before shows nothing.
        examples |= {
            name: example for name, example in made.items() if example["kept"] != example["broken"]
        }
    return examples


def add_examples(faults: Iterable[str]) -> list[str]:
    """Add examples of the requirements that some faults break, where there are none.

    Returns:
        A line for each example that was added.
    """
    examples = json.loads(FILE.read_text(encoding="utf-8"))
    ids = {name for fault in faults for name in FAULTS[fault].ids} - examples.keys()
    added = examples_of(sorted(ids))
    if added:
        FILE.write_text(rows(examples | added, levels=1), encoding="utf-8")
    return [f"{name}: an example, added to {FILE.name}" for name in added]


def best_fault(requirement: str) -> str | None:
    """The fault that shows best how a requirement is broken: rather one that breaks little; None
    where no check catches any.
    """
    order = {name: place for place, name in enumerate(FAULTS)}

    def breadth(name: str) -> tuple[bool, int, int, int]:
        broken = len(FAULTS[name].ids)
        return (
            broken > MAX_IDS_OF_A_TELLING_FAULT,
            broken,
            len(matrix().faults[name].red),
            order[name],
        )

    return min(matrix().catching(requirement), key=breadth, default=None)


def _broken(fault: str) -> dict[str, dict[str, Any]]:
    """What fails with a fault: a violation of each requirement."""
    _, trial = focused([fault], matrix().faults[fault].carriers)
    violations: dict[str, dict[str, Any]] = {}
    # A check tells more about the situation than the traffic around it.
    for finding in sorted(trial.violations, key=lambda finding_: finding_.source != "check"):
        about = {"test": finding.test, "operation": finding.operation, "fault": fault}
        violations.setdefault(
            finding.requirement, (asdict(finding.violation) if finding.violation else {}) | about
        )
    return violations


def _example(broken: Mapping[str, Any], passed: Mapping[str, Any]) -> dict[str, Any]:
    """A broken exchange beside one that was kept in the same situation, or in the most similar
    one.
    """
    test, operation = broken["test"], broken["operation"]
    situations = sorted(
        passed,
        key=lambda name: (
            name != f"{test} {operation}",
            not name.endswith(operation),
            test not in name,
        ),
    )
    where = broken["where"]
    return {
        "fault": broken["fault"],
        "kept": shortened(passed[situations[0]], where),
        "broken": shortened(broken["exchange"], where),
        "expected": broken["expected"],
        "received": broken["received"],
        "where": where,
    }


if __name__ == "__main__":
    wanted = sys.argv[1:] or list(catalogue().requirements)
    before = json.loads(FILE.read_text(encoding="utf-8")) if sys.argv[1:] and FILE.exists() else {}
    FILE.write_text(rows(before | examples_of(wanted), levels=1), encoding="utf-8")
