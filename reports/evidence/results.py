"""conformance.json: the results of a run for machines, complete and in a stable order."""

import hashlib
import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from plumbline.reports.evidence.manifest import MANIFEST, RESULTS, seal, vouches_for
from plumbline.reports.evidence.regular_files import content_of
from plumbline.reports.evidence.whole_files import write_whole
from plumbline.reports.pages.forms import add_to_step, write_forms
from plumbline.reports.report_errors import ReportError, unreadable
from plumbline.reports.report_schemas import SCHEMA_VERSION, fault_of, results_validator
from plumbline.reports.run_context import RunContext
from plumbline.reports.verdict.ledger import Observed, Tally
from plumbline.reports.verdict.value_shares import class_counts
from plumbline.reports.verdict.verdicts import Applied, OwnVerdict, RequirementVerdict, RunVerdict
from plumbline.reports.verdict.words import ExitCode, RunWord, Verdict
from plumbline.spec.strict_json import AmbiguousJsonError, parsed


def write_results(run: RunVerdict, context: RunContext, *, forms: bool = False) -> Path:
    """Write conformance.json into the report folder, whole; of a finished run everything else
    before it.

    A finished run leaves the forms for people, then the manifest, which already has the digest of
    the new conformance.json, and conformance.json last. So whenever the process ends, a
    conformance.json that says `finished` has its manifest, and all that the manifest lists.

    Args:
        run: what it says.
        context: its circumstances.
        forms: whether an unfinished run leaves the forms for people too.

    Returns:
        The path of conformance.json.

    Raises:
        OSError: the folder cannot be made or written to; conformance.json does not say `finished`
            then.
    """
    document = document_of(run, context)
    text = json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    if run.finished or forms:
        write_forms(document, context.report_dir)
    if run.finished:
        seal(context.report_dir, context.nonce, text)
    write_whole(context.results, text)
    if run.finished:
        add_to_step(document)
    return context.results


def load(path: Path) -> dict[str, Any]:
    """Read a conformance.json, and believe that its run has finished only if the manifest beside it
    says so.

    Every reader of a report reads it here. `finished` counts only together with a manifest that
    names the same run and has the digest of the file, because a run writes both at its very end.
    Without one the results come back as those of an unfinished run: `state` is `unfinished`, and a
    verdict better than that becomes `unfinished` with exit code 10. The manifest is not held
    against the other files of the folder; `broken_seals` does that.

    Args:
        path: the file, in its report folder.

    Raises:
        ReportError: see `read_results`.
    """
    document, digest = _read(path)
    return (
        document if vouches_for(path.parent, document["nonce"], digest) else _unfinished(document)
    )


def read_results(path: Path) -> dict[str, Any]:
    """Read a conformance.json and hold it against its schema; for those who hold it against its
    manifest themselves.

    Raises:
        ReportError: the file is missing, is no JSON, is of another version, or is not what the
            schema asks for.
    """
    return _read(path)[0]


def _read(path: Path) -> tuple[dict[str, Any], str]:
    """The content of a conformance.json, and its SHA-256."""
    try:
        content = content_of(path)
    except OSError as error:
        raise unreadable(path, error, "name the report folder of a finished run.") from None
    return results_in(content, path), hashlib.sha256(content).hexdigest()


def results_in(content: bytes, path: Path | str) -> dict[str, Any]:
    """The results in the bytes of a conformance.json.

    Args:
        content: of the file, by any author.
        path: what errors call it.

    Raises:
        ReportError: it is no JSON, is of another version, or is not what the schema asks for.
    """
    try:
        document = parsed(content)
    except AmbiguousJsonError as error:
        raise ReportError(
            f"{path}: {error}; name the report folder of a finished run, or its conformance.json."
        ) from None
    version = document.get("schema_version") if isinstance(document, dict) else None
    if version is None:
        raise ReportError(
            f"{path}: is no conformance.json of this kit; name the report folder of a finished run."
        )
    if version != SCHEMA_VERSION:
        raise ReportError(
            f"{path}: has the schema_version {version}, this kit reads {SCHEMA_VERSION}; repeat the"
            " run with it."
        )
    if fault := fault_of(results_validator(), document):
        raise ReportError(
            f"{path}: is no conformance.json of this kit, at {fault}; repeat the run to get a sound"
            " one."
        )
    return dict(document)


def is_finished(folder: Path) -> bool:
    """Whether the run of a report folder has come to its end; False where nothing says so that can
    be read.
    """
    try:
        return bool(load(folder / RESULTS)["state"] == "finished")
    except ReportError:
        return False


def finished_results(folder: Path) -> dict[str, Any]:
    """The results of a run that has come to its end, for readers that have no use for any other.

    Raises:
        ReportError: it has not, or the folder holds no results that can be read; see `load`.
    """
    results = load(folder / RESULTS)
    if results["state"] != "finished":
        raise ReportError(
            f"{folder}: the run did not come to its end ({MANIFEST} does not vouch for it);"
            " repeat it."
        )
    return results


