"""The page about reports shows what was read and measured, of faults that exist."""

from plumbline.fixtures.reference.variations.faults import FAULTS

from .pages.reports import PAGE, RUNS, as_text, known


def test_every_report_has_a_fault_or_a_stance() -> None:
    """One of both, and what was measured of the fault."""
    reports, faults = known()
    for one in reports:
        assert bool(one.fault) != bool(one.stance), one
        assert not one.fault or (one.fault in FAULTS and one.fault in faults), one
    assert len({(one.source, one.bug) for one in reports}) == len(reports)


def test_what_is_not_always_found_says_why() -> None:
    """A fault that a run has missed has a reason beside it, and no other one has."""
    for name, one in known()[1].items():
        assert {*one.first, *one.now} <= {*range(1, RUNS + 1)}, name
        assert (len(one.now) < RUNS) == bool(one.hidden_by), name


def test_the_page_is_written() -> None:
    """`REPORTS.md` shows the file."""
    assert PAGE.read_text(encoding="utf-8") == as_text(*known())
