"""An event loop whose timers follow virtual time, and that tells when it has nothing to do."""

import asyncio
import math
import selectors
import socket
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

from .sleepers import Sleeper, WaitingTime

if TYPE_CHECKING:
    from concurrent.futures import Executor

Events = list[tuple[selectors.SelectorKey, int]]


class LoopTime(WaitingTime, Protocol):
    """The same for those that are loops."""

    def closed(self, selector: "VirtualSelector") -> None:
        """A loop has ended."""


class VirtualSelector(selectors.DefaultSelector):
    """Looks for input really, and waits for nothing but input; what a loop wants to wait for
    besides goes by virtual time.

    Args:
        time: the virtual time.

    Attributes:
        held: how many things the loop waits for that are done elsewhere, in an executor for
            example; while there are any, it works.
    """

    def __init__(self, time: "LoopTime") -> None:
        super().__init__()
        self._time = time
        self._ours, self._theirs = socket.socketpair()
        for end in (self._ours, self._theirs):
            end.setblocking(False)  # noqa: FBT003  it has no keyword
        self.register(self._ours, selectors.EVENT_READ)
        self.held = 0

    def select(self, timeout: float | None = None) -> Events:
        """What is ready now; if nothing is, what is ready when there is something, or nothing when
        the time is over.
        """
        events = super().select(0)
        if events or (timeout is not None and timeout <= 0):
            return self._without_ours(events)
        if self.held:
            return self._without_ours(super().select(None))
        sleeper = Sleeper(
            math.inf if timeout is None else self._time.monotonic() + timeout, self.interrupt
        )
        self._time.enter(sleeper)
        events = super().select(None)
        self._time.leave(sleeper)
        return self._without_ours(events)

    def interrupt(self) -> None:
        """Let `select` return."""
        self._theirs.send(b"\0")

    def descriptors(self) -> list[int]:
        """Everything that is looked at; can be asked from another thread."""
        # in one step, while the loop may be changing it
        return list(self._fd_to_key)  # type: ignore[attr-defined]

    def close(self) -> None:
        """End, also for virtual time."""
        super().close()
        self._ours.close()
        self._theirs.close()
        self._time.closed(self)

    def _without_ours(self, events: Events) -> Events:
        if not any(key.fileobj is self._ours for key, _ in events):
            return events
        self._ours.recv(64)
        return [event for event in events if event[0].fileobj is not self._ours]


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop in virtual time.

    Args:
        time: the virtual time.
        selector: of the same time.
    """

    def __init__(self, time: "LoopTime", selector: VirtualSelector) -> None:
        super().__init__(selector)
        self._virtual = time
        self._holding = selector

    def time(self) -> float:
        """What timers go by."""
        return self._virtual.monotonic()

    def run_in_executor(  # type: ignore[override]
        self, executor: "Executor | None", func: Callable[..., Any], *args: Any
    ) -> "asyncio.Future[Any]":
        """Work elsewhere, while this loop counts as working."""
        future = super().run_in_executor(executor, func, *args)
        self.hold(future)
        return future

    def hold(self, future: "asyncio.Future[Any]") -> None:
        """Count as working until a future is done. Called in the thread of the loop."""
        self._holding.held += 1
        future.add_done_callback(self._release)

    def _release(self, _: "asyncio.Future[Any]") -> None:
        self._holding.held -= 1
