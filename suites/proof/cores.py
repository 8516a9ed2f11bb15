"""A plugin of pytest for `make test`: keeps each worker on one core, begins with what takes
longest, collects garbage, and says how a worker has died.

The threads of a trial take turns at the interpreter's lock, and handing it to another core costs a
tenth of all processor time. A long test that begins late leaves the other workers without anything
to do. A trial leaves reference cycles, which are collected between tests. Where a system does not
assign processes to cores, workers go where it puts them.
"""

import gc
import os
import subprocess
import time
from contextlib import suppress
from typing import Any

import pytest

LONGEST = frozenset(
    {
        "test_webhook_proxy.py",
        "test_signals.py",
        "test_lateness.py",
        "test_variants.py",
        "test_leftovers.py",
        "test_plans.py",
        "test_pages.py",
        "test_runs_against_hostile_servers.py",
    }
)
"""Files with tests that take ten seconds and more."""
COLLECT_SECONDS = 4.0
"""Between two collections; one takes a tenth of a second."""


class _Memory:
    """Collects the reference cycles that trials leave, between tests."""

    def __init__(self) -> None:
        self._collected_at = time.monotonic()

    def pytest_collection_finish(self) -> None:
        """Hook of pytest: what stands by now stays, and need not be looked through again."""
        gc.freeze()

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_teardown(self) -> None:
        """Hook of pytest: after a test."""
        if time.monotonic() - self._collected_at >= COLLECT_SECONDS:
            gc.collect()
            self._collected_at = time.monotonic()


class _Deaths:
    """Says how a worker has ended that ended too early, which its tests do not tell."""

    def __init__(self) -> None:
        self._codes: dict[str, int | None] = {}

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any, error: object) -> None:
        """Hook of pytest-xdist: a worker is gone."""
        process = getattr(getattr(node.gateway, "_io", None), "popen", None)
        if error and process is not None:
            with suppress(subprocess.TimeoutExpired):
                process.wait(COLLECT_SECONDS)
            self._codes[node.gateway.id] = process.returncode

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Hook of pytest: at the end of what is shown."""
        for worker, code in self._codes.items():
            how = "lost its connection and lives" if code is None else f"ended with code {code}"
            terminalreporter.write_line(f"worker {worker} {how}")


def pytest_configure(config: pytest.Config) -> None:
    """Hook of pytest: deal the workers to the cores, where the system allows that; what a worker
    starts stays with it.
    """
    worker = getattr(config, "workerinput", None)
    config.pluginmanager.register(_Memory())
    config.pluginmanager.register(_Deaths())
    if worker is not None and hasattr(os, "sched_setaffinity"):
        cores = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {cores[int(worker["workerid"].removeprefix("gw")) % len(cores)]})


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Hook of pytest: put long tests first, and leave the others as they are."""
    items.sort(key=lambda item: item.path.name not in LONGEST)
