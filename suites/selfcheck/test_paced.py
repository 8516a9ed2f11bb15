"""A paced run never meets a limit that it keeps; `fixtures/benchmarks/paced.py` measures how long it takes."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from plumbline.fixtures.benchmarks.paced import Paced, paced_run

WAYS = ("fixed-window", "sliding-window", "token-bucket", "waits-rounded-up")
"""Latitudes of a deployment that counts requests in another way, beside the one without any."""
BEYOND_A_MINUTE = "90"
"""A budget that holds more than a minute's worth of requests to one organization."""


def test_the_smoke_tier_goes_at_once(tmp_path: Path) -> None:
    """What the limits allow in a minute is not delayed at all."""
    run = paced_run(tmp_path, "--tier=smoke")
    assert run.exit_code == 0, run.output
    assert run.refused == 0
    assert 40 <= run.requests["REST"] < 60
    assert run.seconds < run.demanded


def test_nobody_refuses_a_paced_run(tmp_path: Path) -> None:
    """However the deployment counts, a run that goes beyond a minute's worth meets no limit; two workers keep them together."""

    def run(way: str, *options: str) -> Paced:
        latitudes = (way,) if way else ()
        folder = tmp_path / (way or "plain")
        return paced_run(folder, f"--budget={BEYOND_A_MINUTE}", "-k", "not graphql", *options, latitudes=latitudes)

    with ThreadPoolExecutor(len(WAYS) + 1) as pool:
        runs = [pool.submit(run, "", "-n", "2"), *(pool.submit(run, way) for way in WAYS)]
    for each in (run.result() for run in runs):
        assert each.exit_code == 0, each.output
        assert each.refused == 0, each.output
        assert each.requests["REST"] > 60
        assert each.seconds > 60
