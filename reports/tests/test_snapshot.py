"""A report is copied as it stood in one moment, though somebody changes it while it is read."""

import errno
import os
from pathlib import Path

import pytest

from plumbline.reports.evidence import regular_files
from plumbline.reports.evidence import snapshot as module
from plumbline.reports.evidence.regular_files import Entry, content_of, digest_in, entries, opened
from plumbline.reports.evidence.snapshot import snapshot
from plumbline.reports.report_errors import ReportError


@pytest.fixture(name="report")
def _report(tmp_path: Path) -> Path:
    report = tmp_path / "report"
    (report / "transcript").mkdir(parents=True)
    (report / "conformance.json").write_text("{}", encoding="utf-8")
    (report / "transcript" / "main.jsonl").write_text("{}\n", encoding="utf-8")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "main.jsonl").write_text("secret", encoding="utf-8")
    return report


def copied(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_files_of_a_run_are_copied_and_the_copy_goes(report: Path) -> None:
    (report / "notes.txt").touch()
    with snapshot(report) as taken:
        assert copied(taken.folder) == {"conformance.json": "{}", "transcript/main.jsonl": "{}\n"}
        assert taken.folder.stat().st_mode & 0o777 == 0o700
        assert (taken.unsafe, taken.added) == ((), ("notes.txt was added after the run",))
        copy = taken.folder
    assert not copy.exists()


@pytest.mark.parametrize("swapped", ["transcript/main.jsonl", "transcript"])
def test_link_that_takes_a_place_meanwhile_is_not_followed(
    report: Path, monkeypatch: pytest.MonkeyPatch, swapped: str
) -> None:
    def listed(folder: Path) -> list[Entry]:
        held = entries(folder)
        (folder / swapped).rename(folder.parent / "away")
        (folder / swapped).symlink_to(
            folder.parent / "outside" / ("main.jsonl" if "/" in swapped else "")
        )
        return held

    monkeypatch.setattr(module, "entries", listed)
    with pytest.raises(ReportError, match="is a link, or lies behind one"), snapshot(report):
        pass


def test_file_that_grows_meanwhile_is_read_as_far_as_it_was_long(
    report: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def listed(folder: Path) -> list[Entry]:
        held = entries(folder)
        with (folder / "conformance.json").open("a", encoding="utf-8") as file:
            file.write("more")
        return held

    monkeypatch.setattr(module, "entries", listed)
    with snapshot(report) as taken:
        assert copied(taken.folder)["conformance.json"] == "{}"


def test_too_large_and_too_many_files_are_not_read(
    report: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.truncate(report / "conformance.json", 2**40)  # has no blocks on the disk
    with pytest.raises(ReportError, match="is larger than 2 GB"), snapshot(report):
        pass
    with pytest.raises(ReportError, match="is larger than 1024 MB"):
        content_of(report / "conformance.json")
    os.truncate(report / "conformance.json", 100)
    with pytest.raises(ReportError, match="is larger than 0 MB"):
        content_of(report / "conformance.json", 99)
    monkeypatch.setattr(regular_files, "MAX_ENTRIES", 3)
    for name in "abc":
        (report / name).touch()
    with (
        pytest.raises(ReportError, match="holds too much to be the report of a run"),
        snapshot(report),
    ):
        pass
    deep = report / "/".join("abcdefghij").replace("a/", "d/")
    deep.mkdir(parents=True)
    monkeypatch.setattr(regular_files, "MAX_ENTRIES", 100)
    with pytest.raises(ReportError, match="holds too much"):
        entries(report)


@pytest.mark.parametrize(
    "name", ["../outside/main.jsonl", "/etc/hostname", "transcript//main.jsonl", ".", "", "a\0b"]
)
def test_name_that_leads_out_of_the_folder_is_refused(report: Path, name: str) -> None:
    with pytest.raises(ReportError, match="is no name of a file in a report"), opened(report, name):
        pass


def test_folder_that_is_named_may_be_a_link(report: Path, tmp_path: Path) -> None:
    (tmp_path / "latest").symlink_to(report)
    with snapshot(tmp_path / "latest") as taken:
        assert len(copied(taken.folder)) == 2
    assert digest_in(tmp_path / "latest", "conformance.json") == digest_in(
        report, "conformance.json"
    )


@pytest.mark.parametrize("number", [errno.EIO, errno.EMFILE, errno.ENOSPC])
def test_fault_of_the_machine_is_no_fault_of_the_report(
    report: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    def failing(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(module, "entries", failing)
    with pytest.raises(OSError, match=os.strerror(number)), snapshot(report):
        pass
