"""The matrix says of each row what it was measured on, and is about the faults that there are."""

from dataclasses import replace

import pytest

from plumbline.fixtures.reference.variations.faults import FAULTS
from plumbline.fixtures.reference.variations.variants import VARIANTS
from plumbline.fixtures.run.planning.matrix import SHORT, Matrix, Row, matrix, renewed, sources

from . import closing
from .closing import TEST, closing_lines, faults_of, untried

MEASURED = {
    "commit": "0123456789abcdef",
    "date": "2026-11-27",
    "revision": 3,
    "sources": "of another kit",
}
KNOWN = Row(
    {"leads/test_create.py::test_it": {"LEAD-02": ["test_it#1"]}},
    beside={"traffic": ["LEAD-03"]},
    findings="aaaa",
)
ROWS = {"one": KNOWN, "two": replace(KNOWN, measured="feedc0ffee00"), "three": KNOWN}
SMALL = Matrix(MEASURED, ROWS)


def test_each_fault_has_a_row_and_each_row_a_fault() -> None:
    assert matrix().faults.keys() == FAULTS.keys()
    assert set(matrix().variants) <= VARIANTS.keys()


def test_row_that_shows_the_same_stays_as_it_was() -> None:
    """What turns red in the whole suite is not measured with the checks of a fault."""
    shown = replace(KNOWN, beside={})
    assert renewed(shown, KNOWN) == KNOWN
    assert renewed(shown, ROWS["two"]) == ROWS["two"]


def test_row_that_shows_something_else_says_on_which_sources() -> None:
    shown = replace(KNOWN, findings="bbbb", beside={})
    assert renewed(shown, KNOWN) == replace(KNOWN, findings="bbbb", measured=sources()[:SHORT])
    assert renewed(shown, Row()).measured == sources()[:SHORT]


def test_faults_are_read_from_the_ids_of_tests() -> None:
    ids = [
        f"suites/proof/{TEST}[one+two]",
        f"suites/proof/{TEST}[three]",
        "suites/proof/test_plain.py::test_other[four]",
    ]
    assert faults_of(ids) == {"one", "two", "three"}


def test_last_lines_say_what_was_proved_now_and_what_earlier() -> None:
    origin = "measured on commit 0123456789, 2026-11-27"
    whole = [
        f"What faults turn red in the whole suite was {origin}; the kit has changed since.",
        "1 of them are new since then, or show in another way; make prove tries these there.",
    ]
    assert [*closing_lines(SMALL, {"one", "two", "three"})] == [
        "3 of 3 faults, tried with their checks in this run, are caught as their rows say.",
        *whole,
    ]
    assert [*closing_lines(SMALL, {"one"})] == [
        "1 of 3 faults, tried with their checks in this run, are caught as their rows say.",
        f"The rows of the other 2 were {origin}, or later on sources feedc0ffee00.",
        *whole,
    ]


def test_last_lines_of_a_proof_on_the_same_kit() -> None:
    fresh = Matrix(MEASURED | {"sources": sources()}, {"one": KNOWN})
    assert [*closing_lines(fresh, {"one"})][1:] == [
        (
            "What faults turn red in the whole suite was measured on commit 0123456789,"
            " 2026-11-27; the kit is the same."
        )
    ]


def test_last_lines_say_what_the_system_cannot_try(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(closing, "kernel_counts_bytes", lambda: False)
    monkeypatch.setattr(closing, "can_be_tried", lambda row: row != "output to a full disk")
    of_bytes, of_disk = untried()
    assert of_bytes.startswith("timing/test_loopback.py is not tried: this system does not say")
    assert of_disk == "Not tried, because this system has no /dev/full: output to a full disk."
