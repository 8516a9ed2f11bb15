"""Turns what the checks of a run have found into verdicts, and shows them: on the terminal and in conformance.json."""

from plumbline.reports.baseline import Baseline, Waiver, read_baseline
from plumbline.reports.context import RunContext, program_here
from plumbline.reports.errors import ReportError
from plumbline.reports.evidence import FINDINGS, clear, seal
from plumbline.reports.failure import finding_line, render_failure
from plumbline.reports.keeping import Recorder
from plumbline.reports.labels import label, report_to_allure
from plumbline.reports.ledger import Ledger
from plumbline.reports.plan import plan_lines
from plumbline.reports.results import ResultsError, load, write_results
from plumbline.reports.summary import print_summary, summary_lines
from plumbline.reports.verdict import RunVerdict, judge_run
from plumbline.reports.words import ExitCode, RunWord, Verdict

__all__ = [
    "FINDINGS",
    "Baseline",
    "ExitCode",
    "Ledger",
    "Recorder",
    "ReportError",
    "ResultsError",
    "RunContext",
    "RunVerdict",
    "RunWord",
    "Verdict",
    "Waiver",
    "clear",
    "finding_line",
    "judge_run",
    "label",
    "load",
    "plan_lines",
    "print_summary",
    "program_here",
    "read_baseline",
    "render_failure",
    "report_to_allure",
    "seal",
    "summary_lines",
    "write_results",
]
