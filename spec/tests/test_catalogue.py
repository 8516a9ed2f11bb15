"""The catalogue keeps its promises: severities, classes, and ids that never vanish or change their
meaning.
"""

from pathlib import Path

import pytest

from plumbline.spec import Requirement, catalogue

HOME = Path(__file__).parents[1]


@pytest.mark.parametrize(
    ("keyword", "severity"),
    [
        ("MUST", "must"),
        ("MUST NOT", "must"),
        ("SHOULD", "should"),
        ("SHOULD NOT", "should"),
        ("MAY", "may"),
    ],
)
def test_keyword_decides_the_severity(keyword: str, severity: str) -> None:
    requirement = Requirement(
        "X-01", keyword, "core", "x", f"It {keyword} be.", "check", None, "x.md:1"
    )
    assert requirement.severity == severity


def test_only_unobservable_requirements_have_a_reason() -> None:
    for requirement in catalogue().requirements.values():
        assert (requirement.observed_by == "none") == (requirement.unobservable is not None)


def test_only_analytics_does_not_decide() -> None:
    assert [item.id for item in catalogue().classes.values() if not item.decides] == ["analytics"]


def test_every_class_has_requirements() -> None:
    assert {item.conformance_class for item in catalogue().requirements.values()} == set(
        catalogue().classes
    )


def test_shape_requirements_stand_in_schemas() -> None:
    text = "".join(
        path.read_text(encoding="utf-8") for path in (HOME / "generated/schemas").glob("*.json")
    )
    for identifier in (
        "LEAD-26",
        "CALL-23",
        "PAY-24",
        "OPP-15",
        "LINK-15",
        "ERR-02",
        "ENV-07",
        "PAG-01",
        "HOOK-07",
        "HOOK-08",
    ):
        assert f'"{identifier}"' in text
