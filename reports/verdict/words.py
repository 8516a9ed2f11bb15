"""The words of a verdict, each list in the order in which it worsens, and the exit codes."""

from collections.abc import Mapping
from enum import Enum, IntEnum
from functools import total_ordering


class ExitCode(IntEnum):
    """How the process ends; pytest keeps 2 to 5 for itself."""

    CONFORMANT = 0
    NON_CONFORMANT = 1
    INCOMPLETE = 10
    CONFIGURATION = 11
    HARNESS_FAULT = 12
    BASELINE = 13
    OWN_CHECKS = 14


@total_ordering
class Ordered(Enum):
    """Words in the order in which they worsen."""

    def __lt__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        words = list(type(self))
        return words.index(self) < words.index(other)


class Verdict(Ordered):
    """What a run says about one requirement."""

    NOT_CLAIMED = "not claimed"
    UNOBSERVABLE = "unobservable"
    NOT_APPLICABLE = "not applicable"
    NOT_SELECTED = "not selected"
    PASSED = "passed"
    WARNED = "warned"
    NOT_EXERCISED = "not exercised"
    FAILED = "failed"


class RunWord(Ordered):
    """What a run says about the deployment."""

    CONFORMANT = "conformant"
    OBSERVED = "observed, nothing broken"
    PARTIAL = "partial"
    WAIVED = "non-conformant, all failures waived"
    STALE_BASELINE = "stale baseline entries"
    INCOMPLETE = "incomplete"
    UNFINISHED = "unfinished"
    INVALID = "invalid run"
    VIOLATED = "violated in observed traffic"
    NON_CONFORMANT = "non-conformant"


EXIT_CODES: Mapping[RunWord, ExitCode] = {
    RunWord.CONFORMANT: ExitCode.CONFORMANT,
    RunWord.OBSERVED: ExitCode.CONFORMANT,
    RunWord.PARTIAL: ExitCode.CONFORMANT,
    RunWord.WAIVED: ExitCode.CONFORMANT,
    RunWord.STALE_BASELINE: ExitCode.BASELINE,
    RunWord.INCOMPLETE: ExitCode.INCOMPLETE,
    RunWord.UNFINISHED: ExitCode.INCOMPLETE,
    RunWord.NON_CONFORMANT: ExitCode.NON_CONFORMANT,
    RunWord.VIOLATED: ExitCode.NON_CONFORMANT,
    RunWord.INVALID: ExitCode.HARNESS_FAULT,
}
