"""A cluster of Dask on this machine whose processes can be killed; dead ones are started anew, as a
supervisor does.
"""

import os
import random
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import psutil
from distributed import Client

RESTART_SECONDS = 1.0
COUNT_SECONDS = 0.2
"""Between two looks at the processes; a run takes many times as long."""


class Cluster:
    """A scheduler and some workers.

    Args:
        folder: where they run, and keep what they say.
        environment: with the secrets of the fleet.
        workers: how many.
    """

    def __init__(self, folder: Path, environment: dict[str, str], workers: int) -> None:
        with closing(socket.create_server(("127.0.0.1", 0))) as listener:
            port = listener.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{port}"
        self._folder = folder
        self._environment = environment
        scheduler = ["scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard"]
        worker = [
            "worker",
            self.address,
            "--nthreads",
            "1",
            "--no-nanny",
            "--no-dashboard",
            "--death-timeout",
            "60",
        ]
        self._commands = {"scheduler": scheduler} | {
            f"worker{number}": worker for number in range(workers)
        }
        self._processes: dict[str, subprocess.Popen[bytes]] = {}
        self._ended = threading.Event()
        self._keeping = threading.Thread(target=self._keep)
        self._keeping.start()

    def kill(self, name: str = "") -> str:
        """End a process with `kill -9`, any worker when none is named; returns its name."""
        name = name or random.choice(
            [command for command in self._commands if command != "scheduler"]
        )
        self._processes[name].kill()
        return name

    def wait_for_workers(self) -> None:
        """Wait until all workers have reached the scheduler."""
        with Client(self.address) as client:
            client.wait_for_workers(len(self._commands) - 1)

    def runs(self) -> int:
        """How many runs the workers have going on: each is one process of its own."""
        runs_so_far = 0
        for process in tuple(self._processes.values()):
            with suppress(psutil.NoSuchProcess):
                runs_so_far += sum(
                    "plumbline" in child.cmdline()
                    for child in psutil.Process(process.pid).children()
                )
        return runs_so_far

    def close(self) -> None:
        """End all of it."""
        self._ended.set()
        self._keeping.join()
        for process in self._processes.values():
            process.kill()
            process.wait()

    def _keep(self) -> None:
        while not self._ended.wait(RESTART_SECONDS):
            for name, words in self._commands.items():
                if name not in self._processes or self._processes[name].poll() is not None:
                    with (self._folder / f"{name}.log").open("ab") as log:
                        self._processes[name] = subprocess.Popen(
                            [sys.executable, "-m", "dask", *words],
                            cwd=self._folder,
                            env=os.environ | self._environment,
                            stdout=log,
                            stderr=log,
                        )


@contextmanager
def cluster(folder: Path, environment: dict[str, str], workers: int) -> Iterator[Cluster]:
    """A cluster for the block."""
    running = Cluster(folder, environment, workers)
    try:
        yield running
    finally:
        running.close()


@contextmanager
def counting(running: Cluster) -> Iterator[list[int]]:
    """Count the runs that go on, again and again; yields the counts."""
    counts: list[int] = []
    with _repeatedly(COUNT_SECONDS, lambda: counts.append(running.runs())):
        yield counts


@contextmanager
def killing(running: Cluster, every_seconds: float) -> Iterator[list[str]]:
    """Kill a worker at random again and again; yields the names of those that were killed."""
    killed: list[str] = []
    with _repeatedly(
        every_seconds, lambda: killed.append(f"{time.monotonic():.0f} {running.kill()}")
    ):
        yield killed


@contextmanager
def _repeatedly(every_seconds: float, act: Callable[[], None]) -> Iterator[None]:
    ended = threading.Event()

    def go_on() -> None:
        while not ended.wait(every_seconds):
            act()

    thread = threading.Thread(target=go_on)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
