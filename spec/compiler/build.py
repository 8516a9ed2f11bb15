"""Builds every file that follows from the chapters, as text by path, and keeps the ids of earlier
revisions.

A revision is frozen; later ones may add to it, but take nothing away.
"""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from plumbline.spec.compiler.model import Contract
from plumbline.spec.compiler.reading.linking import compile_contract
from plumbline.spec.compiler.writing.judged import judged
from plumbline.spec.compiler.writing.kit_openapi import kit_openapi_document
from plumbline.spec.compiler.writing.listing import listing
from plumbline.spec.compiler.writing.openapi import openapi_document
from plumbline.spec.compiler.writing.promises import promises
from plumbline.spec.compiler.writing.schemas import all_schemas
from plumbline.spec.compiler.writing.vocabulary import vocabulary
from plumbline.spec.facts import changes, facts_of
from plumbline.spec.revisions import NEWEST, judged_changes
from plumbline.spec.rows import rows

NOTE = {
    "x-generated": (
        "by `python -m plumbline.spec` from spec/contract; change the chapters and generate again"
    )
}


def build(chapters: Mapping[str, str], examples: Mapping[str, Any] | None = None) -> dict[str, str]:
    """The files that follow from a contract.

    Args:
        chapters: text by file name.
        examples: recorded exchanges for the published document; see `openapi.Examples`.

    Returns:
        Text by path below `spec`.

    Raises:
        ContractError: the contract cannot be understood.
    """
    contract = compile_contract(chapters)
    schemas = all_schemas(contract)
    files = {f"generated/schemas/{name}.json": schema for name, schema in schemas.items()}
    files["generated/vocabulary.json"] = vocabulary(contract)
    published = openapi_document(contract, examples or {})
    files["generated/kit.openapi.json"] = kit_openapi_document(contract, published)
    files["generated/catalogue.json"] = catalogue = listing(contract, list(schemas))
    frozen = snapshot(contract, published) | {"judged": judged(schemas, catalogue)}
    texts = {path: _text(NOTE | content) for path, content in files.items()}
    texts["generated/openapi.json"] = _text(published)
    return texts | {f"frozen/{NEWEST}": rows(NOTE | frozen, levels=2)}


def snapshot(contract: Contract, published: dict[str, Any]) -> dict[str, Any]:
    """The ids of the requirements, each with a digest of what it says, and the facts of the
    published document.
    """
    requirements = {
        item.id: _digest(f"{item.conformance_class} {item.sentence}")
        for item in contract.requirements.values()
    }
    facts = facts_of(published, {item.id: item.sentence for item in contract.requirements.values()})
    for name, keywords in promises(contract).items():
        facts[name] = facts.get(name, {}) | keywords
    return {
        "revision": int(contract.properties["revision"]),
        "requirements": requirements,
        "facts": facts,
    }


def broken_promise(
    frozen: Mapping[int, Mapping[str, Any]], current: Mapping[str, Any]
) -> str | None:
    """What a contract does to ids that were frozen, as one sentence; None when it keeps them all.

    Args:
        frozen: earlier snapshots by revision, perhaps one of this revision among them.
        current: the snapshot of the contract.
    """
    revision, now = current["revision"], current["requirements"]
    if (newest := max(frozen, default=revision)) > revision:
        return (
            f"revision {newest} is frozen, and the contract says that it is revision {revision}; "
            "count up the revision in 01-service.md."
        )
    for old, earlier in sorted(frozen.items()):
        if gone := [identifier for identifier in earlier["requirements"] if identifier not in now]:
            return (
                f"{gone[0]} of revision {old} is gone; an id stays, even when nothing observes it"
                " any more."
            )
    if revision in frozen:
        before = frozen[revision]["requirements"]
        if changed := [
            identifier for identifier in now if now[identifier] != before.get(identifier)
        ]:
            return (
                f"{changed[0]} is not what revision {revision} froze; "
                "count up the revision in 01-service.md, or put the sentence back."
            )
        if moved := changes(frozen[revision].get("facts", current["facts"]), current["facts"]):
            return (
                f"{moved[0].fact} is {moved[0].kind}, not what revision {revision} froze; "
                "count up the revision in 01-service.md, or put the fact back."
            )
        if odd := judged_changes(
            frozen[revision].get("judged", current["judged"]), current["judged"]
        ):
            return (
                f"{odd[0].fact} ({odd[0].what}) is not what revision {revision} froze; "
                "count up the revision in 01-service.md, or put it back."
            )
    return None


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _text(content: dict[str, Any]) -> str:
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"
