"""The HTML report, read with a parser that does what a browser does: sound, complete and honest."""

import re
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from functools import cache
from hashlib import sha256
from itertools import pairwise
from typing import Any

import pytest
from justhtml import JustHTML

from plumbline.reports.evidence.results import document_of
from plumbline.reports.html.page import page
from plumbline.reports.pages.markdown import markdown
from plumbline.reports.tests.parsed_html import attributes, parsed, text_of, values
from plumbline.reports.tests.samples import (
    CONTEXT,
    FAILED,
    GREEN,
    SMALL,
    all_passed,
    baseline_of,
    choice,
    finding,
    run_of,
)
from plumbline.reports.verdict.known_failures import Waiver
from plumbline.spec import catalogue

REAL = catalogue()
CORE = [
    requirement.id
    for requirement in REAL.requirements.values()
    if requirement.conformance_class == "core"
]
BASELINE = baseline_of(
    CORE_01=Waiver("the tracker has it", "Ada", date(2027, 1, 31), ("GET /v1/leads",))
)
ALL: dict[str, Any] = {"catalogue": REAL, "claimed": REAL.classes}
UNMET = finding("CORE-01", "unmet", reason="no test controller", remedy="set controller.url")
FIELDS = {"fields": {"Lead": {"documented": ["company", "status"], "shown": ["status"]}}}
SEEN = choice("scheduled")

RUNS = {
    "conformant": (run_of(*GREEN), SMALL),
    "non-conformant": (
        run_of(*GREEN, FAILED, finding("CORE-03", "failed"), finding("KEYS-01", "failed")),
        SMALL,
    ),
    "incomplete": (run_of(finding("CORE-02"), UNMET), SMALL),
    "never shown": (run_of(*GREEN, FIELDS), SMALL),
    "partial": (run_of(*GREEN, partial=True), SMALL),
    "partial and broken": (run_of(*GREEN, FAILED, partial=True), SMALL),
    "selected": (
        run_of(finding("CORE-02"), UNMET, selected={"CORE-01", "CORE-02"}, partial=True),
        SMALL,
    ),
    "waived": (run_of(*GREEN, FAILED, baseline=BASELINE, today=date(2026, 6, 1)), SMALL),
    "unfinished": (run_of(*GREEN, finished=False), SMALL),
    "invalid": (
        run_of(*GREEN, {"harness_error": "KeyError: 'data'", "test": "suites/test_it.py::test_it"}),
        SMALL,
    ),
    "nothing": (run_of(), SMALL),
    "whole contract": (run_of(*all_passed(REAL, REAL.classes), **ALL), REAL),
    "whole contract broken": (
        run_of(SEEN, SEEN, *(finding(name, "failed") for name in CORE), **ALL),
        REAL,
    ),
    "of another contract": (run_of(*GREEN, FAILED), REAL),
}


@cache
def _page(name: str) -> JustHTML:
    run, contract = RUNS[name]
    return parsed(page(document_of(run, CONTEXT), contract))


@pytest.mark.parametrize("name", RUNS)
def test_page_is_valid_html_with_sound_links_and_headings(name: str) -> None:
    read = _page(name)
    ids = values(read, "id")
    assert len(ids) == len(set(ids))
    assert {*values(read, "aria-labelledby"), *values(read, "for")} <= set(ids)
    assert set(values(read, "href")) <= {f"#{name}" for name in ids}
    levels = [int(node.name[1]) for node in read.query("h1, h2, h3, h4, h5, h6")]
    assert (levels[0], levels.count(1)) == (1, 1)
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert values(read, "lang", "html") == ["en"]


@pytest.mark.parametrize("name", RUNS)
def test_policy_allows_only_own_style_and_script(name: str) -> None:
    read = _page(name)
    (policy,) = values(read, "content", "meta[http-equiv='Content-Security-Policy']")
    for kind in ("style", "script"):
        (node,) = read.query(kind)
        digest = b64encode(
            sha256(node.to_text(separator="", strip=False).encode()).digest()
        ).decode()
        assert f"{kind}-src 'sha256-{digest}'" in policy
        assert attributes(node) == {}
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    for node in read.query("*"):
        assert not {*attributes(node)} & {"style", "src", "srcset", "action", "ping"}
        assert not [name for name in attributes(node) if name.startswith("on")]
        assert node.name not in {
            "iframe",
            "object",
            "embed",
            "img",
            "link",
            "base",
            "audio",
            "video",
        }
    assert not re.search(r"url\(|@import|expression", text_of(read, "style"))


def test_page_without_script_hides_only_the_filter() -> None:
    assert [node.name for node in _page("whole contract broken").query("[hidden]")] == ["form"]


