"""The deliveries of webhooks that a run received, each with its attempts on a line of time beside
the promised schedule.

They stand in `transcript/deliveries*.jsonl`, one JSON object per request: `at` and `ended_at` (unix
seconds), `status` (what it was answered with; null for nothing), `headers`, `body`, `path`. A line
that cannot be read, or lacks `at`, is passed over.
"""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from plumbline.reports.html.lines import is_number, lines_in

RETRY_GAPS_SECONDS = (1.0, 5.0, 15.0)
"""Seconds after a failed attempt; the contract may also be read as seconds after the first one."""
SCHEDULE_SECONDS = sum(RETRY_GAPS_SECONDS) + 1
"""Seconds from the first failure until nothing more is due."""
TIMELINE_WIDTH = 600.0
"""Of the line of time, in units of the drawing."""
TICK_SECONDS, MAX_TICKS = (1, 5, 10, 30, 60, 300), 6
"""What lies between two ticks of the line of time, and how many there are at most."""
MAX_TIMELINES = 60
"""Deliveries with several attempts that are drawn."""


@dataclass(frozen=True)
class Attempt:
    """One request: when it came and ended (unix seconds), what it was answered with, and what was
    in it.
    """

    at: float
    ended: float
    status: int | None
    headers: Mapping[str, str]
    body: str

    @property
    def answer(self) -> str:
        """The answer in a word."""
        return "no answer" if self.status is None else str(self.status)

    @property
    def taken(self) -> bool:
        """Whether the answer said that all is well."""
        return self.status is not None and 200 <= self.status < 300

    @property
    def clock(self) -> str:
        """When it came, to the millisecond."""
        return f"{datetime.fromtimestamp(self.at, UTC):%H:%M:%S.%f}"[:-3]


@dataclass(frozen=True)
class Delivery:
    """One event at one address, with all attempts in their order."""

    event: str
    subject: str
    attempts: Sequence[Attempt]
    url: str = ""

    @property
    def retried(self) -> bool:
        """Whether it came more than once."""
        return len(self.attempts) > 1

    @property
    def span(self) -> float:
        """Seconds that the line of time shows: the whole schedule, and all that came."""
        first, last = self.attempts[0], self.attempts[-1]
        return max(last.ended - first.at, first.ended - first.at + SCHEDULE_SECONDS)

    @property
    def due(self) -> Iterator[tuple[float, str]]:
        """Places on the line where retries are due: after the failure before, and after the first
        one.
        """
        for attempt, gap in zip(self.attempts, RETRY_GAPS_SECONDS, strict=False):
            if not attempt.taken:
                yield self.place(attempt.ended + gap), "after-last"
                yield self.place(self.attempts[0].ended + gap), "after-first"

    @property
    def ticks(self) -> Iterator[tuple[float, int]]:
        """Places of whole seconds on the line, with the seconds."""
        step = next(
            (step for step in TICK_SECONDS if self.span / step <= MAX_TICKS),
            math.ceil(self.span / MAX_TICKS),
        )
        for seconds in range(0, int(self.span) + 1, step):
            yield self.place(self.attempts[0].at + seconds), seconds

    @property
    def pauses(self) -> Iterator[float | None]:
        """Seconds from the end of the attempt before to each attempt; None for the first."""
        yield None
        for before, after in zip(self.attempts, self.attempts[1:], strict=False):
            yield after.at - before.ended

    @property
    def same_body(self) -> bool:
        """Whether all attempts carried the same bytes."""
        return len({attempt.body for attempt in self.attempts}) == 1

    def place(self, moment: float) -> float:
        """Where a moment is on the line."""
        return round(TIMELINE_WIDTH * (moment - self.attempts[0].at) / self.span, 1)


def deliveries(folder: Path) -> list[Delivery]:
    """All deliveries in a report folder, in the order of their first attempts; none if there is no
    record of them.
    """
    grouped: dict[tuple[str, ...], list[Attempt]] = {}
    names: dict[tuple[str, ...], tuple[str, str]] = {}
    addresses: dict[tuple[str, ...], str] = {}
    for line in lines_in(folder, "deliveries*.jsonl"):
        if attempt := _attempt(line):
            event, subject, created = _names(attempt.body)
            key = (
                (str(line.get("path", "")), event, subject, created)
                if subject
                else (str(line.get("path", "")), attempt.body)
            )
            grouped.setdefault(key, []).append(attempt)
            names[key] = event, subject
            addresses[key] = str(line.get("url", ""))
    listed = [
        Delivery(*names[key], sorted(attempts, key=lambda tried: tried.at), addresses[key])
        for key, attempts in grouped.items()
    ]
    return sorted(listed, key=lambda tried: tried.attempts[0].at)


def _attempt(line: Mapping[str, Any]) -> Attempt | None:
    at, ended, status, headers = (
        line.get(name) for name in ("at", "ended_at", "status", "headers")
    )
    if not is_number(at):
        return None
    return Attempt(
        at=at,
        ended=max(at, ended) if is_number(ended) else at,
        status=status if type(status) is int else None,
        headers=(
            {str(name): str(value) for name, value in headers.items()}
            if isinstance(headers, dict)
            else {}
        ),
        body=str(line.get("body") or ""),
    )


def _names(body: str) -> tuple[str, str, str]:
    """Kind of the event, id of its subject, and when it happened, as far as the body tells."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return "", "", ""
    data = value.get("data") if isinstance(value, dict) else None
    subject = data.get("id") if isinstance(data, dict) else None
    names = [
        value.get(name) if isinstance(value, dict) else None for name in ("event", "created_at")
    ]
    event, created = (name if isinstance(name, str) else "" for name in names)
    return event, subject if isinstance(subject, str) else "", created
