"""The results in the Common Test Report Format, which dashboards of several vendors read: one test
per requirement.
"""

from collections import Counter
from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from plumbline.reports.text import printable

if TYPE_CHECKING:
    from plumbline.spec import Catalogue

STATUS: Mapping[str, str] = {
    "passed": "passed",
    "failed": "failed",
    "warned": "other",
    "not exercised": "pending",
}
"""Of a verdict; all others are skipped. What was not exercised must not vanish among them."""
STATUSES = ("passed", "failed", "skipped", "pending", "other")


def ctrf(document: Mapping[str, Any], catalogue: "Catalogue") -> dict[str, Any]:
    """The content of a conformance.json as a CTRF document; times in milliseconds."""
    tests = [_test(entry, catalogue) for entry in document["requirements"]]
    counts = Counter(test["status"] for test in tests)
    start, stop = (_milliseconds(document[name]) for name in ("started", "ended"))
    extra = (
        "verdict",
        "reason",
        "state",
        "partial",
        "exit_code",
        "target",
        "claimed",
        "tier",
        "seed",
    )
    return {
        "reportFormat": "CTRF",
        "specVersion": "0.0.0",
        "generatedBy": "plumbline",
        "results": {
            "tool": document["suite"],
            "summary": {
                "tests": len(tests),
                **{status: counts[status] for status in STATUSES},
                "start": start,
                "stop": max(start, stop),
                "extra": {name: document[name] for name in extra},
            },
            "tests": tests,
        },
    }


def _test(entry: Mapping[str, Any], catalogue: "Catalogue") -> dict[str, Any]:
    requirement = catalogue.requirements.get(entry["id"])
    violations = [sample for violation in entry["violations"] for sample in violation["samples"]]
    message = (
        f"expected {violations[0]['expected']}, received {violations[0]['received']}"
        if violations
        else entry["reason"]
    )
    return {
        "name": f"{entry['id']} {requirement.sentence}" if requirement else entry["id"],
        "status": STATUS.get(entry["verdict"], "skipped"),
        "rawStatus": entry["verdict"],
        "duration": 0,
        "suite": [requirement.chapter if requirement else "elsewhere"],
        "tags": [entry["id"], entry["class"], entry["keyword"]],
        **({"message": printable(message)} if message else {}),
    }


def _milliseconds(moment: str | None) -> int:
    return int(datetime.fromisoformat(moment).timestamp() * 1000) if moment else 0
