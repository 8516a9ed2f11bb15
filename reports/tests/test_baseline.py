"""Known failures: what they excuse, what they never excuse, and when they have to go."""

import json
import tomllib
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plumbline.reports.evidence.results import document_of
from plumbline.reports.report_errors import ReportError
from plumbline.reports.tests.samples import (
    CONTEXT,
    FAILED,
    GREEN,
    SMALL,
    Record,
    baseline_of,
    finding,
    run_of,
)
from plumbline.reports.verdict.known_failures import (
    Baseline,
    Waiver,
    baseline_text,
    failures,
    read_baseline,
    renewed,
)
from plumbline.reports.verdict.words import RunWord, Verdict

TODAY = date(2026, 5, 4)
LEADS = ("GET /v1/leads",)
SOON, PAST = (
    Waiver("a ticket", "ada", TODAY, LEADS),
    Waiver("a ticket", "ada", date(2026, 5, 3), LEADS),
)
ELSEWHERE = finding("CORE-01", "failed", operation="GET /v1/calls")
BOTH_FAILED = [FAILED, finding("CORE-02", "failed")]


BOTH = baseline_of(CORE_01=SOON, CORE_02=SOON)


class TestVerdict:
    @pytest.mark.parametrize(
        ("records", "baseline", "options", "word", "exit_code"),
        [
            (GREEN, baseline_of(), {}, RunWord.CONFORMANT, 0),
            ([*GREEN, *BOTH_FAILED], BOTH, {}, RunWord.WAIVED, 0),
            ([*GREEN, *BOTH_FAILED], BOTH, {"partial": True}, RunWord.WAIVED, 0),
            ([*GREEN, ELSEWHERE], BOTH, {}, RunWord.NON_CONFORMANT, 1),
            ([*GREEN, ELSEWHERE, *BOTH_FAILED], BOTH, {"partial": True}, RunWord.NON_CONFORMANT, 1),
            ([*GREEN, *BOTH_FAILED], baseline_of(CORE_01=SOON), {}, RunWord.NON_CONFORMANT, 1),
            (
                [*GREEN, *BOTH_FAILED],
                baseline_of(CORE_01=SOON, CORE_02=PAST),
                {},
                RunWord.NON_CONFORMANT,
                1,
            ),
            ([FAILED], baseline_of(CORE_01=SOON), {}, RunWord.INCOMPLETE, 10),
            (
                [*GREEN, FAILED, {"harness_error": "KeyError"}],
                baseline_of(CORE_01=SOON),
                {},
                RunWord.INVALID,
                12,
            ),
            (GREEN, baseline_of(CORE_01=SOON), {}, RunWord.STALE_BASELINE, 13),
            (GREEN, baseline_of(CORE_01=SOON), {"partial": True}, RunWord.PARTIAL, 0),
            (GREEN, baseline_of(KEYS_01=PAST), {}, RunWord.STALE_BASELINE, 13),
            (GREEN, baseline_of(KEYS_01=SOON), {}, RunWord.CONFORMANT, 0),
            (GREEN, baseline_of(CORE_99=SOON), {}, RunWord.STALE_BASELINE, 13),
            (
                [*GREEN, *BOTH_FAILED],
                baseline_of(CORE_01=SOON, CORE_02=SOON, CORE_99=SOON),
                {},
                RunWord.STALE_BASELINE,
                13,
            ),
            ([*GREEN, *BOTH_FAILED], BOTH, {"finished": False}, RunWord.UNFINISHED, 10),
            (
                [*GREEN, finding("CORE-03", "failed")],
                baseline_of(CORE_03=SOON),
                {},
                RunWord.CONFORMANT,
                0,
            ),
        ],
    )
    def test_verdict_of_run_with_baseline(
        self,
        records: list[Record],
        baseline: Baseline,
        options: dict[str, Any],
        word: RunWord,
        exit_code: int,
    ) -> None:
        run = run_of(*records, baseline=baseline, today=TODAY, **options)
        assert (run.verdict, int(run.exit_code)) == (word, exit_code)

    @given(
        st.sets(st.sampled_from([*SMALL.requirements, "CORE-99"])),
        st.lists(st.sampled_from([*SMALL.requirements])),
        st.booleans(),
        st.sampled_from([SOON, PAST]),
    )
    def test_baseline_never_improves_a_verdict(
        self, waived: set[str], failed: list[str], partial: bool, waiver: Waiver
    ) -> None:
        records = [*GREEN, *(finding(name, "failed") for name in failed)]
        entries = Baseline("known.toml", "ab" * 32, dict.fromkeys(sorted(waived), waiver))
        plain = run_of(*records, partial=partial)
        run = run_of(*records, partial=partial, baseline=entries, today=TODAY)
        assert [entry.verdict for entry in run.requirements.values()] == [
            entry.verdict for entry in plain.requirements.values()
        ]
        assert (run.passed, run.denominator, run.totals) == (
            plain.passed,
            plain.denominator,
            plain.totals,
        )
        if run.verdict is RunWord.CONFORMANT:
            assert plain.verdict is RunWord.CONFORMANT
        assert run.baseline is not None
        excused = {entry.requirement.id for entry in run.of(Verdict.FAILED) if entry.decides} - {
            *run.baseline.waived
        }
        if excused:
            assert run.exit_code == 1 or run.harness_errors

    def test_misfit_entries_have_one_sentence_each(self) -> None:
        baseline = baseline_of(CORE_01=PAST, CORE_02=SOON, CORE_04=SOON, CORE_99=SOON)
        run = run_of(*GREEN, *BOTH_FAILED, baseline=baseline, today=TODAY)
        assert run.baseline is not None
        assert (run.baseline.waived, run.baseline.stale) == (("CORE-02",), ("CORE-04",))
        assert [*run.baseline.faults.values()] == [
            "CORE-01 expired on 2026-05-03: fix the failure, or agree on another day",
            "CORE-04 is stale: it passes now; remove it",
            "CORE-99 is unknown: the contract has no such requirement; remove it",
        ]


