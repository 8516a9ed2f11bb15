"""The HTML report, read with a parser that does what a browser does: sound, complete, honest, and deaf to what it shows."""

import json
import re
from base64 import b64encode
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date
from functools import cache
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from justhtml import JustHTML, Node

from plumbline.reports.evidence.results import document_of, write_results
from plumbline.reports.html.deliveries import deliveries
from plumbline.reports.html.exchange import BODY_SHOWN, body, laid_out
from plumbline.reports.html.page import page
from plumbline.reports.tests.samples import CONTEXT, GREEN, SMALL, Record, all_passed, finding, run_of, violation
from plumbline.reports.verdict.baseline import Baseline, Waiver
from plumbline.reports.verdict.judging import RunVerdict
from plumbline.reports.verdict.words import RunWord
from plumbline.spec import Catalogue, catalogue

HOSTILE = "a</script><script>alert(1)</script><img src=x onerror=alert(2)>\"' {{7*7}} ]]> <!-- javascript:alert(3)"
REAL = catalogue()
CORE = [requirement.id for requirement in REAL.requirements.values() if requirement.conformance_class == "core"]
BASELINE = Baseline("known.toml", "ab" * 32, {"CORE-01": Waiver("the tracker has it", "Ada", date(2027, 1, 31))})
FAILED = finding("CORE-01", "failed")


RUNS: Mapping[str, tuple[RunVerdict, Catalogue]] = {
    "conformant": (run_of(*GREEN), SMALL),
    "non-conformant": (run_of(*GREEN, FAILED, finding("CORE-03", "failed"), finding("KEYS-01", "failed")), SMALL),
    "incomplete": (
        run_of(finding("CORE-02"), finding("CORE-01", "unmet", reason="no test controller", remedy="set controller.url")),
        SMALL,
    ),
    "partial": (run_of(*GREEN, partial=True), SMALL),
    "partial and broken": (run_of(*GREEN, FAILED, partial=True), SMALL),
    "waived": (run_of(*GREEN, FAILED, baseline=BASELINE, today=date(2026, 6, 1)), SMALL),
    "unfinished": (run_of(*GREEN, finished=False), SMALL),
    "invalid": (run_of(*GREEN, {"harness_error": "KeyError: 'data'", "test": "suites/test_it.py::test_it"}), SMALL),
    "nothing": (run_of(), SMALL),
    "whole contract": (run_of(*all_passed(REAL, REAL.classes), catalogue=REAL, claimed=REAL.classes), REAL),
    "whole contract broken": (run_of(*(finding(name, "failed") for name in CORE), catalogue=REAL, claimed=REAL.classes), REAL),
    "of another contract": (run_of(*GREEN, FAILED), REAL),
}


def _read(text: str) -> JustHTML:
    """The page as a browser would have it, without a single error in it."""
    read = JustHTML(text, sanitize=False, collect_errors=True)
    assert [f"{error.code} in line {error.line}" for error in read.errors] == []
    return read


@cache
def _page(name: str) -> JustHTML:
    run, contract = RUNS[name]
    return _read(page(document_of(run, CONTEXT), contract))


def _all(node: JustHTML | Node, selector: str) -> list[Node]:
    return list(node.query(selector))


def _attrs(node: Node) -> dict[str, str]:
    return {name: value or "" for name, value in (node.attrs or {}).items()}


def _text(node: Node) -> str:
    return " ".join(node.to_text(separator="", strip=False).split())


@pytest.mark.parametrize("name", RUNS)
def test_page_is_valid_html_with_sound_links_and_headings(name: str) -> None:
    read = _page(name)
    ids = [_attrs(node)["id"] for node in _all(read, "[id]")]
    assert len(ids) == len(set(ids))
    for attribute in ("aria-labelledby", "for"):
        assert {_attrs(node)[attribute] for node in _all(read, f"[{attribute}]")} <= set(ids)
    assert {_attrs(node)["href"] for node in _all(read, "[href]")} <= {f"#{name}" for name in ids}
    levels = [int(node.name[1]) for node in _all(read, "h1, h2, h3, h4, h5, h6")]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert [_attrs(node).get("lang") for node in _all(read, "html")] == ["en"]


