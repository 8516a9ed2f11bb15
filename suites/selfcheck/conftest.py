"""What the proof of the suites stands on."""

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import pytest

from plumbline.fixtures.reference.faults import FAULTS
from plumbline.fixtures.reference.latitudes import LATITUDES

from .claims import FAULTS_AT_ONCE, LATITUDES_AT_ONCE, QUICK, apart, is_quick, telling
from .known import SAMPLE

NUMBERS = count(1)
ROOT = Path(__file__).parents[2]
SEED = "20"
"""One seed for all: what is proved is that a fault turns certain ids red, not that any seed finds it."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Register the option that proves with everything."""
    parser.addoption("--every-variation", action="store_true", help="every fault and latitude on all classes, not a sample")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One test for each variation that is asked for; those that need a minute of waiting have tests of their own."""
    every = metafunc.config.getoption("every_variation")
    if "faults" in metafunc.fixturenames:
        asked = {name: FAULTS[name] for name in (FAULTS if every else SAMPLE) if is_quick(FAULTS[name])}
        metafunc.parametrize("faults", apart(asked, FAULTS_AT_ONCE), ids="+".join)
    if "latitudes" in metafunc.fixturenames:
        quick = {name: each for name, each in LATITUDES.items() if is_quick(each)}
        metafunc.parametrize("latitudes", apart(quick if every else telling(quick), LATITUDES_AT_ONCE), ids="+".join)


@pytest.fixture(scope="session")
def every(request: pytest.FixtureRequest) -> bool:
    """Whether every variation is tried, on all classes."""
    return bool(request.config.getoption("every_variation"))


@dataclass(frozen=True)
class Run:
    """The outcome of a run on a varied reference deployment: its exit code and the requirements by verdict."""

    exit_code: int
    output: str
    verdicts: dict[str, str]

    def ids(self, verdict: str) -> set[str]:
        """The requirements with a verdict."""
        return {name for name, found in self.verdicts.items() if found == verdict}


@pytest.fixture
def suites(tmp_path: Path) -> Callable[..., Run]:
    """Runs the suites on the embedded deployment with further options."""

    def run(*options: str, claim: tuple[str, ...] = QUICK) -> Run:
        folder = tmp_path / str(next(NUMBERS))
        command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-q", f"--seed={SEED}", f"--report-dir={folder}"]
        command += [f"--claim={','.join(claim)}", *options]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=300)
        results = folder / "conformance.json"
        assert results.exists(), done.stdout + done.stderr
        document = json.loads(results.read_text(encoding="utf-8"))
        return Run(done.returncode, done.stdout, {entry["id"]: entry["verdict"] for entry in document["requirements"]})

    return run
