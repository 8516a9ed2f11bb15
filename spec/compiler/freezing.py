"""Keeps ids and their meaning: a revision of the contract is frozen, and later ones may add to it but take nothing away."""

import hashlib
from collections.abc import Mapping
from typing import Any

from plumbline.spec.compiler.model import Contract


def snapshot(contract: Contract) -> dict[str, Any]:
    """The ids of the requirements, each with a digest of what it says."""
    requirements = {item.id: _digest(f"{item.conformance_class} {item.sentence}") for item in contract.requirements.values()}
    return {"revision": int(contract.properties["revision"]), "requirements": requirements}


def broken_promise(frozen: Mapping[int, Mapping[str, Any]], current: Mapping[str, Any]) -> str | None:
    """What a contract does to ids that were frozen, as one sentence; None when it keeps them all.

    Args:
        frozen: earlier snapshots by revision, perhaps one of this revision among them.
        current: the snapshot of the contract.
    """
    revision, now = current["revision"], current["requirements"]
    for old, earlier in sorted(frozen.items()):
        if gone := [identifier for identifier in earlier["requirements"] if identifier not in now]:
            return f"{gone[0]} of revision {old} is gone; an id stays, even when nothing observes it any more."
    if revision in frozen:
        before = frozen[revision]["requirements"]
        if changed := [identifier for identifier in now if now[identifier] != before.get(identifier)]:
            return (
                f"{changed[0]} is not what revision {revision} froze; "
                "count up the revision in 01-service.md, or put the sentence back."
            )
    return None


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]
