"""Measures `plumbline observe`:
`python -m plumbline.suites.proof.benchmarks.bench_observe build/observe`.

A run against the embedded deployment is recorded once, and written as a transcript and as a HAR
file, short and long; the observer reads each in a process of its own. With `--large` that is a HAR
file of some gigabytes; with `--proxy` requests are sent through the proxy.
"""

import argparse
import json
import math
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from plumbline.suites.proof.benchmarks.long_recordings import (
    SCRIPT,
    record,
    write_har,
    write_transcript,
)
from plumbline.suites.proof.benchmarks.relayed import latencies

SHORT, LONG, TIMES = 2, 20, 3
"""Copies of the run in a short and in a long recording, and how often each is read; the least
processor time counts.
"""
HEAD = (
    (
        "| recording | MB | exchanges judged | seconds of processor | peak memory | exchanges a"
        " second of processor |"
    ),
    "|---|---|---|---|---|---|",
)
LAUNCHER = """import os, sys
file, *command = sys.argv[1:]
_, status, used = os.wait4(os.spawnv(os.P_NOWAIT, command[0], command), 0)
print(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, file=open(file, "w"))
sys.exit(os.waitstatus_to_exitcode(status))
"""
"""Starts a command and writes its seconds of processor and its megabytes; a small program, since a
peak begins with that of who starts a process."""


@dataclass(frozen=True)
class Spent:
    """What the observer took for a file.

    Attributes:
        megabytes: of the file.
        judged: exchanges.
        processor: seconds, user and system.
        peak: megabytes of memory.
    """

    megabytes: float
    judged: int
    processor: float
    peak: float


def spent(file: Path) -> Spent:
    """Let the observer judge a file, which shows nothing broken."""
    report, used = file.parent / "observed", file.parent / "used.txt"
    command = [
        sys.executable,
        "-m",
        "plumbline",
        "observe",
        str(file),
        "--complete",
        "--report-dir",
        str(report),
    ]
    done = subprocess.run(
        [sys.executable, "-c", LAUNCHER, str(used), *command],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    results = json.loads((report / "conformance.json").read_text(encoding="utf-8"))
    processor, peak = map(float, used.read_text(encoding="utf-8").split())
    return Spent(file.stat().st_size / 1e6, sum(results["requests"].values()), processor, peak)


def rows(folder: Path, transcript: Path) -> Iterator[str]:
    """A table of throughput and memory, for a short and a long recording of each form."""
    yield from HEAD
    for form, name, write in (
        ("transcript", "recording.jsonl", write_transcript),
        ("HAR", "recording.har", write_har),
    ):
        yield from _compared(
            form,
            folder / name,
            [partial(write, transcript, number) for number in (SHORT, LONG)],
            TIMES,
        )


def large_rows(folder: Path, transcript: Path, gigabytes: float) -> Iterator[str]:
    """The same for HAR files with what a page loads beside the API: that of one run, and one of so
    many gigabytes.
    """
    yield from HEAD
    lines = len(transcript.read_text(encoding="utf-8").splitlines())
    number = math.ceil(gigabytes * 1e9 / (transcript.stat().st_size + lines * len(SCRIPT)))
    writes = [partial(write_har, transcript, count, beside=1) for count in (1, number)]
    yield from _compared("HAR of a browser", folder / "recording.har", writes, 1)


def _compared(
    form: str, file: Path, writes: Iterable[Callable[[Path], None]], times: int
) -> Iterator[str]:
    """A row for each length; throughput is that of what the longer one has beyond the shorter, so
    without the start.
    """
    before: Spent | None = None
    for write in writes:
        shutil.rmtree(file.parent, ignore_errors=True)
        file.parent.mkdir(parents=True)
        write(file)
        measurements = [spent(file) for _ in range(times)]
        best, peak = (
            min(measurements, key=lambda measured: measured.processor),
            max(measured.peak for measured in measurements),
        )
        rate = (
            f"{(best.judged - before.judged) / (best.processor - before.processor):,.0f}"
            if before
            else ""
        )
        yield (
            f"| {form} | {best.megabytes:,.0f} | {best.judged:,} | {best.processor:.1f} |"
            f" {peak:.0f} MB | {rate} |"
        )
        before = best
    shutil.rmtree(file.parent)


def main() -> None:
    """Measure and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "folder",
        type=Path,
        help="for the run that is recorded, which is kept, and for copies of it",
    )
    parser.add_argument(
        "--large",
        type=float,
        metavar="GB",
        help="measure a HAR file of that size in place of the others",
    )
    parser.add_argument("--proxy", action="store_true", help="measure the proxy in place of files")
    arguments = parser.parse_args()
    copied = arguments.folder / "copies"
    if arguments.proxy:
        table = latencies(arguments.folder)
    elif arguments.large:
        table = large_rows(copied, record(arguments.folder / "run"), arguments.large)
    else:
        table = rows(copied, record(arguments.folder / "run"))
    for row in table:
        print(row, flush=True)


if __name__ == "__main__":
    main()
