"""Turns what the checks of a run have found into verdicts, and shows them: on the terminal and in conformance.json."""

from plumbline.reports.context import RunContext
from plumbline.reports.failure import render_failure
from plumbline.reports.ledger import Ledger
from plumbline.reports.plan import plan_lines
from plumbline.reports.results import ResultsError, load, write_results
from plumbline.reports.summary import print_summary, summary_lines
from plumbline.reports.verdict import RunVerdict, judge_run
from plumbline.reports.words import ExitCode, RunWord, Verdict

__all__ = [
    "ExitCode",
    "Ledger",
    "ResultsError",
    "RunContext",
    "RunVerdict",
    "RunWord",
    "Verdict",
    "judge_run",
    "load",
    "plan_lines",
    "print_summary",
    "render_failure",
    "summary_lines",
    "write_results",
]
