"""What test viewers show: requirement ids in JUnit; labels, outcomes and exchanges in Allure.

JUnit shows what pytest reports. Allure listens to exceptions, and a check that judges raises none,
so `report_to_allure` gives it the outcome.
"""

import json
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from plumbline.spec.findings import Finding

if TYPE_CHECKING:
    import pytest

    from plumbline.spec import Requirement

LISTENER = "allure_listener"
"""Name of the plugin that writes Allure results; there only with --alluredir."""
SEVERITIES: Mapping[str, str] = {"must": "critical", "should": "normal", "may": "minor"}
"""By the severity of a requirement, the gravest first."""


def add_labels(item: "pytest.Item", requirements: Sequence["Requirement"]) -> None:
    """Put what a check judges on it, as properties for JUnit and, where Allure listens, as its
    labels.
    """
    ids = [requirement.id for requirement in requirements]
    classes = sorted({requirement.conformance_class for requirement in requirements})
    item.user_properties += [("requirement", name) for name in ids] + [
        ("conformance_class", name) for name in classes
    ]
    if not item.config.pluginmanager.has_plugin(LISTENER):
        return
    import pytest  # noqa: PLC0415  commands that read a report have no use for it

    gravest = next(
        word
        for severity, word in SEVERITIES.items()
        if severity in {requirement.severity for requirement in requirements}
    )
    labels = {
        "tag": ids,
        "feature": classes,
        "story": [f"{requirement.id} {requirement.sentence}" for requirement in requirements],
        "severity": [gravest],
    }
    for kind, values in labels.items():
        item.add_marker(pytest.mark.allure_label(*values, label_type=kind))


def report_to_allure(
    config: "pytest.Config",
    report: "pytest.TestReport",
    violations: Iterable[Finding],
    *,
    ours: bool,
) -> None:
    """Tell Allure the outcome of a check and attach the exchanges that show it.

    Args:
        config: of this process.
        report: of the check, with the outcome that it has by its findings.
        violations: findings that failed.
        ours: whether the fault is the kit's own.
    """
    listener = config.pluginmanager.get_plugin(LISTENER)
    if listener is None:
        return
    from allure_commons.model2 import (  # noqa: PLC0415
        StatusDetails,
    )

    shown = listener.allure_logger.get_test(None)
    shown.status = "broken" if ours else report.outcome
    text = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longreprtext
    shown.statusDetails = (
        StatusDetails(message=text.partition("\n")[0], trace=text) if text else None
    )
    for finding in violations:
        name = " ".join(part for part in (finding.requirement, finding.operation) if part)
        if finding.violation:
            _attach(f"{name}: ", finding.violation.exchange, finding.violation.curl)
            _add_steps(listener, name, finding.violation.sequence)


def _add_steps(listener: Any, name: str, sequence: Sequence[Mapping[str, Any]]) -> None:
    """The exchanges that a violation rests on, as steps of the test; the one at fault has failed,
    the others are context.
    """
    from allure_commons.model2 import TestStepResult  # noqa: PLC0415

    for number, step in enumerate(sequence, 1):
        exchange, note = step["exchange"], f" ({step['note']})" if step["note"] else ""
        title = (
            f"{name}, {number}. {exchange['method']} {exchange['url']}:"
            f" {exchange['status'] or 'no answer'}{note}"
        )
        identifier, moment = str(uuid4()), int(time.time() * 1000)
        listener.allure_logger.start_step(
            None, identifier, TestStepResult(name=title, start=moment, parameters=[])
        )
        _attach("", exchange, step["curl"])
        listener.allure_logger.stop_step(
            identifier, stop=moment, status="failed" if step["at_fault"] else "passed"
        )


def _attach(of: str, exchange: Mapping[str, Any] | None, curl: str) -> None:
    """Attach an exchange and its curl line to the test, or to the step that has begun."""
    import allure  # noqa: PLC0415

    if exchange:
        allure.attach(
            json.dumps(exchange, indent=2, ensure_ascii=False),
            f"{of}exchange",
            allure.attachment_type.JSON,
        )
    if curl:
        allure.attach(curl, f"{of}curl", allure.attachment_type.TEXT)
