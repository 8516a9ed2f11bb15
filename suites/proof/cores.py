"""A plugin of pytest that keeps each worker of `make test` on one core.

The threads of a trial take turns at the interpreter's lock, and handing it to another core costs a tenth of all processor time.
"""

import os

import pytest


def pytest_configure(config: pytest.Config) -> None:
    """Hook of pytest: deal the workers to the cores, where the system allows that; what a worker starts stays with it."""
    worker = getattr(config, "workerinput", None)
    if worker is not None and hasattr(os, "sched_setaffinity"):
        cores = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {cores[int(worker["workerid"].removeprefix("gw")) % len(cores)]})
