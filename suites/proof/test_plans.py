"""A plan foretells what a run sends and judges."""

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from plumbline.fixtures.tests.forks import ended

from .proving import IMMEDIATE_CLASSES

ROOT = Path(__file__).parents[2]
CLAIM = f"--claim={IMMEDIATE_CLASSES}"
"""The table of costs holds what the classes send that wait."""
MAX_RELATIVE_ERROR = 0.1
"""How far a plan may be off."""
MAX_ERROR_OF_LANE = 0.2
"""How far it may be off for one organization: where this has few records, lists have fewer pages
than where costs were measured.
"""
MAX_EXTRA_REQUIREMENTS = 8
"""Requirements that a part of a run may judge more or less than foreseen, because all traffic is
judged, whatever it was for.
"""
GUIDES = ("README.md", "fixtures/VENDORS.md", "fixtures/PROGRAMMES.md", "reports/GATE.md")
NUMBERS = {6: "six", 7: "seven", 8: "eight", 9: "nine", 10: "ten", 11: "eleven"}
PARTS = [
    ("-k", "pagination"),
    ("--requirement=CALL-29",),
    (CLAIM, "--budget=60"),
    (CLAIM, "--tier=smoke", "-n", "2"),
    (CLAIM, "--tier=smoke", "--limits=documented", "--organizations=4"),
]


@pytest.mark.parametrize(
    "options", PARTS, ids=lambda options: " ".join(options).replace(CLAIM, "").strip()
)
def test_a_plan_foretells_a_run(tmp_path: Path, options: tuple[str, ...]) -> None:
    """Requests and requirements are as planned, all in all and lane by lane, whatever is selected
    and however it is shared.
    """
    plan = planned(*options)
    results, lanes = run(tmp_path / "report", *options)
    sent = sum(results["requests"].values())
    assert plan["requests"] == pytest.approx(sent, rel=MAX_RELATIVE_ERROR)
    assert sum(lanes.values()) == sent
    assert {
        lane["lane"]: lane["REST"] + lane["GraphQL"] for lane in plan["lanes"]
    } == pytest.approx(lanes, rel=MAX_ERROR_OF_LANE, abs=2)
    foreseen = {class_["id"]: class_["requirements"] for class_ in plan["classes"]}
    assert foreseen == pytest.approx(judged(results), rel=0, abs=MAX_EXTRA_REQUIREMENTS)
    assert sum(class_["requests"] for class_ in plan["classes"]) == plan["requests"]
    assert not any(lane["beyond"] for lane in plan["lanes"])


def test_one_organization_bears_the_standard_tier() -> None:
    """With a key and an address alone the checks that tell least are left out, not those that come
    last.
    """
    plan = planned("--base-url=http://127.0.0.1:9", "--api-key=svc_pk_test_plan", "--limits=lifted")
    assert [lane["beyond"] for lane in plan["lanes"]] == [0] * len(plan["lanes"])
    assert {class_["id"]: class_["of"] - class_["requirements"] for class_ in plan["classes"]} == {
        "core": 0,
        "graphql": 0,
        "analytics": 0,
    }


def test_guides_name_the_minutes_that_the_plan_foresees() -> None:
    """One figure for the standard tier, the longer one of a key and an address alone and of
    everything.
    """
    alone = planned("--base-url=http://127.0.0.1:9", "--api-key=svc_pk_test_plan")
    longest = max(plan["seconds_at_documented_limits"] for plan in (alone, planned()))
    minutes = {NUMBERS[round(longest / 60)]}
    for name in GUIDES:
        text = (ROOT / name).read_text(encoding="utf-8")
        assert set(re.findall(rf"\b({'|'.join(NUMBERS.values())}) minutes", text)) == minutes, name


def planned(*options: str) -> dict[str, Any]:
    """The plan of a run with the same options."""
    plan: dict[str, Any] = json.loads(_pytest("--plan=json", *options))
    return plan


def run(folder: Path, *options: str) -> tuple[dict[str, Any], dict[str, int]]:
    """The results of a run on the embedded deployment, and its requests by whose limits they use
    up.
    """
    _pytest(f"--report-dir={folder}", *options)
    lanes: Counter[str] = Counter()
    for file in (folder / "transcript").glob("*.accounts.json"):
        for account in json.loads(file.read_text(encoding="utf-8")).values():
            for budget, number in account["requests"].items():
                lanes[budget.split()[0]] += number
    return json.loads((folder / "conformance.json").read_text(encoding="utf-8")), dict(lanes)


def judged(results: dict[str, Any]) -> dict[str, int]:
    """Requirements that were exercised, by class."""
    return {
        class_["id"]: sum(
            class_["verdicts"].get(verdict, 0) for verdict in ("passed", "warned", "failed")
        )
        for class_ in results["classes"]
        if class_["claimed"]
    }


def _pytest(*options: str) -> str:
    done = ended("pytest", "-q", "-p", "no:cacheprovider", *options, folder=ROOT)
    assert done.code == 0, done.out + done.err
    return done.out
