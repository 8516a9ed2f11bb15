"""Each row of the table of signals, sent to real programs at work; nothing of them stays behind."""

import json
import os
import re
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.request import Request, urlopen

import psutil
import pytest

from plumbline.fixtures.tests.scenarios.receivers.good import HOOK, SECRET

from .commands import Services
from .signals import QUICK, SIGNALS, Ended
from .test_endings import PROGRAMS, variables
from .truth import UNWELCOME
from .trying import REPORT

TIMEOUT_SECONDS = 240
MOMENT_SECONDS = 0.2
"""Between two signals to a process that does not end at once."""
ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+")
MARK = "FAULT_INJECTION_MARK"
"""Variable by which what a command has started is recognized."""


@dataclass(frozen=True)
class Program:
    """A program at work, in a process group of its own."""

    process: "subprocess.Popen[bytes]"
    folder: Path
    mark: str

    @property
    def report(self) -> Path:
        return self.folder / REPORT

    @property
    def shown(self) -> str:
        return (self.folder / "shown").read_text(errors="replace")

    def until(self, happened: Callable[[], object]) -> None:
        """Wait for something."""
        deadline = time.monotonic() + TIMEOUT_SECONDS
        while not happened():
            assert self.process.poll() is None, (
                f"ended with {self.process.returncode} too early: {self.shown[-800:]}"
            )
            assert time.monotonic() < deadline, f"not in time: {self.shown[-800:]}"
            time.sleep(0.01)

    def descendants(self) -> list[int]:
        """Every process that still lives and was started by the program, and itself."""
        pids = []
        for process in psutil.process_iter():
            with suppress(psutil.Error):
                if process.environ().get(MARK) == self.mark:
                    pids.append(process.pid)
        return pids


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Hook of pytest: all rows of the table, or those that are quick."""
    if "row" in metafunc.fixturenames:
        metafunc.parametrize(
            "row", SIGNALS if metafunc.config.getoption("--thorough", default=False) else QUICK
        )


def test_ends_as_the_table_says(row: str, running: Services, tmp_path: Path) -> None:
    told = SIGNALS[row]
    program = begun(told.command, running, tmp_path)
    try:
        program.until(lambda: is_at_work(told.command, program))
        send(told, program)
        code = program.process.wait(TIMEOUT_SECONDS)
        eventually(lambda: not program.descendants())
    finally:
        for pid in program.descendants():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
    assert [text for text in UNWELCOME if text in program.shown] == [], program.shown[-1500:]
    ended = state(program.report)
    if told.state == "unfinished" and ended == "none":  # it was at its beginning
        ended = told.state
    assert (code, ended) == (told.code, told.state), program.shown[-1500:]


def begun(command: str, running: Services, folder: Path) -> Program:
    """Start a command of the table."""
    words, environment = {
        "run": (("run", "-n0"), running.sound),
        "run -n 2": (("run", "-n2"), running.sound),
        "run, embedded": (("run", "-n0"), {}),
        "receiver": (
            ("receiver", running.receiver + HOOK, "-n0"),
            {"PLUMBLINE_RECEIVER_SECRET": SECRET},
        ),
        "observe --proxy": (
            ("observe", "--proxy", running.sound["PLUMBLINE_BASE_URL"], "--listen", "127.0.0.1:0"),
            {},
        ),
        "serve": (("serve", "--port", "0"), {}),
    }[command]
    mark = secrets.token_hex(8)
    with (folder / "shown").open("wb") as shown:
        process = subprocess.Popen(
            [sys.executable, str(PROGRAMS / "plumbline"), *words],
            cwd=folder,
            env=variables() | dict(environment) | {MARK: mark, "PYTHONUNBUFFERED": "1"},
            stdin=subprocess.DEVNULL,
            stdout=shown,
            stderr=shown,
            start_new_session=True,
        )
    return Program(process, folder, mark)


def is_at_work(command: str, program: Program) -> bool:
    """Whether a signal meets a command in the middle; a request goes through a proxy."""
    if command == "serve":
        return bool(ADDRESS.search(program.shown))
    if command == "observe --proxy":
        if not (address := ADDRESS.search(program.shown)):
            return False
        with suppress(OSError):
            urlopen(Request(f"{address[0]}/v1/leads")).close()
        return True
    journal = program.report / "findings.jsonl"
    return journal.exists() and journal.read_bytes().count(b"\n") > 3


def send(told: Ended, program: Program) -> None:
    """Send the signals of a row."""
    pid = program.process.pid
    if told.to in {"child", "worker"}:
        pid = children(pid)[-1]
    if told.to == "worker":
        pid = children(pid)[0]
    for number in told.signals:
        with suppress(ProcessLookupError):
            (os.killpg if told.to == "group" else os.kill)(pid, number)
        with suppress(subprocess.TimeoutExpired):
            program.process.wait(MOMENT_SECONDS)


def children(pid: int) -> list[int]:
    """The processes that a process has started, in the order of their start."""
    processes = psutil.Process(pid).children()
    return [process.pid for process in sorted(processes, key=lambda child: child.create_time())]


def state(report: Path) -> str:
    """The state of a report, `none` without one."""
    file = report / "conformance.json"
    return str(json.loads(file.read_bytes())["state"]) if file.exists() else "none"


def eventually(happened: Callable[[], object]) -> None:
    """Wait for what follows the end of a program."""
    deadline = time.monotonic() + TIMEOUT_SECONDS
    while not happened():
        assert time.monotonic() < deadline
        time.sleep(0.05)
