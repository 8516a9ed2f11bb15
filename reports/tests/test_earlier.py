"""The history in a report: what the reports said that it replaced, and nothing that would change a
verdict.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from plumbline.reports.evidence.earlier_runs import MOST_RUNS, earlier_runs
from plumbline.reports.evidence.manifest import clear
from plumbline.reports.evidence.results import document_of, finished_results, write_results
from plumbline.reports.html.page import page
from plumbline.reports.run_context import RunContext
from plumbline.reports.tests.parsed_html import parsed, text_of
from plumbline.reports.tests.samples import CONTEXT, GREEN, SMALL, Record, finding, run_of

RED = (*GREEN, finding("CORE-01", "failed"))


def night(folder: Path, day: int, records: Sequence[Record], **changes: Any) -> RunContext:
    """A run as the plugin writes it: it reads what stands in the folder, then takes its place."""
    started = datetime(2026, 5, day, tzinfo=UTC)
    options = {"report_dir": folder, "nonce": f"{day:032x}", "started": started, "ended": started}
    context = replace(CONTEXT, **{**options, **changes})
    context = replace(context, earlier=earlier_runs(folder, context))
    clear(folder)
    write_results(run_of(*records), context)
    return context


def test_each_run_keeps_what_the_replaced_report_said(tmp_path: Path) -> None:
    night(tmp_path, 1, GREEN)
    night(tmp_path, 2, RED)
    context = night(tmp_path, 3, RED)
    results = finished_results(tmp_path)
    assert [(run["started"], run["verdict"]) for run in results["earlier"]] == [
        ("2026-05-02T00:00:00Z", "non-conformant"),
        ("2026-05-01T00:00:00Z", "conformant"),
    ]
    assert results["earlier"][0]["verdicts"]["failed"] == ["CORE-01"]
    alone = document_of(run_of(*RED), replace(context, earlier=()))
    assert {key: value for key, value in results.items() if key != "earlier"} == alone, (
        "nothing else depends on it"
    )


def test_history_is_bounded(tmp_path: Path) -> None:
    for day in range(1, MOST_RUNS + 4):
        night(tmp_path, day, GREEN)
    kept = finished_results(tmp_path)["earlier"]
    assert [run["started"][8:10] for run in kept] == [
        f"{day:02}" for day in range(MOST_RUNS + 2, 2, -1)
    ]


def test_unfinished_run_says_nothing_and_hands_on_what_it_knew(tmp_path: Path) -> None:
    night(tmp_path, 1, RED)
    night(tmp_path, 2, GREEN)
    (tmp_path / "evidence.json").unlink()
    night(tmp_path, 3, GREEN)
    assert [run["started"][8:10] for run in finished_results(tmp_path)["earlier"]] == ["01"]


@pytest.mark.parametrize(
    "change", [{"base_url": "https://other.example.com"}, {"nonce": f"{1:032x}"}], ids=str
)
def test_other_target_and_the_same_run_are_no_history(
    tmp_path: Path, change: dict[str, Any]
) -> None:
    night(tmp_path, 1, RED)
    night(tmp_path, 2, GREEN, **change)
    assert "earlier" not in finished_results(tmp_path)


@pytest.mark.parametrize("text", ["", "[]", "{", '{"schema_version": 1}'])
def test_anything_else_in_the_folder_is_no_history(tmp_path: Path, text: str) -> None:
    (tmp_path / "conformance.json").write_text(text, encoding="utf-8")
    assert earlier_runs(tmp_path, CONTEXT) == ()


def test_link_in_the_place_of_a_report_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    night(tmp_path / "old", 1, RED)
    for name in ("conformance.json", "evidence.json"):
        (tmp_path / name).symlink_to(tmp_path / "old" / name)
    assert earlier_runs(tmp_path, CONTEXT) == ()


def test_page_shows_what_is_new_and_what_earlier_runs_said(tmp_path: Path) -> None:
    night(tmp_path, 1, (*GREEN, finding("CORE-02", "failed")))
    night(tmp_path, 2, (*GREEN, finding("CORE-02", "failed")))
    night(tmp_path, 3, RED)
    read = parsed(page(finished_results(tmp_path), SMALL))
    changes = {
        str((node.attrs or {})["id"]): (node.attrs or {}).get("data-change")
        for node in read.query("article")
    }
    assert {name: change for name, change in changes.items() if change} == {
        "CORE-01": "new",
        "CORE-02": "fixed",
    }
    [said] = [
        text_of(node, ".change") for node in read.query(".broken li") if list(node.query(".change"))
    ]
    assert said == "New: passed in the run of 2026-05-02 00:00"
    told = [node.to_text() for node in read.query("#CORE-02 .earlier span")]
    assert told == ["2026-05-02 00:00 failed", "2026-05-01 00:00 failed"]
    rows = [
        [cell.to_text() for cell in row.query("th, td")] for row in read.query("#earlier tbody tr")
    ]
    assert rows[0] == ["2026-05-02 00:00", "non-conformant", "standard", "1", "3"]
    offered = [str((option.attrs or {})["value"]) for option in read.query("[name=change] option")]
    assert offered == ["", "new", "fixed"]


def test_page_without_earlier_runs_does_not_speak_of_them() -> None:
    read = parsed(page(document_of(run_of(*RED), CONTEXT), SMALL))
    assert not [*read.query("#earlier, .earlier, .change, [name=change]")]


def test_moment_that_python_does_not_have_is_shown_as_it_is(tmp_path: Path) -> None:
    night(tmp_path, 1, RED)
    night(tmp_path, 2, GREEN)
    results = finished_results(tmp_path)
    results["earlier"][0]["started"] = "2016-12-31T23:59:60Z"
    assert "2016-12-31T23:59:60Z failed" in page(results, SMALL)
