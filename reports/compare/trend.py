"""How runs of one deployment went on over time: one line for each, and which requirements flipped when."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from itertools import pairwise
from typing import Any

from plumbline.reports.compare.difference import JUDGED, Results
from plumbline.reports.text import duration


@dataclass(frozen=True)
class Point:
    """One run.

    Attributes:
        report: where its results are, as it was named.
        started: as conformance.json has it.
        seconds: None for a run that did not come to its end.
    """

    report: str
    started: str
    verdict: str
    failed: int
    passed: int
    of: int
    requests: int
    seconds: float | None


@dataclass(frozen=True)
class Flip:
    """A requirement that has begun to fail, or has ceased to, with the run in which that showed first."""

    requirement: str
    fails: bool
    started: str
    report: str


@dataclass(frozen=True)
class Trend:
    """Runs in the order in which they began, and the flips in the order of the contract."""

    runs: tuple[Point, ...]
    flips: tuple[Flip, ...]

    def to_dict(self) -> dict[str, Any]:
        """The trend in JSON values."""
        return asdict(self)


def trend(results: Mapping[str, Results]) -> Trend:
    """Put runs in order; a run that did not judge a requirement says nothing about it."""
    ordered = sorted(results.items(), key=lambda each: str(each[1]["started"] or ""))
    seen: dict[str, list[tuple[bool, str, str]]] = {}
    for report, run in ordered:
        for entry in run["requirements"]:
            if entry["verdict"] in JUDGED:
                seen.setdefault(entry["id"], []).append((entry["verdict"] == "failed", str(run["started"] or ""), report))
    flips = [Flip(name, *now) for name, moments in seen.items() for before, now in pairwise(moments) if before[0] is not now[0]]
    return Trend(tuple(_point(report, run) for report, run in ordered), tuple(flips))


def _point(report: str, run: Results) -> Point:
    begun, ended = (datetime.fromisoformat(run[name]) if run[name] else None for name in ("started", "ended"))
    return Point(
        report=report,
        started=str(run["started"] or ""),
        verdict=str(run["verdict"]) + (" (partial run)" if run["partial"] and run["verdict"] != "partial" else ""),
        failed=sum(each["verdict"] == "failed" for each in run["requirements"]),
        passed=run["totals"]["passed"],
        of=run["totals"]["of"],
        requests=sum(run["requests"].values()),
        seconds=(ended - begun).total_seconds() if begun and ended else None,
    )


def trend_lines(found: Trend) -> Iterator[str]:
    """A trend as lines of text."""
    rows: list[Sequence[str]] = [("started", "verdict", "failed", "passed", "requests", "time", "report")]
    for run in found.runs:
        took = "unfinished" if run.seconds is None else duration(run.seconds)
        figures = (str(run.failed), f"{run.passed} of {run.of}", str(run.requests))
        rows.append((run.started or "unknown", run.verdict, *figures, took, run.report))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    yield from ("  ".join(f"{cell:{width}}" for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows)
    yield ""
    yield f"flipped: {len(found.flips)}"
    for flip in found.flips:
        yield f"  {flip.requirement}  {'fails' if flip.fails else 'no longer fails'} since {flip.started}  [{flip.report}]"