@pytest.mark.parametrize("name", RUNS)
def test_policy_allows_only_own_style_and_script(name: str) -> None:
    read = _page(name)
    (policy,) = (_attrs(node)["content"] for node in _all(read, "meta[http-equiv='Content-Security-Policy']"))
    for kind in ("style", "script"):
        (node,) = _all(read, kind)
        digest = b64encode(sha256(node.to_text(separator="", strip=False).encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in policy
        assert _attrs(node) == {}
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    for node in _all(read, "*"):
        assert not [
            name for name in _attrs(node) if name.startswith("on") or name in {"style", "src", "srcset", "action", "ping"}
        ]
        assert node.name not in {"iframe", "object", "embed", "img", "link", "base", "audio", "video"}
    (style,) = _all(read, "style")
    assert not re.search(r"url\(|@import|expression", style.to_text())


def test_page_without_script_hides_only_the_filter() -> None:
    assert [node.name for node in _all(_page("whole contract broken"), "[hidden]")] == ["form"]


def test_every_requirement_stands_in_its_chapter_in_order() -> None:
    read = _page("whole contract broken")
    found = _all(read, "article.requirement")
    assert [_attrs(node)["id"] for node in found] == list(REAL.requirements)
    for node, requirement in zip(found, REAL.requirements.values(), strict=True):
        (sentence,) = _all(node, ".sentence")
        assert _text(sentence).replace("`", "") == " ".join(requirement.sentence.split())
        (verdict,) = _all(node, ".verdict")
        assert _text(verdict) == _attrs(node)["data-verdict"].replace("-", " ")
        assert _attrs(node)["data-class"] == requirement.conformance_class
    chapters = [_attrs(node)["id"] for node in _all(read, ".chapter")]
    assert chapters == list(dict.fromkeys(requirement.chapter for requirement in REAL.requirements.values()))


def test_field_names_are_marked_as_code() -> None:
    (sentence,) = _all(_page("whole contract"), "#PAG-01 .sentence")
    assert [_text(node).strip("`") for node in _all(sentence, "code")] == ["pagination.has_more", "pagination.next_cursor"]


def test_failed_requirement_shows_its_evidence() -> None:
    (evidence,) = _all(_page("non-conformant"), "#CORE-01 details")
    told = evidence.to_text()
    for part in (
        "200",
        "404 NOT_FOUND",
        "GET https://staging.example.com/v1/leads/",
        '"no such lead"',
        "Authorization: [secret]",
    ):
        assert part in told
    assert "curl -i -X GET" in told
    assert "pytest --requirement CORE-01 --seed 42" in told
    assert "spec/contract/02-promises.md:11" in told


@pytest.mark.parametrize("name", RUNS)
def test_only_conformant_run_looks_conformant(name: str) -> None:
    read = _page(name)
    sound = name in {"conformant", "whole contract"}
    (look,) = _all(read, "body")
    assert (_attrs(look)["class"] == "tone-sound") == sound
    (heading,) = _all(read, "h1")
    assert (_text(heading) == "Conformant") == sound
    (title,) = _all(read, "title")
    assert _text(title).startswith(_text(heading))


@pytest.mark.parametrize(
    "against",
    [
        {"partial": True},
        {"state": "unfinished"},
        {"harness_errors": [{"sentence": "KeyError", "tests": []}]},
        {"baseline": {"file": "known.toml", "entries": 1, "waived": ["CORE-01"], "stale": [], "expired": [], "unknown": []}},
    ],
)
def test_contradictory_results_look_unsettled(against: dict[str, Any]) -> None:
    read = _read(page(document_of(RUNS["conformant"][0], CONTEXT) | against, SMALL))
    (look,) = _all(read, "body")
    assert _attrs(look)["class"] == "tone-unsettled"
    assert len(_all(read, ".stamp")) == 1


def test_waived_failure_shows_its_waiver() -> None:
    read = _page("waived")
    (requirement,) = _all(read, "#CORE-01")
    assert _attrs(requirement)["data-verdict"] == "failed"
    told = _text(requirement)
    assert "Waived until 2027-01-31" in told
    assert "the tracker has it" in told
    assert "Ada" in told
    assert RunWord.WAIVED.value.capitalize() == _text(_all(read, "h1")[0])


def test_unexercised_requirement_shows_reason_and_remedy() -> None:
    (section,) = _all(_page("incomplete"), "#unexercised")
    (gap,) = [node for node in _all(section, ".gap") if "controller.url" in node.to_text()]
    assert "no test controller" in gap.to_text()
    assert [_attrs(node)["href"] for node in _all(gap, "a")] == ["#CORE-01"]


def test_observed_values_stand_beside_open_items() -> None:
    seen = {"observation": {"open_item": "CALL-O01", "value": "scheduled"}}
    read = _read(page(document_of(run_of(seen, seen, catalogue=REAL, claimed=["core"]), CONTEXT), REAL))
    (item,) = _all(read, "#CALL-O01")
    assert "scheduled" in item.to_text()
    assert _text(item).endswith("scheduled 2 \N{MULTIPLICATION SIGN}")
    assert len(_all(read, ".open-items > div")) == len(REAL.open_items)


def _hostile_records(text: str) -> Iterator[Record]:
    """Findings in which everything that a deployment has a hand in is this text."""
    exchange: dict[str, Any] = {
        "method": text,
        "url": text,
        "request_headers": {text: text},
        "request_body": text,
        "response_headers": {text: text},
        "response_body": text,
        "request_id": text,
    }
    seen = violation(text, text, text, **exchange) | {"curl": text}
    yield finding("CORE-01", "failed", operation=text, test=text, violation=seen)
    yield finding(
        "CORE-01", "failed", operation="GET /v1/calls", violation=violation(text, text, text, status=None, failure=text)
    )
    yield finding("CORE-02", "unmet", reason=f"a reason {text}", remedy=f"do {text}", test=text)
    yield finding("CORE-03", "failed", violation=violation(text, text, text, response_body=json.dumps({text: [text]})))
    yield {"observation": {"open_item": "CALL-O01", "value": text}}
    yield {"observation": {"open_item": "NONE-O99", "value": text}}
    yield {"requests": {f"GET /{text}": 1}}
    yield {"harness_error": f"KeyError {text}", "test": text}


def _skeleton(node: JustHTML | Node) -> list[str]:
    """All elements with the names of their attributes, but for style and script, in order."""
    return [f"{each.name} {sorted(_attrs(each))}" for each in node.query("*")]


def _hostile_page(text: str, folder: Path) -> str:
    waiver = Waiver(text, text, date(2027, 1, 31))
    baseline = Baseline(text, "ab" * 32, {"CORE-01": waiver})
    run = run_of(*_hostile_records(text), baseline=baseline, today=date(2026, 6, 1))
    context = replace(
        CONTEXT, base_url=f"https://x.example/{text}", profile={"name": text}, selection=(text,), suite_version=text
    )
    arrival = {"at": 1.0, "ended_at": 2.0, "status": 500, "headers": {text: text}, "path": "/a"}
    event = json.dumps({"event": text, "created_at": text, "data": {"id": text}})
    lines = [arrival | {"body": event}, arrival | {"at": 3.0, "body": event}, arrival | {"body": text}]
    (folder / "transcript").mkdir(exist_ok=True)
    (folder / "transcript" / "deliveries.jsonl").write_text("\n".join(map(json.dumps, lines)), "utf-8")
    return page(document_of(run, context), REAL, deliveries(folder))


def test_hostile_text_adds_no_element(tmp_path: Path) -> None:
    hostile, plain = (_read(_hostile_page(text, tmp_path)) for text in (HOSTILE, "a few plain words"))
    assert _skeleton(hostile) == _skeleton(plain)
    shown = "".join(node.to_text() for node in _all(hostile, "body"))
    assert shown.count("<img src=x onerror=alert(2)>") > 30
    assert "{{7*7}}" in shown
    assert "49" not in shown


@settings(max_examples=20)
@given(text=st.text(st.characters(exclude_categories=()), min_size=1, max_size=30))
def test_any_text_adds_no_element(text: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.getbasetemp()
    made = _hostile_page(f"a{text}b", folder)
    assert made.count("<") == _hostile_page("ab", folder).count("<")
    assert all(char.isprintable() or char == "\n" for char in made)
    made.encode("utf-8")


def test_deliveries_of_one_event_are_grouped(tmp_path: Path) -> None:
    (tmp_path / "transcript").mkdir()
    event = json.dumps({"event": "call.booked", "created_at": "2026-05-04T10:00:00Z", "data": {"id": "c1"}})
    moments = [(107.2, 107.3, 200), (100.0, 100.1, 500), (101.2, 102.0, None)]
    lines = [
        json.dumps({"at": at, "ended_at": end, "status": status, "body": event, "headers": {}}) for at, end, status in moments
    ]
    lines += [
        "{torn",
        "[]",
        "[" * 100_000,
        '{"at": "noon"}',
        '{"at": 1e999, "body": 7}',
        '{"at": 5, "body": "no JSON", "status": true}',
    ]
    (tmp_path / "transcript" / "deliveries-gw0.jsonl").write_text("\n".join(lines), "utf-8")
    other_org, booked = deliveries(tmp_path)
    assert (other_org.event, other_org.attempts[0].status, other_org.retried) == ("", None, False)
    assert [attempt.answer for attempt in booked.attempts] == ["500", "no answer", "200"]
    assert [pause and round(pause, 1) for pause in booked.pauses] == [None, 1.1, 5.2]
    assert {place for place, _ in booked.due} == {booked.place(moment) for moment in (101.1, 107.0, 105.1)}
    read = _read(page(document_of(RUNS["conformant"][0], CONTEXT), SMALL, [other_org, booked]))
    (section,) = _all(read, "#deliveries")
    assert "2 events arrived in 4 attempts" in _text(section)
    assert len(_all(section, "svg.timeline")) == 1


def test_run_without_deliveries_has_no_such_section(tmp_path: Path) -> None:
    assert deliveries(tmp_path) == []
    assert _all(_page("conformant"), "#deliveries") == []


def test_automation_signature_is_redacted(tmp_path: Path) -> None:
    (tmp_path / "transcript").mkdir()
    arrival = {"at": 1.0, "body": "{}", "headers": {"X-Automation-Signature": "canary-secret"}}
    (tmp_path / "transcript" / "deliveries.jsonl").write_text("\n".join([json.dumps(arrival)] * 2), "utf-8")
    made = page(document_of(RUNS["conformant"][0], CONTEXT), SMALL, deliveries(tmp_path))
    assert "X-Automation-Signature: [secret]" in made
    assert "canary-secret" not in made


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)
    )
)
def test_layout_keeps_json(value: Any) -> None:
    text = json.dumps(value)
    assert json.loads(laid_out(text)) == value
    assert re.sub(r"\s", "", laid_out(text)) == re.sub(r"\s", "", text)


