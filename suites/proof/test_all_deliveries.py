"""Deliveries are judged by their oracles whichever check runs, and by nothing where none
arrives.
"""

from plumbline.fixtures.judging.oracle import BY_SECRET

from .proving import checks_of_deployments
from .trials.trial import attempt

ANOTHER = "webhooks/test_retries.py::test_2xx_is_not_retried"
"""A check for which deliveries arrive, and which declares nothing of what their oracles judge."""
OF_DELIVERIES = "webhooks/test_deliveries.py"


def test_fault_shows_where_the_checks_of_deliveries_are_not_selected() -> None:
    checks = [check for check in checks_of_deployments() if check.name == ANOTHER]
    trial = attempt(checks, faults=["signature-without-dot"])
    assert (trial.checks, trial.traffic) == ({}, {"HOOK-14": ["oracle DeliveryOracle"]})
    assert trial.carried == {ANOTHER: {"HOOK-14"}}
    assert trial.outcomes["HOOK-14"] == {"failed"}
    assert trial.outcomes["HOOK-01"] == trial.outcomes["HOOK-12"] == {"passed"}


def test_nothing_is_judged_where_nothing_arrives() -> None:
    checks = [check for check in checks_of_deployments() if check.name.startswith(OF_DELIVERIES)]
    trial = attempt(checks, lacking=["controller"])
    assert trial.left_out >= BY_SECRET | {"HOOK-01", "HOOK-12"}
    assert (trial.red, trial.harness) == (set(), {})