OBSERVED = {
    "judged": 7,
    "left_out": {"of a cache <b>": 2},
    "not_judged": {},
    "undated": {"LEAD-02": 3, "CALL-12": 1},
}


@pytest.mark.parametrize(
    ("observed", "facts"),
    [
        (
            OBSERVED,
            {
                "Traffic": "7 exchanges judged",
                "Left out": "2 of a cache <b>",
                "Without a date": "not judged, because",
            },
        ),
        (
            {"judged": "many", "left_out": [], "undated": {"x\x1b": None}},
            {"Traffic": "0 exchanges judged", "Without a date": "not"},
        ),
        ("nothing", {}),
    ],
)
def test_page_and_summary_count_what_observed_traffic_does_not_show(
    observed: Any, facts: Mapping[str, str]
) -> None:
    context = replace(CONTEXT, profile={"observed": observed})
    document = document_of(run_of(*GREEN), context)
    read = parsed(page(document, SMALL))
    shown = {text_of(node, "dt"): text_of(node, "dd") for node in read.query(".facts .wide")}
    assert {label: shown[label][: len(text)] for label, text in facts.items()} == facts
    assert ("Traffic" in shown) == bool(facts)
    text = markdown(document, SMALL)
    assert all(f"- {label}: `{beginning}" in text for label, beginning in facts.items())


def test_every_requirement_stands_in_its_chapter_in_order() -> None:
    read = _page("whole contract broken")
    articles = list(read.query("article.requirement"))
    assert values(read, "id", "article.requirement") == list(REAL.requirements)
    for node, requirement in zip(articles, REAL.requirements.values(), strict=True):
        assert text_of(node, ".sentence").replace("`", "") == " ".join(requirement.sentence.split())
        assert text_of(node, ".verdict") == attributes(node)["data-verdict"].replace("-", " ")
        assert attributes(node)["data-class"] == requirement.conformance_class
    chapters = dict.fromkeys(requirement.chapter for requirement in REAL.requirements.values())
    assert values(read, "id", ".chapter") == list(chapters)
    assert len(list(read.query(".open-items > div"))) == len(REAL.open_items)


EVIDENCE = [
    "200",
    "404 NOT_FOUND",
    "GET https://staging.example.com/v1/leads/",
    '"no such lead"',
    "Authorization: [secret]",
]


@pytest.mark.parametrize(
    ("name", "selector", "parts"),
    [
        (
            "non-conformant",
            "#CORE-01 details",
            [*EVIDENCE, "curl -i -X GET", "plumbline again CORE-01"],
        ),
        ("non-conformant", "#CORE-01 details", ["spec/contract/02-promises.md:11"]),
        ("waived", "#CORE-01", ["failed", "Waived until 2027-01-31", "the tracker has it", "Ada"]),
        ("waived", "h1", ["Non-conformant, all failures waived"]),
        (
            "incomplete",
            "#unexercised .gap:last-child",
            ["no test controller", "set controller.url", "CORE-01"],
        ),
        ("selected", "#unexercised .gap:first-child .ids", ["CORE-01"]),
        (
            "selected",
            "#unexercised .gap:last-child summary",
            ["Not selected: 2 requirements; run without the selection"],
        ),
        ("never shown", "#never-shown .columned", ["Lead.company"]),
        ("whole contract broken", "#CALL-O01", ["scheduled 2 \N{MULTIPLICATION SIGN}"]),
        ("whole contract", "#PAG-01 .sentence code:first-of-type", ["pagination.has_more"]),
    ],
)
def test_page_shows_the_grounds_of_a_verdict(name: str, selector: str, parts: list[str]) -> None:
    shown = text_of(_page(name), selector)
    assert [part for part in parts if part not in shown] == []


@pytest.mark.parametrize("name", RUNS)
def test_only_conformant_run_looks_conformant(name: str) -> None:
    read = _page(name)
    sound = name in {"conformant", "never shown", "whole contract"}
    assert (values(read, "class", "body") == ["tone-sound"]) == sound
    assert (text_of(read, "h1") == "Conformant") == sound
    assert text_of(read, "title").startswith(text_of(read, "h1"))


@pytest.mark.parametrize(
    "against",
    [
        {"partial": True},
        {"state": "unfinished"},
        {"harness_errors": [{"sentence": "KeyError", "tests": []}]},
        {
            "baseline": {
                "file": "known.toml",
                "entries": 1,
                "waived": ["CORE-01"],
                "stale": [],
                "expired": [],
                "unknown": [],
            }
        },
    ],
)
def test_contradictory_results_look_unsettled(against: Mapping[str, Any]) -> None:
    read = parsed(page({**document_of(RUNS["conformant"][0], CONTEXT), **against}, SMALL))
    assert values(read, "class", "body") == ["tone-unsettled"]
    assert len(list(read.query(".stamp"))) == 1
