"""Virtual time: it jumps from deadline to deadline, and never over anything that somebody still
does.
"""

import asyncio
import socket
import ssl
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from functools import partial

import pytest
import trustme

from .busy import close, running, toil
from .virtual_time import StuckError, VirtualTime

REQUESTS = 50
"""Enough for each of them to meet another order of events."""


@pytest.fixture(name="virtual")
def _virtual() -> Iterator[VirtualTime]:
    with VirtualTime() as virtual:
        yield virtual


class TestThreads:
    def test_deadlines_come_in_their_order(self, virtual: VirtualTime) -> None:
        """The sleeper with the shortest wait wakes first, whichever began first."""
        woken: list[int] = []

        def sleep(seconds: int) -> None:
            virtual.sleep(seconds)
            woken.append(seconds)

        begun = [virtual.start(partial(sleep, seconds), "sleeper") for seconds in (5, 1, 4, 2, 3)]
        for future in begun:
            virtual.result(future)
        assert woken == [1, 2, 3, 4, 5]

    def test_no_sleeper_wakes_while_a_thread_works(self, virtual: VirtualTime) -> None:
        """Time stands still for a thread that takes part until it waits, whatever it does."""
        events: list[str] = []

        def sleep() -> None:
            virtual.sleep(1)
            events.append("slept")

        sleeping = virtual.start(sleep, "sleeper")
        begun = virtual.monotonic()
        for _ in range(20):
            toil()
        events.append("worked")
        assert virtual.monotonic() == begun
        virtual.result(sleeping)
        assert events == ["worked", "slept"]

    def test_a_result_comes_before_the_next_deadline(self, virtual: VirtualTime) -> None:
        """A thread that waits for another one works again before that one is gone."""
        for _ in range(REQUESTS):
            begun = virtual.monotonic()
            sleeping = virtual.start(lambda: virtual.sleep(2), "sleeper")
            virtual.result(virtual.start(lambda: virtual.sleep(1), "other"))
            assert virtual.monotonic() - begun == pytest.approx(1)
            virtual.result(sleeping)

    def test_no_two_readings_are_the_same(self, virtual: VirtualTime) -> None:
        """What happens later has a later time, although no time passes."""
        readings = [virtual.time() for _ in range(100)]
        assert readings == sorted(set(readings))
        assert readings[-1] - readings[0] < 0.1

    def test_who_waits_at_the_end_is_told(self) -> None:
        """No thread waits for ever for a time that is over."""
        with VirtualTime() as virtual:
            condition = virtual.condition()

            def wait() -> None:
                with condition:
                    condition.wait_for(lambda: False)

            waiting = virtual.start(wait, "waits")
            virtual.sleep(1)
        with pytest.raises(StuckError):
            waiting.result()
        with pytest.raises(StuckError):
            virtual.sleep(1)


class TestConditions:
    def test_a_notice_comes_before_the_timeout(self, virtual: VirtualTime) -> None:
        """A waiter that is notified at the moment of its timeout sees the notice."""
        condition, news = virtual.condition(), [0]

        def tell(number: int) -> None:
            virtual.sleep(1)
            with condition:
                news[0] = number
                condition.notify_all()

        def is_told(number: int) -> bool:
            return news[0] == number

        for number in range(1, REQUESTS):
            telling = virtual.start(partial(tell, number), "tells")
            begun = virtual.monotonic()
            with condition:
                assert condition.wait_for(partial(is_told, number), 1.5)
            assert virtual.monotonic() - begun == pytest.approx(1)
            virtual.result(telling)


class TestLoops:
    def test_timers(self, virtual: VirtualTime) -> None:
        """Timers of loops and sleeps of threads follow one time."""
        begun = virtual.monotonic()
        napping = running(virtual, lambda: asyncio.sleep(30))
        virtual.sleep(60)
        assert napping.done()
        assert virtual.monotonic() - begun == pytest.approx(60)

    def test_no_timer_rings_while_an_executor_works(self, virtual: VirtualTime) -> None:
        """What is done in another thread takes no time."""

        async def work() -> bool:
            napping = asyncio.create_task(asyncio.sleep(0.001))
            for _ in range(20):
                await asyncio.to_thread(toil)
                assert not napping.done()
            await napping
            return True

        assert virtual.result(running(virtual, work))

    def test_no_timer_rings_while_something_outside_is_awaited(self, virtual: VirtualTime) -> None:
        """As where a thread of one's own resolves a name."""

        async def work() -> int:
            done: Future[int] = Future()
            threading.Thread(target=lambda: done.set_result(toil())).start()
            awaited = asyncio.wrap_future(done)
            virtual.await_outside(awaited)
            async with asyncio.timeout(0.001):
                return await awaited

        assert virtual.result(running(virtual, work)) == toil()

    def test_a_loop_works_from_its_making(self, virtual: VirtualTime) -> None:
        """A thread that wakes another one by starting it is not overtaken by time."""
        for _ in range(20):
            begun = virtual.monotonic()
            times: list[float] = []

            async def note(times: list[float] = times) -> None:
                times.append(virtual.monotonic())

            running(virtual, note)
            virtual.sleep(1)
            assert times == [begun]

    def test_answers_come_before_timeouts(self, virtual: VirtualTime) -> None:
        """Over TLS, one after the other: a server takes a second, a client has patience for a
        little more.
        """
        authority = trustme.CA()
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        authority.issue_cert("127.0.0.1").configure_cert(tls)
        trust = ssl.create_default_context()
        authority.configure_trust(trust)
        listener = socket.create_server(("127.0.0.1", 0))

        async def answer(read_only: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await read_only.readline()
            await asyncio.sleep(1)
            writer.write(b"answer\n")
            await writer.drain()
            await close(writer)

        async def serve() -> None:
            server = await asyncio.start_server(answer, sock=listener, ssl=tls)
            await asyncio.sleep(2 * REQUESTS)
            server.close()

        async def ask() -> list[float]:
            seconds = []
            for _ in range(REQUESTS):
                begun = virtual.monotonic()
                async with asyncio.timeout(1.001):
                    read_only, writer = await asyncio.open_connection(
                        *listener.getsockname(), ssl=trust
                    )
                    writer.write(b"question\n")
                    assert await read_only.readline() == b"answer\n"
                await close(writer)
                seconds.append(virtual.monotonic() - begun)
            return seconds

        serving = running(virtual, serve)
        assert virtual.result(running(virtual, ask)) == pytest.approx([1] * REQUESTS)
        virtual.result(serving)
