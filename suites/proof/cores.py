"""A plugin of pytest for `make test`: keeps each worker on one core, and begins with what takes longest.

The threads of a trial take turns at the interpreter's lock, and handing it to another core costs a tenth of all processor time.
A long test that begins late leaves the other workers without anything to do.
"""

import os

import pytest

LONGEST = frozenset(
    {"test_variants.py", "test_leftovers.py", "test_plans.py", "test_pages.py", "test_runs_against_hostile_servers.py"}
)
"""Files with tests that take ten seconds and more."""


def pytest_configure(config: pytest.Config) -> None:
    """Hook of pytest: deal the workers to the cores, where the system allows that; what a worker starts stays with it."""
    worker = getattr(config, "workerinput", None)
    if worker is not None and hasattr(os, "sched_setaffinity"):
        cores = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {cores[int(worker["workerid"].removeprefix("gw")) % len(cores)]})


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Hook of pytest: put long tests first, and leave the others as they are."""
    items.sort(key=lambda item: item.path.name not in LONGEST)
