"""What runs say over time: verdicts of a run as one text, what they add to what was known, and when
a requirement flipped.
"""

from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from dataclasses import asdict, dataclass
from datetime import datetime
from functools import cache
from typing import Any, NamedTuple

from plumbline.reports.compare.difference import JUDGED
from plumbline.reports.verdict.words import RunWord, Verdict
from plumbline.spec import catalogue

LETTERS: Mapping[str, str] = dict(
    zip((verdict.value for verdict in Verdict), "cunspwef", strict=True)
)
"""One letter for each verdict of a requirement, so that those of a run are one short text."""
WORDS: Mapping[str, str] = {letter: word for word, letter in LETTERS.items()}
SAYS = frozenset(LETTERS[word] for word in JUDGED)
"""Letters of verdicts that a run has reached by looking."""
UNREACHED = frozenset(
    LETTERS[verdict.value] for verdict in (Verdict.NOT_SELECTED, Verdict.NOT_EXERCISED)
)
"""Letters of verdicts that leave standing what an earlier run has found."""
INCONCLUSIVE = frozenset({RunWord.PARTIAL.value, RunWord.INVALID.value, RunWord.UNFINISHED.value})
"""Verdicts of runs that change nothing about what a deployment was last shown to be."""


@dataclass(frozen=True)
class Run:
    """One finished run, as the history keeps it.

    Attributes:
        attempt: names the run among all.
        started, ended: in UTC.
        verdict: of the run.
        passed, of: exercised and passed, of the requirements of the claimed classes that decide,
            apply and can be observed.
        revision: of the contract.
        ids: the requirements of that contract, in its order.
        packed: a letter for each of them, see `LETTERS`.
        evidence: bytes that are kept of it; 0 when nothing is.
        signer: id of the key of its statement; empty without one.
        fault: why the statement is not believed; empty when it was verified.
    """

    deployment: str
    attempt: str
    started: datetime
    ended: datetime
    verdict: str
    partial: bool
    tier: str
    passed: int
    of: int
    requests: int
    revision: int
    kit: str
    ids: tuple[str, ...]
    packed: str
    evidence: int = 0
    signer: str = ""
    fault: str = ""

    @property
    def failed(self) -> int:
        """How many requirements of classes that decide failed, as the summary of the run counts
        them.
        """
        letter = LETTERS["failed"]
        if letter not in self.packed:
            return 0
        return sum(
            letter_of_run == letter and name not in _beside()
            for name, letter_of_run in zip(self.ids, self.packed, strict=True)
        )

    @property
    def headline(self) -> str:
        """The verdict, with the word that a partial run must not be read without."""
        return self.verdict + (
            " (partial run)" if self.partial and self.verdict != RunWord.PARTIAL.value else ""
        )

    @property
    def seconds(self) -> float:
        """How long it took."""
        return (self.ended - self.started).total_seconds()

    @property
    def verdicts(self) -> dict[str, str]:
        """The letter of each requirement."""
        return dict(zip(self.ids, self.packed, strict=True))

    def to_dict(self) -> dict[str, Any]:
        """The run in JSON values, with the requirements that failed."""
        document = asdict(self) | {
            "started": self.started.isoformat(),
            "ended": self.ended.isoformat(),
        }
        del document["ids"], document["packed"]
        return document | {
            "failed": [
                name for name, letter in self.verdicts.items() if letter == LETTERS["failed"]
            ]
        }


class Flip(NamedTuple):
    """A requirement that has begun to fail, or has ceased to, with the run in which that showed
    first.

    A fleet has hundreds of thousands of them, and a tuple takes a third of the time of a frozen
    dataclass to make.

    Attributes:
        first: whether it failed as soon as it was judged, so that nobody knows for how long.
    """

    deployment: str
    requirement: str
    fails: bool
    first: bool
    started: datetime
    attempt: str

    @property
    def sentence(self) -> str:
        """What happened, and on which day."""
        what = (
            "fails since it was first judged,"
            if self.first
            else "fails since"
            if self.fails
            else "no longer fails since"
        )
        return f"{self.requirement} {what} {self.started:%Y-%m-%d}"

    def to_dict(self) -> dict[str, Any]:
        """The flip in JSON values."""
        return self._asdict() | {"started": self.started.isoformat()}


@dataclass(frozen=True)
class Deployment:
    """A deployment as it stands.

    Attributes:
        latest: its last run.
        standing: the run that says what it was last shown to be.
        known: for each requirement the letter of what was last found, by whichever run.
    """

    name: str
    latest: Run
    standing: Run
    known: Mapping[str, str]


@cache
def _beside() -> frozenset[str]:
    """Requirements of classes that never decide."""
    contract = catalogue()
    return frozenset(
        name
        for name, requirement in contract.requirements.items()
        if not contract.classes[requirement.conformance_class].decides
    )


def packed(requirements: Iterable[Mapping[str, Any]]) -> str:
    """The verdicts of the requirements of a conformance.json as letters."""
    return "".join(LETTERS[entry["verdict"]] for entry in requirements)


def absorb(standings: MutableMapping[str, str], run: Run) -> Iterator[Flip]:
    """Add a later run to what is known of a deployment; a run that did not reach a requirement says
    nothing about it.

    Args:
        standings: the letter of each requirement; changed as the flips are read.
        run: later than all that was added before.
    """
    failed = LETTERS["failed"]
    for name, letter in run.verdicts.items():
        before = standings.get(name, "")
        if letter in SAYS:
            judged = before in SAYS
            if (letter == failed) != (before == failed) and (judged or letter == failed):
                yield Flip(
                    run.deployment, name, letter == failed, not judged, run.started, run.attempt
                )
        elif letter in UNREACHED and before in SAYS:
            continue
        standings[name] = letter
