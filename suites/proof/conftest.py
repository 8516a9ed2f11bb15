"""Says at the end of the tests what of the matrix they have proved, and what they could not try."""

import pytest

from plumbline.fixtures.run.planning.matrix import matrix

from .closing import closing_lines, faults_of, untried


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Hook of pytest: after the results."""
    if tried := faults_of(report.nodeid for report in terminalreporter.stats.get("passed", ())):
        terminalreporter.section("the matrix of the proof")
        terminalreporter.write_line("\n".join(closing_lines(matrix(), tried)))
    for sentence in untried():
        terminalreporter.write_line(sentence)
