"""Speaks the protocol of `plumbline client` for the generated clients in Python."""

import json
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

AT_ONCE = 4
"""Tasks that the kit hands out at the same time."""


class ServiceError(Exception):
    """The service has answered with an error."""

    def __init__(self, status: int, code: object) -> None:
        super().__init__(f"{status} {code}")
        self.status, self.code = status, code


def speak(tasks: Callable[[str, str], object]) -> None:
    """Do every task of standard input.

    Args:
        tasks: makes an object with a method for each task, from the address and the key.
    """
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for line in sys.stdin:
            pool.submit(_reply, tasks, json.loads(line))


def _reply(tasks: Callable[[str, str], object], task: dict[str, Any]) -> None:
    done: dict[str, Any]
    try:
        do = getattr(tasks(task["base_url"], task["api_key"]), task["task"], None)
        done = {"result": do(**task["arguments"])} if do else {"unsupported": True}
    except ServiceError as error:
        done = {"error": {"kind": "service", "status": error.status, "code": error.code}}
    except Exception as error:  # no answer, or none that the client reads
        message = f"{type(error).__name__}: {error}"[:300]
        done = {"error": {"kind": "transport", "message": message}}
    sys.stdout.write(json.dumps({"id": task["id"], **done}) + "\n")
    sys.stdout.flush()
