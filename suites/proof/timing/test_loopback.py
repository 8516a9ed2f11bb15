"""What both ends of a connection say is on its way, and that virtual time waits for it."""

import asyncio
import select
import socket
from contextlib import closing

import pytest

from .busy import close, running, toil
from .loopback import in_flight
from .virtual_time import StuckError, VirtualTime


def test_both_ends_say_what_they_have() -> None:
    """A connection is quiet when both ends are known and have what the other one has sent, read or
    not.
    """
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        one = socket.create_connection(listener.getsockname())
        other, _ = listener.accept()
        assert in_flight([one.fileno()])
        assert not in_flight([one.fileno(), other.fileno(), listener.fileno()])
        one.sendall(b"something")
        while in_flight([one.fileno(), other.fileno()]):
            pass
        other.setblocking(False)  # noqa: FBT003  it has no keyword
        assert other.recv(100) == b"something"
        other.close()
        assert in_flight([one.fileno()])
        one.close()


def test_what_the_kernel_keeps_back_is_on_its_way() -> None:
    """More than the other side has room for."""
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        one = socket.create_connection(listener.getsockname())
        other, _ = listener.accept()
        one.setblocking(False)  # noqa: FBT003
        while select.select([], [one], [], 0)[1]:
            one.send(bytes(65536))
        assert in_flight([one.fileno(), other.fileno()])
        one.close()
        other.close()


class TestVirtualTime:
    def test_time_waits_for_what_is_on_its_way(self) -> None:
        """Bytes that the other side has not sent yet count as on their way: it may still send
        them.
        """
        with VirtualTime() as virtual, closing(socket.create_server(("127.0.0.1", 0))) as listener:

            async def ask() -> bytes:
                async with asyncio.timeout(0.001):
                    read_only, writer = await asyncio.open_connection(*listener.getsockname())
                    answer = await read_only.read()
                await close(writer)
                return answer

            asking = running(virtual, ask)
            taken, _ = listener.accept()
            waiting = virtual.start(lambda: virtual.result(asking), "waits")
            for _ in range(20):
                toil()
            taken.sendall(b"late, and in time")
            taken.close()
            assert virtual.result(waiting) == b"late, and in time"

    def test_what_never_arrives_is_an_error(self) -> None:
        """Time that cannot go on says so."""
        with (
            VirtualTime(stuck_after=0.05) as virtual,
            closing(socket.create_server(("127.0.0.1", 0))) as listener,
        ):

            async def ask() -> None:
                read_only, writer = await asyncio.open_connection(*listener.getsockname())
                await read_only.read()
                await close(writer)

            asking = running(virtual, ask)
            taken, _ = listener.accept()
            with pytest.raises(StuckError):
                virtual.sleep(1)
            taken.close()
            asking.result()
