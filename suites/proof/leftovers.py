"""What earlier runs leave: copies of all records of a database, each generation older than the one
before.
"""

import sqlite3
from functools import partial
from pathlib import Path

from .proving import checks_of_deployments
from .trials.carried_out import Found
from .trials.trial import attempt

GENERATIONS = 8
"""How often all records are there once more: more pages of each list than any walk may take."""
DAYS_BETWEEN_GENERATIONS = 40
"""So that the calls of all generations are over."""
TABLES = ("leads", "calls", "payments")
TIMES = frozenset(
    {
        "created_at",
        "updated_at",
        "last_payment_at",
        "scheduled_at",
        "ends_at",
        "started_at",
        "ended_at",
    }
)
IDS = frozenset({"id", "lead_id", "call_id", "linked_payment_id"})
NAMES = frozenset({"email", "email_key", "customer_email"})


def try_with_leftovers() -> Found:
    """Carry out all checks against a deployment that many runs have driven."""
    return attempt(
        checks_of_deployments(by_chance=True),
        prepare=partial(leave_records, generations=GENERATIONS),
    )


def leave_records(database: Path, generations: int) -> None:
    """Multiply the leads, calls and payments of a database."""
    with sqlite3.connect(database) as connection:
        for table in TABLES:
            columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
            ((last,),) = connection.execute(f"SELECT max(rowid) FROM {table}")
            copied = (
                f"INSERT INTO {table} SELECT {', '.join(map(_copied, columns))} FROM {table} WHERE"
                " rowid <= :last"
            )
            connection.executemany(
                copied, [{"last": last, "number": number} for number in range(1, generations + 1)]
            )


def _copied(column: str) -> str:
    """The expression for a column of a copy."""
    if column in IDS:
        return f"substr({column}, 1, 24) || printf('fff%03x', :number) || substr({column}, 31)"
    if column in TIMES:
        return f"{column} - :number * {DAYS_BETWEEN_GENERATIONS * 86_400_000_000}"
    return f":number || '.' || {column}" if column in NAMES else column
