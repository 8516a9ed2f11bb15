"""A plan, as people read it."""

from typing import Any

import pytest

from plumbline.reports.terminal.plan import plan_lines
from plumbline.reports.tests.samples import assert_golden

NOTHING: dict[str, Any] = {
    "target": "https://staging.example.com",
    "tier": "standard",
    "budget": None,
    "limits": "documented",
    "workers": 1,
    "checks": 0,
    "requests": 0,
    "seconds": 0,
    "seconds_at_documented_limits": 0,
    "classes": [{"id": "core", "requirements": 0, "of": 182, "checks": 0, "requests": 0}],
    "lanes": [],
    "not_exercised": [],
}
MUCH = NOTHING | {
    "target": "staging\x1b[31m",
    "budget": "20m",
    "workers": 3,
    "checks": 1428,
    "requests": 1040,
    "seconds": 985,
    "seconds_at_documented_limits": 985,
    "classes": [
        {"id": "core", "requirements": 182, "of": 182, "checks": 1409, "requests": 998},
        {"id": "credentials", "requirements": 6, "of": 6, "checks": 19, "requests": 42},
    ],
    "lanes": [
        {"lane": "main", "title": "the organization", "REST": 900, "bookings": 62, "GraphQL": 43, "beyond": 200, "seconds": 985},
        {"lane": "other", "title": "the other one", "REST": 41, "bookings": 0, "GraphQL": 0, "beyond": 0, "seconds": 0},
        {"lane": "limited", "title": "the limited one", "REST": 56, "bookings": 25, "GraphQL": 0, "beyond": 0, "seconds": None},
    ],
    "not_exercised": [
        {"class": "core", "requirements": ["LEAD-01"], "reason": "the budget does not pay for it", "remedy": "give more"},
        {"class": "limits", "requirements": [f"LIM-{number:02}" for number in range(1, 17)], "reason": "no key", "remedy": None},
    ],
}
LIFTED = MUCH | {"limits": "lifted", "seconds": 64, "workers": 1, "budget": None}


@pytest.mark.parametrize(("name", "plan"), [("nothing", NOTHING), ("much", MUCH), ("lifted", LIFTED)])
def test_plan_lines_match_golden_and_are_printable(name: str, plan: dict[str, Any]) -> None:
    lines = list(plan_lines(plan, width=80))
    assert all(line == line.rstrip() and line.isprintable() for line in lines)
    assert_golden(f"plan-{name}.txt", "".join(f"{line}\n" for line in lines))
