"""No part of a run takes the slot of another one: one host, few slots, buffers, several workers,
the background beside them.
"""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from .programs_beside import RUNS_OF_ONE_HOST
from .proving import SEED_DISTANCE, checks_of_deployments
from .trials.trial import BEGINS, SEED, attempt

RUNS = int(os.environ.get(RUNS_OF_ONE_HOST, "1"))
"""How many runs are tried with each number of workers; `make prove` tries more."""
CHAPTERS = ("calls/", "booking_links/", "upstream/", "opportunities/", "webhooks/test_events.py")
"""The folders of what books, moves, and compares what is offered."""


def few_slots(database: Path) -> None:
    """Let the link with one host offer little: the next days, with a buffer around every call."""
    change = (
        "UPDATE booking_links SET available_days_in_future = 6, buffer_minutes = 15 WHERE"
        " json_array_length(host_ids) = 1"
    )
    with closing(sqlite3.connect(database)) as connection, connection:
        assert connection.execute(change).rowcount == 1


@pytest.mark.parametrize("workers", [1, 4])
@pytest.mark.parametrize("seed", range(SEED, SEED + RUNS))
def test_nothing_is_red_with_one_host_and_few_slots(workers: int, seed: int) -> None:
    """Checks that find no slot are not exercised, which is no alarm."""
    chosen = [check for check in checks_of_deployments() if check.name.startswith(CHAPTERS)]
    begins = BEGINS + (seed - SEED) * SEED_DISTANCE
    result = attempt(
        chosen, seed=seed, begins=begins, workers=workers, link="single", prepare=few_slots
    )
    assert (result.checks, result.traffic, result.harness) == ({}, {}, {})
