"""Who waits by virtual time, and how he is woken."""

import math
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, eq=False)
class Sleeper:
    """A thread or a loop that waits, once.

    Attributes:
        deadline: until when, as `VirtualTime.monotonic` gives it; infinite for as long as it takes.
        signal: wakes it really; called once at most.
        counts: whether it is one of those whose work keeps time from going on.
    """

    deadline: float
    signal: Callable[[], None]
    counts: bool = True


class WaitingTime(Protocol):
    """What those who wait ask of virtual time, see `VirtualTime`."""

    def monotonic(self) -> float:
        """Virtual seconds since it began."""

    def sleeper(self, deadline: float, awake: threading.Event) -> Sleeper:
        """This thread, about to wait until a deadline, or until an event is set."""

    def enter(self, sleeper: Sleeper) -> None:
        """A sleeper stops working."""

    def leave(self, sleeper: Sleeper) -> None:
        """A sleeper works again by itself."""

    def wake(self, sleeper: Sleeper) -> None:
        """Let a sleeper work again; it counts as working from now on."""

    def wait(self, awake: threading.Event) -> None:
        """Wait really, until something wakes this thread."""


class VirtualCondition:
    """A condition whose timeouts follow virtual time, and whose waiters count as working as soon as
    they are notified.

    Args:
        time: the virtual time.
    """

    def __init__(self, time: WaitingTime) -> None:
        self._time = time
        self._lock = threading.RLock()
        self._waiting: list[Sleeper] = []

    def __enter__(self) -> bool:
        return self._lock.__enter__()

    def __exit__(self, *_: object) -> None:
        self._lock.release()

    def wait_for(self, predicate: Callable[[], bool], timeout: float | None = None) -> bool:
        """Wait, with the lock in hand, until something holds or so many seconds are over; returns
        whether it holds.
        """
        deadline = math.inf if timeout is None else self._time.monotonic() + timeout
        while not (holds := predicate()) and self._time.monotonic() < deadline:
            awake = threading.Event()
            sleeper = self._time.sleeper(deadline, awake)
            self._waiting.append(sleeper)
            self._time.enter(sleeper)
            self._lock.release()
            try:
                self._time.wait(awake)
            finally:
                self._lock.acquire()
                self._waiting.remove(sleeper)
        return holds

    def notify_all(self) -> None:
        """Let everyone who waits look again; the caller has the lock."""
        for sleeper in self._waiting:
            self._time.wake(sleeper)
