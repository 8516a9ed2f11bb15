"""What the tests of virtual time keep busy: work of some milliseconds, and coroutines in threads of
their own.
"""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from typing import Any

from .virtual_time import VirtualTime


def toil() -> int:
    """Work for some milliseconds."""
    return sum(range(200_000))


def running(virtual: VirtualTime, work: Callable[[], Any]) -> "Future[Any]":
    """A coroutine in a thread and a loop of its own; the thread that makes the loop need not take
    part.
    """
    loop, done = virtual.new_event_loop(), Future[Any]()

    def run() -> None:
        try:
            done.set_result(loop.run_until_complete(work()))
        except BaseException as error:  # noqa: BLE001  it is for the caller of `result`
            done.set_exception(error)
        loop.close()

    threading.Thread(target=run).start()
    return done


async def close(writer: asyncio.StreamWriter) -> None:
    """Close a connection, and wait until that is done."""
    writer.close()
    with suppress(OSError):
        await writer.wait_closed()
