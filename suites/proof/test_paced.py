"""A paced run never meets a limit that it keeps, in virtual time."""

import pytest

from .proving import checks_of_deployments
from .trials.trial import attempt

WAYS = ("", "fixed-window", "sliding-window", "token-bucket", "waits-rounded-up")
"""Ways to count requests: that of the plain deployment, and permitted variants."""
MINUTES_WORTH = 60
CHAPTER = "calls/"
"""Sends more than a minute's worth to one organization, bookings among it."""


@pytest.mark.parametrize("way", WAYS)
def test_a_paced_run_is_never_refused(way: str) -> None:
    """However the deployment counts, checks that go beyond a minute's worth meet no limit, and lose
    nothing.
    """
    checks = [check for check in checks_of_deployments() if check.name.startswith(CHAPTER)]
    result = attempt(checks, variants=[way] if way else [], limits="documented")
    assert (
        sum(sum(account["requests"].values()) for account in result.accounts.values())
        > MINUTES_WORTH
    )
    assert (result.red, result.harness, result.refused) == (set(), {}, 0)
