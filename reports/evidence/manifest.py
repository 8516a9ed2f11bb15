"""The files of a report folder: which they are, and the manifest that says when one of them has changed."""

import hashlib
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from plumbline.reports.errors import ReportError
from plumbline.reports.evidence.files import ESCAPED, sync, write_whole

MANIFEST = "evidence.json"
RESULTS = "conformance.json"
STATEMENT = "statement.json"
TARGET = "target.json"
FINDINGS = "findings.jsonl"
EVIDENCE = (
    RESULTS,
    FINDINGS,
    TARGET,
    "transcript/*.jsonl",
    "transcript/*.accounts.json",
    "curl/*",
    "report.html",
    "summary.md",
    "ctrf.json",
)
"""What a run leaves in its folder and the manifest digests, as patterns; what does not exist is not missed."""


def clear(folder: Path) -> None:
    """Remove what an earlier run has left, so that it is not taken for this one's; other files of the folder stay.

    The manifest goes first: without it nothing that is still there counts as finished.
    """
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
    """What differs from the manifest, one sentence each; nothing if the folder is as the run has left it.

    Raises:
        ReportError: there is no manifest that could be read.
    """
    listed = {str(entry["path"]): str(entry["sha256"]) for entry in read_manifest(folder)["files"]}
    present = {path.relative_to(folder).as_posix(): path for path in _files(folder, EVIDENCE)}
    for name in sorted({*listed, *present}):
        if name not in present:
            yield f"{name} is missing"
        elif name not in listed:
            yield f"{name} was added after the run"
        elif digest_of(present[name]) != listed[name]:
            yield f"{name} was changed after the run"


def vouches_for(folder: Path, nonce: str, digest: str) -> bool:
    """Whether the manifest of a folder is that of a run and has its results; False where there is none that can be read.

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
    """The manifest of a finished run.

    Raises:
        ReportError: there is none, or it is none.
    """
    path = folder / MANIFEST
    content = read_json(path)
    files = content.get("files")
    if not isinstance(files, list) or not all(isinstance(entry, dict) and {"path", "sha256"} <= entry.keys() for entry in files):
        raise ReportError(f"{path}: is no manifest of a run; repeat the run.")
    return content


def read_json(path: Path) -> dict[str, Any]:
    """A JSON object that stands in a file.

    Raises:
        ReportError: the file is missing or holds something else.
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ReportError(f"{path}: cannot be read ({error.strerror}); name the report folder of a finished run.") from None
    except (ValueError, RecursionError):
        raise ReportError(f"{path}: is not JSON; repeat the run.") from None
    if not isinstance(content, dict):
        raise ReportError(f"{path}: is no JSON object; repeat the run.")
    return content


def digest_of(path: Path) -> str:
    """SHA-256 of a file, in hex."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _files(folder: Path, patterns: Iterable[str]) -> list[Path]:
    return sorted(path for pattern in patterns for path in folder.glob(pattern) if path.is_file())
