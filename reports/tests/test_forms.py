"""The other forms of the results: Markdown for the page of a pipeline, CTRF for dashboards, each
harmless and honest.
"""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from plumbline.reports.evidence.results import document_of, write_results
from plumbline.reports.pages.ctrf import ctrf
from plumbline.reports.pages.markdown import cell_of, code, markdown
from plumbline.reports.tests.samples import (
    BIG,
    CONTEXT,
    GREEN,
    SMALL,
    assert_golden,
    finding,
    run_of,
    violation,
)
from plumbline.reports.verdict.verdicts import RunVerdict

HOSTILE = "`` | <img src=x> ![a](https://x.example/a.png) [b](https://x.example) @everyone"
BROKEN = run_of(
    *GREEN,
    finding("CORE-01", "failed", count=4),
    finding("CORE-01", "failed", operation="GET /v1/calls"),
    finding("CORE-03", "failed", operation=""),
    finding("KEYS-01", "failed"),
)
GAPS = run_of(
    finding("CORE-02"),
    finding(
        "CORE-01", "unmet", reason="the profile has no test controller", remedy="set controller.url"
    ),
)


def _rendered(text: str) -> str:
    """What a page makes of Markdown, HTML included."""
    return str(MarkdownIt("commonmark", {"html": True}).enable("table").render(text))


@pytest.mark.parametrize(
    ("name", "run"), [("broken", BROKEN), ("gaps", GAPS), ("partial", run_of(*GREEN, partial=True))]
)
def test_markdown_matches_golden(name: str, run: RunVerdict) -> None:
    assert_golden(f"markdown-{name}.md", markdown(document_of(run, CONTEXT), SMALL))


def test_markdown_of_many_failures_is_bounded() -> None:
    run = run_of(
        *(finding(name, "failed") for name in BIG.requirements), catalogue=BIG, claimed=BIG.classes
    )
    text = markdown(document_of(run, CONTEXT), BIG)
    assert "more in the report" in text
    assert len(text.splitlines()) < 150


def test_markdown_escapes_hostile_text() -> None:
    violation_shown = violation(HOSTILE, HOSTILE)
    run = run_of(
        finding("CORE-01", "failed", operation=HOSTILE, violation=violation_shown),
        finding("CORE-02", "unmet", reason=HOSTILE, remedy=HOSTILE),
    )
    html = _rendered(markdown(document_of(run, replace(CONTEXT, profile={"name": HOSTILE})), SMALL))
    assert "<img" not in html
    assert "<a " not in html
    assert html.count("<td>") == 4 + 4
    assert html.count("&lt;img src=x&gt;") >= 5


@given(st.text(min_size=1, max_size=60))
def test_any_text_is_one_code_span_in_a_cell(text: str) -> None:
    html = _rendered(f"| a |\n|---|\n| {cell_of(code(text))} |\n")
    assert html.count("<td>") == html.count("<code>") == html.count("</code></td>") == 1


def test_step_summary_is_appended_when_the_run_has_finished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    step = tmp_path / "step.md"
    step.write_text("before\n", "utf-8")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(step))
    context = replace(CONTEXT, report_dir=tmp_path / "report")
    write_results(replace(BROKEN, finished=False), context)
    assert step.read_text("utf-8") == "before\n"
    assert [path.name for path in context.report_dir.iterdir()] == ["conformance.json"]
    write_results(BROKEN, context)
    assert step.read_text("utf-8") == "before\n" + (tmp_path / "report" / "summary.md").read_text(
        "utf-8"
    )
    assert "<h1>Non-conformant</h1>" in (tmp_path / "report" / "report.html").read_text("utf-8")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "nowhere" / "step.md"))
    assert write_results(BROKEN, context).exists()


def test_ctrf_maps_verdicts_to_statuses(tmp_path: Path) -> None:
    write_results(BROKEN, replace(CONTEXT, report_dir=tmp_path))
    results = json.loads((tmp_path / "ctrf.json").read_text("utf-8"))["results"]
    tests = {test["tags"][0]: test for test in results["tests"]}
    skipped = dict.fromkeys(("CORE-05", "KEYS-01", "BETA-01"), "skipped")
    statuses = {
        "CORE-01": "failed",
        "CORE-02": "passed",
        "CORE-03": "other",
        "CORE-04": "passed",
        **skipped,
    }
    assert {name: test["status"] for name, test in tests.items()} == statuses
    assert tests["CORE-01"]["message"] == "expected 200, received 404 NOT_FOUND"
    summary = results["summary"]
    assert (
        summary["tests"],
        summary["passed"],
        summary["failed"],
        summary["skipped"],
        summary["other"],
    ) == (7, 2, 1, 3, 1)
    assert summary["stop"] - summary["start"] == 243_000
    assert summary["extra"]["verdict"] == "non-conformant"


def test_ctrf_of_incomplete_run_without_times() -> None:
    document = document_of(GAPS, replace(CONTEXT, started=None, ended=None))
    summary = ctrf(document, SMALL)["results"]["summary"]
    assert (summary["pending"], summary["extra"]["verdict"], summary["start"]) == (
        3,
        "incomplete",
        0,
    )
    assert "Incomplete" in markdown(document, SMALL)
