"""How long each operation took to answer in a run, for a picture; nothing is judged by it."""

import math
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from plumbline.reports.html.lines import is_number, lines_in

PICTURE_WIDTH = 200.0
"""Of the line of milliseconds, in units of the drawing."""


@dataclass(frozen=True)
class Latency:
    """The answers of one operation: how many, and their median and 95th percentile in
    milliseconds.
    """

    count: int
    median: float
    p95: float


def latencies(folder: Path) -> dict[str, Latency]:
    """The latency of each operation in a report folder, by the transcripts in it; requests without
    an answer left out.
    """
    times: dict[str, list[float]] = defaultdict(list)
    for line in lines_in(folder, "*.jsonl"):
        took = line.get("elapsed_ms")
        if line.get("traffic") and line.get("status") is not None and is_number(took):
            times[str(line.get("operation", ""))].append(took)
    return {
        name: Latency(len(seconds), median(seconds), _p95(seconds))
        for name, seconds in times.items()
    }


def place(latency: float, longest: float) -> float:
    """Where a time is on the line, which ends with the longest 95th percentile of all."""
    return round(PICTURE_WIDTH * latency / longest, 1) if longest else 0.0


def longest_of(latencies_of_all: Mapping[str, Latency]) -> float:
    """The longest 95th percentile of all operations, in milliseconds."""
    return max((latency.p95 for latency in latencies_of_all.values()), default=0.0)


def _p95(times: list[float]) -> float:
    """The smallest time that 95 of 100 answers did not exceed."""
    return sorted(times)[math.ceil(0.95 * len(times)) - 1]
