"""What both ends of a connection say is on its way."""

import select
import socket
from contextlib import closing

import pytest

from .loopback import in_flight, kernel_counts_bytes

pytestmark = pytest.mark.skipif(not kernel_counts_bytes(), reason="the kernel does not tell what is on its way")


def test_both_ends_say_what_they_have() -> None:
    """A connection is quiet when both ends are known and have what the other one has sent, read or not."""
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
