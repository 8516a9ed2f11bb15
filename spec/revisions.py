"""The frozen revisions of the contract: what each says, and which requirements another one judges
otherwise.
"""

import json
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from plumbline.spec.facts import Change

Judged = Mapping[str, Mapping[str, str]]
"""Requirement id -> name of a schema or a table -> digest of what it says; see
`compiler/writing/judged.py`.
"""


def revision(number: int) -> dict[str, Any]:
    """A frozen revision.

    Raises:
        LookupError: there is none of this number.
    """
    file = files("plumbline.spec").joinpath("frozen", f"{number}.json")
    if not file.is_file():
        raise LookupError(number)
    loaded: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return loaded


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
