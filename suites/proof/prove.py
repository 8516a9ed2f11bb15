"""The long proof, `make prove`: measures the matrix of faults and checks, and everything that a
change cannot wait for.

Without arguments it tries every fault with its checks and in the whole suite, every permitted
variant, and twenty seeds, and writes the matrix. With names of faults it tries only these, shows
what catches them, and compares that with the matrix; `--write` puts their rows into it, and adds
the costs and examples that are missing. `--check TEST` tries one check under every fault, and shows
the faults that break its requirements and do not declare that. `--rows`
measures the rows of all faults and the groups in which they are tried, and nothing else, after a
change that many of them meet. `--cluster` tries faults, seeds and variants on a cluster of Dask.
RUNS_OF_ONE_HOST=100 makes it try 200 runs with one host, and not 10.
"""

import argparse
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from plumbline.fixtures.profile.errors import ConfigurationError
from plumbline.fixtures.reference.variations.faults import FAULTS
from plumbline.fixtures.reference.variations.variants import VARIANTS
from plumbline.fixtures.run.planning.matrix import FILE, Matrix, Row, matrix, renewed, sources
from plumbline.spec import catalogue

from .expected import accepted, observable, to_show, warned
from .groups import kill_groups, packed, settled, variant_groups
from .pages.costs import add_costs
from .pages.examples import add_examples
from .pages.observed import publish_checks, replayed
from .programs_beside import end_once, log_of, running_beside
from .proving import (
    agree,
    around,
    beside,
    changing,
    focused,
    is_green,
    judgements,
    measured,
    plain,
    twins,
    unproved,
    whole_suite,
)
from .trials.carried_out import Found
from .trials.trial import SEED
from .undeclared import checks_called, show_undeclared

ROOT = Path(__file__).parents[2]
MATRIX = ROOT / "suites" / FILE
SEEDS = range(100, 120)
ROUNDS = 3
"""How often faults that did not fit into a group are packed again, among themselves."""
MIN_TOLD = 0.5
"""Share of the variants whose choice shows in what a run sends anyway; the others use what no check
may try.
"""