@given(st.text('{}[]",:\\ \n1a', max_size=40))
def test_layout_keeps_broken_json(text: str) -> None:
    assert re.sub(r"\s", "", laid_out(text)) == re.sub(r"\s", "", text)


def test_long_body_is_cut() -> None:
    assert body("x" * (BODY_SHOWN + 1)).endswith(f"\n[{BODY_SHOWN:,} of {BODY_SHOWN + 1:,} characters]")
    assert len(body("[" * 1_000_000)) < 50 * BODY_SHOWN


def test_evidence_of_many_failures_is_bounded() -> None:
    long = json.dumps({"data": ["x" * 50] * 200})
    records = [
        finding(name, "failed", operation=f"GET /v1/{place}", violation=violation(received=str(number), response_body=long))
        for name in CORE[:60]
        for place in range(12)
        for number in range(3)
    ]
    made = page(document_of(run_of(*records, catalogue=REAL, claimed=["core"]), CONTEXT), REAL)
    read = _read(made)
    assert all(_all(node, ".exchange") for node in _all(read, "article.failed"))
    assert "there was no room for all" in made
    assert len(made) < 8_000_000


def test_page_is_written_when_the_run_has_finished(tmp_path: Path) -> None:
    write_results(RUNS["unfinished"][0], replace(CONTEXT, report_dir=tmp_path))
    assert not (tmp_path / "report.html").exists()
    write_results(run_of(*GREEN, FAILED), replace(CONTEXT, report_dir=tmp_path))
    (heading,) = _all(_read((tmp_path / "report.html").read_text("utf-8")), "h1")
    assert _text(heading) == "Non-conformant"
