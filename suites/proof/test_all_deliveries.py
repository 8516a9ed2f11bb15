"""Deliveries are judged by their oracles whichever check runs, and by nothing where none
arrives.
"""

from plumbline.fixtures.judging.judge import BY_SECRET

from .proving import checks_of_deployments
from .trials.trial import attempt

ANOTHER = "webhooks/test_retries.py::test_2xx_is_not_retried"
"""A check for which deliveries arrive, and which declares nothing of what their oracles judge."""
OF_DELIVERIES = "webhooks/test_deliveries.py"


def test_fault_shows_where_the_checks_of_deliveries_are_not_selected() -> None:
    checks = [check for check in checks_of_deployments() if check.name == ANOTHER]
    found = attempt(checks, faults=["signature-without-dot"])
    assert (found.checks, found.traffic) == ({}, {"HOOK-14": ["oracle DeliveryOracle"]})
    assert found.carried == {ANOTHER: {"HOOK-14"}}
    assert found.outcomes["HOOK-14"] == {"failed"}
    assert found.outcomes["HOOK-01"] == found.outcomes["HOOK-12"] == {"passed"}


def test_nothing_is_judged_where_nothing_arrives() -> None:
    checks = [check for check in checks_of_deployments() if check.name.startswith(OF_DELIVERIES)]
    found = attempt(checks, lacking=["controller"])
    assert found.left_out >= BY_SECRET | {"HOOK-01", "HOOK-12"}
    assert (found.red, found.harness) == (set(), {})
