"""Virtual time: stands still while anything works, and jumps to the next deadline when everything
waits.

It is a clock of the kit and a time source of the reference deployment at once, for both in one
process. Minutes of waiting take no time, and computing takes no virtual time, so a busy machine
changes no measured time.

What works is counted: each participating thread, from before it starts until it waits by this time;
each event loop, from its creation until it has nothing to do and no executor work to wait for.
Waking a sleeper counts it as working before the waker may stop working itself. When the count is
zero, two more things are checked: input in front of a loop that has not woken up yet, and bytes
that the kernel still carries between sockets. Only if there are none of these, time advances.

Other threads need not participate. The server of the deployment does not: its clients are counted
until they have the response.
"""

import asyncio
import math
import select
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from typing import Any, Self, TypeVar

from plumbline.fixtures.http.clock import Condition, carry_out
from plumbline.fixtures.http.lateness import PUNCTUAL, Lateness, Stalls

from .loopback import in_flight, kernel_counts_bytes
from .sleepers import Sleeper, VirtualCondition
from .virtual_loop import VirtualLoop, VirtualSelector

T = TypeVar("T")
READING_SECONDS = 0.0001
"""Seconds that it takes to read the time, so that no two readings are the same and their order is
that of what happened.
"""
POLL_SECONDS = 0.0005
"""Real seconds after which it is looked again whether what was on its way has arrived."""
IDLE_SECONDS = 0.005
"""Real seconds for which nothing must happen, where the kernel does not tell what is on its way."""
STUCK_AFTER_SECONDS = 20.0
"""Real seconds; whatever the kernel puts off is there long before."""


class StuckError(Exception):
    """Virtual time does not advance: it is over, or something stays on its way forever."""


