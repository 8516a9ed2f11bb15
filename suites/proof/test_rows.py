"""What was measured holds one row a line, in a stable order, so that a change of a row is a change
of a line.
"""

import json
from pathlib import Path

import pytest

from plumbline.fixtures.run.planning.matrix import matrix
from plumbline.spec.rows import rows

SUITES = Path(__file__).parents[1]
FILES = {
    "costs.json": 2,
    "examples.json": 1,
    "matrix.json": 2,
    "proof/observed.json": 1,
    "reports.json": 2,
    "shares.json": 1,
}
"""What the proof writes, with the levels of which each member has a line."""


@pytest.mark.parametrize(("name", "levels"), FILES.items())
def test_each_row_has_a_line(name: str, levels: int) -> None:
    text = (SUITES / name).read_text(encoding="utf-8")
    assert text == rows(json.loads(text), levels=levels)


def test_every_measured_file_is_one_of_them() -> None:
    """The files of a package manager have a form of their own."""
    measured = {
        file.relative_to(SUITES).as_posix()
        for file in SUITES.rglob("*.json")
        if "tools" not in file.parts
    }
    assert measured == set(FILES)


def test_matrix_is_written_as_it_was_read() -> None:
    assert matrix().text() == (SUITES / "matrix.json").read_text(encoding="utf-8")


def test_members_are_in_the_order_of_their_names_above_the_rows() -> None:
    assert (
        rows({"b": {"z": 1, "a": [1, {"d": 2, "c": 3}]}, "a": [], "c": [[2], "ü"]}, levels=2)
        == '{\n "a": [],\n "b": {\n  "a": [1, {"d": 2, "c": 3}],\n  "z": 1\n },\n "c": [\n  [2],\n '
        ' "ü"\n ]\n}\n'
    )
