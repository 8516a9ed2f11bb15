"""The frozen revisions of the contract: what each says, and which requirements another one judges
otherwise.

The newest is stored whole in `newest.json`. Each earlier one is stored as a merge patch that turns
the next revision into it, with the digest of what has to come of that. So a file is written once
and stays, and a new revision adds only what it changes.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from plumbline.spec.facts import Change
from plumbline.spec.merge_patch import patch_of, patched
from plumbline.spec.rows import rows

NEWEST = "newest.json"
NOTE = "x-generated"
"""The member of a file that says who wrote it; it is no part of a revision."""
Judged = Mapping[str, Mapping[str, str]]
"""Requirement id -> name of a schema or a table -> digest of what it says; see
`compiler/writing/judged.py`.
"""


class FrozenError(ValueError):
    """A frozen revision cannot be rebuilt; the message says why, and what to do."""


def revision(number: int) -> dict[str, Any]:
    """A frozen revision.

    Raises:
        LookupError: there is none of this number.
    """
    for frozen_number, document in revisions(files("plumbline.spec").joinpath("frozen")):
        if frozen_number == number:
            return document
    raise LookupError(number)


def revisions(folder: Traversable) -> Iterator[tuple[int, dict[str, Any]]]:
    """The frozen revisions of a folder with their numbers, the newest first; none if it is empty.

    Raises:
        FrozenError: one of them is not what was frozen.
    """
    names = {file.name for file in folder.iterdir() if file.name.endswith(".json")}
    if not names:
        return
    if NEWEST not in names:
        raise FrozenError(
            f"spec/frozen/{NEWEST} is missing; the earlier revisions are changes against it."
            " Restore it."
        )
    document = _read(folder, NEWEST)
    following = document["revision"]
    yield following, document
    for number in sorted(
        (int(name.removesuffix(".json")) for name in names - {NEWEST}), reverse=True
    ):
        delta = _read(folder, f"{number}.json")
        if "changes" not in delta or number >= following:
            raise FrozenError(
                f"spec/frozen/{number}.json does not say how revision {number} differs from a later"
                " one; delete it, and run python -m plumbline.spec."
            )
        document = patched(document, delta["changes"])
        if digest_of(document) != delta["sha256"]:
            raise FrozenError(
                f"spec/frozen/{number}.json does not lead from revision {following} to the revision"
                f" {number} that was frozen; restore the files from {number}.json up to {NEWEST}."
            )
        following = number
        yield number, document


def delta_of(earlier: Mapping[str, Any], later: Mapping[str, Any]) -> str:
    """The file of an earlier revision: how it differs from the next one.

    Raises:
        FrozenError: a merge patch cannot say that.
    """
    changes = patch_of(later, earlier)
    if patched(later, changes) != earlier:
        raise FrozenError(
            f"revision {earlier['revision']} holds null, which says in a merge patch that a member"
            " goes; let facts leave out what is not there."
        )
    return rows({"changes": changes, "sha256": digest_of(earlier)}, levels=3)


def digest_of(document: Mapping[str, Any]) -> str:
    """SHA-256 of a revision in hex, whatever the order of its members."""
    return hashlib.sha256(json.dumps(document, sort_keys=True).encode()).hexdigest()


def document_of(text: str) -> dict[str, Any]:
    """The revision in the text of a file that holds it whole, without the note of who wrote it."""
    document: dict[str, Any] = json.loads(text)
    document.pop(NOTE, None)
    return document


def moved(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """The requirements of a revision that an earlier one lacks, says in other words, or judges by
    other constraints.

    Raises:
        KeyError: one of them was frozen before revisions held what they judge by.
    """
    old, new = before["judged"], after["judged"]
    said = before["requirements"]
    return [
        name
        for name, text in after["requirements"].items()
        if said.get(name) != text or old.get(name) != new.get(name)
    ]


def judged_changes(before: Judged, after: Judged) -> list[Change]:
    """The requirements that the kit judges by other constraints, each with the schemas and tables
    that say so.

    Who breaks is said by the facts of the published document; a stricter kit alone breaks no
    promise.
    """
    changes_judged = []
    for name in sorted({*before, *after}):
        old, new = before.get(name, {}), after.get(name, {})
        if places := [place for place in sorted({*old, *new}) if old.get(place) != new.get(place)]:
            changes_judged.append(
                Change(f"what judges {name or 'no requirement'}", "changed", ", ".join(places), ())
            )
    return changes_judged


def _read(folder: Traversable, name: str) -> dict[str, Any]:
    return document_of(folder.joinpath(name).read_text(encoding="utf-8"))
