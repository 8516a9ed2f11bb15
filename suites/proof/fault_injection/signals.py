"""The table of signals: what is sent to which process of a command at work, and how that ends."""

import signal
from collections.abc import Mapping
from dataclasses import dataclass

INT, TERM, HUP, KILL = signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL


@dataclass(frozen=True)
class Ended:
    """A row.

    Attributes:
        command: one of `test_signals.py`.
        to: the `group`, as Ctrl+C of a terminal, the `program` that was typed, the `child` that it
            has started, or a `worker` of pytest-xdist.
        signals: sent one after the other, the next as soon as the process has had a moment.
        code: how the command ends; negative for a signal.
        state: of the report: `finished`, `none`, or `unfinished`, which may be none as well.
    """

    command: str
    to: str
    signals: tuple[signal.Signals, ...]
    code: int
    state: str = "unfinished"


SIGNALS: Mapping[str, Ended] = {
    "Ctrl+C ends a run": Ended("run", "group", (INT,), 2),
    "Ctrl+C twice ends a run": Ended("run", "group", (INT, INT), 2),
    "Ctrl+C again and again ends a run": Ended("run", "group", (INT,) * 8, 2),
    "SIGTERM ends a run": Ended("run", "program", (TERM,), 2),
    "SIGTERM twice ends a run": Ended("run", "program", (TERM, TERM), 2),
    "SIGHUP ends a run": Ended("run", "program", (HUP,), 2),
    "SIGTERM to the whole group ends a run": Ended("run", "group", (TERM,), 2),
    "kill -9 of the command ends its run": Ended("run", "program", (KILL,), -KILL),
    "kill -9 of the run ends the command": Ended("run", "child", (KILL,), 12),
    "Ctrl+C ends a run with two workers": Ended("run -n 2", "group", (INT,), 2),
    "kill -9 of a worker is a fault of the kit": Ended("run -n 2", "worker", (KILL,), 12),
    "kill -9 of the command ends workers": Ended("run -n 2", "program", (KILL,), -KILL),
    "kill -9 of the command ends the embedded deployment": Ended(
        "run, embedded", "program", (KILL,), -KILL
    ),
    "SIGTERM ends the embedded deployment": Ended("run, embedded", "program", (TERM,), 2),
    "Ctrl+C ends a receiver's run": Ended("receiver", "group", (INT,), 2),
    "Ctrl+C is the end of a proxy": Ended("observe --proxy", "group", (INT,), 0, "finished"),
    "SIGTERM is the end of a proxy": Ended("observe --proxy", "program", (TERM,), 0, "finished"),
    "SIGHUP is the end of a proxy": Ended("observe --proxy", "program", (HUP,), 0, "finished"),
    "kill -9 of a proxy": Ended("observe --proxy", "program", (KILL,), -KILL),
    "Ctrl+C ends serve": Ended("serve", "group", (INT,), 0, "none"),
    "SIGTERM ends serve": Ended("serve", "program", (TERM,), -TERM, "none"),
}
"""The rows."""
QUICK = (
    "Ctrl+C twice ends a run",
    "SIGTERM ends a run",
    "kill -9 of the command ends its run",
    "kill -9 of the run ends the command",
    "SIGTERM is the end of a proxy",
    "SIGTERM ends serve",
)
"""Those that `make test` tries."""
