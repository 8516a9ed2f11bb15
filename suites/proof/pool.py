"""Where trials run: in processes of this machine, or on a cluster of Dask, whose workers have a
checkout of the same commit.

A trial moves the clock of everything in its process. So a worker has processes of its own for
trials.
"""

import os
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import current_process, get_context, parent_process
from multiprocessing.connection import wait
from threading import Thread
from typing import TypeVar

from dask.base import annotate
from distributed import Client, Worker, WorkerPlugin

from plumbline.fixtures.profile.errors import ConfigurationError
from plumbline.fixtures.run.planning.matrix import sources

SPAWN = get_context("spawn")
CONNECT_SECONDS = 30
SAY_EVERY = 100
RETRIES = 3
"""How often a trial is done again that has ended with an error, as when its process was killed and
its worker was not.
"""
T = TypeVar("T")
U = TypeVar("U")


@contextmanager
def pool(cluster: str | None = None) -> Iterator[Executor]:
    """An executor for trials, which maps functions of modules to arguments that can be pickled.

    Args:
        cluster: the address of a scheduler, such as `tcp://10.0.0.5:8786`; None for the cores of
            this machine.

    Raises:
        ConfigurationError: no scheduler answers there, it has no workers, or one of them has other
            sources.
    """
    if cluster is None:
        with ProcessPoolExecutor(os.cpu_count(), SPAWN, _end_with_parent) as executor:
            try:
                yield executor
            except BaseException:
                executor.shutdown(wait=False, cancel_futures=True)
                raise
        return
    try:
        client = Client(cluster, timeout=CONNECT_SECONDS)
    except (OSError, ValueError, TimeoutError):
        raise ConfigurationError(
            f"--cluster {cluster}: no scheduler of Dask answers there; start one with `dask"
            " scheduler`."
        ) from None
    with client, annotate(executor=Processes.name):
        client.register_plugin(Processes())
        digests: dict[str, str] = client.run(sources)
        if strangers := [worker for worker, digest in digests.items() if digest != sources()]:
            raise ConfigurationError(
                f"{', '.join(strangers)}: their sources are others; check out this commit there."
            )
        if not digests:
            raise ConfigurationError(
                f"--cluster {cluster}: it has no worker; start some with `dask worker {cluster}`."
            )
        yield client.get_executor(pure=False, retries=RETRIES)


def results_of(
    executor: Executor, title: str, work: Callable[[T], U], tasks: Sequence[T]
) -> list[U]:
    """Do a work for each task, and say how far it is and how long it took."""
    begun, results = time.monotonic(), []
    for number, result in enumerate(executor.map(work, tasks), 1):
        results.append(result)
        if number % SAY_EVERY == 0 or number == len(tasks):
            print(
                f"{title}: {number} of {len(tasks)} after {time.monotonic() - begun:.0f} s",
                flush=True,
            )
    return results


class Processes(WorkerPlugin):
    """Gives a worker a process for each of its threads; the worker ends them with itself."""

    name = "plumbline-processes"
    idempotent = True

    def setup(self, worker: Worker) -> None:
        """Add the executor."""
        current_process().daemon = (
            False  # a nanny starts its worker as a daemon, which may have no children
        )
        worker.executors[self.name] = ProcessPoolExecutor(
            worker.state.nthreads, SPAWN, _end_with_parent
        )


def _end_with_parent() -> None:
    """Watch who has started this process: when that is killed, the process would go on for ever."""
    parent = parent_process()
    assert parent is not None

    def watch() -> None:
        wait([parent.sentinel])
        os._exit(1)

    Thread(target=watch, daemon=True).start()
