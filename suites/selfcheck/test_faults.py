"""Every fault turns exactly its requirements red, and every latitude leaves everything green."""

from collections.abc import Callable

import pytest

from plumbline.fixtures.reference.faults import FAULTS
from plumbline.fixtures.reference.latitudes import LATITUDES
from plumbline.reports import ExitCode
from plumbline.spec import catalogue

from .conftest import Run


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_turns_its_requirements_red(suites: Callable[..., Run], name: str) -> None:
    """The ids that the fault names fail or, where they are no MUST, warn; all others stay as they are without it."""
    run = suites("--fault", name)
    red = run.ids("failed") | run.ids("warned")
    assert red == set(FAULTS[name].ids), run.output
    severe = any(catalogue().requirements[each].severity == "must" for each in red)
    assert run.exit_code == (ExitCode.NON_CONFORMANT if severe else ExitCode.CONFORMANT), run.output


@pytest.mark.parametrize("name", LATITUDES)
def test_a_latitude_leaves_all_green(suites: Callable[..., Run], name: str) -> None:
    """A permitted difference neither fails nor hides anything."""
    run = suites("--latitude", name)
    assert run.ids("failed") | run.ids("warned") | run.ids("not exercised") == set(), run.output
    assert run.exit_code == ExitCode.CONFORMANT, run.output
