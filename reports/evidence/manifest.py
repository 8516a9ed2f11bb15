"""The files of a report folder: which they are, and the manifest that says when one of them has
changed.
"""

import hashlib
import json
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from plumbline.reports.evidence.regular_files import content_of, digest_in
from plumbline.reports.evidence.whole_files import ESCAPED, sync, write_whole
from plumbline.reports.report_errors import ReportError, unreadable
from plumbline.reports.text import shorten
from plumbline.spec.strict_json import AmbiguousJsonError, parsed

MANIFEST = "evidence.json"
RESULTS = "conformance.json"
STATEMENT = "statement.json"
TARGET = "target.json"
FINDINGS = "findings.jsonl"
FILES: Mapping[str, str] = {
    RESULTS: (
        "Everything about the run, for machines; see its fields. It exists from the beginning,"
        " stamped `unfinished`, and is at most five seconds old."
    ),
    FINDINGS: "The settings of the run, then every finding, one line each.",
    TARGET: (
        "Which deployment it was: origin, digests of the TLS public keys that answered, headers"
        " that name its build, the nonce of the run."
    ),
    "transcript/*.jsonl": (
        "Every exchange and every delivery, one line each, files for each process. A delivery in"
        " `deliveries*.jsonl` is one JSON object with `at`, `ended_at` (unix seconds), `status`,"
        " `url`, `path`, `headers` and `body`, and what the oracles also need: `subscription`,"
        " `event`, `attempt`, `late`, `clock_moved` and `is_test`. `withheld` says what was taken"
        " out before it was written."
    ),
    "transcript/*.accounts.json": "What each check has sent, files for each process.",
    "curl/*": (
        "Requests of violations that are too long for a line: `sh FILE` repeats one, with the body"
        " beside it in `*.body`."
    ),
    "report.html": "The contract with a verdict beside each requirement, for people.",
    "summary.md": (
        "The page of a pipeline; added to the step's summary where `GITHUB_STEP_SUMMARY` is set."
    ),
    "ctrf.json": (
        "For dashboards that read the [Common Test Report Format](https://ctrf.io): one test for"
        " each requirement."
    ),
}
"""What a run leaves in its folder, as patterns, with what each holds."""
BESIDE: Mapping[str, str] = {
    MANIFEST: "The manifest: SHA-256 of each file of the run, written when everything else is.",
    STATEMENT: "The signed statement, if there is one.",
}
"""What is written about these files, with what each holds."""
EVIDENCE = tuple(FILES)
"""What the manifest digests, as patterns; what does not exist is not missed."""
FOLDERS = ("transcript", "curl")
"""Folders of a report that hold some of it."""
SCRATCH = "pace"
"""Folder by which the processes of a run agree; only a run that was ended in the middle leaves
it.
"""
PLAIN_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}", re.ASCII)
"""A part of the name of every file that a run leaves; no two of them look alike."""
SHA256 = re.compile(r"[0-9a-f]{64}")


def is_of_a_run(name: str) -> bool:
    """Whether a run, or a statement about it, leaves a file of this name in its folder."""
    parts = name.split("/")
    if not all(PLAIN_NAME.fullmatch(part) and not part.endswith(".") for part in parts):
        return False
    return any(
        pattern.count("/") == len(parts) - 1 and fnmatchcase(name, pattern)
        for pattern in (*EVIDENCE, MANIFEST, STATEMENT)
    )


def clear(folder: Path) -> None:
    """Remove what an earlier run has left, so that it is not taken for this one's; other files of
    the folder stay.

    The manifest goes first: without it nothing that is still there counts as finished. A link in
    the place of a folder or a file of the run goes as well, and what it leads to stays as it is.
    """
    for name in (*FOLDERS, SCRATCH):
        if (folder / name).is_symlink():
            (folder / name).unlink()
    if (folder / SCRATCH).is_dir():
        shutil.rmtree(folder / SCRATCH)
    written = [*EVIDENCE, *(f".{name}.*" for name in (MANIFEST, *EVIDENCE) if "/" not in name)]
    for path in (folder / MANIFEST, folder / STATEMENT, *_files(folder, written)):
        path.unlink(missing_ok=True)


