"""The trend over runs: their order, their figures, and the flips of requirements."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

from plumbline.reports.compare.trend import Flip, trend, trend_lines
from plumbline.reports.evidence.results import document_of
from plumbline.reports.tests.samples import CONTEXT, SMALL, finding, run_of

IDS = [name for name, known in SMALL.requirements.items() if known.severity == "must" and not known.unobservable][:2]


def results(day: int, *outcomes: str, seconds: int | None = 60) -> dict[str, Any]:
    assert CONTEXT.started
    begun = CONTEXT.started + timedelta(days=day)
    found = [finding(name, outcome) for name, outcome in zip(IDS, outcomes, strict=False)]
    ended = None if seconds is None else begun + timedelta(seconds=seconds)
    run = run_of(*found, {"requests": {"GET /v1/leads": day + 1}}, finished=seconds is not None)
    return document_of(run, replace(CONTEXT, started=begun, ended=ended))


def test_runs_come_in_their_order_with_what_flipped() -> None:
    found = trend(
        {
            "third": results(2, "passed", "failed"),
            "first": results(0, "passed", "passed"),
            "second": results(1, "failed"),
            "fourth": results(3, "unmet", "failed", seconds=None),
        }
    )
    assert [(run.report, run.failed, run.requests, run.seconds) for run in found.runs] == [
        ("first", 0, 1, 60),
        ("second", 1, 2, 60),
        ("third", 1, 3, 60),
        ("fourth", 1, 4, None),
    ]
    assert [run.verdict for run in found.runs][-1] == "non-conformant"
    times = {run.report: run.started for run in found.runs}
    assert set(found.flips) == {
        Flip(IDS[0], fails=True, started=times["second"], report="second"),
        Flip(IDS[0], fails=False, started=times["third"], report="third"),
        Flip(IDS[1], fails=True, started=times["third"], report="third"),
    }
    lines = [*trend_lines(found)]
    assert len(lines) == 1 + 4 + 1 + 1 + 3
    assert f"  {IDS[0]}  no longer fails since {times['third']}  [third]" in lines
    assert "unfinished" in lines[4]
    assert found.to_dict()["runs"][0]["report"] == "first"


def test_one_run_has_no_flip() -> None:
    assert trend({"only": results(0, "failed")}).flips == ()
