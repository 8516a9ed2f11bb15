"""The option with which the long proof asks for every operation, how many were tried, and what the
commands stand on.
"""

from collections.abc import Iterator
from typing import Any

import pytest

from .commands import Services, commands, materials, services
from .trying import Command

TRIED = "operations that failed"


@pytest.fixture(name="running", scope="module")
def _running() -> Iterator[Services]:
    with services() as running:
        yield running


@pytest.fixture(name="commands_by_name", scope="module")
def _commands(running: Services, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Command]:
    return commands(running, materials(tmp_path_factory.mktemp("materials"), running))


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option; where the tests of the reference are collected as well, theirs stands."""
    try:
        parser.addoption(
            "--thorough", action="store_true", help="let every operation fail in every way"
        )
    except ValueError:
        return


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say how many operations were tried, by command."""
    reports = [
        report for group in ("passed", "failed") for report in terminalreporter.getreports(group)
    ]
    tried = {
        report.nodeid.partition("[")[2][:-1]: dict(report.user_properties).get(TRIED)
        for report in reports
    }
    counts = {name: count for name, count in tried.items() if count is not None}
    for name, count in sorted(counts.items()):
        terminalreporter.write_line(f"{count:5} {TRIED}: {name}")
    if counts:
        terminalreporter.write_line(f"{sum(counts.values()):5} {TRIED} in all")
