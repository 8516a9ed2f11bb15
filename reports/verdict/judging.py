"""From findings to verdicts: what a run says about every requirement, every class, and the
deployment as a whole.

Judging is one pure function, `judge_run`, of the catalogue, the claim, the selection and the
ledger.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from datetime import date
from typing import TYPE_CHECKING

from plumbline.reports.text import plural
from plumbline.reports.verdict.known_failures import Baseline
from plumbline.reports.verdict.ledger import Ledger, Reason
from plumbline.reports.verdict.requirement_judging import judge_own, judge_requirement, tests_of
from plumbline.reports.verdict.run_word import run_word
from plumbline.reports.verdict.value_shares import rows_of
from plumbline.reports.verdict.verdicts import (
    Applied,
    ClassTotals,
    OwnVerdict,
    RequirementVerdict,
    RunVerdict,
)
from plumbline.reports.verdict.words import EXIT_CODES, ExitCode, RunWord, Verdict
from plumbline.spec.findings import LARGER_BUDGET

if TYPE_CHECKING:
    from plumbline.spec import Catalogue

EXERCISED = frozenset({Verdict.PASSED, Verdict.WARNED, Verdict.FAILED})


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
        name: judge_requirement(
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
        name: judge_own(name, ledger.own_sentences[name], operations)
        for name, operations in sorted(ledger.own.items())
    }
    facts = {
        "exercised": exercised or bool(own and partial),
        "partial": partial,
        "finished": finished,
        "observed": observed,
    }
    word, reason = run_word(deciding, len(harness_errors), applied, stopped=ledger.stopped, **facts)
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


def _faults_of_kit(catalogue: "Catalogue", ledger: Ledger) -> dict[str, list[str]]:
    """Impossible findings: of requirements that the contract does not have, or that it calls
    unobservable.
    """
    faults = {}
    for name, operations in ledger.findings.items():
        requirement = catalogue.requirements.get(name)
        if requirement is None or requirement.unobservable is not None:
            what = "calls unobservable" if requirement else "does not have"
            faults[f"A check judged {name}, which the contract {what}."] = [*tests_of(operations)]
    return faults


def _verdicts(requirements: Iterable[RequirementVerdict]) -> dict[Verdict, int]:
    """How many requirements got each verdict, the worst last."""
    counts = Counter(entry.verdict for entry in requirements)
    return {verdict: counts[verdict] for verdict in Verdict if counts[verdict]}
