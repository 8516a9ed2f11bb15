"""What has changed from one run to another, and several runs on one page."""

import json
import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from justhtml import JustHTML

from plumbline.reports.compare.difference import difference, difference_lines
from plumbline.reports.compare.table import table
from plumbline.reports.evidence.results import document_of
from plumbline.reports.tests.samples import (
    BIG,
    CONTEXT,
    GREEN,
    SMALL,
    Record,
    choice,
    finding,
    run_of,
)

OTHER = replace(
    SMALL, digest="cd" * 32, revision=4, requirements=dict([*SMALL.requirements.items()][1:])
)


def results(*records: Record, context: Any = CONTEXT, **options: Any) -> dict[str, Any]:
    return document_of(run_of(*(records or GREEN), **options), context)


def ids(changes: tuple[Any, ...]) -> list[str]:
    return [change.requirement for change in changes]


RED = results(*GREEN, finding("CORE-01", "failed"))
ELSEWHERE = results(*GREEN, finding("CORE-01", "failed", operation="GET /v1/calls"))
BOTH = results(
    *GREEN, finding("CORE-01", "failed"), finding("CORE-01", "failed", operation="GET /v1/calls")
)


@pytest.mark.parametrize(
    ("before", "after", "changes", "exit_code"),
    [
        (results(), results(), {}, 0),
        (results(), RED, {"new": ["CORE-01"]}, 1),
        (RED, results(), {"fixed": ["CORE-01"]}, 0),
        (RED, RED, {"still": ["CORE-01"]}, 0),
        (RED, ELSEWHERE, {"new": ["CORE-01"], "fixed": ["CORE-01"]}, 1),
        (RED, BOTH, {"new": ["CORE-01"], "still": ["CORE-01"]}, 1),
        (BOTH, RED, {"fixed": ["CORE-01"], "still": ["CORE-01"]}, 0),
        (
            BOTH,
            results(*GREEN, finding("CORE-01", "failed"), partial=True),
            {"still": ["CORE-01"]},
            0,
        ),
        (RED, results(*GREEN[1:]), {"lost": ["CORE-01"]}, 10),
        (results(*GREEN[1:]), RED, {"new": ["CORE-01"]}, 1),
        (
            results(),
            results(*GREEN[1:], selected={"CORE-02"}, partial=True),
            {"lost": ["CORE-01"]},
            10,
        ),
        (results(), results(catalogue=OTHER), {"lost": ["CORE-01"]}, 10),
        (results(catalogue=OTHER), RED, {"new": ["CORE-01"]}, 1),
        (results(*GREEN, finding("CORE-03", "failed")), results(), {}, 0),
        (
            results(*GREEN, finding("KEYS-01"), claimed={"core", "credentials"}),
            results(),
            {"lost": ["KEYS-01"]},
            10,
        ),
    ],
)
def test_difference_sorts_failures_into_new_fixed_still_and_lost(
    before: dict[str, Any], after: dict[str, Any], changes: dict[str, list[str]], exit_code: int
) -> None:
    compared = difference(before, after)
    assert {
        name: names
        for name in ("new", "fixed", "still", "lost")
        if (names := ids(getattr(compared, name)))
    } == changes
    assert compared.exit_code == exit_code
    assert json.loads(json.dumps(compared.to_dict()))["exit_code"] == exit_code


def test_what_a_partial_run_leaves_out_takes_a_line() -> None:
    """Hundreds of requirements that share what became of them stand together."""
    many = {name: finding(name) for name in BIG.requirements}
    whole = results(*many.values(), catalogue=BIG, claimed=set(BIG.classes))
    part = results(
        many["K0-00"], catalogue=BIG, claimed=set(BIG.classes), selected={"K0-00"}, partial=True
    )
    compared = difference(whole, part)
    lines = [*difference_lines(compared)]
    assert len(compared.lost) > 100
    start = lines.index(f"no longer judged: {len(compared.lost)}")
    assert lines[start + 1].startswith("  passed -> not selected: K0-01, K0-02, ")
    assert lines[start + 1].endswith(f" and {len(compared.lost) - 12} more")
    assert lines[start + 2 : start + 4] == ["  --json names all", "changed choices: 0"]


@pytest.mark.parametrize(
    ("after", "note"),
    [
        (
            results(catalogue=OTHER),
            "other contract: revision 3 (abababababababab), then revision 4 (cdcdcdcdcdcdcdcd)",
        ),
        (
            results(claimed={"core", "credentials"}),
            "other claim: the later run is with credentials",
        ),
        (
            results(claimed={"analytics"}),
            "other claim: the later run is without core and with analytics",
        ),
        (results(partial=True), "the later run is partial"),
        (
            results(finished=False),
            "the later run did not come to its end, or no evidence.json beside it says that it did",
        ),
        (
            results(*GREEN, {"harness_error": "KeyError"}),
            "the later run is invalid: 1 fault of the kit itself",
        ),
        (results(context=replace(CONTEXT, tier="smoke")), "other tier: standard, then smoke"),
        (results(context=replace(CONTEXT, suite_version="2")), "other kit: 1.2.3, then 2"),
        (
            results(context=replace(CONTEXT, base_url="http://b")),
            "other target: https://staging.example.com, then http://b",
        ),
    ],
)
def test_difference_notes_every_other_cause(after: dict[str, Any], note: str) -> None:
    assert any(sentence.startswith(note) for sentence in difference(results(), after).notes)
    assert f"  {note}" in "\n".join(difference_lines(difference(results(), after)))


