"""Which standard runs find the faults that public reports stand for.

`python -m plumbline.suites.proof.pages.reported` tries every fault of `suites/reports.json` in
three runs with different seeds, the first of which is that of the matrix, and writes in which of
them it was found. With names, only these faults are tried. What a fault that the file does not have
yet shows is written as what was found at first, too; measure it before you look at the checks.

A run finds a fault if the checks of its requirements turn one of these red among themselves, or
else the whole suite does.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from plumbline.fixtures.cli.measured.reported import RUNS, TABLE
from plumbline.fixtures.reference.variations.faults import FAULTS
from plumbline.spec.rows import rows

from ..expected import observable
from ..pool import pool
from ..proving import focused, whole_suite
from ..trials.trial import SEED

FILE = Path(__file__).parents[2] / TABLE


def runs_that_find(fault: str) -> list[int]:
    """The runs that find a fault, counted from 1."""
    return [run for run in range(1, RUNS + 1) if is_found(fault, SEED + run - 1)]


def is_found(fault: str, seed: int) -> bool:
    """Whether the run of a seed turns red what a fault breaks."""
    broken = observable(FAULTS[fault].ids)
    row, _ = focused([fault], seed=seed)
    return bool(row.red & broken or whole_suite([fault], seed=seed).red & broken)


def entry(before: dict[str, Any] | None, found_in: list[int]) -> dict[str, Any]:
    """What the file says of a fault, from what it said before."""
    made = {"first": before["first"] if before else found_in, "now": found_in}
    if len(found_in) == RUNS:
        return made
    return made | {"hidden_by": (before or {}).get("hidden_by", "")}


def main(words: Sequence[str]) -> int:
    """Measure some faults, or all of the file; returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m plumbline.suites.proof.pages.reported", description=__doc__
    )
    parser.add_argument("faults", nargs="*", metavar="FAULT", help="only these")
    options = parser.parse_args(words)
    if unknown := set(options.faults) - FAULTS.keys():
        parser.error(
            f"there is no fault called {', '.join(sorted(unknown))}; `plumbline serve --list` names"
            " them all"
        )
    document = json.loads(FILE.read_text(encoding="utf-8"))
    measured: dict[str, Any] = document["faults"]
    names = options.faults or list(measured)
    with pool() as executor:
        for name, found_in in zip(names, executor.map(runs_that_find, names), strict=True):
            print(f"{name}: {', '.join(map(str, found_in)) or 'in no run'}", flush=True)
            measured[name] = entry(measured.get(name), found_in)
            FILE.write_text(rows(document, levels=2), encoding="utf-8")
    counts = [len(one["now"]) for one in measured.values()]
    print(
        f"{len(counts)} faults: a run finds {sum(counts) / RUNS / len(counts):.1%} of them,"
        f" {RUNS} runs find {sum(map(bool, counts)) / len(counts):.1%}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