class TestFile:
    @given(st.text(min_size=1).filter(str.strip), st.dates(date(1, 1, 1)))
    def test_written_waivers_are_read_back(
        self, tmp_path_factory: pytest.TempPathFactory, text: str, when: date
    ) -> None:
        text = text.strip().encode("utf-8", "replace").decode()
        path = tmp_path_factory.mktemp("baseline") / "known.toml"
        waivers = {"CORE-01": Waiver(text, text, when, (text, "GET /v1/calls"))}
        path.write_text(baseline_text(waivers), encoding="utf-8", newline="")
        assert tomllib.loads(path.read_bytes().decode())["CORE-01"]["reason"] == text
        assert read_baseline(path).waivers == waivers

    @pytest.mark.parametrize(
        ("content", "sentence"),
        [
            (None, "cannot be read (No such file or directory)"),
            ("[", "is not TOML"),
            (
                "CORE-01 = 1",
                (
                    "each requirement id is a table with `operations`, `reason`, `owner` and"
                    " `expires`, and nothing else"
                ),
            ),
            ('[CORE-01]\nreason = "x"\nexpires = 2026-05-04', "each requirement id is a table"),
            (
                '[CORE-01]\nreason = "x"\nowner = "y"\nexpires = 2026-05-04\nmore = 1',
                "each requirement id is a table",
            ),
            (
                '[CORE-01]\nreason = "x"\nowner = "y"\nexpires = 2026-05-04',
                "`operations` are where it may fail",
            ),
            (
                '[CORE-01]\noperations = []\nreason = "x"\nowner = "y"\nexpires = 2026-05-04',
                "`operations` must be a list",
            ),
            (
                '[CORE-01]\noperations = [1]\nreason = "x"\nowner = "y"\nexpires = 2026-05-04',
                "`operations` must be a list",
            ),
            (
                '[A]\noperations = ["x"]\nreason = " "\nowner = "y"\nexpires = 2026-05-04',
                "`reason` must be a text that is not empty",
            ),
            (
                '[A]\noperations = ["x"]\nreason = "x"\nowner = 1\nexpires = 2026-05-04',
                "`owner` must be a text that is not empty",
            ),
            (
                '[A]\noperations = ["x"]\nreason = "x"\nowner = "y"\nexpires = "2026-05-04"',
                "`expires` must be a day without quotation marks",
            ),
            (
                '[A]\noperations = ["x"]\nreason = "x"\nowner = "y"\nexpires = 2026-05-04T10:00:00',
                "`expires` must be a day",
            ),
        ],
    )
    def test_malformed_baseline_is_refused(
        self, tmp_path: Path, content: str | None, sentence: str
    ) -> None:
        path = tmp_path / "known.toml"
        if content is not None:
            path.write_text(content, encoding="utf-8")
        with pytest.raises(ReportError) as refused:
            read_baseline(path)
        assert str(refused.value).startswith(f"{path}: ")
        assert sentence in str(refused.value)
        assert "\n" not in str(refused.value)

    def test_baseline_survives_json(self) -> None:
        assert Baseline.from_dict(json.loads(json.dumps(BOTH.to_dict()))) == BOTH