@given(
    st.lists(st.sampled_from([*SMALL.requirements])),
    st.lists(st.sampled_from([*SMALL.requirements])),
)
def test_new_failures_are_fixed_ones_backwards(first: list[str], second: list[str]) -> None:
    one, other = (
        results(*GREEN, *(finding(name, "failed") for name in failed)) for failed in (first, second)
    )
    there, back = difference(one, other), difference(other, one)
    assert ids(there.new) == ids(back.fixed)
    assert ids(there.still) == ids(back.still)
    assert there.lost == ()


HOSTILE = "</title><script>alert(1)</script>\u202e\x1b[2J&\"'"


def test_changed_choice_is_told_and_counts_only_where_it_is_asked_for() -> None:
    before = results(
        finding("CORE-01"),
        choice("201", of="a"),
        choice("404", of="b"),
        choice("null", of="b"),
        choice("x", of="gone"),
    )
    after = results(
        finding("CORE-01"), choice("200", of="a"), choice("404", of="b"), choice("y", of="come")
    )
    compared = difference(before, after)
    assert [
        (change.open_item, change.of, change.before, change.after) for change in compared.choices
    ] == [("CALL-O01", "a", "201", "200")]
    assert "  CALL-O01  a: 201 -> 200" in list(difference_lines(compared))
    assert (compared.exit_code, difference(before, after, choices_count=True).exit_code) == (0, 1)
    assert difference(after, after, choices_count=True).exit_code == 0


class TestTable:
    def test_hostile_text_is_escaped(self) -> None:
        hostile = results() | {
            "target": f"http://{HOSTILE}",
            "claimed": [HOSTILE],
            "verdict": HOSTILE,
        }
        entry = hostile["requirements"][0] | {"class": HOSTILE, "id": HOSTILE, "verdict": HOSTILE}
        hostile["requirements"] = [entry]
        page = table({HOSTILE: hostile, "ours": results()}, SMALL)
        assert re.findall(r"<(\w+)", page.replace("<!DOCTYPE", "")).count("script") == 0
        assert not {"\x1b", "\u202e"} & set(page)
        assert "&lt;script&gt;" in page

    def test_rows_that_differ_come_first_and_the_others_are_folded(self) -> None:
        assert groups(table({"one": RED, "other": results()}, SMALL)) == {
            "open Where they differ": [("CORE-01", "failed GET /v1/leads", "passed")],
            "Judged in some runs only": [],
            "The same in all runs": [(name, *([verdict] * 2)) for name, verdict in REST.items()],
        }
        by_operation = groups(table({"one": RED, "other": ELSEWHERE}, SMALL))[
            "open Where they differ"
        ]
        assert by_operation == [("CORE-01", "failed GET /v1/leads", "failed GET /v1/calls")]
        assert groups(table({"one": RED, "other": RED}, SMALL))["open Where they differ"] == []

    def test_every_cell_names_its_run_and_no_style_hides_text_on_a_narrow_screen(self) -> None:
        text = table({"one": RED, "other": results()}, SMALL)
        read = JustHTML(text, sanitize=False)
        rows = [
            [(cell.attrs or {}).get("data-name") for cell in row.query("td")]
            for row in read.query("tbody tr")
        ]
        assert rows == [["one", "other"]] * len(rows)
        style = text.partition("<style>")[2].partition("</style>")[0]
        assert re.findall(r"([^\n{}]+) \{ display: none", style) == ["  thead"]

    def test_rows_are_requirements_in_contract_order(self) -> None:
        page = table({"one": RED, "other": results(catalogue=OTHER)}, OTHER)
        assert groups(page)["Judged in some runs only"] == [
            ("CORE-01", "failed GET /v1/leads", "not in the contract")
        ]
        assert [row[0] for row in groups(page)["The same in all runs"]] == list(REST)
        assert "The runs were judged by different contracts" in page
        assert "http" not in re.sub(r"https://staging\.example\.com", "", page).replace(
            "http-equiv", ""
        )


REST = {
    requirement["id"]: requirement["verdict"]
    for requirement in results()["requirements"]
    if requirement["id"] != "CORE-01"
}


def groups(page: str) -> dict[str, list[tuple[str, ...]]]:
    """The rows of the page by their group: id and cells."""
    grouped = {}
    for group in JustHTML(page, sanitize=False).query("details"):
        (title,) = group.query("summary")
        name = ("open " if "open" in (group.attrs or {}) else "") + title.to_text().partition(":")[
            0
        ]
        grouped[name] = [
            tuple(
                next(iter(cell.query("b")), cell).to_text()
                for cell in [*row.query("th"), *row.query("td")]
            )
            for row in group.query("tbody tr")
        ]
    return grouped
