"""The compiler understands every cell, or stops with the place, the cell and what it expected."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from plumbline.spec.compiler.build import build
from plumbline.spec.compiler.reading.reader import ContractError

HERE = Path(__file__).parent
GOLDEN = {
    path.name: path.read_text(encoding="utf-8") for path in sorted((HERE / "golden").glob("*.md"))
}
CASES: list[dict[str, Any]] = tomllib.loads((HERE / "broken.toml").read_text(encoding="utf-8"))[
    "case"
]


def test_golden_contract_compiles() -> None:
    assert "generated/catalogue.json" in build(GOLDEN)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"].replace(" ", "-"))
def test_broken_contract_is_refused(case: dict[str, Any]) -> None:
    text = GOLDEN[case["file"]]
    assert case["old"] in text
    broken = GOLDEN | {case["file"]: text.replace(case["old"], case["new"], 1)}
    with pytest.raises(ContractError) as refused:
        build(broken)
    assert str(refused.value) == case["message"]


def test_chapter_with_other_name_is_refused() -> None:
    with pytest.raises(
        ContractError, match=r"^things\.md: expected a file name such as 04-leads\.md\.$"
    ):
        build(GOLDEN | {"things.md": "# Things\n"})


def test_object_under_two_requirements_is_refused() -> None:
    text = GOLDEN["02-things.md"].replace(
        "| name | string | | |", "| name | string | | |\n| spare | object Part | [THING-02] | |", 1
    )
    with pytest.raises(
        ContractError,
        match=r"^the object Part serves THING-02 and THING-01 inside Thing; give it one id\.$",
    ):
        build(GOLDEN | {"02-things.md": text})