class TestRenewed:
    RESULTS = document_of(run_of(*GREEN, FAILED), CONTEXT)

    def test_renewed_baseline_keeps_failing_entries_only(self) -> None:
        baseline = {"CORE-01": PAST, "CORE-02": PAST, "CORE-99": PAST, "KEYS-01": PAST}
        assert renewed(baseline, self.RESULTS, SOON) == {"CORE-01": PAST, "KEYS-01": PAST}
        assert renewed({}, self.RESULTS, SOON) == {"CORE-01": SOON}
        partial = document_of(run_of(*GREEN, FAILED, partial=True), CONTEXT)
        assert renewed({"CORE-02": PAST}, partial, SOON) == {"CORE-01": SOON, "CORE-02": PAST}

    def test_renewed_entry_lists_where_it_fails_now(self) -> None:
        calls, both = ("GET /v1/calls",), ("GET /v1/calls", "GET /v1/leads")
        for partial, operations in ((False, calls), (True, both)):
            results = document_of(run_of(*GREEN, ELSEWHERE, partial=partial), CONTEXT)
            assert renewed({"CORE-01": SOON}, results, PAST) == {
                "CORE-01": replace(SOON, operations=operations)
            }
        results = document_of(run_of(*GREEN, ELSEWHERE, FAILED), CONTEXT)
        assert renewed({}, results, SOON) == {"CORE-01": replace(SOON, operations=both)}

    @pytest.mark.parametrize(
        ("records", "finished"), [([FAILED], False), ([{"harness_error": "KeyError"}], True)]
    )
    def test_unfinished_or_invalid_run_is_no_ground(
        self, records: list[Record], finished: bool
    ) -> None:
        results = document_of(run_of(*GREEN, *records, finished=finished), CONTEXT)
        with pytest.raises(ReportError, match="written from a finished run"):
            renewed({}, results, SOON)

    def test_failure_of_non_deciding_class_is_left_out(self) -> None:
        results = document_of(
            run_of(*GREEN, finding("BETA-01", "failed"), claimed={"core", "analytics"}), CONTEXT
        )
        assert failures(results) == []


def test_results_document_names_waivers() -> None:
    document = document_of(
        run_of(*GREEN, *BOTH_FAILED, baseline=baseline_of(CORE_01=SOON), today=TODAY), CONTEXT
    )
    kept = {"file": "known.toml", "sha256": "ab" * 32, "entries": 1, "waived": ["CORE-01"]}
    assert document["baseline"] == kept | {"stale": [], "expired": [], "unknown": []}
    waivers = {entry["id"]: entry["waiver"] for entry in document["requirements"]}
    assert waivers["CORE-01"] == SOON.to_dict()
    assert waivers["CORE-02"] is None
