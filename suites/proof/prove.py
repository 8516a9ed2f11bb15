"""The long proof, `make prove`: measures the matrix of faults and checks, and everything that a change cannot wait for.

Without arguments it tries every fault with its checks and in the whole suite, every permitted variant, and twenty seeds, and
writes the matrix and its table. With names of faults it tries only these, shows what catches them, and compares that with the
matrix; `--write` puts their rows into it. RUNS_OF_ONE_HOST=100 makes it try 200 runs with one host, and not 10.
"""

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from multiprocessing import get_context
from pathlib import Path
from typing import TypeVar

from plumbline.fixtures.planning.matrix import FILE, Matrix, Row, matrix, sources
from plumbline.fixtures.reference.variations.faults import FAULTS
from plumbline.fixtures.reference.variations.variants import VARIANTS
from plumbline.spec import catalogue

from .curve import curve, picture
from .known import IMMEDIATE_CLASSES, RUNS_OF_ONE_HOST, WARNED, observable
from .proving import (
    accepted,
    agree,
    around,
    beside,
    changing,
    fault_groups,
    focused,
    is_green,
    judgements,
    measured,
    twins,
    unproved,
    variant_groups,
    whole_suite,
)
from .table import lines
from .trial import SEED, Found

ROOT = Path(__file__).parents[2]
MATRIX, KILLS, CURVE = (ROOT / "suites" / name for name in (FILE, "KILLS.md", "curve.svg"))
SEEDS = range(100, 120)
SAY_EVERY = 100
MIN_TOLD = 0.5
"""Share of the variants whose choice shows in what a run sends anyway; the others use what no check may try."""
PYTEST = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider")
BESIDE: Mapping[str, tuple[str, ...]] = {
    "all classes in real time": (*PYTEST, "--report-dir={folder}"),
    "the exhaustive tier": (*PYTEST, "--report-dir={folder}", "--tier=exhaustive", f"--claim={IMMEDIATE_CLASSES}"),
    "the contract in the tools of its readers": (
        *(*PYTEST, "-p", "no:plumbline.fixtures.plugin", "-onorecursedirs=.* build", "suites/proof/tools"),
    ),
    "fleets on clusters": (*(*PYTEST, "-p", "no:plumbline.fixtures.plugin", "-onorecursedirs=.* build", "suites/proof/fleets"),),
    "the reference on both databases": (
        *(*PYTEST, "-p", "no:plumbline.fixtures.plugin", "-onorecursedirs=.* build"),
        *("--thorough", "fixtures/tests/reference"),
    ),
    "traffic alone": (sys.executable, "-m", "plumbline.suites.proof.observed"),
    "runs with one host": (
        *(*PYTEST, "-p", "no:plumbline.fixtures.plugin", "-onorecursedirs=.* build"),
        "suites/proof/test_reservations.py",
    ),
}
"""What runs as a program of its own beside the trials; `{folder}` is for its report."""
RUNS_BY_DEFAULT = "5"
"""How often runs with one host are tried with each number of workers; the environment may say another number."""
T = TypeVar("T")
U = TypeVar("U")


def main() -> int:
    """Prove everything, or the faults that are named; returns the exit code."""
    parser = argparse.ArgumentParser(prog="make prove ARGS=...", description=__doc__.partition("\n\n")[2] if __doc__ else "")
    parser.add_argument("faults", nargs="*", metavar="FAULT", help="only these, with what catches them")
    parser.add_argument("--write", action="store_true", help="put the rows of these faults into the matrix")
    options = parser.parse_args()
    if unknown := set(options.faults) - set(FAULTS):
        parser.error(f"there is no fault called {', '.join(sorted(unknown))}; `plumbline serve --list` names them all")
    return some(options.faults, write=options.write) if options.faults else everything()


def some(names: Sequence[str], *, write: bool) -> int:
    """Show what catches some faults, and compare it with the matrix; returns 1 where they differ."""
    rows = dict(matrix().faults)
    wrong = 0
    for name in names:
        row = measured(name) if write else focused(name, rows.get(name, Row()).carriers)[0]
        known = rows.get(name, Row())
        row = replace(row, beside=known.beside)
        print("\n".join(_shown(name, row)))
        if not agree(row, known):
            wrong += not write
            print("  not what the matrix has" + ("; written" if write else "; write it with --write, if that is right"))
        rows[name] = row
    if write:
        _write(replace(matrix(), faults=_in_order(rows)))
    return min(wrong, 1)