def main() -> int:
    """Prove everything, or the faults that are named; returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="make prove ARGS=...", description=__doc__.partition("\n\n")[2] if __doc__ else ""
    )
    parser.add_argument(
        "faults", nargs="*", metavar="FAULT", help="only these, with what catches them"
    )
    parser.add_argument(
        "--write", action="store_true", help="put the rows of these faults into the matrix"
    )
    parser.add_argument(
        "--check",
        metavar="TEST",
        help="the faults that break the requirements of this check and do not declare that",
    )
    parser.add_argument(
        "--rows",
        action="store_true",
        help="measure what catches each fault, without the rest of the proof",
    )
    parser.add_argument(
        "--cluster", metavar="URL", help="a scheduler of Dask, such as tcp://10.0.0.5:8786"
    )
    options = parser.parse_args()
    if unknown := set(options.faults) - set(FAULTS):
        parser.error(
            f"there is no fault called {', '.join(sorted(unknown))}; `plumbline serve --list` names"
            " them all"
        )
    if options.check and not checks_called(options.check):
        parser.error(f"no check of a deployment has `{options.check}` in its name")
    if matrix().is_stale:
        print(
            f"The kit has changed since the whole matrix was {matrix().origin}; rows are measured"
            " anew one by one.",
            flush=True,
        )
    try:
        if options.check:
            return show_undeclared(options.check, options.cluster)
        if options.rows:
            return all_rows(options.cluster)
        return (
            some(options.faults, options.cluster, write=options.write)
            if options.faults
            else everything(options.cluster)
        )
    except ConfigurationError as error:
        parser.error(str(error))


def some(names: Sequence[str], cluster: str | None, *, write: bool) -> int:
    """Show what catches some faults, and compare it with the matrix; returns 1 where they
    differ.
    """
    rows = dict(matrix().faults)
    wrong = 0
    for name, result in _tried(names, cluster, measured if write else known_row):
        previous = rows.get(name, Row())
        row = renewed(result, previous)
        print("\n".join(_shown(name, row)))
        if not agree(row, previous):
            wrong += not write
            print(
                "  not what the matrix has"
                + ("; written" if write else "; write it with --write, if that is right")
            )
        rows[name] = row
    if write:
        left = unproved(matrix().unproved, rows.values())
        groups = [
            settled(group, rows) if {*group} & {*names} else group for group in matrix().groups
        ]
        _write(replace(matrix(), faults=rows, unproved=left, groups=[*filter(None, groups)]))
        for line in (*add_costs(), *add_examples(names)):
            print(line)
    return min(wrong, 1)


def _tried(
    names: Sequence[str], cluster: str | None, work: Callable[[str], Row]
) -> Iterator[tuple[str, Row]]:
    """Faults with their rows; in this process without a cluster, since a few are done before
    another one has started.
    """
    if cluster is None:
        yield from ((name, work(name)) for name in names)
        return
    from .pool import pool  # noqa: PLC0415  what brings Dask along comes late

    with pool(cluster) as executor:
        yield from zip(names, executor.map(work, names), strict=True)


def known_row(name: str) -> Row:
    """The row of a fault, with the carriers that the matrix names."""
    return focused([name], matrix().faults.get(name, Row()).carriers)[0]


def all_rows(cluster: str | None) -> int:
    """Measure the rows of all faults and their groups anew; returns 1 when something is not as it
    has to be.

    What a fault turns red in the rest of the suite, the variants and the seeds stay as the last
    whole proof has left them.
    """
    from .pool import pool, results_of  # noqa: PLC0415  what brings Dask along comes late

    rows_before = matrix()
    with pool(cluster) as executor:
        tried = results_of(executor, "faults with their checks", replayed, list(FAULTS))
        rows = {
            trial.fault: renewed(row, rows_before.faults.get(trial.fault, Row()))
            for row, trial in tried
        }
        groups = _groups(executor, rows)
    problems = publish_checks([trial for _, trial in tried])
    problems += [problem for name, row in rows.items() for problem in _problems(name, row)]
    made = judgements(plain())
    left = unproved(made, rows.values())
    _write(replace(rows_before, faults=rows, judgements=len(made), unproved=left, groups=groups))
    print("\n".join(problems) or "every fault is caught as it has to be")
    return 1 if problems else 0


def everything(cluster: str | None) -> int:
    """Measure the matrix anew; returns 1 when something is not as it has to be."""
    from .pool import pool, results_of  # noqa: PLC0415  what brings Dask along comes late

    begun, problems = time.monotonic(), []
    signal.signal(signal.SIGTERM, end_once)
    with pool(cluster) as executor, running_beside() as programs:
        tried = results_of(executor, "faults with their checks", replayed, list(FAULTS))
        problems += publish_checks([replay for _, replay in tried])
        rows = {replay.fault: row for row, replay in tried}
        groups = _groups(executor, rows)
        tasks = [(names, _rows_of(names, rows)) for names in kill_groups(groups)]
        for result in results_of(executor, "faults in the whole suite", _whole_group, tasks):
            rows |= result
        problems += [problem for name, row in rows.items() for problem in _problems(name, row)]
        problems += [f"nothing tells these apart: {', '.join(names)}" for names in twins(rows)]
        plain = results_of(executor, "everything without a fault", _seeded, [SEED])[0]
        seeds = results_of(executor, "seeds", _seeded, list(SEEDS))
        problems += [
            f"seed {seed}: {sorted(result.red)} red"
            for seed, result in zip(SEEDS, seeds, strict=True)
            if not is_green(result)
        ]
        wrong: dict[str, str] = {}
        told: set[str] = set()
        for group, chosen in results_of(
            executor, "permitted variants in the whole suite", _variants, variant_groups()
        ):
            wrong |= group
            told |= chosen
        if len(told) < MIN_TOLD * len(VARIANTS):
            problems.append(
                f"of {len(VARIANTS)} variants only {len(told)} change a choice that is observed"
            )
        problems += [f"variant {name}: {problem}" for name, problem in wrong.items()]
        problems += [
            f"{title}: ends with {program.returncode}, see {log_of(title)}"
            for title, program in programs.items()
            if program.wait()
        ]
    made = judgements(plain)
    left = unproved(made, rows.values())
    measured_on = {
        "commit": _git("rev-parse", "HEAD"),
        "date": datetime.now(UTC).date().isoformat(),
        "revision": catalogue().revision,
        "sources": sources(),
    }
    green = [name for name in VARIANTS if name not in wrong]
    _write(Matrix(measured_on, rows, green, len(made), left, groups))
    print(
        f"{len(made)} judgements, {len(made) - len(left)} proved; {time.monotonic() - begun:.0f} s"
    )
    print("\n".join(problems) or "everything is as it has to be")
    return 1 if problems else 0


def _groups(executor: Executor, rows: Mapping[str, Row]) -> list[list[str]]:
    """Groups of faults that show side by side what each shows alone; what does not is packed
    again.
    """
    from .pool import results_of  # noqa: PLC0415  what brings Dask along comes late

    groups: list[list[str]] = []
    for _ in range(ROUNDS):
        left = set(FAULTS) - {name for group in groups for name in group}
        tasks = [(group, _rows_of(group, rows)) for group in packed(left, _rows_of(left, rows))]
        groups += filter(None, results_of(executor, "faults side by side", _settled, tasks))
    return groups


def _settled(task: tuple[Sequence[str], Mapping[str, Row]]) -> list[str]:
    return settled(*task)


def _rows_of(names: Iterable[str], rows: Mapping[str, Row]) -> dict[str, Row]:
    return {name: rows[name] for name in names}


def _whole_group(task: tuple[Sequence[str], Mapping[str, Row]]) -> dict[str, Row]:
    """The rows of faults with what turns red beside: all at once, or by halves where that shows too
    much.
    """
    names, rows = task
    result = around([identifier for name in names for identifier in FAULTS[name].ids], faults=names)
    if len(names) == 1:
        return {names[0]: beside(rows[names[0]], names[0], result)}
    if result.red <= observable(identifier for name in names for identifier in FAULTS[name].ids):
        return {}
    half = len(names) // 2
    return _whole_group((names[:half], rows)) | _whole_group((names[half:], rows))


def _problems(name: str, row: Row) -> list[str]:
    broken = observable(FAULTS[name].ids)
    missing, more = to_show(name) - row.red, row.red - accepted(name)
    problems = [f"{name} does not turn {', '.join(sorted(missing))} red"] if missing else []
    problems += (
        [f"{name} shows; its declaration needs no `hidden`"]
        if FAULTS[name].hidden and row.red & broken
        else []
    )
    gone = accepted(name) - broken - row.red
    problems += [f"{name} turns {', '.join(sorted(more))} red as well"] if more else []
    return problems + (
        [f"{name} no longer turns {', '.join(sorted(gone))} red; take that from its `also`"]
        if gone
        else []
    )


def _seeded(seed: int) -> Found:
    return whole_suite(seed=seed)


def _variants(names: Sequence[str]) -> tuple[dict[str, str], set[str]]:
    """What is wrong under some variants: all at once and, where anything is, each alone; and those
    that change a choice.
    """
    result = around(
        [identifier for name in names for identifier in VARIANTS[name].ids], variants=names
    )
    if result.red <= warned(names) and not result.harness:
        return {}, changing(names, result)
    if len(names) > 1:
        return {
            name: problem for one in names for name, problem in _variants([one])[0].items()
        }, changing(names, result)
    return {names[0]: f"{sorted(result.red)} red, {result.harness}"}, changing(names, result)


def _write(document: Matrix) -> None:
    MATRIX.write_text(document.text(), encoding="utf-8")
    matrix.cache_clear()


def _shown(name: str, row: Row) -> Iterable[str]:
    yield f"{name}: {FAULTS[name].sentence} Breaks {', '.join(FAULTS[name].ids)}."
    for check, cells in row.checks.items():
        yield from (
            f"  {requirement}  {check}  by {', '.join(places)}"
            for requirement, places in cells.items()
        )
    yield from (
        f"  {requirement}  traffic  by {', '.join(oracles)}"
        for requirement, oracles in row.traffic.items()
    )


def _git(*words: str) -> str:
    return subprocess.run(
        ["git", *words], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.strip()


if __name__ == "__main__":
    from plumbline.suites.proof import (
        prove,  # workers of a cluster know what is in this module, but not what is in `__main__`
    )

    sys.exit(prove.main())
