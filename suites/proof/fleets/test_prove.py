"""Trials of faults on a cluster find what they find on this machine, also when a worker dies among
them.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from copy import copy

import psutil
import pytest
from distributed import LocalCluster

from plumbline.fixtures.errors import ConfigurationError
from plumbline.fixtures.planning.matrix import matrix
from plumbline.fixtures.reference.variations.faults import FAULTS
from plumbline.suites.proof import pool as module
from plumbline.suites.proof.groups import variant_groups
from plumbline.suites.proof.pool import pool
from plumbline.suites.proof.prove import known_row
from plumbline.suites.proof.proving import agree
from plumbline.suites.proof.trials.trial import SEED

NUMBER = 5
NAMES = [*FAULTS][:: len(FAULTS) // NUMBER][:NUMBER]
TIMEOUT_SECONDS = 900


@pytest.fixture(name="workers", scope="module")
def _workers() -> Iterator[LocalCluster]:
    # Its pages on any free port: the usual one belongs to the cluster that `make prove --cluster`
    # may be running on.
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as local:
        yield local


def test_cluster_finds_what_this_machine_finds_though_a_worker_dies(workers: LocalCluster) -> None:
    with pool(workers.scheduler_address) as executor:
        victim = psutil.Process(workers.workers[0].pid)
        coming = executor.map(known_row, NAMES)
        rows = [next(coming)]
        left = victim.children()
        victim.kill()
        rows += coming
        where = executor.submit(os.getppid).result()
        assert where in {worker.pid for worker in workers.workers.values()}
    assert left
    assert psutil.wait_procs(left, 10)[1] == []
    with pool() as executor:
        expected = [*executor.map(known_row, NAMES)]
    assert [
        name for name, row, here in zip(NAMES, rows, expected, strict=True) if not agree(row, here)
    ] == []


def test_tasks_of_every_kind_come_as_they_were_sent(workers: LocalCluster) -> None:
    tasks = [dict(matrix().faults), *variant_groups(), SEED]
    with pool(workers.scheduler_address) as executor:
        assert [*executor.map(copy, tasks)] == tasks


def test_make_prove_tries_faults_on_a_cluster(workers: LocalCluster) -> None:
    words = [
        sys.executable,
        "-m",
        "plumbline.suites.proof.prove",
        "--cluster",
        workers.scheduler_address,
        *NAMES[:2],
    ]
    done = subprocess.run(
        words, capture_output=True, text=True, timeout=TIMEOUT_SECONDS, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert [
        line.partition(":")[0] for line in done.stdout.splitlines() if not line.startswith(" ")
    ] == NAMES[:2]


def test_worker_with_other_sources_is_refused(
    workers: LocalCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "sources", lambda: str(os.getpid()))  # differs in each process
    with (
        pytest.raises(ConfigurationError, match="check out this commit there"),
        pool(workers.scheduler_address),
    ):
        pass


def test_address_without_scheduler_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CONNECT_SECONDS", 0.2)
    with (
        pytest.raises(ConfigurationError, match="no scheduler of Dask answers there"),
        pool("tcp://127.0.0.1:9"),
    ):
        pass
