"""What the contract says around a requirement."""

import pytest

from plumbline.spec import catalogue
from plumbline.spec.context import introduction, open_items_near, passages

REQUIREMENTS = catalogue().requirements


def test_every_requirement_has_an_introduction() -> None:
    """Its chapter begins with prose, and nothing of the marks of a table is left in what is shown."""
    wrong = {}
    for name, requirement in REQUIREMENTS.items():
        told = [*(first := introduction(requirement)), *passages(requirement)]
        clean = all(each.text and "|" not in each.title and "[" not in each.title for each in told)
        if not first or not clean or not first[0].place.startswith(requirement.line.partition(":")[0]):
            wrong[name] = told
    assert wrong == {}


def test_a_row_that_names_it_is_shown_with_its_section() -> None:
    """A rule of a field serves the requirement that stands in brackets behind it."""
    (found,) = passages(REQUIREMENTS["PAG-01"])
    assert found.title == "Object: Pagination"
    assert found.text == "next_cursor; type: any; rules: filled while `has_more`; meaning: the cursor of the next page"


def test_a_state_that_it_governs_is_shown() -> None:
    """Tables of states, errors and derivations name requirements in a column of their own, with the prose around them."""
    told = passages(REQUIREMENTS["AUTH-18"])
    assert [each.title for each in told] == ["States: key-state"]
    assert told[0].text.startswith("`active`; trigger: revoked in the dashboard; to: `revoked`; also: at once")


def test_another_chapter_counts_too() -> None:
    """The query of the leads list serves a requirement of pagination."""
    assert "Query: GET /v1/leads" in {each.title for each in passages(REQUIREMENTS["PAG-10"])}


@pytest.mark.parametrize(("name", "item"), [("PAG-01", "PAG-O01"), ("PAG-10", "PAG-O05"), ("LIM-07", "LIM-O08")])
def test_open_items_of_the_same_place_or_the_same_words_are_near(name: str, item: str) -> None:
    """What is left open about a field belongs beside what is demanded of it."""
    assert item in {each.id for each in open_items_near(REQUIREMENTS[name])}


def test_an_unrelated_open_item_is_not_near() -> None:
    """Being in the same chapter is not enough."""
    assert "PAG-O04" not in {each.id for each in open_items_near(REQUIREMENTS["PAG-07"])}
