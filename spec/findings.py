"""What a judgement is: the one type that judges make, the plugin carries and the reports show.

`to_dict` and `from_dict` are for the ways that only take JSON: from a worker to the controller, and
into files.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal

LARGER_BUDGET, LARGER_TIER = "give a larger --budget", "choose a larger --tier"
"""Remedies of what a run has left out itself: it is not selected, whatever a check was about to
try.
"""
CUTS = frozenset({LARGER_BUDGET, LARGER_TIER})
Outcome = Literal["passed", "failed", "doubtful", "unmet", "not-applicable"]
Source = Literal["check", "traffic"]


@dataclass(frozen=True)
class Violation:
    """How an exchange breaks a requirement, without secrets.

    Attributes:
        expected, received: short texts for a reader who does not know the kit.
        where: JSON pointer into the answer, name of a header, or empty.
        exchange: the exchange as evidence, in the shape of `$defs/exchange` in
            `conformance.schema.json`; None if there is none.
        curl: a command line that repeats the request, or empty.
        notes: what else is known of it, such as a diagnosis, one line each.
        sequence: the exchanges that it rests on where these are several, in order, in the shape of
            `$defs/step`.
    """

    expected: str
    received: str
    where: str
    exchange: Mapping[str, Any] | None = None
    curl: str = ""
    notes: list[str] = field(default_factory=list)
    sequence: list[Mapping[str, Any]] = field(default_factory=list)


@dataclass(frozen=True)
class Finding:
    """What was found of one requirement on one operation.

    Attributes:
        requirement: its id.
        outcome: `unmet` when the situation could not be made; `doubtful` when something did not
            hold that the kit may have caused itself.
        operation: id of the operation, or empty.
        source: a check, or an oracle that judged its traffic.
        test: node id of the check, or empty.
        count: how many judgements this one stands for.
        reason: why nothing was judged.
        remedy: what the tester can do to have it judged.
        violation: of a failed requirement, the first one.
        withheld: whether the transcript leaves out something that it was judged by, such as a
            secret.
    """

    requirement: str
    outcome: Outcome
    operation: str
    source: Source
    test: str
    count: int = 1
    reason: str | None = None
    remedy: str | None = None
    violation: Violation | None = None
    withheld: bool = False

    @property
    def failed(self) -> bool:
        """Whether the requirement was broken."""
        return self.outcome == "failed"

    def to_dict(self) -> dict[str, Any]:
        """The finding in JSON values; those of the evidence are shared, not copied."""
        return vars(self) | {"violation": self.violation and dict(vars(self.violation))}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "Finding":
        """The finding that `to_dict` has taken apart; fields that it does not know are left out."""
        values_known = _known(cls, values)
        if violation := values_known.get("violation"):
            values_known["violation"] = Violation(**_known(Violation, violation))
        return cls(**values_known)


def window(length: int, limit: int, focus: tuple[int, int] | None) -> tuple[int, int]:
    """Which part of a text to show where there is room for a part alone: its beginning, or what
    stands around the focus.

    Args:
        length: of the text, in characters.
        limit: of the part.
        focus: beginning and end of what has to be in it; of what does not fit the beginning.
    """
    first, last = focus or (0, 0)
    margin = (limit - (last - first)) // 2
    is_at_beginning = last <= limit or (margin < 0 and first <= limit // 2)
    start = 0 if is_at_beginning else min(first - max(margin, 0), max(length - limit, 0))
    return start, min(start + limit, length)


def _known(kind: type[Finding | Violation], values: Mapping[str, Any]) -> dict[str, Any]:
    return {member.name: values[member.name] for member in fields(kind) if member.name in values}
