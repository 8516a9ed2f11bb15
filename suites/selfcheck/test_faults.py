"""Every fault turns exactly its requirements red, and every latitude leaves everything green."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from plumbline.fixtures.reference.faults import FAULTS
from plumbline.fixtures.reference.latitudes import LATITUDES

from .claims import classes, is_slow, severe, slow_class
from .conftest import Run
from .known import BLIND_SPOTS, CASCADES, SAMPLE
from .table import lines

AT_ONCE = 12
"""Runs that wait side by side."""


def judge(run: Run, fault: str) -> None:
    """The ids that a fault names fail or, where they are no MUST, warn; all others stay as they are without it.

    Known cascades and blind spots are held too, so that they leave the list when they are mended.
    """
    red = run.ids("failed") | run.ids("warned")
    assert red == set(FAULTS[fault].ids) - BLIND_SPOTS.get(fault, set()) | CASCADES.get(fault, set()), run.output
    assert (run.exit_code == 1) == severe(red), run.output


def test_a_fault_turns_its_requirements_red(suites: Callable[..., Run], fault: str, *, every: bool) -> None:
    """One fault, and all checks that need no long wait."""
    judge(suites("--fault", fault, "-k", "not drawn", claim=classes(FAULTS[fault].ids, every=every)), fault)


def test_slow_faults_turn_their_requirements_red(suites: Callable[..., Run], *, every: bool) -> None:
    """The faults of limits, all at once, since they only wait."""
    slow = [name for name in (FAULTS if every else SAMPLE) if is_slow(FAULTS[name])]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        runs = list(pool.map(lambda name: suites("--fault", name, claim=(slow_class(FAULTS[name]),)), slow))
    assert slow
    for name, run in zip(slow, runs, strict=True):
        judge(run, name)


def test_a_latitude_leaves_all_green(suites: Callable[..., Run], latitude: str, *, every: bool) -> None:
    """A permitted difference neither fails nor hides anything."""
    green(suites("--latitude", latitude, claim=classes(LATITUDES[latitude].ids, every=every)))


def test_slow_latitudes_leave_all_green(suites: Callable[..., Run]) -> None:
    """The same of limits, all at once."""
    slow = [name for name, each in LATITUDES.items() if is_slow(each)]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        runs = list(pool.map(lambda name: suites("--latitude", name, claim=(slow_class(LATITUDES[name]),)), slow))
    assert slow
    for run in runs:
        green(run)


def green(run: Run) -> None:
    """Nothing failed, nothing warned, nothing was left out."""
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
