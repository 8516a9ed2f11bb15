"""A fleet against references that enforce their limits.

FLEET_SIZE=60 tries more deployments than the usual dozen. KILL_SECONDS=30 suits a machine on which
a run takes minutes.

What counts comes from the requests that the references saw, and from the archives of evidence.
"""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import psutil
import pytest

from plumbline.fixtures.errors import ConfigurationError

from .cluster import cluster, counting, killing
from .estate import Estate, estate

SIZE = int(os.environ.get("FLEET_SIZE", "12"))
FAULTS = ("words-behind-key", "new-lead-open", "payment-lead-lost")
"""Of every fourth deployment, in turn."""
TIMEOUT_SECONDS = 3_600
PROGRAM = """
import signal, sys
from plumbline.fixtures.cli.main import main
# A shell makes what it has in the background ignore Ctrl+C.
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.exit(main())
"""
GONE_SECONDS = 5.0
"""After which no run goes on whose front end has ended."""
KILL_SECONDS = float(os.environ.get("KILL_SECONDS", "10"))


@pytest.fixture(name="fleet")
def _fleet(tmp_path: Path) -> Iterator[Estate]:
    faults = [
        [FAULTS[number // 4 % len(FAULTS)]] if number % 4 == 1 else [] for number in range(SIZE)
    ]
    with estate(tmp_path / "fleet", faults, {"tier": "smoke", "time_limit": "20m"}) as fleet:
        yield fleet


def begun(fleet: Estate, *words: str, stdout: int | None = None) -> "subprocess.Popen[bytes]":
    """A round that has been started."""
    command = [sys.executable, "-c", PROGRAM, "fleet", "run", "FLEET.toml", *words]
    return subprocess.Popen(
        command, cwd=fleet.roster.parent, env=os.environ | fleet.environment, stdout=stdout
    )


def ended(fleet: Estate, *words: str) -> int:
    """Run a round; returns its exit code."""
    return begun(fleet, *words).wait(TIMEOUT_SECONDS)


def verdicts(fleet: Estate) -> dict[str, list[tuple[str, ...]]]:
    """By deployment, the verdict and the failed requirements of each run in the store."""
    verdicts_by_name: dict[str, list[tuple[str, ...]]] = {}
    for archive in sorted((fleet.roster.parent / "fleet-evidence").glob("*/run-*.zip")):
        with zipfile.ZipFile(archive) as opened:
            results = json.loads(opened.read("conformance.json"))
        assert results["state"] == "finished"
        failed = (
            requirement["id"]
            for requirement in results["requirements"]
            if requirement["verdict"] == "failed"
        )
        verdicts_by_name.setdefault(archive.parent.name, []).append((results["verdict"], *failed))
    return verdicts_by_name


def expected() -> dict[str, list[tuple[str, ...]]]:
    """What a fleet shows: one run of each deployment, and the failures of those with a fault."""
    broken = (
        ("non-conformant", "AUTH-03"),
        ("non-conformant", "LEAD-02"),
        ("non-conformant", "PAY-01"),
    )
    return {
        f"d{n:02}": [broken[n // 4 % len(broken)] if n % 4 == 1 else ("partial",)]
        for n in range(SIZE)
    }


def say(capsys: pytest.CaptureFixture[str], text: str) -> None:
    """Show a measurement whatever pytest captures."""
    with capsys.disabled():
        print(f"\n{text}", flush=True)


def test_one_machine_is_full(fleet: Estate, capsys: pytest.CaptureFixture[str]) -> None:
    before = time.monotonic()
    assert ended(fleet, "--only", "d00") == 0
    alone = time.monotonic() - before
    psutil.cpu_percent()
    before = time.monotonic()
    assert ended(fleet, "--older-than", "1h") == 1
    together, busy = time.monotonic() - before, psutil.cpu_percent()
    say(
        capsys,
        f"{SIZE} on one machine: {together:.0f} s, one {alone:.0f} s; processor {busy:.0f} %,"
        f" {fleet.most_at_once()} at once",
    )
    assert verdicts(fleet) == expected()
    assert together <= 1.3 * alone or busy >= 90


def test_four_workers_carry_four_times_as_many_as_one(
    fleet: Estate, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Runs are counted as processes: on a busy machine their requests need not overlap."""
    at_once = {}
    for workers in (1, 4):
        with cluster(fleet.roster.parent, fleet.environment, workers) as running:
            running.wait_for_workers()
            before = time.monotonic()
            with counting(running) as counts:
                assert ended(fleet, "--cluster", running.address, "--at-once", "1") == 1
        at_once[workers] = max(counts)
        say(
            capsys,
            f"{workers} workers: {time.monotonic() - before:.0f} s, {at_once[workers]} at once",
        )
        assert verdicts(fleet) == expected()
        (fleet.roster.parent / "fleet-evidence").rename(tmp_path / f"of {workers}")
        (fleet.roster.parent / "fleet.db").unlink(missing_ok=True)
    assert at_once == {1: 1, 4: 4}


def test_killed_workers_cost_no_verdict(fleet: Estate, capsys: pytest.CaptureFixture[str]) -> None:
    rounds = 0
    with (
        cluster(fleet.roster.parent, fleet.environment, 10) as running,
        killing(running, KILL_SECONDS) as killed,
    ):
        while (
            ended(fleet, "--cluster", running.address, "--at-once", "1", "--older-than", "1h") == 12
        ):
            rounds += 1  # a run whose worker has died four times is left to the next round
            assert rounds < 10
    runs = fleet.runs()
    say(
        capsys,
        f"{len(killed)} workers killed, {rounds + 1} rounds, {sum(runs.values())} runs begun,"
        f" {fleet.most_at_once()} at once",
    )
    assert verdicts(fleet) == expected()
    assert fleet.driven_by_two() == []
    assert sum(runs.values()) > SIZE
    logs = "".join(log.read_text(errors="replace") for log in fleet.roster.parent.glob("*.log"))
    assert [name for name, secret in fleet.environment.items() if secret in logs] == []


def test_deployment_that_hangs_holds_up_nothing(
    fleet: Estate, capsys: pytest.CaptureFixture[str]
) -> None:
    """One that takes connections and never answers has one of two places."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"http://127.0.0.1:{silent.getsockname()[1]}"
        fleet.add("silent", address)
        before = time.monotonic()
        round_ = begun(fleet, "--at-once", "2", stdout=subprocess.PIPE)
        said = round_.communicate(timeout=TIMEOUT_SECONDS)[0].decode().splitlines()
    say(capsys, f"{SIZE} beside a silent one: {time.monotonic() - before:.0f} s")
    names = [line.partition(":")[0] for line in said]
    assert names.index("silent") >= SIZE // 4
    assert f"silent: not judged: {address}/v1/leads gave no answer within 15 seconds" in "\n".join(
        said
    )
    assert verdicts(fleet) == expected()
    assert round_.returncode == ConfigurationError.exit_code


def test_restarted_scheduler_and_killed_front_end_keep_what_has_ended(
    fleet: Estate, capsys: pytest.CaptureFixture[str]
) -> None:
    with cluster(fleet.roster.parent, fleet.environment, 3) as running:
        round_ = begun(fleet, "--cluster", running.address, "--at-once", "2")
        _until(lambda: len(verdicts(fleet)) >= SIZE // 4)
        running.kill("scheduler")
        _until(lambda: len(verdicts(fleet)) >= SIZE // 2)
        round_.send_signal(signal.SIGKILL)
        kept = verdicts(fleet)
        round_.wait()
        say(capsys, f"{len(kept)} of {SIZE} had ended when the front end was killed")
        assert ended(fleet, "--cluster", running.address, "--at-once", "2") in {0, 1}
    assert verdicts(fleet) == expected()
    assert kept.items() <= verdicts(fleet).items()
    assert fleet.driven_by_two() == []


@pytest.mark.parametrize("workers", [0, 3])
def test_ctrl_c_keeps_what_has_ended_and_ends_the_rest(
    fleet: Estate, workers: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """On this machine alone, and on a cluster."""
    with ExitStack() as stack:
        where = []
        if workers:
            where = [
                "--cluster",
                stack.enter_context(
                    cluster(fleet.roster.parent, fleet.environment, workers)
                ).address,
            ]
        round_ = begun(fleet, *where, "--at-once", "2", stdout=subprocess.PIPE)
        _until(lambda: len(verdicts(fleet)) >= SIZE // 4)
        round_.send_signal(signal.SIGINT)
        before = time.monotonic()
        said = round_.communicate(timeout=TIMEOUT_SECONDS)[0].decode().splitlines()
        took = time.monotonic() - before
        time.sleep(GONE_SECONDS)
        after, kept = time.monotonic(), verdicts(fleet)
        time.sleep(GONE_SECONDS)
        assert not [at for requests in fleet.seen.values() for at, _, _ in requests if at > after]
        say(
            capsys,
            f"{len(kept)} of {SIZE} had ended when the front end was interrupted, which took"
            f" {took:.1f} s",
        )
        assert round_.returncode == 130
        assert len(said) == len(kept) + 1
        assert said[-1].startswith(f"{SIZE} deployments: {len(kept)} judged, ")
        assert said[-1].endswith("; interrupted, run again to go on")
        assert ended(fleet, *where, "--at-once", "2") in {0, 1}
    assert verdicts(fleet) == expected()
    assert kept.items() <= verdicts(fleet).items()
    assert fleet.driven_by_two() == []


def _until(is_so: "object", seconds: float = TIMEOUT_SECONDS) -> None:
    end = time.monotonic() + seconds
    while not is_so():  # type: ignore[operator]
        assert time.monotonic() < end
        time.sleep(1)
