"""The last lines of `make test`: what this run has proved of the matrix, on which commit the rest
was measured, and what this system cannot try.
"""

from collections.abc import Iterable, Iterator

from plumbline.fixtures.run.planning.matrix import Matrix

from .fault_injection.endings import CIRCUMSTANCES, FULL_DISK, can_be_tried
from .timing.loopback import kernel_counts_bytes

TEST = "test_kills.py::test_faults_are_caught_as_the_matrix_says"
"""Tries faults; its parameters are groups of them."""


def faults_of(tests: Iterable[str]) -> set[str]:
    """The faults that tests have tried, from the ids of those tests."""
    groups = (
        name.partition(f"{TEST}[")[2].removesuffix("]") for name in tests if f"{TEST}[" in name
    )
    return {fault for group in groups for fault in group.split("+")}


def closing_lines(matrix: Matrix, tried: set[str]) -> Iterator[str]:
    """What was proved now, and what earlier.

    Args:
        matrix: as it is checked in.
        tried: the faults whose rows were held against their checks in this run.
    """
    yield (
        f"{len(tried)} of {len(matrix.faults)} faults, tried with their checks in this run, are"
        " caught as their rows say."
    )
    if rest := sorted(matrix.faults.keys() - tried):
        younger = sorted({matrix.faults[name].measured for name in rest} - {""})
        later = f", or later on sources {', '.join(younger)}" if younger else ""
        yield f"The rows of the other {len(rest)} were {matrix.origin}{later}."
    changed = "the kit has changed since" if matrix.is_stale else "the kit is the same"
    yield f"What faults turn red in the whole suite was {matrix.origin}; {changed}."
    if matrix.younger:
        yield (
            f"{len(matrix.younger)} of them are new since then, or show in another way; make prove"
            " tries these there."
        )


def untried() -> Iterator[str]:
    """What is not collected because this system has no way to try it, a sentence each."""
    if not kernel_counts_bytes():
        yield (
            "timing/test_loopback.py is not tried: this system does not say which bytes are on"
            " their way. Virtual time waits until nothing happens for some milliseconds, as"
            " test_virtual_time.py tries it."
        )
    if rows := [row for row in CIRCUMSTANCES if not can_be_tried(row)]:
        yield f"Not tried, because this system has no {FULL_DISK}: {', '.join(rows)}."
