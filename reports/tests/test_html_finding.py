"""How a reader finds something in the HTML report: search, filters, addresses, kinds of failures,
and what is folded.
"""

import re
from typing import Any

import pytest
from justhtml import JustHTML

from plumbline.reports.evidence.results import document_of
from plumbline.reports.html.failure_kinds import kinds_of
from plumbline.reports.html.inline import inline
from plumbline.reports.html.page import page
from plumbline.reports.tests.parsed_html import attributes, parsed, text_of, values
from plumbline.reports.tests.samples import CONTEXT, SMALL, finding, run_of, step, violation
from plumbline.spec import catalogue

REAL = catalogue()


def _read(*records: dict[str, Any], **more: Any) -> JustHTML:
    return parsed(
        page(document_of(run_of(*records, **more), CONTEXT), more.get("catalogue", SMALL))
    )


def _label(read: JustHTML, control: Any) -> bool:
    """Whether a control has a label: one around it, or one that names its id."""
    return control.parent.name == "label" or attributes(control).get("id") in values(
        read, "for", "label"
    )


def test_form_offers_search_and_every_filter_with_a_label() -> None:
    read = _read(finding("LEAD-02", "failed"), catalogue=REAL)
    controls = list(read.query("#filter input, #filter select"))
    names = {attributes(control)["name"] for control in controls}
    assert names == {"q", "verdict", "class", "chapter", "operation", "kind"}
    assert all(_label(read, control) for control in controls)
    assert [*read.query("#filter output[aria-live=polite]")]


def test_requirement_carries_what_it_is_filtered_by() -> None:
    read = _read(finding("LEAD-08", "failed", operation="PATCH /v1/leads/{id}"), catalogue=REAL)
    (node,) = read.query("#LEAD-08")
    requirement = REAL.requirements["LEAD-08"]
    told = attributes(node)
    assert (told["data-verdict"], told["data-class"], told["data-chapter"]) == (
        "failed",
        "core",
        requirement.chapter,
    )
    assert "PATCH /v1/leads/{id}" in told["data-operations"].split("|")
    assert told["data-kinds"] == "status"
    offered = values(read, "value", "#filter select[name=operation] option")
    assert {*told["data-operations"].split("|")} <= {*offered}


def test_operations_named_in_a_sentence_are_whole() -> None:
    read = _read(catalogue=REAL)
    for node in read.query("[data-operations]"):
        sentence = REAL.requirements[attributes(node)["id"]].sentence
        for name in attributes(node)["data-operations"].split("|"):
            assert re.search(rf"{re.escape(name)}(?![\w/])", sentence)


@pytest.mark.parametrize(
    ("more", "kind"),
    [
        ({"failure": "the connection was closed", "status": None}, "no-answer"),
        ({"status": 503}, "server-error"),
        ({"expected": "400 VALIDATION_ERROR"}, "status"),
        ({"expected": "text", "where": "/data/0/id"}, "body"),
        ({"expected": "application/json", "where": "Content-Type"}, "header"),
        ({"expected": "the same lead"}, "other"),
    ],
)
def test_kind_is_read_from_the_first_sample(more: dict[str, Any], kind: str) -> None:
    entry = {"violations": [{"samples": [violation(**more)]}]}
    assert [kind.name for kind in kinds_of(entry)] == [kind]


def test_several_exchanges_are_a_kind_of_their_own() -> None:
    sample = violation(expected="the same lead", where="/data") | {"sequence": [step(), step()]}
    assert [
        kind.name for kind in kinds_of({"violations": [{"samples": [sample]}, {"samples": []}]})
    ] == ["sequence", "other"]


def test_failures_stand_together_by_kind() -> None:
    read = _read(
        finding("CORE-01", "failed"), finding("CORE-02", "failed"), finding("CORE-03", "failed")
    )
    assert text_of(read, "#broken .kinds [data-kind=status]") == "Another status or error code 3"
    assert values(read, "href", "#broken .kinds a") == ["#CORE-01", "#CORE-02", "#CORE-03"]


def test_every_operation_and_further_sample_of_a_violation_has_an_address() -> None:
    records = [
        finding(
            "CORE-01", "failed", operation=operation, violation=violation(received=f"404 {number}")
        )
        for operation in ("GET /v1/leads", "POST /v1/leads")
        for number in range(2)
    ]
    read = _read(*records)
    for name in ("CORE-01.1", "CORE-01.1.2", "CORE-01.2", "CORE-01.2.2"):
        assert name in values(read, "id", "#CORE-01 details div") + values(
            read, "id", "#CORE-01 details details"
        )
        assert f"#{name}" in values(read, "href", "#CORE-01 a.self")
    assert values(read, "href", "#broken .small a") == ["#CORE-01.1"]


def test_only_classes_that_were_not_claimed_are_folded() -> None:
    read = _read(finding("LEAD-02"), catalogue=REAL, claimed=("core", "graphql"))
    folded = [
        attributes(node)["id"] for node in read.query("details.not-measured:not([open]) > article")
    ]
    unclaimed = [
        requirement.id
        for requirement in REAL.requirements.values()
        if requirement.conformance_class not in {"core", "graphql"}
    ]
    assert folded == unclaimed
    assert [attributes(node)["id"] for node in read.query("article.requirement")] == list(
        REAL.requirements
    )
    assert "2 requirements of classes" in text_of(read, "#booking-links .not-measured > summary")


@pytest.mark.parametrize(
    ("text", "limit", "html"),
    [
        ("`id` of `a<b>`", 100, "<code>id</code> of <code>a&lt;b&gt;</code>"),
        ("a ` alone", 100, "a ` alone"),
        ("expected `a long name`", 16, "expected <code>a l...</code>"),
        ("\x1b[31m`\u202e`", 100, "\\x1b[31m<code>\\u202e</code>"),
        ("``", 100, "``"),
        ("<script>`</script>`", 100, "&lt;script&gt;<code>&lt;/script&gt;</code>"),
    ],
)
def test_backticks_become_code_and_nothing_else_becomes_markup(
    text: str, limit: int, html: str
) -> None:
    assert inline(text, limit) == html


def test_page_shows_no_raw_backticks() -> None:
    told = "a lead with `code` and `status`"
    records = [
        finding("CORE-01", "failed", violation=violation(told, told) | {"notes": [told]}),
        finding("CORE-02", "unmet", reason=told, remedy=told),
        finding("ACME-01", "failed", reason=told) | {"own": told},
        {"harness_error": told, "test": ""},
    ]
    read = _read(*records)
    assert "`" not in text_of(read, "body").replace(text_of(read, "script"), "")
    assert text_of(read, "#CORE-02 .remedy code:first-of-type") == "code"
