"""Public reports stand beside faults that exist, and say what was measured of them."""

from plumbline.fixtures.cli.measured.public_reports import RUNS, reports_and_runs
from plumbline.fixtures.reference.variations.faults import FAULTS


def test_every_report_has_a_fault_or_a_stance() -> None:
    """One of both, and what was measured of the fault."""
    reports, faults = reports_and_runs()
    for one in reports:
        assert bool(one.fault) != bool(one.stance), one
        assert not one.fault or (one.fault in FAULTS and one.fault in faults), one
    assert len({(one.source, one.bug) for one in reports}) == len(reports)


def test_what_is_not_always_found_says_why() -> None:
    """A fault that a run has missed has a reason beside it, and no other one has."""
    for name, one in reports_and_runs()[1].items():
        assert {*one.first, *one.now} <= {*range(1, RUNS + 1)}, name
        assert (len(one.now) < RUNS) == bool(one.hidden_by), name
