"""The comment on a change, and the line for a chat."""

import json
import re
from typing import Any

import pytest
from markdown_it import MarkdownIt

from plumbline.reports.evidence.results import document_of
from plumbline.reports.pages.changes import chat, comment, link_here
from plumbline.reports.tests.samples import CONTEXT, SMALL, finding, run_of, violation

FIRST, SECOND = [
    name
    for name, requirement in SMALL.requirements.items()
    if requirement.severity == "must" and not requirement.unobservable
][:2]


def results(**outcomes: str) -> dict[str, Any]:
    findings = [finding(name.replace("_", "-"), outcome) for name, outcome in outcomes.items()]
    own = finding("ACME-01", "failed") | {"own": "A lead MUST have a colour."}
    return document_of(run_of(*findings, own), CONTEXT)


def run(first: str, second: str) -> dict[str, Any]:
    return results(**{FIRST.replace("-", "_"): first, SECOND.replace("-", "_"): second})


class TestComment:
    def test_comment_tells_what_changed_since_the_base(self) -> None:
        text = comment(run("failed", "passed"), run("passed", "failed"), SMALL)
        assert text.startswith("<!-- plumbline staging -->\n### Plumbline: Non-conformant\n")
        new, fixed = text.partition("**New failures (1)**")[2].partition("**Fixed (1)**")[::2]
        assert f"| {FIRST} | `GET /v1/leads` | `{SMALL.requirements[FIRST].sentence}` |" in new
        assert f"| {SECOND} |" in fixed
        assert "Own checks that failed: ACME-01" in text

    def test_comment_without_base_lists_the_failures(self) -> None:
        text = comment(run("failed", "passed"), None, SMALL)
        assert "**Failed; there is no report of the base branch to compare with (1)**" in text

    def test_comment_on_no_change_says_so(self) -> None:
        same = run("passed", "passed")
        assert "Nothing has changed since the base, and nothing fails." in comment(
            same, same, SMALL
        )

    def test_name_cannot_end_the_marker(self) -> None:
        document = run("passed", "passed") | {"profile": {"name": '--> "`|'}}
        assert comment(document, None, SMALL).splitlines()[0] == "<!-- plumbline   -->"

    def test_first_new_failure_is_shown_with_evidence_and_link(self) -> None:
        text = comment(
            run("failed", "passed"),
            run("passed", "failed"),
            SMALL,
            "https://github.com/a/b/actions/runs/7",
        )
        evidence = text.partition("**New failures (1)**")[0]
        assert (
            f"**{FIRST}** `GET /v1/leads`\n\n- expected `200`\n- received `404 NOT_FOUND`\n"
            in evidence
        )
        assert (
            "[Report and evidence of this run](https://github.com/a/b/actions/runs/7)\n" in evidence
        )

    def test_three_failures_are_shown_and_no_old_ones_where_there_are_new_ones(self) -> None:
        names = ["CORE-01", "CORE-02", "KEYS-01", "BETA-01"]
        many = document_of(
            run_of(*(finding(name, "failed") for name in names), claimed=SMALL.classes), CONTEXT
        )
        assert (
            re.findall(r"^\*\*([A-Z]+-\d+)\*\*", comment(many, None, SMALL), re.MULTILINE)
            == names[:3]
        )
        before = document_of(
            run_of(finding("CORE-01", "failed"), *(finding(name) for name in names[1:])), CONTEXT
        )
        assert "**CORE-01** " not in comment(many, before, SMALL)

    @pytest.mark.parametrize(
        "hostile",
        [
            "@octocat fixes #1",
            "<img src=x onerror=alert(1)>",
            "`` @octocat `",
            "a\n\n/close\n",
            "[x](javascript:alert(1))",
            "a | b \\| c",
        ],
    )
    def test_text_of_a_deployment_mentions_and_does_nothing(self, hostile: str) -> None:
        failure = finding(
            "CORE-01", "failed", operation=hostile, violation=violation(hostile, hostile, hostile)
        )
        text = comment(
            document_of(run_of(failure), CONTEXT), None, SMALL, "https://ci.example.com/7"
        )
        spans = [
            child
            for token in MarkdownIt().enable("table").parse(text)
            for child in token.children or ()
        ]
        said = " ".join(span.content for span in spans if span.type == "text")
        assert not re.search("octocat|onerror|javascript|/close", said)
        assert {span.type for span in spans} <= {
            "text",
            "code_inline",
            "softbreak",
            "strong_open",
            "strong_close",
            "link_open",
            "link_close",
        }
        assert "\n/close" not in text

    @pytest.mark.parametrize("link", ["", "javascript:alert(1)", "ftp://a/b", "https:///b"])
    def test_only_pages_are_linked(self, link: str) -> None:
        assert "](" not in comment(run("failed", "passed"), None, SMALL, link)

    def test_link_ends_where_it_ends(self) -> None:
        text = comment(run("failed", "passed"), None, SMALL, "https://a.example/b) @octocat (c")
        assert "](https://a.example/b%29%20@octocat%20%28c)\n" in text


@pytest.mark.parametrize(
    ("environment", "link"),
    [
        (
            {
                "GITHUB_SERVER_URL": "https://github.com",
                "GITHUB_REPOSITORY": "a/b",
                "GITHUB_RUN_ID": "7",
            },
            "https://github.com/a/b/actions/runs/7",
        ),
        ({"GITHUB_SERVER_URL": "https://github.com"}, ""),
        (
            {"CI_JOB_URL": "https://gitlab.example.com/a/-/jobs/7"},
            "https://gitlab.example.com/a/-/jobs/7",
        ),
        ({}, ""),
    ],
)
def test_pipeline_knows_its_page(environment: dict[str, str], link: str) -> None:
    assert link_here(environment) == link


def test_chat_is_one_line_of_json() -> None:
    line = chat(run("failed", "passed"), run("passed", "failed"), "https://ci.example.com/7", SMALL)
    assert "\n" not in line
    text = json.loads(line)["text"]
    assert text.startswith("Plumbline: non-conformant, staging, ")
    assert text.endswith(
        f"Failed: {FIRST}, ACME-01. New: {FIRST}. Fixed: {SECOND}. https://ci.example.com/7"
    )
