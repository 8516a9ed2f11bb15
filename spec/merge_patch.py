"""JSON Merge Patch (RFC 7396): what turns one JSON object into another, small enough to read.

It says everything about the documents that are frozen: these are objects that hold no null, and
their lists are short, so that a changed list is replaced whole.
"""

from collections.abc import Mapping
from typing import Any


def patch_of(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """The patch that turns one object into another.

    Args:
        before: the object that the patch is applied to.
        after: what comes of it; holds no null, which says in a patch that a member goes.
    """
    patch: dict[str, Any] = dict.fromkeys(before.keys() - after.keys())
    for name, value in after.items():
        old = before.get(name)
        if isinstance(old, Mapping) and isinstance(value, Mapping):
            if inner := patch_of(old, value):
                patch[name] = inner
        elif old != value:
            patch[name] = value
    return patch


def patched(document: Any, patch: Any) -> Any:
    """What comes of a document by a patch, as section 2 of the RFC has it; the document stays."""
    if not isinstance(patch, Mapping):
        return patch
    merged = dict(document) if isinstance(document, Mapping) else {}
    for name, value in patch.items():
        if value is None:
            merged.pop(name, None)
        else:
            merged[name] = patched(merged.get(name), value)
    return merged
