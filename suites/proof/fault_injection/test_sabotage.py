"""The harness sees when the kit is broken: a check that cannot fail proves nothing."""

import pytest

from .injector import Point
from .test_fault_injection import tried_at
from .trying import REPORT, Command, sandbox

RUN, BROKEN = "run, sound deployment", "run, broken deployment"
CASES: dict[str, tuple[str, Point, str]] = {
    "findings that cannot be written are forgotten": (
        RUN,
        Point("write", f"/here/{REPORT}/findings.jsonl", 9),
        "input/output error",
    ),
    "a fault of the kit ends with 0": (
        RUN,
        Point("create", f"/here/{REPORT}/.evidence.json.*", 1),
        "disk full",
    ),
    "a fault of the kit ends with 1": (
        RUN,
        Point("create", f"/here/{REPORT}/.evidence.json.*", 1),
        "disk full",
    ),
    "results are overwritten where they lie": (
        BROKEN,
        Point("write", f"/here/{REPORT}/conformance.json", 2),
        "killed in the middle",
    ),
}
"""Sabotages, each with a fault that brings it to light; the last writes elsewhere than the kit."""


@pytest.mark.parametrize("sabotage", CASES)
def test_harness_sees(sabotage: str, commands_by_name: dict[str, Command]) -> None:
    """With the sabotage the fault becomes a verdict, and without it the same fault does not."""
    name, point, failure = CASES[sabotage]
    command = commands_by_name[name]
    with sandbox(command) as place:
        plain = place.carry_out(command)
    is_hit, problems = tried_at(command, plain, point, failure, sabotage)
    assert is_hit
    assert problems
    assert tried_at(command, plain, point, failure)[1] == []
