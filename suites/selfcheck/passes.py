"""A pytest plugin that writes down which exchanges have passed, into the file that PASSED_EXCHANGES names.

A run keeps no evidence of what passed; this one does, so that an example of each requirement can be shown.
"""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from plumbline.fixtures.client.exchange import Exchange
from plumbline.fixtures.judge import Judge, Mismatch, TrafficJudge

PASSED: dict[str, dict[str, dict[str, Any]]] = {}
"""Evidence by requirement and by situation: the check, if it is one that has judged, and the operation."""


def note(requirement: str, test: str, exchange: Exchange, judge: Any) -> None:
    """Keep the first exchange of each situation."""
    known = PASSED.setdefault(requirement, {})
    situation = f"{test} {exchange.operation}".strip()
    if situation not in known:
        known[situation] = judge._transcript.evidence(exchange)  # noqa: SLF001  nobody else has to know it


def pytest_configure() -> None:
    """Listen to both judges."""
    judged, added = Judge._judged, TrafficJudge._add  # noqa: SLF001

    def listening(self: Judge, requirement: str, exchange: Exchange, mismatch: Mismatch | None) -> bool:
        if mismatch is None:
            note(requirement, self._test, exchange, self)
        return judged(self, requirement, exchange, mismatch)

    def listening_to_traffic(
        self: TrafficJudge, requirement: str, exchange: Exchange, mismatch: Mismatch | None, **more: Any
    ) -> None:
        if mismatch is None:
            note(requirement, "", exchange, self)
        added(self, requirement, exchange, mismatch, **more)

    Judge._judged = listening  # type: ignore[method-assign]  # noqa: SLF001
    TrafficJudge._add = listening_to_traffic  # type: ignore[method-assign]  # noqa: SLF001


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish() -> None:
    """Write what was noted."""
    Path(os.environ["PASSED_EXCHANGES"]).write_text(json.dumps(PASSED), encoding="utf-8")
