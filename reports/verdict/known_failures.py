"""The baseline: failures that are known, each with its operations, a reason, an owner and a day
until which the gate ignores it.

It is a TOML file that `plumbline baseline write` writes after a real run, and people edit. What it
names still counts as failed; only the gate lets it through, and says so.
"""

import hashlib
import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

from plumbline.reports.report_errors import ReportError

HEADER = """\
# Known failures of a deployment, written by `plumbline baseline write` from a run. Until the day
# named here has passed, such a failure does not fail the gate; the same requirement broken on an
# operation that is not listed does. Reasons, owners and days may be edited by hand. The gate also
# fails for an entry whose requirement passes now, or whose day is over, until you remove it.
"""
TEXTS = ("reason", "owner")


@dataclass(frozen=True)
class Waiver:
    """Why a failure is known, who answers for it, the last day on which it does not fail the gate,
    and on which operations.
    """

    reason: str
    owner: str
    expires: date
    operations: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The waiver in JSON values."""
        return {
            "operations": list(self.operations),
            "reason": self.reason,
            "owner": self.owner,
            "expires": self.expires.isoformat(),
        }


@dataclass(frozen=True)
class Baseline:
    """Waivers by requirement id, with the name and the SHA-256 of the file that they stood in."""

    file: str
    sha256: str
    waivers: Mapping[str, Waiver]

    def in_force(self, today: date) -> list[str]:
        """What fails no check, such as `PAG-03 GET /v1/calls`."""
        waivers = (
            (name, waiver) for name, waiver in self.waivers.items() if waiver.expires >= today
        )
        return [
            f"{name} {operation}" for name, waiver in waivers for operation in waiver.operations
        ]

    def to_dict(self) -> dict[str, Any]:
        """The baseline in JSON values."""
        return {
            "file": self.file,
            "sha256": self.sha256,
            "waivers": {name: waiver.to_dict() for name, waiver in self.waivers.items()},
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Baseline":
        """The baseline that `to_dict` has taken apart."""
        waivers = {
            name: _waiver(entry | {"expires": date.fromisoformat(entry["expires"])})
            for name, entry in data["waivers"].items()
        }
        return cls(data["file"], data["sha256"], waivers)


def read_baseline(path: Path) -> Baseline:
    """Read a baseline.

    Raises:
        ReportError: the file is missing, is no TOML, or an entry lacks something or has too much.
    """
    try:
        content = path.read_bytes()
        tables = tomllib.loads(content.decode("utf-8-sig"))
    except OSError as error:
        raise ReportError(
            f"{path}: cannot be read ({error.strerror}); name a file of `plumbline baseline write`."
        ) from None
    except ValueError as error:
        raise ReportError(
            f"{path}: is not TOML ({error}); name a file of `plumbline baseline write`."
        ) from None
    try:
        waivers = {name: _waiver(entry) for name, entry in tables.items()}
    except ValueError as error:
        raise ReportError(f"{path}: {error}.") from None
    return Baseline(path.name, hashlib.sha256(content).hexdigest(), waivers)


def baseline_text(waivers: Mapping[str, Waiver]) -> str:
    """The content of a baseline file."""
    return HEADER + "".join(f"\n[{name}]\n{_lines(waiver)}" for name, waiver in waivers.items())


def renewed(
    old: Mapping[str, Waiver], results: Mapping[str, Any], fresh: Waiver
) -> dict[str, Waiver]:
    """What a baseline becomes by the results of a run: known failures keep their words, fixed ones
    go, new ones come.

    An entry lists the operations on which its requirement fails now; those of a run that did not
    judge it stay.

    Args:
        old: the waivers so far.
        results: a conformance.json.
        fresh: for failures that are new.

    Raises:
        ReportError: the run is no ground for a baseline.
    """
    if results["state"] != "finished" or results["verdict"] == "invalid run":
        raise ReportError(
            f"A baseline is written from a finished run; this one is {results['verdict']}, so"
            " repeat it."
        )
    entries = {entry["id"]: entry for entry in results["requirements"]}
    kept = [
        name
        for name in old
        if name in entries and (results["partial"] or entries[name]["verdict"] != "passed")
    ]
    failed = failures(results)
    waivers = {name: old.get(name, fresh) for name in entries if name in kept or name in failed}
    return {
        name: _widened(waiver, entries[name], keep=results["partial"])
        for name, waiver in waivers.items()
    }


def _widened(waiver: Waiver, entry: Mapping[str, Any], *, keep: bool) -> Waiver:
    broken = [violation["operation"] for violation in entry["violations"]]
    before = waiver.operations if keep or not broken else ()
    return replace(waiver, operations=tuple(sorted({*before, *broken})))


def failures(results: Mapping[str, Any]) -> list[str]:
    """The requirements that fail the gate or would without a waiver, in contract order."""
    decides = {
        class_["id"] for class_ in results["classes"] if class_["claimed"] and class_["decides"]
    }
    return [
        requirement["id"]
        for requirement in results["requirements"]
        if requirement["verdict"] == "failed" and requirement["class"] in decides
    ]


def _waiver(entry: Any) -> Waiver:
    if not isinstance(entry, dict) or set(entry) != {"operations", *TEXTS, "expires"}:
        raise ValueError(
            "each requirement id is a table with `operations`, `reason`, `owner` and `expires`, and"
            ' nothing else; `operations` are where it may fail, such as ["GET /v1/calls"]'
        )
    operations = entry["operations"]
    if (
        not isinstance(operations, list)
        or not operations
        or not all(isinstance(operation, str) and operation for operation in operations)
    ):
        raise ValueError(
            '`operations` must be a list of texts that is not empty, such as ["GET /v1/calls"]'
        )
    for name in TEXTS:
        if not isinstance(entry[name], str) or not entry[name].strip():
            raise ValueError(f"`{name}` must be a text that is not empty")
    if type(entry["expires"]) is not date:
        raise ValueError("`expires` must be a day without quotation marks, such as 2027-01-31")
    return Waiver(
        entry["reason"].strip(), entry["owner"].strip(), entry["expires"], tuple(operations)
    )


def _lines(waiver: Waiver) -> str:
    operations = "".join(f"\n  {_quoted(operation)}," for operation in waiver.operations)
    texts = f"reason = {_quoted(waiver.reason)}\nowner = {_quoted(waiver.owner)}\n"
    return f"operations = [{operations}\n]\n{texts}expires = {waiver.expires.isoformat()}\n"


def _quoted(text: str) -> str:
    """A text as a TOML string, which is a JSON string but for one control character."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def day(text: str) -> date:
    """A day as a tester types it.

    Raises:
        ReportError: it is none.
    """
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise ReportError(f"{text!r} is no day to expire on; write it like 2027-01-31.") from None
