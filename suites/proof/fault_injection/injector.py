"""Counts the operations of a program at its operating system, and lets one of them fail.

It is installed inside the programs of the kit by `startup/sitecustomize.py`, without a change to
them. The variable FAULT_INJECTION says, as JSON, which operation fails and how; see `Order`.
"""

import errno
import json
import os
import re
import signal
import socket
import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, TypeVar

VARIABLE = "FAULT_INJECTION"
REFERENCE = "plumbline.fixtures.reference"
"""The reference deployment is what is tested, so it never fails here."""
CHANGING = re.compile(
    r"(?<=/pace/)[a-z0-9]{6}\b|(?<=run-)\w{8}\b|(?<=plumbline-)\w{8}\b|(?<=tmp)\w{8}\b"
    r"|(?<=^/tmp/)[a-z0-9_]{8}$|[0-9a-f]{16,}|(?<=-files-)\w{8}\b|(?<=/)[A-Z]+-\d+|\d{2,}"
)
"""What differs from run to run in the name of a file, or from page to page of requirements."""
DISK = ("create", "write", "mkdir", "sync")
HANDLES = ("create", "open", "socket", "accept", "start", "list")
NETWORK = ("connect", "send", "receive", "resolve")
T = TypeVar("T")


@dataclass(frozen=True)
class Failure:
    """A way in which an operation fails.

    Attributes:
        number: the error number; 0 where it is no OSError.
        lasts: kinds of operations that fail from then on as well; none where it passes.
        signal: what the process sends itself instead of an error.
        how: `before` the operation, `after` it, or in the middle of it (`torn`, of a write).
    """

    number: int = 0
    lasts: tuple[str, ...] = ()
    signal: int = 0
    how: str = "before"


FAILURES: dict[str, Failure] = {
    "disk full": Failure(errno.ENOSPC, DISK, how="torn"),
    "quota reached once": Failure(errno.EDQUOT),
    "input/output error": Failure(errno.EIO),
    "permission denied": Failure(errno.EACCES),
    "read-only from then on": Failure(errno.EROFS, (*DISK, "rename", "unlink")),
    "no file handles left": Failure(errno.EMFILE, HANDLES),
    "no locks on this file system": Failure(errno.ENOLCK, ("lock",)),
    "connection refused": Failure(errno.ECONNREFUSED),
    "server gone": Failure(errno.ECONNREFUSED, ("connect",)),
    "connection reset": Failure(errno.ECONNRESET),
    "network gone": Failure(errno.ENETUNREACH, NETWORK),
    "timed out": Failure(errno.ETIMEDOUT),
    "broken pipe": Failure(errno.EPIPE),
    "connection cut": Failure(how="cut"),
    "connection aborted": Failure(errno.ECONNABORTED),
    "address in use": Failure(errno.EADDRINUSE),
    "name not resolved": Failure(socket.EAI_AGAIN),
    "no processes left": Failure(errno.EAGAIN),
    "no memory": Failure(errno.ENOMEM),
    "no threads left": Failure(),
    "database full": Failure(how="database or disk is full"),
    "database locked": Failure(how="database is locked"),
    "database unreadable": Failure(how="disk I/O error"),
    "killed": Failure(signal=signal.SIGKILL),
    "killed in the middle": Failure(signal=signal.SIGKILL, how="torn"),
    "killed afterwards": Failure(signal=signal.SIGKILL, how="after"),
    "interrupted": Failure(signal=signal.SIGINT),
    "terminated": Failure(signal=signal.SIGTERM),
}
BY_KIND: dict[str, tuple[str, ...]] = {
    "create": ("disk full", "permission denied", "no file handles left", "killed"),
    "open": ("no file handles left", "input/output error"),
    "write": (
        "disk full",
        "input/output error",
        "killed in the middle",
        "quota reached once",
        "interrupted",
        "terminated",
    ),
    "sync": ("input/output error", "killed", "disk full"),
    "close": ("input/output error", "quota reached once"),
    "rename": (
        "input/output error",
        "disk full",
        "killed",
        "killed afterwards",
        "interrupted",
        "terminated",
    ),
    "unlink": ("permission denied", "read-only from then on", "killed"),
    "mkdir": ("disk full", "permission denied", "killed"),
    "rmdir": ("input/output error",),
    "list": ("input/output error", "no file handles left"),
    "lock": ("no locks on this file system", "input/output error"),
    "resolve": ("name not resolved",),
    "socket": ("no file handles left",),
    "connect": ("connection refused", "server gone", "timed out", "network gone", "killed"),
    "send": ("connection reset", "broken pipe", "network gone"),
    "receive": ("connection reset", "connection cut", "network gone", "interrupted"),
    "listen": ("address in use", "no file handles left"),
    "accept": ("no file handles left", "connection aborted"),
    "start": ("no processes left", "no memory", "no file handles left"),
    "fork": ("no processes left", "no memory"),
    "thread": ("no threads left",),
    "sql": ("database full", "database locked", "database unreadable", "killed"),
}
"""The ways in which each kind of operation fails, the most telling first."""


