"""Schemathesis finds in the reference deployment what the document leaves open, and nothing
else.
"""

import json
import sys
from pathlib import Path

from .workshop import DOCUMENT, finished

LISTS = ("GET /v1/leads", "GET /v1/payments", "GET /v1/opportunities")
WINDOWS = (
    "GET /v1/analytics/ad-performance",
    "GET /v1/analytics/campaigns",
    "GET /v1/analytics/dashboard",
    "GET /v1/analytics/objections",
    "GET /v1/team/performance",
)
EXPLAINED = {
    "ST201": dict.fromkeys(LISTS, "a `limit` outside of 1 to 100 may be clamped (PAG-09)"),
    "ST202": {
        **dict.fromkeys((*LISTS, *WINDOWS), "an empty parameter may be refused (ERR-O08)"),
        "GET /v1/calls": "an empty parameter may be refused (ERR-O08)",
        "POST /v1/calls": (
            "a booking takes a slot to come, which no schema knows (CALL-12, CALL-O14)"
        ),
        "POST /v1/calls/{id}/reschedule": (
            "a call moves to a slot to come, which no schema knows (CALL-40)"
        ),
        "POST /v1/leads": "NUL in a text may be refused (ERR-O08)",
    },
    "ST205": {"OPTIONS /graphql": "GET shows the playground, which is a page for people (GQL-12)"},
}
"""Findings by their code and operation, each with the reason why neither side is at fault."""


def test_every_finding_is_explained(service: dict[str, str], tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    options = ["--phases", "examples,coverage", "--seed", "1", "--generation-database", "none"]
    options += ["--report", "json", "--report-json-path", str(report), "--no-color"]
    key = f"Authorization: Bearer {service['API_KEY']}"
    program = str(Path(sys.executable).with_name("schemathesis"))
    command = [program, "run", str(DOCUMENT), "--url", service["BASE_URL"], "-H", key, *options]
    done = finished([*command, "--workers", "1"], tmp_path, {})
    assert report.is_file(), done.stdout + done.stderr
    failures = json.loads(report.read_text(encoding="utf-8"))["failures"]
    findings = {
        (failure["code"], operation) for failure in failures for operation in failure["operations"]
    }
    explained = {
        (code, operation) for code, operations in EXPLAINED.items() for operation in operations
    }
    assert sorted(findings - explained) == []
