"""Ways to break the kit on purpose, to show that the harness sees a verdict that is not true."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import plumbline.fixtures.cli.main as program
from plumbline.fixtures.evidence.hash_chain import ChainWriter
from plumbline.fixtures.profile.errors import EvidenceError
from plumbline.reports.evidence import results

FAULT_OF_THE_KIT = 12


def _lose_findings() -> None:
    plain = ChainWriter.add

    def add(self: ChainWriter, entry: Mapping[str, Any]) -> None:
        with suppress(EvidenceError):
            plain(self, entry)
        self.broken = None

    ChainWriter.add = add  # type: ignore[method-assign]


def _end_with(code: int) -> None:
    plain = program.main

    def main(*arguments: Any) -> int:
        ended = plain(*arguments)
        return code if ended == FAULT_OF_THE_KIT else ended

    vars(program)["main"] = main


def _write_in_place() -> None:
    def write(path: Path, text: str) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    vars(results)["write_whole"] = write


SABOTAGES: dict[str, Callable[[], None]] = {
    "findings that cannot be written are forgotten": _lose_findings,
    "a fault of the kit ends with 0": lambda: _end_with(0),
    "a fault of the kit ends with 1": lambda: _end_with(1),
    "results are overwritten where they lie": _write_in_place,
}
"""What each does, and does it."""
