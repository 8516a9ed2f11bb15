"""What one worker has worked out the others do not work out again."""

from pathlib import Path

import pytest

from .once import SESSION, once


@pytest.fixture(name="calls")
def _calls() -> list[int]:
    return []


def add(calls: list[int]) -> int:
    """Work whose result tells how often it was done."""
    calls.append(1)
    return len(calls)


def test_work_is_done_once_in_a_session(
    calls: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(SESSION, "one")
    assert [once("work", lambda: add(calls), tmp_path) for _ in range(3)] == [1, 1, 1]
    monkeypatch.setenv(SESSION, "two")
    assert [once("work", lambda: add(calls), tmp_path) for _ in range(2)] == [2, 2]
    assert [file.name for file in tmp_path.glob("*.pickle")] == ["work-two.pickle"]


def test_work_outside_a_worker_leaves_no_file(
    calls: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(SESSION, raising=False)
    assert [once("work", lambda: add(calls), tmp_path) for _ in range(2)] == [1, 2]
    assert list(tmp_path.iterdir()) == []