@dataclass(frozen=True, order=True)
class Point:
    """An operation of a program: its kind, what it is done to, and its number among those."""

    kind: str
    place: str
    number: int

    def __str__(self) -> str:
        return f"{self.kind} {self.place} #{self.number}"


@dataclass(frozen=True)
class Order:
    """What FAULT_INJECTION says.

    Attributes:
        within: the folder whose files count; absolute.
        log: takes a line for every operation that is counted, or `hit` once the fault has occurred.
        point: what fails; None to count alone.
        failure: one of `FAILURES`.
        sabotage: what is broken in the kit before, see `sabotage.py`; empty for nothing.
    """

    within: str
    log: str
    point: Point | None = None
    failure: str = ""
    sabotage: str = ""

    def variable(self) -> dict[str, str]:
        """The environment variable that says this."""
        return {VARIABLE: json.dumps(asdict(self))}


class Injector:
    """Counts operations, and says of each how it fails, if it does."""

    def __init__(self, order: Order) -> None:
        self._order = order
        self._failure = FAILURES.get(order.failure, Failure())
        self._numbers: Counter[tuple[str, str]] = Counter()
        self._lock = threading.Lock()
        self._log = os.open(order.log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        self._is_hit = False
        self._handles: dict[int, tuple[tuple[int, int] | None, str]] = {}

    def opened(self, handle: int, path: Any) -> None:
        """Note which file a handle is of, so that what is done by the handle has a place as
        well.
        """
        if isinstance(path, str | bytes | os.PathLike):
            whole = os.path.abspath(os.fsdecode(path))  # noqa: PTH100  without a look at the disk
            self._handles[handle] = _identity(handle), whole

    def place(self, file: Any) -> str | None:
        """What a file is called in the order; None if it does not count."""
        if isinstance(file, int):
            identity, path = self._handles.get(file, (None, ""))
            if not identity or identity != _identity(file):  # a pipe, a socket, or closed since
                return None
            file = path
        path = os.path.abspath(os.fsdecode(file))  # noqa: PTH100  without a look at the disk
        if not path.startswith(self._order.within + "/"):
            return None
        return CHANGING.sub("*", path.removeprefix(self._order.within))

    def reached(self, kind: str, place: str) -> Failure | None:
        """Count an operation; returns how it fails."""
        if worker := os.environ.get("PYTEST_XDIST_WORKER"):
            place = f"{worker}: {place}"
        with self._lock:
            self._numbers[kind, place] += 1
            point = Point(kind, place, self._numbers[kind, place])
            if self._order.point is None:
                os.write(self._log, f"{json.dumps(asdict(point))}\n".encode())
            elif self._is_hit and kind in self._failure.lasts:
                return self._failure
            elif not self._is_hit and point == self._order.point:
                self._is_hit = True
                os.write(self._log, b"hit\n")
                return self._failure
        return None

    def perform(
        self,
        kind: str,
        place: str | None,
        act: Callable[[], T],
        half: Callable[[], object] | None = None,
    ) -> T:
        """Do an operation, or let it fail.

        Args:
            kind: see `BY_KIND`.
            place: what it is done to; None for what does not count.
            act: does it.
            half: does the first half of it, where there are halves.
        """
        failure = None if place is None else self.reached(kind, place)
        return act() if failure is None else self.fail(kind, place, failure, act, half)

    def fail(
        self,
        kind: str,
        place: str | None,
        failure: Failure,
        act: Callable[[], T],
        half: Callable[[], object] | None = None,
    ) -> T:
        """Let an operation fail; returns what it returns where the process survives a signal."""
        if failure.how == "torn" and half:
            half()
        if failure.how == "after":
            act()
        if failure.signal:
            os.kill(os.getpid(), failure.signal)
            return act()
        raise _error(kind, failure, place)


def _identity(handle: int) -> tuple[int, int] | None:
    """What tells the file of a handle from all others; None when the handle is closed."""
    try:
        status = os.fstat(handle)
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _error(kind: str, failure: Failure, place: str | None) -> Exception:
    if kind == "thread":
        return RuntimeError("can't start new thread")
    if kind == "resolve":
        return socket.gaierror(failure.number, "Temporary failure in name resolution")
    if kind == "sql":
        import sqlite3  # noqa: PLC0415  few programs need it

        return sqlite3.OperationalError(failure.how)
    path = (
        (place,)
        if kind in {"create", "open", "rename", "unlink", "mkdir", "rmdir", "list", "start"}
        else ()
    )
    return OSError(failure.number, os.strerror(failure.number), *path)
