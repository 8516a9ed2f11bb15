"""The comment on a change, and the line for a chat."""

import json
from typing import Any

from plumbline.reports.evidence.results import document_of
from plumbline.reports.pages.changes import chat, comment
from plumbline.reports.tests.samples import CONTEXT, SMALL, finding, run_of

FIRST, SECOND = [name for name, known in SMALL.requirements.items() if known.severity == "must" and not known.unobservable][:2]


def results(**outcomes: str) -> dict[str, Any]:
    found = [finding(name.replace("_", "-"), outcome) for name, outcome in outcomes.items()]
    own = finding("ACME-01", "failed") | {"own": "A lead MUST have a colour."}
    return document_of(run_of(*found, own), CONTEXT)


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
        assert "**Failed; nothing is known of the base (1)**" in text

    def test_comment_on_no_change_says_so(self) -> None:
        same = run("passed", "passed")
        assert "Nothing has changed since the base, and nothing fails." in comment(same, same, SMALL)

    def test_name_cannot_end_the_marker(self) -> None:
        document = run("passed", "passed") | {"profile": {"name": '--> "`|'}}
        assert comment(document, None, SMALL).splitlines()[0] == "<!-- plumbline   -->"


def test_chat_is_one_line_of_json() -> None:
    line = chat(run("failed", "passed"), run("passed", "failed"), "https://ci.example.com/7", SMALL)
    assert "\n" not in line
    text = json.loads(line)["text"]
    assert text.startswith("Plumbline: non-conformant, staging, ")
    assert text.endswith(f"Failed: {FIRST}, ACME-01. New: {FIRST}. Fixed: {SECOND}. https://ci.example.com/7")
