"""From what was found of one requirement, or of one own check, to its verdict."""

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

from plumbline.reports.verdict.ledger import Reason, Tally
from plumbline.reports.verdict.verdicts import OwnVerdict, RequirementVerdict
from plumbline.reports.verdict.words import Verdict
from plumbline.spec.findings import CUTS

if TYPE_CHECKING:
    from plumbline.spec import Requirement

Operations = Mapping[str, Mapping[str, Tally]]
"""What was found of one requirement, by operation and outcome."""
WHEN_BROKEN: Mapping[str, Verdict] = {
    "must": Verdict.FAILED,
    "should": Verdict.WARNED,
    "may": Verdict.PASSED,
}
"""By the severity of the requirement; a MAY cannot be broken, what was seen is only recorded."""
NO_REASON = Reason(None, None)
BROKEN_MAY = "optional: the deployment does otherwise, which it may"


def judge_own(name: str, sentence: str, operations: Operations) -> OwnVerdict:
    """Judge an own check: one failure fails it; otherwise one pass is enough."""
    outcomes = {
        outcome: tally for tallies in operations.values() for outcome, tally in tallies.items()
    }
    words = {
        "failed": Verdict.FAILED,
        "doubtful": Verdict.NOT_EXERCISED,
        "passed": Verdict.PASSED,
        "unmet": Verdict.NOT_EXERCISED,
        "not-applicable": Verdict.NOT_APPLICABLE,
    }
    outcome = next(word for word in words if word in outcomes)
    reasons = outcomes[outcome].reasons
    broken = {
        operation: tallies["failed"]
        for operation, tallies in sorted(operations.items())
        if "failed" in tallies
    }
    return OwnVerdict(
        name,
        sentence,
        words[outcome],
        reasons[0].reason if reasons else None,
        tests_of(operations),
        broken,
    )


def judge_requirement(
    requirement: "Requirement",
    operations: Operations,
    *,
    claimed: bool,
    selected: bool,
    decides: bool,
    unseen: str,
    carried: tuple[Verdict, Reason] | None,
) -> RequirementVerdict:
    """Judge one requirement; the first rule that applies decides."""
    counts: Counter[str] = Counter()
    reasons: dict[str, Reason] = {}
    for outcome, tally in (
        item for _, outcomes in sorted(operations.items()) for item in outcomes.items()
    ):
        counts[outcome] += tally.count
        for why in tally.reasons[:1]:
            reasons.setdefault(outcome, why)
    unmet = [
        why
        for outcomes in operations.values()
        for why in (outcomes["unmet"].reasons if "unmet" in outcomes else ())
    ]
    is_cut = bool(unmet) and all(why.remedy in CUTS for why in unmet)
    kind = requirement.conformance_class
    verdict, (reason, remedy) = next(
        (verdict, why)
        for fits, verdict, why in (
            (not claimed, Verdict.NOT_CLAIMED, (f"class {kind} is not claimed", f"claim {kind}")),
            (
                requirement.unobservable is not None,
                Verdict.UNOBSERVABLE,
                (requirement.unobservable, None),
            ),
            (
                counts["failed"],
                WHEN_BROKEN[requirement.severity],
                (BROKEN_MAY if requirement.severity == "may" else None, None),
            ),
            (counts["doubtful"], Verdict.NOT_EXERCISED, reasons.get("doubtful", NO_REASON)),
            (counts["passed"], Verdict.PASSED, reasons.get("unmet", NO_REASON)),
            (carried, *(carried or (Verdict.PASSED, NO_REASON))),
            (is_cut, Verdict.NOT_SELECTED, reasons.get("unmet", NO_REASON)),
            (counts["unmet"], Verdict.NOT_EXERCISED, reasons.get("unmet", NO_REASON)),
            (
                not selected,
                Verdict.NOT_SELECTED,
                ("the selection left out its checks", "run without the selection"),
            ),
            (
                counts["not-applicable"],
                Verdict.NOT_APPLICABLE,
                reasons.get("not-applicable", NO_REASON),
            ),
            (True, Verdict.NOT_EXERCISED, (unseen, None)),
        )
        if fits
    )
    return RequirementVerdict(
        requirement=requirement,
        verdict=verdict,
        reason=reason,
        remedy=remedy,
        decides=decides and verdict > Verdict.UNOBSERVABLE,
        counts=dict(sorted(counts.items())),
        tests=tests_of(operations),
        violations={
            name: outcomes["failed"]
            for name, outcomes in sorted(operations.items())
            if "failed" in outcomes
        },
    )


def tests_of(operations: Operations) -> tuple[str, ...]:
    """The checks that found something, by name."""
    return tuple(
        sorted(
            {
                test
                for outcomes in operations.values()
                for tally in outcomes.values()
                for test in tally.tests
            }
        )
    )
