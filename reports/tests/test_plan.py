"""A plan, as people read it."""

import json

import pytest

from plumbline.reports.terminal.plan_lines import plan_lines
from plumbline.reports.tests.samples import GOLDEN, assert_golden


@pytest.mark.parametrize("name", ["nothing", "much", "lifted"])
def test_plan_lines_match_golden_and_are_printable(name: str) -> None:
    plan = json.loads((GOLDEN / f"plan-{name}.json").read_text(encoding="utf-8"))
    lines = list(plan_lines(plan, width=80))
    assert all(line == line.rstrip() and line.isprintable() and len(line) <= 80 for line in lines)
    assert_golden(f"plan-{name}.txt", "".join(f"{line}\n" for line in lines))
