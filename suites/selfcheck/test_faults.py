"""Every fault turns exactly its requirements red, and every latitude leaves everything green."""

from collections.abc import Callable
from collections.abc import Set as AbstractSet
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from pathlib import Path

import pytest

from plumbline.fixtures.reference.faults import FAULTS
from plumbline.fixtures.reference.latitudes import LATITUDES

from .claims import AT_ONCE, classes, observable, severe, slow_class
from .conftest import Run
from .known import CASCADES, LATITUDES_TOGETHER, SAMPLE, TOGETHER, WARNED
from .table import lines

SLOW = sorted(AT_ONCE)


def red(run: Run) -> set[str]:
    """The ids that fail or, where they are no MUST, warn."""
    return run.ids("failed") | run.ids("warned")


def expected(*faults: str) -> set[str]:
    """The observable ids that faults turn red; known cascades are held too, so that they leave the list when they are mended."""
    return set().union(*(observable(FAULTS[each].ids) | CASCADES.get(each, set()) for each in faults))


def judge(run: Run, *faults: str) -> None:
    """The ids that faults name are red; all others stay as they are without them."""
    assert red(run) == expected(*faults), run.output
    assert (run.exit_code == 1) == severe(red(run)), run.output


def test_faults_turn_their_requirements_red(suites: Callable[..., Run], faults: list[str], *, every: bool) -> None:
    """Faults of different chapters at once, and each alone where they get in each other's way; all checks without long waits."""

    def tried(*names: str) -> Run:
        options = [word for name in names for word in ("--fault", name)]
        claim = classes((each for name in names for each in FAULTS[name].ids), every=every)
        return suites(*options, "-k", "not drawn", claim=claim)

    together = tried(*faults)
    if len(faults) > 1 and red(together) != expected(*faults):
        for name in faults:
            judge(tried(name), name)
    else:
        judge(together, *faults)


@pytest.mark.parametrize("slow", SLOW)
def test_slow_faults_turn_their_requirements_red(suites: Callable[..., Run], slow: str, *, every: bool) -> None:
    """The faults of a class that waits, side by side, since they only wait."""
    names = [name for name in (FAULTS if every else SAMPLE) if slow_class(FAULTS[name]) == slow]
    assert names or not every
    for name, run in zip(names, side_by_side(suites, slow, [["--fault", name] for name in names]), strict=True):
        judge(run, name)


def test_faults_of_webhooks_show_together(suites: Callable[..., Run]) -> None:
    """Many faults of webhooks in one deployment, and many latitudes in another one: one wait for all."""
    options = [[word for name in group for word in ("--fault", name)] for group in TOGETHER]
    options.append([word for name in LATITUDES_TOGETHER for word in ("--latitude", name)])
    *faulty, permitted = side_by_side(suites, "webhooks", options)
    for group, run in zip(TOGETHER, faulty, strict=True):
        judge(run, *group)
    green(permitted)


def test_latitudes_leave_all_green(suites: Callable[..., Run], latitudes: list[str], *, every: bool) -> None:
    """Permitted differences, several at once and each alone where they disturb each other, neither fail nor hide anything."""

    def tried(*names: str) -> Run:
        claim = classes((item for name in names for item in LATITUDES[name].ids), every=every)
        return suites(*(word for name in names for word in ("--latitude", name)), claim=claim)

    together = tried(*latitudes)
    if len(latitudes) > 1 and together.exit_code:
        for name in latitudes:
            green(tried(name))
    else:
        green(together)


@pytest.mark.parametrize("slow", SLOW)
def test_slow_latitudes_leave_all_green(suites: Callable[..., Run], slow: str, *, every: bool) -> None:
    """The same of classes that wait, side by side; those of webhooks on demand, because many of them are tried in one run."""
    names = [name for name, each in LATITUDES.items() if slow_class(each) == slow and (every or slow != "webhooks")]
    for name, run in zip(names, side_by_side(suites, slow, [["--latitude", name] for name in names]), strict=True):
        green(run, WARNED.get(name, frozenset()))


def side_by_side(suites: Callable[..., Run], slow: str, runs: list[list[str]]) -> list[Run]:
    """Run a class that waits with several sets of options at once."""
    with ThreadPoolExecutor(AT_ONCE[slow]) as pool:
        return list(pool.map(lambda words: suites(*words, claim=(slow,)), runs))


def green(run: Run, warned: AbstractSet[str] = frozenset()) -> None:
    """Nothing failed, nothing was left out, and nothing warned but what is said."""
    assert run.ids("failed") | run.ids("not exercised") == set(), run.output
    assert run.ids("warned") == warned, run.output
    assert run.exit_code == 0, run.output


def test_the_lists_are_about_something() -> None:
    """An entry of a fault that does not exist, or without an id, would hide a mistake."""
    assert set(CASCADES) | set(SAMPLE) | {*chain(*TOGETHER)} <= set(FAULTS)
    assert {*LATITUDES_TOGETHER, *WARNED} <= set(LATITUDES)
    assert all(CASCADES.values())


def test_the_table_is_up_to_date() -> None:
    """The published table is what the registry and the lists say now."""
    published = (Path(__file__).parents[1] / "KILLS.md").read_text(encoding="utf-8")
    assert published == "\n".join(lines()) + "\n"
