"""The catalogue keeps its promises: severities, classes, and ids that never vanish or change their
meaning.
"""

import json
from pathlib import Path

import pytest

from plumbline.spec import Requirement, catalogue
from plumbline.spec.__main__ import main

HOME = Path(__file__).parents[1]
FROZEN = sorted((HOME / "frozen").glob("*.json"), key=lambda path: int(path.stem))


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


@pytest.mark.parametrize("path", FROZEN, ids=lambda path: path.stem)
def test_frozen_ids_still_exist(path: Path) -> None:
    assert set(json.loads(path.read_text(encoding="utf-8"))["requirements"]) <= set(
        catalogue().requirements
    )


def test_current_revision_is_frozen() -> None:
    newest = json.loads(FROZEN[-1].read_text(encoding="utf-8"))
    assert newest["revision"] == catalogue().revision
    assert set(newest["requirements"]) == set(catalogue().requirements)


def count_up(service: Path) -> None:
    """Begin the next revision."""
    now = catalogue().revision
    text = service.read_text(encoding="utf-8").replace(
        f"| revision | {now} |", f"| revision | {now + 1} |"
    )
    service.write_text(text, encoding="utf-8")


def test_changed_sentence_needs_a_new_revision(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    chapter, service = home / "contract/04-leads.md", home / "contract/01-service.md"
    text = chapter.read_text(encoding="utf-8")
    assert "A new lead MUST have the `status` `new`." in text
    chapter.write_text(
        text.replace("A new lead MUST have the `status` `new`.", "A new lead MUST be `new`."),
        encoding="utf-8",
    )
    assert main([], home) == 1
    assert (
        capsys.readouterr().err == f"LEAD-02 is not what revision {catalogue().revision} froze; "
        "count up the revision in 01-service.md, or put the sentence back.\n"
    )
    count_up(service)
    assert main([], home) == 0
    assert main(["--check"], home) == 0
    assert (home / f"frozen/{catalogue().revision + 1}.json").is_file()


def test_dropped_id_is_refused(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    chapter, service = home / "contract/15-versioning.md", home / "contract/01-service.md"
    lines = chapter.read_text(encoding="utf-8").splitlines(keepends=True)
    chapter.write_text(
        "".join(line for line in lines if not line.startswith("| VER-06 ")), encoding="utf-8"
    )
    count_up(service)
    assert main([], home) == 1
    assert (
        capsys.readouterr().err
        == "VER-06 of revision 1 is gone; an id stays, even when nothing observes it any more.\n"
    )