def _unfinished(document: Mapping[str, Any]) -> dict[str, Any]:
    """Results of a run that did not come to its end, or of which nothing shows that it did."""
    results = {**document, "state": "unfinished"}
    if RunWord(document["verdict"]) < RunWord.UNFINISHED:
        said = f"{MANIFEST} does not vouch for these results, so the run counts as unfinished."
        word, code = RunWord.UNFINISHED.value, int(ExitCode.INCOMPLETE)
        results |= {"verdict": word, "exit_code": code, "reason": said}
    return results


def document_of(run: RunVerdict, context: RunContext) -> dict[str, Any]:
    """The content of conformance.json: JSON values, keys and lists in a stable order."""
    circumstances = {
        "suite": {"name": "plumbline", "version": context.suite_version},
        "contract": {"revision": run.contract_revision, "digest": run.contract_digest},
        "target": context.target,
        "profile": dict(context.profile),
        "claimed": [totals.id for totals in run.classes.values() if totals.claimed],
        "tier": context.tier,
        "seed": context.seed,
        "nonce": context.nonce,
        "started": instant(context.started),
        "ended": instant(context.ended),
    }
    judged = judged_part(run)
    state = {"schema_version": SCHEMA_VERSION, "state": judged.pop("state")}
    arguments = list(context.arguments)
    reproduce = {
        "command": context.in_files().command,
        "arguments": arguments,
        "report": context.folder,
        "seed": context.seed,
    }
    earlier = {"earlier": [dict(run) for run in context.earlier]} if context.earlier else {}
    return state | circumstances | judged | earlier | {"reproduce": reproduce}


def judged_part(run: RunVerdict) -> dict[str, Any]:
    """What follows from the findings alone, so that it can be computed again from them."""
    return {
        "state": "finished" if run.finished else "unfinished",
        "partial": run.partial,
        "verdict": run.verdict.value,
        "exit_code": int(run.exit_code),
        "reason": run.reason,
        "totals": {"passed": run.passed, "of": run.denominator, "verdicts": _counts(run.totals)},
        "classes": [
            {
                "id": totals.id,
                "claimed": totals.claimed,
                "decides": totals.decides,
                "verdicts": _counts(totals.verdicts),
            }
            for totals in run.classes.values()
        ],
        "requirements": [_requirement(entry, run) for entry in run.requirements.values()],
        "baseline": _baseline(run.baseline),
        **({"carried": dict(run.carried)} if run.carried else {}),
        "open_items": [_choice(name, observation) for name, observation in run.choices.items()],
        "never_shown": list(run.never_shown),
        **({"values_sent": list(run.values_sent)} if run.values_sent else {}),
        "requests": dict(run.requests),
        "own_checks": [_own(check) for check in run.own.values()],
        "harness_errors": [
            {"sentence": sentence, "tests": list(tests)}
            for sentence, tests in run.harness_errors.items()
        ],
    }


def _choice(name: str, observation: Observed) -> dict[str, Any]:
    """What a deployment chose, part by part; where it did not always choose the same, that it
    varies.
    """
    choices = []
    for of, values in sorted(observation.parts.items()):
        counts = {value: count for value, (count, _) in sorted(values.items())}
        choice = f"varies: {', '.join(counts)}" if len(counts) > 1 else next(iter(counts))
        choices.append(
            {
                "of": of,
                "choice": choice,
                "values": counts,
                "example": min(line for _, line in values.values()),
            }
        )
    return {"id": name, "count": observation.count, "choices": choices}


def _own(entry: OwnVerdict) -> dict[str, Any]:
    return {
        "id": entry.id,
        "sentence": entry.sentence,
        "verdict": entry.verdict.value,
        "reason": entry.reason,
        "tests": list(entry.tests),
        "violations": _violations(entry.violations),
    }


def _violations(violations: Mapping[str, Tally]) -> list[dict[str, Any]]:
    return [
        {"operation": name, "count": tally.count, "samples": tally.samples}
        for name, tally in violations.items()
    ]


def _requirement(entry: RequirementVerdict, run: RunVerdict) -> dict[str, Any]:
    counts, baseline = class_counts(entry.requirement.id, run.values_sent), run.baseline
    waived = baseline is not None and entry.requirement.id in baseline.waived
    return {
        "id": entry.requirement.id,
        "class": entry.requirement.conformance_class,
        "keyword": entry.requirement.keyword,
        "verdict": entry.verdict.value,
        "reason": entry.reason,
        "remedy": entry.remedy,
        "waiver": (
            baseline.baseline.waivers[entry.requirement.id].to_dict()
            if baseline and waived
            else None
        ),
        "tests": list(entry.tests),
        "counts": dict(entry.counts),
        "violations": _violations(entry.violations),
        **({"classes": counts} if counts else {}),
    }


def _baseline(applied: Applied | None) -> dict[str, Any] | None:
    if applied is None:
        return None
    return {
        "file": applied.baseline.file,
        "sha256": applied.baseline.sha256,
        "entries": len(applied.baseline.waivers),
        **{
            name: list(getattr(applied, name)) for name in ("waived", "stale", "expired", "unknown")
        },
    }


def _counts(verdicts: Mapping[Verdict, int]) -> dict[str, int]:
    return {verdict.value: count for verdict, count in verdicts.items()}


def instant(moment: datetime | None) -> str | None:
    """A moment as text, in UTC and whole seconds."""
    return (
        moment.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
        if moment
        else None
    )
