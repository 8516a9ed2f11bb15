"""Every fault turns exactly its requirements red, and every latitude leaves everything green."""

from collections.abc import Callable
from pathlib import Path

import pytest

from plumbline.fixtures.reference.faults import FAULTS
from plumbline.fixtures.reference.latitudes import LATITUDES
from plumbline.spec import catalogue

from .conftest import Run
from .known import BLIND_SPOTS, CASCADES, SAMPLE
from .table import lines


def test_a_fault_turns_its_requirements_red(suites: Callable[..., Run], fault: str) -> None:
    """The ids that the fault names fail or, where they are no MUST, warn; all others stay as they are without it.

    Known cascades and blind spots are held too, so that they leave the list when they are mended.
    """
    run = suites("--fault", fault, "-k", "not drawn")
    red = run.ids("failed") | run.ids("warned")
    assert red == set(FAULTS[fault].ids) - BLIND_SPOTS.get(fault, set()) | CASCADES.get(fault, set()), run.output
    severe = any(catalogue().requirements[each].severity == "must" for each in red)
    assert (run.exit_code == 1) == severe, run.output


@pytest.mark.parametrize("name", LATITUDES)
def test_a_latitude_leaves_all_green(suites: Callable[..., Run], name: str) -> None:
    """A permitted difference neither fails nor hides anything."""
    run = suites("--latitude", name)
    assert run.ids("failed") | run.ids("warned") | run.ids("not exercised") == set(), run.output
    assert run.exit_code == 0, run.output


@pytest.mark.parametrize("known", [CASCADES, BLIND_SPOTS], ids=["cascades", "blind spots"])
def test_the_lists_of_known_trouble_are_about_something(known: dict[str, set[str]]) -> None:
    """An entry of a fault that does not exist, or without an id, would hide a mistake."""
    assert set(known) | set(SAMPLE) <= set(FAULTS)
    assert all(known.values())


def test_the_table_is_up_to_date() -> None:
    """The published table is what the registry and the lists say now."""
    published = (Path(__file__).parents[1] / "KILLS.md").read_text(encoding="utf-8")
    assert published == "\n".join(lines()) + "\n"
