"""From findings to verdicts: what a run says about every requirement, every class, and the
deployment as a whole.

Judging is one pure function, `judge_run`, of the catalogue, the claim, the selection and the
ledger.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from collections.abc import Set as AbstractSet
from datetime import date
from typing import TYPE_CHECKING

from plumbline.reports.text import named, plural
from plumbline.reports.verdict.known_failures import Baseline
from plumbline.reports.verdict.ledger import Ledger, Reason, Tally
from plumbline.reports.verdict.value_shares import rows_of
from plumbline.reports.verdict.verdicts import (
    Applied,
    ClassTotals,
    OwnVerdict,
    RequirementVerdict,
    RunVerdict,
)
from plumbline.reports.verdict.words import EXIT_CODES, ExitCode, RunWord, Verdict
from plumbline.spec.findings import CUTS, LARGER_BUDGET

if TYPE_CHECKING:
    from plumbline.spec import Catalogue, Requirement

Operations = Mapping[str, Mapping[str, Tally]]
"""What was found of one requirement, by operation and outcome."""
EXERCISED = frozenset({Verdict.PASSED, Verdict.WARNED, Verdict.FAILED})
MISSING = frozenset({Verdict.NOT_EXERCISED, Verdict.NOT_SELECTED})
WHEN_BROKEN: Mapping[str, Verdict] = {
    "must": Verdict.FAILED,
    "should": Verdict.WARNED,
    "may": Verdict.PASSED,
}
"""By the severity of the requirement; a MAY cannot be broken, what was seen is only recorded."""
NO_REASON = Reason(None, None)
SOUND: Mapping[bool, tuple[RunWord, str]] = {
    False: (
        RunWord.CONFORMANT,
        (
            "Every MUST of the claimed classes that can be observed and applies was exercised and"
            " passed."
        ),
    ),
    True: (
        RunWord.OBSERVED,
        "Nothing that the traffic showed was broken; watching alone cannot show conformance.",
    ),
}
BROKEN: Mapping[bool, RunWord] = {False: RunWord.NON_CONFORMANT, True: RunWord.VIOLATED}
"""The words for a run in which nothing or something is broken, by whether the traffic was that of
others.
"""
SUBJECTS: Mapping[str, AbstractSet[str]] = {
    "client": {"client"},
    "receiver": {"receiver", "effects"},
}
"""What a run is about that claims these classes alone."""
BROKEN_MAY = "optional: the deployment does otherwise, which it may"


def judge_run(
    catalogue: "Catalogue",
    claimed: Collection[str],
    selected: Collection[str] | None,
    ledger: Ledger,
    *,
    partial: bool,
    finished: bool = True,
    observed: bool = False,
    baseline: Baseline | None = None,
    today: date = date.min,
) -> RunVerdict:
    """Judge a run.

    Args:
        catalogue: the contract.
        claimed: ids of the claimed conformance classes.
        selected: ids of the requirements that the run's selection left a check for; None when
            nothing was left out.
        ledger: what was found.
        partial: whether the run was filtered, so that it cannot show conformance.
        finished: whether the run came to its end; one that did not cannot show conformance either.
        observed: whether it only watched traffic of others, which can show violations and never
            conformance.
        baseline: the failures that are known.
        today: what the days of the baseline are compared with.

    Raises:
        ValueError: a claimed class does not exist.
    """
    classes_known = catalogue.classes
    if unknown := sorted(set(claimed) - set(classes_known)):
        raise ValueError(
            f"The contract has no conformance class {unknown[0]!r}; claim some of"
            f" {', '.join(classes_known)}."
        )
    requirements = {
        name: _judge(
            requirement,
            ledger.findings.get(name, {}),
            claimed=requirement.conformance_class in claimed,
            selected=selected is None or name in selected,
            decides=classes_known[requirement.conformance_class].decides,
            unseen=_unseen(finished=finished, observed=observed),
            carried=_carried(ledger, name),
        )
        for name, requirement in catalogue.requirements.items()
    }
    by_class = {
        name: [
            entry for entry in requirements.values() if entry.requirement.conformance_class == name
        ]
        for name in classes_known
    }
    partial = partial or any(
        entry.verdict is Verdict.NOT_SELECTED and entry.remedy == LARGER_BUDGET
        for entry in requirements.values()
    )
    classes = {
        name: ClassTotals(name, name in claimed, class_known.decides, _verdicts(by_class[name]))
        for name, class_known in classes_known.items()
    }
    deciding = [entry for entry in requirements.values() if entry.decides]
    harness_errors = dict(
        sorted({**_faults_of_kit(catalogue, ledger), **ledger.harness_errors}.items())
    )
    exercised = any(entry.verdict in EXERCISED for entry in requirements.values())
    applied = None if baseline is None else _applied(baseline, requirements, today, partial=partial)
    own = {
        name: _judge_own(name, ledger.own_sentences[name], operations)
        for name, operations in sorted(ledger.own.items())
    }
    facts = {
        "exercised": exercised or bool(own and partial),
        "partial": partial,
        "finished": finished,
        "observed": observed,
    }
    word, reason = _judge_whole(
        deciding, len(harness_errors), applied, stopped=ledger.stopped, **facts
    )
    if ledger.carried:
        stands = sum(entry.reason == _origin(ledger) for entry in deciding)
        reason = f"{plural(stands, 'verdict')} {_origin(ledger)}. {reason}"
    return RunVerdict(
        verdict=word,
        exit_code=_exit_code(word, own.values()),
        reason=reason,
        partial=partial,
        finished=finished,
        totals=_verdicts(deciding),
        classes=classes,
        requirements=requirements,
        choices=dict(sorted(ledger.choices.items())),
        never_shown=tuple(sorted(name for name, shown in ledger.fields.items() if not shown)),
        values_sent=tuple(rows_of(ledger.values)),
        requests=dict(sorted(ledger.requests.items())),
        baseline=applied,
        harness_errors={sentence: tuple(tests) for sentence, tests in harness_errors.items()},
        contract_revision=catalogue.revision,
        contract_digest=catalogue.digest,
        own=own,
        carried=ledger.carried.get("from", {}),
    )


def _unseen(*, finished: bool, observed: bool) -> str:
    """Why a requirement was not exercised, where nothing else is known."""
    if observed:
        return "the traffic did not reach it"
    return (
        "no check exercised it" if finished else "the run has not reached a check that exercises it"
    )


def _origin(ledger: Ledger) -> str:
    source = ledger.carried["from"]
    return f"carried from the run of {source['started']} under revision {source['revision']}"


def _carried(ledger: Ledger, name: str) -> tuple[Verdict, Reason] | None:
    """The verdict of an earlier run that still holds for a requirement."""
    word = ledger.carried.get("verdicts", {}).get(name)
    return None if word is None else (Verdict(word), Reason(_origin(ledger), None))


def _exit_code(word: RunWord, own: Iterable[OwnVerdict]) -> ExitCode:
    """The exit code of the verdict; a failed own check turns 0 into 14."""
    code = EXIT_CODES[word]
    return (
        ExitCode.OWN_CHECKS
        if code is ExitCode.CONFORMANT and any(check.verdict is Verdict.FAILED for check in own)
        else code
    )


def _judge_own(name: str, sentence: str, operations: Operations) -> OwnVerdict:
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
        _tests(operations),
        broken,
    )


def _applied(
    baseline: Baseline, entries: Mapping[str, RequirementVerdict], today: date, *, partial: bool
) -> Applied:
    """Compare a baseline with the verdicts of a run.

    An entry does not count for a requirement that this run has not judged, unless it has expired. A
    partial run makes no entry stale, because it may have left out the check that fails.
    """
    waivers = {name: waiver for name, waiver in baseline.waivers.items() if name in entries}
    stale = tuple(
        name for name in waivers if entries[name].verdict is Verdict.PASSED and not partial
    )
    expired = tuple(
        name for name, waiver in waivers.items() if waiver.expires < today and name not in stale
    )
    failed = (
        name
        for name in waivers
        if entries[name].decides and entries[name].verdict is Verdict.FAILED
    )
    return Applied(
        baseline,
        waived=tuple(
            name
            for name in failed
            if name not in expired
            and set(entries[name].violations) <= set(waivers[name].operations)
        ),
        stale=stale,
        expired=expired,
        unknown=tuple(name for name in baseline.waivers if name not in waivers),
    )


def _judge(
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
        tests=_tests(operations),
        violations={
            name: outcomes["failed"]
            for name, outcomes in sorted(operations.items())
            if "failed" in outcomes
        },
    )


def _judge_whole(
    deciding: Collection[RequirementVerdict],
    harness_errors: int,
    applied: Applied | None,
    *,
    exercised: bool,
    partial: bool,
    finished: bool,
    observed: bool,
    stopped: str,
) -> tuple[RunWord, str]:
    """The worst word that applies, with its reason."""
    musts = [entry for entry in deciding if entry.requirement.severity == "must"]
    waived = applied.waived if applied else ()
    failed = sum(entry.verdict is Verdict.FAILED for entry in musts) - len(waived)
    missing = sum(entry.verdict in MISSING and not observed for entry in musts)
    words = dict([SOUND[observed]])
    if partial:
        words = {
            RunWord.PARTIAL: (
                "Nothing that was selected failed; a filtered run cannot show conformance."
            )
        }
    elif missing:
        words[RunWord.INCOMPLETE] = f"{_missing(musts)} of the claimed classes."
    elif not musts:
        words[RunWord.INVALID] = (
            "No class that decides is claimed, so there is nothing to be conformant to."
        )
    words |= (
        {RunWord.INCOMPLETE: f"The run stopped sending: {stopped}.{_left(musts)}"}
        if stopped
        else {}
    )
    if waived:
        words[RunWord.WAIVED] = (
            f"Failed, and known in the baseline: {named(waived, 6)}. Nothing else failed."
        )
    if applied and applied.faults:
        words[RunWord.STALE_BASELINE] = (
            f"The baseline no longer fits: {plural(len(applied.faults), 'requirement')} to look at."
        )
    if not finished:
        words[RunWord.UNFINISHED] = (
            "The run did not come to its end; this is what was found until then."
        )
    elif not exercised and not stopped:
        subject = _subject(deciding)
        # The program that has replied to nothing is the tester's own, and not a fault of the kit.
        words[RunWord.INCOMPLETE if subject == "client" else RunWord.INVALID] = (
            f"Nothing was exercised, so nothing is known about the {subject}."
        )
    if failed:
        words[BROKEN[observed]] = (
            f"Failed: {plural(failed, 'MUST requirement')} of the claimed classes."
        )
    if harness_errors:
        words[RunWord.INVALID] = (
            f"{plural(harness_errors, 'fault')} of the kit itself; the run says nothing final."
        )
    worst = max(words)
    return worst, words[worst]


def _subject(entries: Iterable[RequirementVerdict]) -> str:
    """What a run is about, by the classes that it claims."""
    classes = {entry.requirement.conformance_class for entry in entries}
    return next((word for word, of in SUBJECTS.items() if classes and classes <= of), "deployment")


def _left(musts: Iterable[RequirementVerdict]) -> str:
    """The same as a sentence of its own, after a space; empty where nothing is missing."""
    missing = _missing(musts)
    return f" {missing} of the claimed classes." if missing else ""


def _missing(musts: Iterable[RequirementVerdict]) -> str:
    """What was not judged, by its verdict: `Not exercised: 2 MUST requirements; not selected: 1
    MUST requirement`.
    """
    counts = {
        word: sum(entry.verdict is word for entry in musts)
        for word in (Verdict.NOT_EXERCISED, Verdict.NOT_SELECTED)
    }
    text = "; ".join(
        f"{word.value}: {plural(count, 'MUST requirement')}"
        for word, count in counts.items()
        if count
    )
    return text[:1].upper() + text[1:]


def _faults_of_kit(catalogue: "Catalogue", ledger: Ledger) -> dict[str, list[str]]:
    """Impossible findings: of requirements that the contract does not have, or that it calls
    unobservable.
    """
    faults = {}
    for name, operations in ledger.findings.items():
        requirement = catalogue.requirements.get(name)
        if requirement is None or requirement.unobservable is not None:
            what = "calls unobservable" if requirement else "does not have"
            faults[f"A check judged {name}, which the contract {what}."] = [*_tests(operations)]
    return faults


def _verdicts(requirements: Iterable[RequirementVerdict]) -> dict[Verdict, int]:
    """How many requirements got each verdict, the worst last."""
    counts = Counter(entry.verdict for entry in requirements)
    return {verdict: counts[verdict] for verdict in Verdict if counts[verdict]}


def _tests(operations: Operations) -> tuple[str, ...]:
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
