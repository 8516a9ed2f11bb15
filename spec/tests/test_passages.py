"""What the contract says around a requirement."""

import pytest

from plumbline.spec import catalogue
from plumbline.spec.passages import introduction, open_items_near, passages

REQUIREMENTS = catalogue().requirements


def test_every_requirement_has_an_introduction() -> None:
    wrong = {}
    for name, requirement in REQUIREMENTS.items():
        introductions = [*(first := introduction(requirement)), *passages(requirement)]
        clean = all(
            passage.text and "|" not in passage.title and "[" not in passage.title
            for passage in introductions
        )
        if (
            not first
            or not clean
            or not first[0].place.startswith(requirement.line.partition(":")[0])
        ):
            wrong[name] = introductions
    assert wrong == {}


def test_passage_is_the_row_that_names_the_requirement() -> None:
    *_, passage = passages(REQUIREMENTS["PAG-01"])
    assert passage.title == "Object: Pagination"
    assert (
        passage.text
        == "next_cursor; type: any; rules: filled while `has_more`; published as string; meaning:"
        " the cursor of the next page, a text while `has_more` is true; on the last page its"
        " value is open"
    )


def test_passage_is_the_state_that_the_requirement_governs() -> None:
    rows = passages(REQUIREMENTS["AUTH-18"])
    assert [passage.title for passage in rows] == ["States: key-state"]
    assert rows[0].text.startswith(
        "`active`; trigger: revoked in the dashboard; to: `revoked`; also: at once"
    )


def test_passages_come_from_other_chapters() -> None:
    assert "Query: GET /v1/leads" in {passage.title for passage in passages(REQUIREMENTS["PAG-10"])}


@pytest.mark.parametrize(
    ("name", "item"), [("PAG-01", "PAG-O01"), ("PAG-10", "PAG-O05"), ("LIM-07", "LIM-O08")]
)
def test_open_items_of_same_place_or_words_are_near(name: str, item: str) -> None:
    assert item in {item_near.id for item_near in open_items_near(REQUIREMENTS[name])}


def test_open_item_of_same_chapter_alone_is_not_near() -> None:
    assert "PAG-O04" not in {item_near.id for item_near in open_items_near(REQUIREMENTS["PAG-07"])}
