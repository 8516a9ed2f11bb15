"""The history of each requirement in the report: what earlier runs said, as far as the replaced
report told it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from plumbline.reports.text import printable

CHANGES = {
    "new": "failed, and passed before",
    "fixed": "passed, and failed before",
    "still": "failed, and failed before",
}
"""How a requirement compares to the last earlier run that judged it, by a name for addresses."""
JUDGED = frozenset({"passed", "warned", "failed"})


class Said(NamedTuple):
    """What an earlier run said: when it began, as people write it, and its word."""

    when: str
    word: str


class Change(NamedTuple):
    """A name of `CHANGES`, or an empty one, and what it is compared to."""

    name: str
    before: Said


UNCHANGED = Change("", Said("", ""))


@dataclass(frozen=True)
class History:
    """Earlier runs, the latest one first, as `earlier` in conformance.json has them."""

    runs: Sequence[Mapping[str, Any]]

    @property
    def rows(self) -> list[tuple[str, str, str, int, int]]:
        """When each run began, its verdict, its tier, how many requirements failed and how many
        passed.
        """
        return [
            (
                _when(run),
                _verdict(run),
                run["tier"],
                *(len(run["verdicts"].get(word, ())) for word in ("failed", "passed")),
            )
            for run in self.runs
        ]

    def of(self, requirement: str) -> list[Said]:
        """What the earlier runs said about a requirement; those that said nothing are left out."""
        words = (
            (run, next((word for word, ids in run["verdicts"].items() if requirement in ids), ""))
            for run in self.runs
        )
        return [Said(_when(run), word) for run, word in words if word]

    def change(self, requirement: str, verdict: str) -> Change:
        """How a requirement compares to the last earlier run that judged it; empty where nothing is
        known or worth saying.

        Args:
            requirement: its id.
            verdict: of this run.
        """
        before = next((said for said in self.of(requirement) if said.word in JUDGED), Said("", ""))
        failed_before = before.word == "failed"
        if verdict == "failed" and before.word:
            return Change("still" if failed_before else "new", before)
        return (
            Change("fixed", before) if verdict in JUDGED and failed_before else Change("", before)
        )


def _verdict(run: Mapping[str, Any]) -> str:
    """The verdict of a run, and whether it was partial where the word does not say so."""
    is_partial = run["partial"] and run["verdict"] != "partial"
    return f"{run['verdict']}{' (partial run)' if is_partial else ''}"


def _when(run: Mapping[str, Any]) -> str:
    try:
        return f"{datetime.fromisoformat(run['started']):%Y-%m-%d %H:%M}"
    except ValueError:  # RFC 3339 has moments that Python does not, such as a leap second
        return printable(run["started"])