def seal(folder: Path, nonce: str, results: str | None = None) -> Path:
    """Write the manifest, with the SHA-256 of every file of evidence.

    Args:
        folder: the report folder.
        nonce: of the run.
        results: what conformance.json is going to hold; None if it stands there already.

    Returns:
        The path of the manifest.

    Raises:
        OSError: a file cannot be read, or the manifest cannot be written.
    """
    digests = {}
    for path in _files(folder, EVIDENCE):
        sync(path)
        digests[path.relative_to(folder).as_posix()] = digest_of(path)
    if results is not None:
        digests[RESULTS] = hashlib.sha256(results.encode("utf-8", ESCAPED)).hexdigest()
    files = [{"path": name, "sha256": digests[name]} for name in sorted(digests)]
    manifest = folder / MANIFEST
    write_whole(manifest, json.dumps({"nonce": nonce, "files": files}, indent=2) + "\n")
    return manifest


def broken_seals(folder: Path) -> Iterator[str]:
    """What differs from the manifest among the files that a run leaves, one sentence each.

    What else lies in the folder is not looked at; see `snapshot`.

    Raises:
        ReportError: there is no manifest that could be read.
    """
    listed = {entry["path"]: entry["sha256"] for entry in read_manifest(folder)["files"]}
    present = {path.relative_to(folder).as_posix(): path for path in _files(folder, EVIDENCE)}
    for name in sorted({*listed, *present}):
        if name not in present:
            yield f"{name} is missing"
        elif name not in listed:
            yield f"{name} was added after the run"
        elif present[name].is_symlink():
            yield f"{name} is a link"
        elif digest_of(present[name]) != listed[name]:
            yield f"{name} was changed after the run"


def vouches_for(folder: Path, nonce: str, digest: str) -> bool:
    """Whether the manifest of a folder is that of a run and has its results; False where there is
    none that can be read.

    Args:
        folder: the report folder.
        nonce: of the run.
        digest: SHA-256 of its conformance.json, in hex.
    """
    try:
        manifest = read_manifest(folder)
    except ReportError:
        return False
    listed = [entry["sha256"] for entry in manifest["files"] if entry["path"] == RESULTS]
    return bool(manifest.get("nonce") == nonce and listed == [digest])


def read_manifest(folder: Path) -> dict[str, Any]:
    """The manifest of a finished run; all names in it are those that a run gives its files, each
    once.

    Raises:
        ReportError: there is none, or it is none.
    """
    path = folder / MANIFEST
    content = read_json(path)
    files = content.get("files")
    if not isinstance(files, list) or not all(
        isinstance(entry, dict) and {"path", "sha256"} == entry.keys() for entry in files
    ):
        raise ReportError(f"{path}: is no manifest of a run; repeat the run.")
    names: set[str] = set()
    for name, digest in ((entry["path"], entry["sha256"]) for entry in files):
        if not isinstance(name, str) or not is_of_a_run(name) or name in (MANIFEST, STATEMENT):
            raise ReportError(
                f"{path}: lists {shorten(str(name), 80)}, which no run leaves; repeat the run."
            )
        if name.casefold() in names:
            raise ReportError(f"{path}: lists {name} twice; repeat the run.")
        if not isinstance(digest, str) or not SHA256.fullmatch(digest):
            raise ReportError(f"{path}: has no SHA-256 of {name}; repeat the run.")
        names.add(name.casefold())
    return content


def read_json(path: Path) -> dict[str, Any]:
    """A JSON object that stands in a file, with one meaning for all readers; see `strict_json`.

    Raises:
        ReportError: the file is missing or holds something else.
    """
    try:
        content = parsed(content_of(path))
    except OSError as error:
        raise unreadable(path, error, "name the report folder of a finished run.") from None
    except AmbiguousJsonError as error:
        raise ReportError(f"{path}: {error}; repeat the run.") from None
    if not isinstance(content, dict):
        raise ReportError(f"{path}: is no JSON object; repeat the run.")
    return content


def digest_of(path: Path) -> str:
    """SHA-256 of a file, in hex.

    Raises:
        OSError: it cannot be read.
        ReportError: it is a link or no regular file.
    """
    return digest_in(path.parent, path.name)


def _files(folder: Path, patterns: Iterable[str]) -> list[Path]:
    """The files of some patterns, links to files too, without a look behind a link that stands in
    the place of a folder.
    """
    files = (
        path
        for pattern in patterns
        for path in folder.glob(pattern)
        if not path.parent.is_symlink() or path.parent == folder
    )
    return sorted(path for path in files if path.is_symlink() or path.is_file())
