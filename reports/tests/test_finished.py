"""A run counts as finished only if its manifest says so, wherever the process was killed that wrote
it.
"""

import itertools
import os
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from plumbline.reports.evidence.manifest import broken_seals
from plumbline.reports.evidence.results import finished_results, is_finished, load, write_results
from plumbline.reports.report_errors import ReportError
from plumbline.reports.tests.samples import CONTEXT, FAILED, GREEN, run_of

CHANGES = frozenset({"open", "os.rename", "os.remove", "os.mkdir"})
"""Audit events of a process that changes what stands on disk."""
KILLED = 9


def edit(folder: Path, before: str, after: str) -> None:
    path = folder / "evidence.json"
    path.write_text(path.read_text(encoding="utf-8").replace(before, after), encoding="utf-8")


SPOILED: dict[str, Callable[[Path], object]] = {
    "no manifest": lambda folder: (folder / "evidence.json").unlink(),
    "torn manifest": (
        lambda folder: (folder / "evidence.json").write_text('{"nonce": ', encoding="utf-8")
    ),
    "manifest of another run": lambda folder: edit(folder, CONTEXT.nonce, "f" * 32),
    "results are not listed": lambda folder: edit(folder, '"conformance.json"', '"other.json"'),
    "changed results": (
        lambda folder: (folder / "conformance.json").write_bytes(
            (folder / "conformance.json").read_bytes() + b"\n"
        )
    ),
}


def summary(folder: Path) -> tuple[Any, ...]:
    document = load(folder / "conformance.json")
    return document["state"], document["verdict"], document["exit_code"]


@pytest.mark.parametrize("spoil", SPOILED.values(), ids=SPOILED.keys())
def test_results_without_their_manifest_are_unfinished(
    tmp_path: Path, spoil: Callable[[Path], object]
) -> None:
    write_results(run_of(*GREEN), replace(CONTEXT, report_dir=tmp_path))
    assert summary(tmp_path) == ("finished", "conformant", 0)
    assert is_finished(tmp_path)
    assert finished_results(tmp_path)["state"] == "finished"
    spoil(tmp_path)
    assert summary(tmp_path) == ("unfinished", "unfinished", 10)
    assert not is_finished(tmp_path)
    with pytest.raises(ReportError, match="did not come to its end"):
        finished_results(tmp_path)


def test_judged_violation_outlives_the_manifest(tmp_path: Path) -> None:
    write_results(run_of(*GREEN, FAILED), replace(CONTEXT, report_dir=tmp_path))
    (tmp_path / "evidence.json").unlink()
    assert summary(tmp_path) == ("unfinished", "non-conformant", 1)


def test_folder_without_results_is_not_finished(tmp_path: Path) -> None:
    assert not is_finished(tmp_path)
    with pytest.raises(ReportError, match="cannot be read"):
        finished_results(tmp_path)


def test_killed_at_any_write_leaves_an_unfinished_or_a_whole_report(tmp_path: Path) -> None:
    for point in itertools.count(1):
        folder = tmp_path / str(point)
        context = replace(CONTEXT, report_dir=folder)
        write_results(run_of(*GREEN[:1], finished=False), context)
        (folder / "findings.jsonl").write_text("{}\n", encoding="utf-8")
        was_killed = killed_at(point, partial(write_results, run_of(*GREEN), context))
        if is_finished(folder):
            assert [*broken_seals(folder)] == []
            assert (folder / "report.html").stat().st_size > 0
        else:
            assert summary(folder) == ("unfinished", "unfinished", 10)
        if not was_killed:
            break
    assert is_finished(folder)
    assert point > 8, "too few points were tried"


def killed_at(point: int, act: Callable[[], object]) -> bool:
    """Carry out something in a process that is gone before its n-th change on disk; returns whether
    it came to that.
    """
    child = os.fork()
    if child:
        _, status = os.waitpid(child, 0)
        return os.waitstatus_to_exitcode(status) == KILLED
    try:
        left = point

        def note(event: str, arguments: tuple[Any, ...]) -> None:
            nonlocal left
            if event in CHANGES and (event != "open" or set(str(arguments[1])) & set("wax+")):
                left -= 1
                if not left:
                    os._exit(KILLED)

        sys.addaudithook(note)
        act()
    except BaseException:  # noqa: BLE001  nothing of pytest may run in the child
        os._exit(1)
    os._exit(0)
