"""The statement about a run: an in-toto test result over everything that the run has left.

Only a conformant run is stated as PASSED (WARNED where a SHOULD was broken). Everything else is
stated as FAILED: for a reader who knows nothing of partial, incomplete or waived runs, these have
not shown conformance.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

from plumbline.reports.evidence.manifest import FINDINGS, MANIFEST, TARGET, digest_of, read_json
from plumbline.reports.report_errors import ReportError
from plumbline.reports.verdict.words import RunWord

STATEMENT_TYPE = "https://in-toto.io/Statement/v1"
TEST_RESULT = "https://in-toto.io/attestation/test-result/v0.1"
SUBJECTS = (TARGET, "conformance.json", MANIFEST)
"""Files that every statement is about. The manifest digests all others, such as the transcripts and
the HTML report.
"""
OF_A_URI = ":/?#[]@!$&'()*+,;=%"
"""What stays as it is where a target becomes a URI; a client has a command line for one."""
PARTS = {"_type", "subject", "predicateType", "predicate"}
IF_PRESENT = (FINDINGS, "report.html")
"""Files that a statement names besides, so that the statement alone identifies them."""


def statement_of(folder: Path, results: Mapping[str, Any]) -> dict[str, Any]:
    """The statement about the run of a report folder.

    Args:
        folder: of a finished run, with its manifest.
        results: its conformance.json.

    Raises:
        ReportError: the run did not come to its end.
    """
    if results["state"] != "finished" or not (folder / MANIFEST).is_file():
        raise ReportError(
            f"{folder}: the run did not come to its end; repeat it, and make a statement about the"
            " new run."
        )
    target = read_json(folder / TARGET)
    names = [*SUBJECTS, *(name for name in IF_PRESENT if (folder / name).exists())]
    return {
        "_type": STATEMENT_TYPE,
        "subject": [
            {"name": name, "digest": {"sha256": digest_of(folder / name)}} for name in names
        ],
        "predicateType": TEST_RESULT,
        "predicate": predicate(results, target),
    }


def predicate(results: Mapping[str, Any], target: Mapping[str, Any]) -> dict[str, Any]:
    """What a statement says; it follows from the results and the target identity document."""
    verdicts = {
        word: [
            requirement["id"]
            for requirement in results["requirements"]
            if requirement["verdict"] == word
        ]
        for word in ("passed", "warned", "failed")
    }
    run = {
        name: results[name]
        for name in ("verdict", "partial", "claimed", "tier", "seed", "started", "ended", "reason")
    }
    baseline = results["baseline"] or {}
    run |= {"carried": results["carried"]} if "carried" in results else {}
    totals = {name: results["totals"][name] for name in ("passed", "of")}
    return {
        "result": result_of(results),
        "configuration": [
            {
                "name": "contract",
                "digest": {"sha256": results["contract"]["digest"]},
                "annotations": {"revision": results["contract"]["revision"]},
            },
            {
                "name": "suite",
                "uri": f"pkg:pypi/plumbline@{results['suite']['version']}",
                "annotations": dict(results["suite"]),
            },
            {
                "name": "target",
                "uri": quote(target["base_url"], safe=OF_A_URI),
                "annotations": dict(target),
            },
            {
                "name": "run",
                "uri": f"urn:plumbline:run:{results['nonce']}",
                "annotations": run | totals | {"waived": baseline.get("waived", [])},
            },
        ],
        "passedTests": verdicts["passed"],
        "warnedTests": verdicts["warned"],
        "failedTests": verdicts["failed"],
    }


def result_of(results: Mapping[str, Any]) -> str:
    """The verdict of a run in the words of the predicate."""
    if results["verdict"] != RunWord.CONFORMANT.value:
        return "FAILED"
    return (
        "WARNED"
        if any(requirement["verdict"] == "warned" for requirement in results["requirements"])
        else "PASSED"
    )


def contradictions(
    statement: Mapping[str, Any], folder: Path, results: Mapping[str, Any]
) -> Iterator[str]:
    """Where a statement does not fit the report folder, one sentence each.

    Args:
        statement: as it was signed.
        folder: the report folder.
        results: its conformance.json.
    """
    if statement.get("_type") != STATEMENT_TYPE or statement.get("predicateType") != TEST_RESULT:
        yield "what was signed is no in-toto statement of a test result"
        return
    yield from _other_files(statement, folder)
    yield from (
        f"the statement has a part {name!r}, which this kit does not state"
        for name in statement.keys() - PARTS
    )
    if (folder / TARGET).is_file():
        follows = dict(_parts(predicate(results, read_json(folder / TARGET))))
        said = [*_parts(statement.get("predicate"))]
        names = [name for name, _ in said]
        yield from (
            f"the statement says otherwise of the {name} than the report"
            for name, what in follows.items()
            if what not in [value for said_of, value in said if said_of == name]
        )
        yield from (
            f"the statement speaks of the {name} twice"
            for name in dict.fromkeys(names)
            if names.count(name) > 1
        )
        yield from (
            f"the statement speaks of the {name}, which this kit does not state"
            for name in names
            if name not in follows
        )


def _other_files(statement: Mapping[str, Any], folder: Path) -> Iterator[str]:
    """Where the subjects of a statement are not the files of the folder."""
    subjects = statement.get("subject")
    if not isinstance(subjects, list) or not all(_is_subject(subject) for subject in subjects):
        yield "the subjects of the statement are not files with a SHA-256 each"
        return
    digests = {subject["name"]: subject["digest"]["sha256"] for subject in subjects}
    if len(digests) < len(subjects):
        yield "the statement speaks of a file twice"
    yield from (
        f"the statement does not speak of {name}" for name in SUBJECTS if name not in digests
    )
    for name, digest in digests.items():
        path = folder / name
        if name not in (*SUBJECTS, *IF_PRESENT):
            yield f"the statement speaks of {name}, which no run leaves"
        elif not path.is_file():
            yield f"{name} is missing, of which the statement speaks"
        elif digest_of(path) != digest:
            yield f"{name} is not the file that was signed"


def _is_subject(subject: Any) -> bool:
    """Whether it names a file and its SHA-256, and nothing else."""
    return (
        isinstance(subject, dict)
        and subject.keys() == {"name", "digest"}
        and isinstance(subject["name"], str)
        and isinstance(subject["digest"], dict)
        and subject["digest"].keys() == {"sha256"}
        and isinstance(subject["digest"]["sha256"], str)
    )


def _parts(predicate: Any) -> Iterator[tuple[str, Any]]:
    """The parts of a predicate by name, each of its configuration for itself."""
    if isinstance(predicate, dict):
        for name, value in predicate.items():
            if name != "configuration" or not isinstance(value, list):
                yield name, value
            else:
                yield from (
                    (str(part.get("name")) if isinstance(part, dict) else name, part)
                    for part in value
                )
