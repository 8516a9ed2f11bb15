"""What test viewers show: requirement ids in JUnit; labels, outcomes and exchanges in Allure.

JUnit shows what pytest reports. Allure listens to exceptions, and a check that judges raises none, so `report_to_allure` gives
it the outcome.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from plumbline.spec.findings import Finding

if TYPE_CHECKING:
    import pytest

    from plumbline.spec import Requirement

LISTENER = "allure_listener"
"""Name of the plugin that writes Allure results; there only with --alluredir."""
SEVERITIES: Mapping[str, str] = {"must": "critical", "should": "normal", "may": "minor"}
"""By the severity of a requirement, the gravest first."""


def add_labels(item: "pytest.Item", requirements: Sequence["Requirement"]) -> None:
    """Put what a check judges on it, as properties for JUnit and, where Allure listens, as its labels."""
    ids = [each.id for each in requirements]
    classes = sorted({each.conformance_class for each in requirements})
    item.user_properties += [("requirement", name) for name in ids] + [("conformance_class", name) for name in classes]
    if not item.config.pluginmanager.has_plugin(LISTENER):
        return
    import pytest  # noqa: PLC0415  commands that read a report have no use for it

    gravest = next(word for severity, word in SEVERITIES.items() if severity in {each.severity for each in requirements})
    labels = {
        "tag": ids,
        "feature": classes,
        "story": [f"{each.id} {each.sentence}" for each in requirements],
        "severity": [gravest],
    }
    for kind, values in labels.items():
        item.add_marker(pytest.mark.allure_label(*values, label_type=kind))


def report_to_allure(config: "pytest.Config", report: "pytest.TestReport", violations: Iterable[Finding], *, ours: bool) -> None:
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
    import allure  # noqa: PLC0415  only runs that write Allure results need it
    from allure_commons.model2 import StatusDetails  # noqa: PLC0415

    shown = listener.allure_logger.get_test(None)
    shown.status = "broken" if ours else report.outcome
    text = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longreprtext
    shown.statusDetails = StatusDetails(message=text.partition("\n")[0], trace=text) if text else None
    for finding in violations:
        name = " ".join(part for part in (finding.requirement, finding.operation) if part)
        if finding.violation and finding.violation.exchange:
            exchange = json.dumps(finding.violation.exchange, indent=2, ensure_ascii=False)
            allure.attach(exchange, f"{name}: exchange", allure.attachment_type.JSON)
        if finding.violation and finding.violation.curl:
            allure.attach(finding.violation.curl, f"{name}: curl", allure.attachment_type.TEXT)
