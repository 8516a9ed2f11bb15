"""What a run says: a verdict for every requirement, every class, every own check and the deployment
as a whole.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from plumbline.reports.verdict.known_failures import Baseline
from plumbline.reports.verdict.ledger import Observed, Tally
from plumbline.reports.verdict.words import ExitCode, RunWord, Verdict

if TYPE_CHECKING:
    from plumbline.spec import Requirement


@dataclass(frozen=True)
class RequirementVerdict:
    """What became of one requirement.

    Attributes:
        reason: why it was not judged, or why a judgement is not what it seems; None where the
            verdict says it all.
        remedy: what the tester can do to have it judged, if anything.
        decides: whether it counts towards the verdict of the run: observable, of a claimed class
            that decides.
        counts: judgements by the outcome of the finding.
        tests: node ids of the checks that judged it; traffic is judged without naming each test.
        violations: the judgements that broke it, by operation.
    """

    requirement: "Requirement"
    verdict: Verdict
    reason: str | None
    remedy: str | None
    decides: bool
    counts: Mapping[str, int]
    tests: tuple[str, ...]
    violations: Mapping[str, Tally]


@dataclass(frozen=True)
class Applied:
    """What became of a baseline in a run; every tuple holds requirement ids.

    Attributes:
        waived: failed on no operation but those that are known, until a day that has not passed.
        stale: passed in this run.
        expired: past their day.
        unknown: not in the contract.
    """

    baseline: Baseline
    waived: tuple[str, ...]
    stale: tuple[str, ...]
    expired: tuple[str, ...]
    unknown: tuple[str, ...]

    @property
    def faults(self) -> dict[str, str]:
        """Every stale entry with one sentence; each fails the gate."""
        days = {name: self.baseline.waivers[name].expires for name in self.expired}
        expired = {
            name: f"{name} expired on {when}: fix the failure, or agree on another day"
            for name, when in days.items()
        }
        stale = {name: f"{name} is stale: it passes now; remove it" for name in self.stale}
        unknown = {
            name: f"{name} is unknown: the contract has no such requirement; remove it"
            for name in self.unknown
        }
        return expired | stale | unknown


def applying(verdicts: Mapping[Verdict, int]) -> int:
    """How many of some requirements apply and can be observed: what every `N of M` of a report
    counts as M.
    """
    return (
        sum(verdicts.values())
        - verdicts.get(Verdict.NOT_APPLICABLE, 0)
        - verdicts.get(Verdict.UNOBSERVABLE, 0)
    )


@dataclass(frozen=True)
class ClassTotals:
    """How many requirements of a conformance class got each verdict; verdicts that none got are
    absent.
    """

    id: str
    claimed: bool
    decides: bool
    verdicts: Mapping[Verdict, int]


@dataclass(frozen=True)
class OwnVerdict:
    """What became of an own check of the tester, which says nothing about the contract.

    Attributes:
        verdict: passed, failed, not exercised or not applicable.
        reason: why it was not judged.
        tests: node ids.
        violations: by operation.
    """

    id: str
    sentence: str
    verdict: Verdict
    reason: str | None
    tests: tuple[str, ...]
    violations: Mapping[str, Tally]


@dataclass(frozen=True)
class RunVerdict:
    """What a run says about a deployment, with everything it rests on.

    Attributes:
        reason: one sentence that says why the verdict is what it is.
        partial: whether a selection left checks out.
        finished: whether the run came to its end.
        totals: verdicts of the observable requirements of the claimed classes that decide.
        classes: by id, in contract order, also those that are not claimed.
        requirements: by id, in contract order, every one of the contract.
        choices: what the deployment chose, by open item, in id order.
        never_shown: documented fields, such as `Lead.company`, that no answer with their object has
            shown.
        values_sent: by field, the classes of values, as conformance.json has them.
        requests: by operation, as sent.
        baseline: what became of the known failures that the run was given; None if it was given
            none.
        harness_errors: sentences about faults of the kit, each with the tests that met it.
        carried: the run under an earlier revision that vouches for some verdicts, as
            conformance.json has it; empty for none.
        own: what became of the own checks of the tester, by id; only the exit code of a run that
            would end with 0 heeds them.
    """

    verdict: RunWord
    exit_code: ExitCode
    reason: str
    partial: bool
    finished: bool
    totals: Mapping[Verdict, int]
    classes: Mapping[str, ClassTotals]
    requirements: Mapping[str, RequirementVerdict]
    choices: Mapping[str, Observed]
    never_shown: tuple[str, ...]
    values_sent: tuple[Mapping[str, Any], ...]
    requests: Mapping[str, int]
    baseline: Applied | None
    harness_errors: Mapping[str, tuple[str, ...]]
    contract_revision: int
    contract_digest: str
    own: Mapping[str, OwnVerdict]
    carried: Mapping[str, Any]

    @property
    def passed(self) -> int:
        """Requirements of the denominator that were exercised and passed."""
        return self.totals.get(Verdict.PASSED, 0)

    @property
    def denominator(self) -> int:
        """The requirements of the claimed classes that decide, apply to the deployment and can be
        observed.
        """
        return applying(self.totals)

    def of(self, verdict: Verdict) -> list[RequirementVerdict]:
        """The requirements that got a verdict, in contract order."""
        return [entry for entry in self.requirements.values() if entry.verdict is verdict]
