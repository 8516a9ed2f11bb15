"""Checks that deal the statuses of a call by seed raise no alarm, whatever status they come to."""

import pytest

from plumbline.fixtures.judging.statuses import ONLY_BY_PATCH, call_statuses

from .proving import checks_of_deployments
from .trials.trial import SEED, attempt

NAME = "calls/test_changes.py::test_wrong_changes_are_refused"
TRIED = 4
"""Statuses that a call of this check goes through."""


@pytest.mark.parametrize("number", range(TRIED))
def test_wrong_changes_of_an_unfit_call(number: int) -> None:
    """A call is `unfit` where an outcome of `unfit` is tried, and where anything else is."""
    statuses = call_statuses()
    seed = next(
        seed
        for seed in range(SEED, SEED + len(statuses))
        if statuses[(TRIED * seed + number) % len(statuses)] == ONLY_BY_PATCH
    )
    trial = attempt([check for check in checks_of_deployments() if check.name == NAME], seed=seed)
    assert (trial.red, trial.harness, trial.unmet) == (set(), {}, {})
