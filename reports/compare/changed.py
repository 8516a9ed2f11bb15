"""The first exchange in which two runs differ, for each operation on which a requirement broke or
was fixed.

The report of one run holds the exchange of the violation. What the other run received for the same
request is in its transcript, if that lies beside its report: a request is the same if it has the
same text apart from ids, or else the same form. Where such requests had several statuses, none is
named.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from plumbline.reports.text import shorten

Results = Mapping[str, Any]
PATH_LIMIT, VALUE_LIMIT = 120, 200
"""Characters of a path, and of an expected or received value."""
ID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|[0-9a-z]{9,}|[0-9]{2,}")
"""What differs between two runs that do the same: UUIDs, random texts, days and times."""


class Exchanges:
    """The exchanges of a run, by what their requests have in common.

    Args:
        exchanges: as the transcript holds them.
    """

    def __init__(self, exchanges: Iterable[Mapping[str, Any]] = ()) -> None:
        self._statuses: defaultdict[tuple[str, ...], set[int | None]] = defaultdict(set)
        for exchange in exchanges:
            for key in _keys(exchange):
                self._statuses[key].add(exchange.get("status"))

    def status(self, exchange: Mapping[str, Any]) -> int | None:
        """The status of the same request; None where there is none, or several."""
        for key in _keys(exchange):
            if statuses := self._statuses.get(key):
                return next(iter(statuses)) if len(statuses) == 1 else None
        return None


@dataclass(frozen=True)
class FirstExchange:
    """The first exchange that changed.

    Attributes:
        operation: of the contract.
        method: of the request; empty where the violation is about no single exchange.
        path: of the request, with its query.
        before, after: status in the earlier and in the later run; None where that run does not show
            it.
        expected, received: of the violation.
        where: place in the exchange; may be empty.
        run: `before` or `after`, the run whose violation it is.
    """

    operation: str
    method: str
    path: str
    before: int | None
    after: int | None
    expected: str
    received: str
    where: str
    run: str

    def lines(self) -> Iterator[str]:
        """It as lines of text."""
        asked = f"{self.method} {shorten(self.path, PATH_LIMIT)}" if self.method else self.operation
        yield f"{asked}: {self.before or 'unknown'} -> {self.after or 'unknown'}"
        place = f" at {self.where}" if self.where else ""
        when = "" if self.run == "after" else " before"
        yield f"  expected {shorten(self.expected, VALUE_LIMIT)}{place}"
        yield f"  received{when} {shorten(self.received, VALUE_LIMIT)}"


@dataclass(frozen=True)
class Run:
    """A run with its exchanges, which may not be at hand."""

    results: Results
    exchanges: Exchanges


def first_exchanges(
    requirement: str, operations: Sequence[str], before: Run, after: Run
) -> Iterator[FirstExchange]:
    """The first exchange of each operation on which a requirement failed in one of two runs.

    Args:
        requirement: its id.
        operations: where it broke or was fixed.
        before: the earlier run.
        after: the later run.
    """
    for operation in operations:
        for name, run, other in (("after", after, before), ("before", before, after)):
            if sample := _first(run.results, requirement, operation):
                yield _first_exchange(operation, sample, name, other)
                break


def _first_exchange(
    operation: str, sample: Mapping[str, Any], run: str, other: Run
) -> FirstExchange:
    exchange = sample.get("exchange") or {}
    status, there = exchange.get("status"), other.exchanges.status(exchange) if exchange else None
    parts = urlsplit(exchange.get("url", ""))
    return FirstExchange(
        operation,
        exchange.get("method", ""),
        parts.path + (f"?{parts.query}" if parts.query else ""),
        before=there if run == "after" else status,
        after=status if run == "after" else there,
        expected=sample["expected"],
        received=sample["received"],
        where=sample["where"],
        run=run,
    )


def _first(results: Results, requirement: str, operation: str) -> Mapping[str, Any] | None:
    """The violation whose exchange came first."""
    samples = [
        sample
        for entry in results["requirements"]
        if entry["id"] == requirement
        for violation in entry["violations"]
        if violation["operation"] == operation
        for sample in violation["samples"]
    ]
    return min(
        samples, key=lambda sample: (sample.get("exchange") or {}).get("id", 0), default=None
    )


def _keys(exchange: Mapping[str, Any]) -> tuple[tuple[str, ...], ...]:
    """A request by its text and by its form, both apart from ids."""
    parts, body = urlsplit(exchange.get("url", "")), exchange.get("request_body") or ""
    who = (
        exchange.get("method", ""),
        exchange.get("operation", ""),
        exchange.get("actor", ""),
        ID.sub("*", parts.path),
    )
    names = "&".join(sorted(name for name, _ in parse_qsl(parts.query, keep_blank_values=True)))
    return (
        ("text", *who, ID.sub("*", parts.query), ID.sub("*", body)),
        ("form", *who, names, _form(body)),
    )


def _form(body: str) -> str:
    try:
        return json.dumps(_types(json.loads(body)), sort_keys=True) if body else ""
    except (ValueError, RecursionError):
        return "not JSON"


def _types(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _types(inner) for name, inner in value.items()}
    return [_types(inner) for inner in value] if isinstance(value, list) else type(value).__name__
