"""Tells whether anything is on its way between sockets of this process: sent by one end, and not
yet there at the other.

On a busy machine the kernel may put off what it has to carry over the loopback interface. Where it
counts the bytes of each connection (Linux does), both ends say for certain whether something is
missing; elsewhere nothing is known, and virtual time waits until nothing has happened for some
milliseconds. Whether it counts is tried once, with a connection of our own: not everything that
calls itself Linux does, and nothing but this trial relies on where the numbers stand.
"""

import ipaddress
import socket
import struct
from collections.abc import Iterable
from contextlib import closing
from functools import cache
from typing import NamedTuple

ESTABLISHED, SYN_SENT, SYN_RECEIVED = 1, 2, 3
TCP_INFO: int | None = getattr(socket, "TCP_INFO", None)
"""The option with which a kernel tells about a connection, where the system has it."""
RECEIVED, UNSENT, SENT, SENT_AGAIN = 128, 144, 200, 208
"""Where they stand in `struct tcp_info` of Linux."""
LENGTH = 216


class End(NamedTuple):
    """One end of a connection.

    Attributes:
        local: its own address.
        remote: the address of the other end.
        sent: bytes that were written here, whether the kernel has sent them yet or not.
        received: bytes that have come.
    """

    local: tuple[str, int]
    remote: tuple[str, int]
    sent: int
    received: int


@cache
def kernel_counts_bytes() -> bool:
    """Whether the kernel says how many bytes each end of a connection has sent and received."""
    if TCP_INFO is None:
        return False
    with (
        closing(socket.create_server(("127.0.0.1", 0))) as listener,
        closing(socket.socket()) as one,
    ):
        one.connect(listener.getsockname())
        other, _ = listener.accept()
        with closing(other):
            one.sendall(b"tried")
            other.recv(5, socket.MSG_WAITALL)
            try:
                ends = [_end(connection.fileno()) for connection in (one, other)]
            except (OSError, struct.error):
                return False
    return [(end.sent, end.received) for end in ends if end] == [(5, 0), (0, 5)]


def in_flight(descriptors: Iterable[int]) -> bool:
    """Whether something is on its way between TCP sockets of this machine.

    It is where a connection is being made, where one end has closed and the other has not seen it,
    and where the ends differ in what was sent and has come. Connections to other machines say
    nothing.

    Args:
        descriptors: all file descriptors that may be such ends, and any others; both ends of each
            connection must be among them.
    """
    try:
        ends = [end for descriptor in descriptors if (end := _end(descriptor))]
    except (OSError, ConnectingError):  # closed while it was looked at, or not connected yet
        return True
    ends_by_pair = {(end.local, end.remote): end for end in ends}
    others = [ends_by_pair.get((end.remote, end.local)) for end in ends]
    return any(
        other is None or other.received != end.sent for end, other in zip(ends, others, strict=True)
    )


class ConnectingError(Exception):
    """A connection is being made."""


def _end(descriptor: int) -> End | None:
    """One end of a connection within this machine; None for anything else."""
    end = socket.socket(fileno=descriptor)
    try:
        if end.family not in {socket.AF_INET, socket.AF_INET6} or end.type != socket.SOCK_STREAM:
            return None
        assert TCP_INFO is not None
        info = end.getsockopt(socket.IPPROTO_TCP, TCP_INFO, LENGTH)
        if info[0] in {SYN_SENT, SYN_RECEIVED}:
            raise ConnectingError
        try:
            remote = end.getpeername()[:2]
        except OSError:
            return None  # it listens, or the other side is gone, which its loop sees
        if not ipaddress.ip_address(remote[0]).is_loopback:
            return None
        received, sent, sent_again = (
            struct.unpack_from("=Q", info, offset)[0] for offset in (RECEIVED, SENT, SENT_AGAIN)
        )
        (unsent,) = struct.unpack_from("=I", info, UNSENT)
        return End(end.getsockname()[:2], remote, sent - sent_again + unsent, received)
    finally:
        end.detach()
