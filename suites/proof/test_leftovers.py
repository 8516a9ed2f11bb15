"""The hundredth run on one deployment costs what the first one did, and says the same."""

from collections import Counter

from plumbline.suites.proof.leftovers import try_with_leftovers
from plumbline.suites.proof.pool import pool

from .proving import is_green, plain
from .trials.carried_out import Found

TOLERANCE = 50
"""The share of the requests that may differ: one in so many."""


def test_leftovers_change_neither_verdicts_nor_costs() -> None:
    """Lists grow with what earlier runs left; walks do not."""
    with pool() as processes:  # of its own, because it takes memory that would stay with this one
        grown, fresh = processes.submit(try_with_leftovers).result(), plain()
    assert is_green(grown), (grown.red, grown.harness)
    assert grown.left_out == fresh.left_out
    assert {
        name: why for name, why in grown.unmet.items() if "the end of the" not in why
    } == fresh.unmet
    # Of long lists the end may not be reached.
    reached = {name: outcomes - {"unmet"} for name, outcomes in grown.outcomes.items()}
    assert reached == {name: outcomes - {"unmet"} for name, outcomes in fresh.outcomes.items()}
    assert abs(sent(grown).total() - sent(fresh).total()) <= sent(fresh).total() // TOLERANCE
    assert sent(grown)["main"] <= sent(fresh)["main"] * (1 + 1 / TOLERANCE)


def sent(result: Found) -> Counter[str]:
    """How many requests each key has sent."""
    requests: Counter[str] = Counter()
    for account in result.accounts.values():
        for request, number in account["requests"].items():
            requests[request.partition(" ")[0]] += number
    return requests
