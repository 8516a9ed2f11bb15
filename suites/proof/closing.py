"""The last lines of `make test` about the matrix: what this run has proved of it, and on which
commit the rest was measured.
"""

from collections.abc import Iterable, Iterator

from plumbline.fixtures.planning.matrix import Matrix

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