def everything() -> int:
    """Measure the matrix anew; returns 1 when something is not as it has to be."""
    begun, problems = time.monotonic(), []
    programs = {title: _start(title, command) for title, command in BESIDE.items()}
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as pool:
        rows = dict(zip(FAULTS, _each(pool, "faults with their checks", measured, list(FAULTS)), strict=True))
        together = _each(pool, "faults in the whole suite", _whole_group, [(names, rows) for names in fault_groups()])
        for found in together:
            rows |= found
        problems += [problem for name, row in rows.items() for problem in _problems(name, row)]
        problems += [f"nothing tells these apart: {', '.join(names)}" for names in twins(rows)]
        plain = _each(pool, "everything without a fault", _seeded, [SEED])[0]
        seeds = _each(pool, "seeds", _seeded, list(SEEDS))
        problems += [
            f"seed {seed}: {sorted(found.red)} red" for seed, found in zip(SEEDS, seeds, strict=True) if not is_green(found)
        ]
        wrong: dict[str, str] = {}
        told: set[str] = set()
        for each, chosen in _each(pool, "permitted variants in the whole suite", _variants, variant_groups()):
            wrong |= each
            told |= chosen
        if len(told) < MIN_TOLD * len(VARIANTS):
            problems.append(f"of {len(VARIANTS)} variants only {len(told)} change a choice that is observed")
        problems += [f"variant {name}: {problem}" for name, problem in wrong.items()]
    for title, program in programs.items():
        problems += [] if program.wait() == 0 else [f"{title}: ends with {program.returncode}, see {_log(title)}"]
    made = judgements(plain)
    left = unproved(made, rows.values())
    measured_on = {
        "commit": _git("rev-parse", "HEAD"),
        "date": datetime.now(UTC).date().isoformat(),
        "revision": catalogue().revision,
        "sources": sources(),
    }
    green = [name for name in VARIANTS if name not in wrong]
    _write(Matrix(measured_on, rows, green, len(made), left))
    print(f"{len(made)} judgements, {len(made) - len(left)} proved; {time.monotonic() - begun:.0f} s")
    print("\n".join(problems) or "everything is as it has to be")
    return 1 if problems else 0


def _start(title: str, command: Sequence[str]) -> subprocess.Popen[bytes]:
    """Start a program whose words go into a file."""
    log = _log(title)
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("wb") as file:
        words = [word.format(folder=log.with_suffix("")) for word in command]
        environment = {RUNS_OF_ONE_HOST: RUNS_BY_DEFAULT, **os.environ}
        return subprocess.Popen(words, cwd=ROOT, stdout=file, stderr=file, env=environment)


def _log(title: str) -> Path:
    return ROOT / "build" / "prove" / f"{title.replace(' ', '-')}.log"


def _whole_group(task: tuple[Sequence[str], Mapping[str, Row]]) -> dict[str, Row]:
    """The rows of faults with what turns red beside: all at once and, where that shows too much, each alone."""
    names, rows = task
    if len(names) > 1:
        found = around([each for name in names for each in FAULTS[name].ids], faults=names)
        if found.red <= set().union(*(observable(FAULTS[name].ids) for name in names)):
            return {}
    return {name: beside(rows[name], name, around(FAULTS[name].ids, faults=[name])) for name in names}


def _problems(name: str, row: Row) -> list[str]:
    broken = observable(FAULTS[name].ids)
    missing, more = broken - row.red, row.red - accepted(name)
    found = [f"{name} does not turn {', '.join(sorted(missing))} red"] if missing else []
    gone = accepted(name) - broken - row.red
    found += [f"{name} turns {', '.join(sorted(more))} red as well"] if more else []
    return found + ([f"{name} no longer turns {', '.join(sorted(gone))} red; take it from the cascades"] if gone else [])


def _seeded(seed: int) -> Found:
    return whole_suite(seed=seed)


def _variants(names: Sequence[str]) -> tuple[dict[str, str], set[str]]:
    """What is wrong under some variants: all at once and, where anything is, each alone; and those that change a choice."""
    found = around([each for name in names for each in VARIANTS[name].ids], variants=names)
    if found.red <= set().union(*(WARNED.get(name, set()) for name in names)) and not found.harness:
        return {}, changing(names, found)
    if len(names) > 1:
        return {name: problem for one in names for name, problem in _variants([one])[0].items()}, changing(names, found)
    return {names[0]: f"{sorted(found.red)} red, {found.harness}"}, changing(names, found)


def _each(pool: ProcessPoolExecutor, title: str, work: Callable[[T], U], tasks: Sequence[T]) -> list[U]:
    """Do a work for each task, and say how far it is and how long it took."""
    begun, found = time.monotonic(), []
    for number, result in enumerate(pool.map(work, tasks), 1):
        found.append(result)
        if number % SAY_EVERY == 0 or number == len(tasks):
            print(f"{title}: {number} of {len(tasks)} after {time.monotonic() - begun:.0f} s", flush=True)
    return found


def _write(matrix: Matrix) -> None:
    MATRIX.write_text(matrix.text(), encoding="utf-8")
    KILLS.write_text("\n".join(lines(matrix)) + "\n", encoding="utf-8")
    CURVE.write_text(picture(curve(matrix)), encoding="utf-8")


def _in_order(rows: Mapping[str, Row]) -> dict[str, Row]:
    return {name: rows[name] for name in FAULTS if name in rows}


def _shown(name: str, row: Row) -> Iterable[str]:
    yield f"{name}: {FAULTS[name].sentence} Breaks {', '.join(FAULTS[name].ids)}."
    for check, cells in row.checks.items():
        yield from (f"  {requirement}  {check}  by {', '.join(places)}" for requirement, places in cells.items())
    yield from (f"  {requirement}  traffic  by {', '.join(oracles)}" for requirement, oracles in row.traffic.items())


def _git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


if __name__ == "__main__":
    sys.exit(main())