class VirtualTime:
    """Use it as a context manager; the thread that enters takes part.

    Args:
        stuck_after: real seconds after which what is on its way will never arrive.
        follow: is called with each new time in unix seconds, such as to set the time of this
            process.
    """

    def __init__(
        self,
        stuck_after: float = STUCK_AFTER_SECONDS,
        follow: Callable[[float], object] = lambda _: None,
    ) -> None:
        self._stuck_after = stuck_after
        self._follow = follow
        self._lock = threading.Lock()
        self._news = threading.Condition(self._lock)
        self._now = time.monotonic()
        self._epoch = time.time() - self._now
        self._busy = 0
        self._changes = 0
        self._sleepers: set[Sleeper] = set()
        self._loops: set[VirtualSelector] = set()
        self._threads: set[int] = set()
        self._closed = False
        self._trouble: StuckError | None = None
        self._mover = threading.Thread(target=self._run, name="virtual time", daemon=True)

    def __enter__(self) -> Self:
        """Begin; this thread works from now on."""
        self._mover.start()
        with self._lock:
            self._threads.add(threading.get_ident())
            self._busy += 1
        return self

    def __exit__(self, *_: object) -> None:
        """End; threads that still wait by this time get an error."""
        with self._lock:
            self._closed = True
            self._threads.discard(threading.get_ident())
            self._give_up("virtual time is over")
            self._news.notify()
        self._mover.join()

    # What the kit and the deployment call

    def time(self) -> float:
        """Unix seconds; a little later with each reading."""
        with self._lock:
            self._now += READING_SECONDS
            self._follow(self._epoch + self._now)
            return self._epoch + self._now

    def monotonic(self) -> float:
        """Seconds from any beginning."""
        return self._now

    def sleep(self, seconds: float) -> None:
        """Wait."""
        awake = threading.Event()
        self.enter(self.sleeper(self._now + max(0.0, seconds), awake))
        self.wait(awake)

    def condition(self) -> Condition:
        """A condition whose timeouts follow this time."""
        return VirtualCondition(self)

    def new_event_loop(self) -> asyncio.AbstractEventLoop:
        """An event loop that works until it runs and has nothing to do."""
        selector = VirtualSelector(self)
        with self._lock:
            self._busy += 1
            self._loops.add(selector)
        return VirtualLoop(self, selector)

    # computing takes no virtual time
    def stalls_of(self, loop: asyncio.AbstractEventLoop) -> Stalls:  # noqa: ARG002
        """A loop is never late."""
        return Stalls()

    @property
    def lateness(self) -> Lateness:
        """Nothing is ever late."""
        return PUNCTUAL

    def await_outside(self, future: "asyncio.Future[Any]") -> None:
        """Let a loop work until a future is done."""
        loop = future.get_loop()
        assert isinstance(loop, VirtualLoop)
        loop.hold(future)

    def start(self, work: Callable[[], T], name: str) -> "Future[T]":
        """Do some work in a thread that takes part until it is done."""
        future: Future[T] = Future()

        def run() -> None:
            me = threading.get_ident()
            with self._lock:
                self._threads.add(me)
            carry_out(work, future)
            with self._lock:
                self._threads.discard(me)
                self._rest()

        with self._lock:
            self._busy += 1
        threading.Thread(target=run, name=name).start()
        return future

    def result(self, future: "Future[T]") -> T:
        """Wait for what `start` has begun; it wakes this thread before it ends itself."""
        awake = threading.Event()
        sleeper = self.sleeper(math.inf, awake)
        self.enter(sleeper)
        future.add_done_callback(lambda _: self.wake(sleeper))
        self.wait(awake)
        return future.result()

    # Sleepers

    def sleeper(self, deadline: float, awake: threading.Event) -> Sleeper:
        """This thread, about to wait until a deadline, or until an event is set."""
        return Sleeper(deadline, awake.set, counts=threading.get_ident() in self._threads)

    def enter(self, sleeper: Sleeper) -> None:
        """A sleeper stops working."""
        with self._lock:
            self._sleepers.add(sleeper)
            self._rest(sleeper.counts)

    def leave(self, sleeper: Sleeper) -> None:
        """A sleeper works again by itself."""
        with self._lock:
            self._rouse(sleeper)

    def wake(self, sleeper: Sleeper) -> None:
        """Let a sleeper work again; it counts as working from now on."""
        with self._lock:
            if self._rouse(sleeper):
                sleeper.signal()

    def wait(self, awake: threading.Event) -> None:
        """Wait really, until something wakes this thread.

        Raises:
            StuckError: time does not go on.
        """
        if not self._trouble:
            awake.wait()
        if self._trouble:
            raise self._trouble

    def closed(self, selector: VirtualSelector) -> None:
        """A loop has ended."""
        with self._lock:
            if selector in self._loops:
                self._loops.discard(selector)
                self._rest()

    def _rest(self, number: int = 1) -> None:
        """So many of those that count work no longer."""
        self._busy -= number
        self._changes += 1
        if not self._busy:
            self._news.notify()

    def _rouse(self, sleeper: Sleeper) -> bool:
        if sleeper not in self._sleepers:
            return False
        self._sleepers.discard(sleeper)
        self._busy += sleeper.counts
        self._changes += 1
        return True

    # How time goes on

    def _run(self) -> None:
        """Let time go on until it is over, or until something is wrong here."""
        try:
            self._move()
        except Exception as error:  # noqa: BLE001  everything that waits has to get it
            with self._lock:
                self._give_up(f"virtual time is broken: {error!r}")

    def _move(self) -> None:
        """Advance time whenever nothing works."""
        quiet_since = math.nan
        with self._lock:
            while not self._closed:
                if self._busy or not (deadline := self._next()) < math.inf:
                    quiet_since = math.nan
                    self._news.wait()
                    continue
                changes, loops = self._changes, tuple(self._loops)
                self._lock.release()
                try:
                    traffic_pause = _is_quiet(loops)
                finally:
                    self._lock.acquire()
                if changes != self._changes or self._closed:
                    quiet_since = math.nan
                elif traffic_pause:
                    self._jump(deadline)
                    quiet_since = math.nan
                else:
                    now = time.monotonic()
                    quiet_since = now if math.isnan(quiet_since) else quiet_since
                    if now - quiet_since > self._stuck_after:
                        self._give_up(
                            "something stays on its way between two sockets, so virtual time cannot"
                            " go on"
                        )
                    self._news.wait(POLL_SECONDS)

    def _next(self) -> float:
        return min((sleeper.deadline for sleeper in self._sleepers), default=math.inf)

    def _jump(self, deadline: float) -> None:
        self._now = max(self._now, deadline)
        self._follow(self._epoch + self._now)
        for sleeper in [sleeping for sleeping in self._sleepers if sleeping.deadline <= self._now]:
            self._rouse(sleeper)
            sleeper.signal()

    def _give_up(self, reason: str) -> None:
        self._trouble = StuckError(reason)
        for sleeper in tuple(self._sleepers):
            self._rouse(sleeper)
            sleeper.signal()


def _is_quiet(loops: tuple[VirtualSelector, ...]) -> bool:
    """Whether nothing is on its way to any loop, nor lies before it unseen."""
    if kernel_counts_bytes():
        if in_flight([descriptor for loop in loops for descriptor in loop.descriptors()]):
            return False
    else:
        time.sleep(IDLE_SECONDS)
    ready = select.poll()
    with suppress(ValueError, OSError):  # one of them is just closed
        for loop in loops:
            ready.register(loop.fileno(), select.POLLIN)
        return not ready.poll(0)
    return False
