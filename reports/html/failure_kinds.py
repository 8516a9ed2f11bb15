"""Kinds of failures: what was wrong at first sight, so that failures with one cause stand
together.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Sample = Mapping[str, Any]
STATUS = re.compile(r"(HTTP )?[1-5]\d\d\b")
SERVER_ERROR = 500


@dataclass(frozen=True)
class Kind:
    """A kind of failure.

    Attributes:
        name: within an address, such as `status`.
        title: what people read.
        fits: whether the sample of a violation is of this kind.
    """

    name: str
    title: str
    fits: Callable[[Sample], bool]


def _exchange(sample: Sample) -> Mapping[str, Any]:
    return sample.get("exchange") or {}


def _is_header(sample: Sample) -> bool:
    exchange, name = _exchange(sample), sample["where"].lower()
    parts = [exchange.get(part) or {} for part in ("request_headers", "response_headers")]
    return any(name == header.lower() for headers in parts for header in headers)


KINDS: Sequence[Kind] = (
    Kind("no-answer", "No answer", lambda sample: bool(_exchange(sample).get("failure"))),
    Kind(
        "server-error",
        "Error of the server (5xx)",
        lambda sample: (_exchange(sample).get("status") or 0) >= SERVER_ERROR,
    ),
    Kind(
        "status",
        "Another status or error code",
        lambda sample: bool(STATUS.match(sample["expected"])),
    ),
    Kind(
        "sequence",
        "Several exchanges contradict each other",
        lambda sample: len(sample.get("sequence") or ()) > 1,
    ),
    Kind("header", "Content of a header", _is_header),
    Kind("body", "Content of a body", lambda sample: sample["where"].startswith("/")),
)
"""The first one that fits counts."""
OTHER = Kind("other", "Other", bool)


def kinds_of(entry: Mapping[str, Any]) -> list[Kind]:
    """The kinds of the violations of a requirement, by the first sample of each operation."""
    samples = [(operation["samples"] or [None])[0] for operation in entry["violations"]]
    kinds = {kind.name: kind for sample in samples for kind in [_kind_of(sample)]}
    return [kind for kind in (*KINDS, OTHER) if kind.name in kinds]


def kinds(entries: Iterable[Mapping[str, Any]]) -> dict[Kind, list[str]]:
    """The requirements with violations of each kind that occurs, the most common kind first."""
    ids: dict[Kind, list[str]] = {}
    for entry in entries:
        for kind in kinds_of(entry):
            ids.setdefault(kind, []).append(entry["id"])
    return dict(sorted(ids.items(), key=lambda item: -len(item[1])))


def _kind_of(sample: Sample | None) -> Kind:
    return next((kind for kind in KINDS if sample is not None and kind.fits(sample)), OTHER)
