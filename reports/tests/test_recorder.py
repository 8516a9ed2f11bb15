"""The report folder of a run: from its beginning, through any end, to the manifest."""

import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plumbline.reports.evidence import recorder as recording
from plumbline.reports.evidence.manifest import broken_seals, clear, read_json, seal
from plumbline.reports.evidence.recorder import Recorder, replay
from plumbline.reports.evidence.results import judged_part, load
from plumbline.reports.report_errors import ReportError
from plumbline.reports.tests.samples import (
    CONTEXT,
    FAILED,
    GREEN,
    RECORDS,
    SMALL,
    Record,
    baseline_of,
    finding,
)
from plumbline.reports.verdict.known_failures import Waiver

ENDED = datetime(2026, 5, 4, 10, 4, 3, tzinfo=UTC)
KNOWN = baseline_of(CORE_02=Waiver("a ticket", "ada", date(2026, 5, 4), ("GET /v1/leads",)))


class Lines:
    """A journal in memory."""

    def __init__(self) -> None:
        self.entries: list[dict[str, Any]] = []
        self.closed = False

    def add(self, entry: Mapping[str, Any]) -> None:
        assert not self.closed
        self.entries.append(json.loads(json.dumps(entry)))

    def close(self) -> None:
        self.closed = True


def recorder(folder: Path, journal: Lines, **options: Any) -> Recorder:
    context = replace(CONTEXT, ended=None, report_dir=folder)
    return Recorder(
        SMALL, ["core"], context, journal, **{"partial": False, "baseline": None} | options
    )


class TestRecorder:
    @pytest.mark.parametrize(
        ("records", "verdict", "passed"),
        [(GREEN, "unfinished", 4), ([FAILED], "non-conformant", 0)],
    )
    def test_report_is_unfinished_before_the_end(
        self, tmp_path: Path, records: list[Record], verdict: str, passed: int
    ) -> None:
        kept = recorder(tmp_path, Lines())
        document = load(tmp_path / "conformance.json")
        assert (document["state"], document["verdict"], document["ended"]) == (
            "unfinished",
            "unfinished",
            None,
        )
        for record in records:
            kept.enter(record)
        kept.give_up()
        document = load(tmp_path / "conformance.json")
        assert (document["state"], document["verdict"], document["totals"]["passed"]) == (
            "unfinished",
            verdict,
            passed,
        )

    def test_report_is_renewed_during_the_run(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(recording, "RENEWAL_SECONDS", 0.0)
        kept = recorder(tmp_path, Lines())
        kept.enter(FAILED)
        assert load(tmp_path / "conformance.json")["verdict"] == "non-conformant"

    @given(
        RECORDS,
        st.booleans(),
        st.none() | st.sets(st.sampled_from([*SMALL.requirements])),
        st.sampled_from([None, KNOWN]),
    )
    def test_journal_reproduces_the_verdict(
        self,
        tmp_path_factory: pytest.TempPathFactory,
        records: list[Record],
        partial: bool,
        selected: set[str] | None,
        baseline: Any,
    ) -> None:
        journal = Lines()
        kept = recorder(tmp_path_factory.mktemp("report"), journal, baseline=baseline)
        for record in records:
            kept.enter(record)
        run, context = kept.finish(ENDED, partial=partial, selected=selected)
        document = load(context.results)
        assert (document["state"], document["verdict"], document["ended"]) == (
            "finished",
            run.verdict.value,
            "2026-05-04T10:04:03Z",
        )
        replayed = replay(journal.entries, SMALL)
        assert judged_part(replayed.verdict) == judged_part(run)
        assert (replayed.beginning["nonce"], len(replayed.records)) == (CONTEXT.nonce, len(records))
        assert not replay(journal.entries[:-1], SMALL).verdict.finished

    @pytest.mark.parametrize(
        "entries", [[], [{}], [{"begin": {}}], [{"begin": None}], [finding("CORE-01")]]
    )
    def test_malformed_journal_is_refused(self, entries: list[dict[str, Any]]) -> None:
        with pytest.raises(ReportError, match="does not begin or end as this kit writes it"):
            replay(entries, SMALL)


class TestManifest:
    @pytest.fixture(name="folder")
    def _folder(self, tmp_path: Path) -> Path:
        (tmp_path / "transcript").mkdir()
        for name in ("conformance.json", "findings.jsonl", "transcript/main.jsonl", "notes.txt"):
            (tmp_path / name).write_text(name, encoding="utf-8")
        seal(tmp_path, CONTEXT.nonce)
        return tmp_path

    def test_untouched_folder_has_no_broken_seals(self, folder: Path) -> None:
        (folder / "notes.txt").write_text("other", encoding="utf-8")
        assert [*broken_seals(folder)] == []
        assert read_json(folder / "evidence.json")["nonce"] == CONTEXT.nonce

    def test_changed_missing_and_added_files_are_reported(self, folder: Path) -> None:
        (folder / "conformance.json").write_text("other", encoding="utf-8")
        (folder / "findings.jsonl").unlink()
        (folder / "report.html").touch()
        assert [*broken_seals(folder)] == [
            "conformance.json was changed after the run",
            "findings.jsonl is missing",
            "report.html was added after the run",
        ]

    @pytest.mark.parametrize(
        "content", [None, "[", "[]", "{}", '{"files": [1]}', '{"files": [{"path": "x"}]}']
    )
    def test_missing_or_malformed_manifest_is_refused(
        self, folder: Path, content: str | None
    ) -> None:
        path = folder / "evidence.json"
        path.unlink()
        if content is not None:
            path.write_text(content, encoding="utf-8")
        with pytest.raises(ReportError, match=r"evidence\.json: "):
            [*broken_seals(folder)]

    def test_clear_removes_only_files_of_a_run(self, folder: Path) -> None:
        (folder / "statement.json").touch()
        (folder / "pace" / "k3x9qa").mkdir(parents=True)
        (folder / "pace" / "k3x9qa" / "spent.json").touch()
        clear(folder)
        assert [path.name for path in folder.rglob("*") if path.is_file()] == ["notes.txt"]
        assert not (folder / "pace").exists()
        clear(folder / "nowhere")
