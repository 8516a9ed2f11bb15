"""What a run says about the deployment as a whole."""

from collections.abc import Collection, Iterable, Mapping
from collections.abc import Set as AbstractSet

from plumbline.reports.text import named, plural
from plumbline.reports.verdict.verdicts import Applied, RequirementVerdict
from plumbline.reports.verdict.words import RunWord, Verdict

MISSING = frozenset({Verdict.NOT_EXERCISED, Verdict.NOT_SELECTED})
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


def run_word(
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
