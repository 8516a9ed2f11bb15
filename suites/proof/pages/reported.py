"""Which standard runs find the faults that public reports stand for.

`python -m plumbline.suites.proof.pages.reported` tries every fault of `suites/reports.json` in
three runs with different seeds, and writes in which of them it was found. The first run is that of
the matrix, whose rows say what it finds. With names, only these faults are tried. What a fault that
the file does not have yet shows is written as what was found at first, too; measure it before you
look at the checks.

A run finds a fault if the checks of its requirements turn one of these red among themselves, or
else the whole suite does. Faults that cannot be taken for each other are tried side by side.
"""

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from plumbline.fixtures.cli.measured.public_reports import RUNS, TABLE
from plumbline.fixtures.reference.variations.faults import FAULTS
from plumbline.fixtures.run.planning.matrix import Row, matrix
from plumbline.spec.rows import rows

from ..expected import accepted, observable
from ..groups import packed
from ..pool import pool
from ..proving import focused, whole_suite
from ..trials.trial import SEED

FILE = Path(__file__).parents[2] / TABLE


def side_by_side(names: Iterable[str]) -> list[list[str]]:
    """Faults in groups whose members should not meet, and no two of which break one requirement."""
    rows_of = {name: matrix().faults.get(name, Row()) for name in names}
    groups: list[list[str]] = []
    for group in packed([name for name, row in rows_of.items() if row.red], rows_of):
        apart: list[str] = []
        for name in group:
            if not accepted(name) & {one for member in apart for one in accepted(member)}:
                apart.append(name)
        groups.append(apart)
    together = {name for group in groups for name in group}
    return groups + [[name] for name in rows_of if name not in together]


def found_by(task: tuple[Sequence[str], int]) -> dict[str, bool]:
    """Whether a run finds each of some faults, by their names.

    Args:
        task: the faults, which are tried together first, and the run, from 1.
    """
    names, run = task
    seed = SEED + run - 1
    red = (
        {one for name in names for one in matrix().faults.get(name, Row()).red}
        if run == 1
        else focused(names, seed=seed)[0].red
    )
    return {name: bool(red & broken(name)) or is_found(name, seed) for name in names}


def is_found(fault: str, seed: int) -> bool:
    """Whether the run of a seed turns red what a fault breaks, when the fault is alone."""
    row, _ = focused([fault], seed=seed)
    return bool(row.red & broken(fault) or whole_suite([fault], seed=seed).red & broken(fault))


def broken(fault: str) -> set[str]:
    """What a fault breaks that can be observed."""
    return observable(FAULTS[fault].ids)


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
    found_in: dict[str, list[int]] = {name: [] for name in names}
    tasks = [(group, run) for run in range(1, RUNS + 1) for group in side_by_side(names)]
    with pool() as executor:
        for (_, run), result in zip(tasks, executor.map(found_by, tasks), strict=True):
            print(f"run {run}: {result}", flush=True)
            for name, is_red in result.items():
                found_in[name] += [run] * is_red
    for name, runs in found_in.items():
        measured[name] = entry(measured.get(name), runs)
    FILE.write_text(rows(document, levels=2), encoding="utf-8")
    counts = [len(one["now"]) for one in measured.values()]
    print(
        f"{len(counts)} faults: a run finds {sum(counts) / RUNS / len(counts):.1%} of them,"
        f" {RUNS} runs find {sum(map(bool, counts)) / len(counts):.1%}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
