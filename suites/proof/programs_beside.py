"""Programs that the long proof runs beside its trials: what is proved by tests of its own."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from .proving import IMMEDIATE_CLASSES

ROOT = Path(__file__).parents[2]
PYTEST = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider")
OWN_TESTS = (*PYTEST, "-p", "no:plumbline.fixtures.run.plugin", "-onorecursedirs=.* build")
"""Pytest for tests of the kit itself, also those that `make test` leaves out."""
BESIDE: Mapping[str, tuple[str, ...]] = {
    "all classes in real time": (*PYTEST, "--report-dir={folder}"),
    "the exhaustive tier": (
        *PYTEST,
        "--report-dir={folder}",
        "--tier=exhaustive",
        f"--claim={IMMEDIATE_CLASSES}",
    ),
    "the contract in the tools of its readers": (*OWN_TESTS, "fixtures/tests/cli/tools"),
    "fleets on clusters": (*OWN_TESTS, "fixtures/tests/fleet/clusters"),
    "the container image": (*OWN_TESTS, "fixtures/tests/cli/image"),
    "the reference on both databases": (*OWN_TESTS, "--thorough", "fixtures/tests/reference"),
    "faults of our own machine": (*OWN_TESTS, "--thorough", "suites/proof/fault_injection"),
    "defects of clients": (*OWN_TESTS, "fixtures/tests/scenarios/clients"),
    "runs with one host": (*OWN_TESTS, "suites/proof/test_reservations.py"),
}
"""What runs as a program of its own beside the trials; `{folder}` is for its report."""
RUNS_OF_ONE_HOST = "RUNS_OF_ONE_HOST"
"""Variable of the environment: how many runs with one host are tried, by one worker and by four."""
RUNS_BY_DEFAULT = "5"
"""How often runs with one host are tried with each number of workers; the environment may say
another number.
"""


def end_once(*_: object) -> None:
    """Leave for a signal, and let a second one not interrupt that: what runs beside has to be
    ended.
    """
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    sys.exit(128 + signal.SIGTERM)


@contextmanager
def running_beside() -> Iterator[Mapping[str, subprocess.Popen[bytes]]]:
    """Start the programs, by title; those that still run at the end are ended with everything that
    they have started.
    """
    programs = {title: _start(title, command) for title, command in BESIDE.items()}
    try:
        yield programs
    finally:
        for program in programs.values():
            if program.poll() is None:
                os.killpg(program.pid, signal.SIGTERM)


def _start(title: str, command: Sequence[str]) -> subprocess.Popen[bytes]:
    """Start a program whose words go into a file."""
    log = log_of(title)
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("wb") as file:
        words = [word.format(folder=log.with_suffix("")) for word in command]
        environment = {RUNS_OF_ONE_HOST: RUNS_BY_DEFAULT, **os.environ}
        return subprocess.Popen(
            words, cwd=ROOT, stdout=file, stderr=file, env=environment, start_new_session=True
        )


def log_of(title: str) -> Path:
    """Where the words of a program go."""
    return ROOT / "build" / "prove" / f"{title.replace(' ', '-')}.log"
