"""Programs, forks, threads and statements of SQLite, which the injector counts and lets fail."""

import os
import sqlite3
import subprocess
import threading
from collections.abc import Callable
from functools import partial
from typing import Any

from .injector import CHANGING, REFERENCE, Injector


def install(injector: Injector) -> None:
    """Put the functions of this module in place of those of Python."""
    plain = subprocess.Popen._execute_child  # type: ignore[attr-defined]  # noqa: SLF001
    setattr(subprocess.Popen, "_execute_child", _starting(injector, plain))  # noqa: B010
    os.fork = _forking(injector, os.fork)
    setattr(threading.Thread, "start", _threading(injector, threading.Thread.start))  # noqa: B010
    connected = _connecting(injector, sqlite3.connect)
    sqlite3.connect = sqlite3.dbapi2.connect = connected


def _starting(injector: Injector, plain: Callable[..., None]) -> Callable[..., None]:
    def started(self: Any, arguments: Any, *others: Any) -> None:
        words = (
            [arguments] if isinstance(arguments, str | bytes) else [str(word) for word in arguments]
        )
        place = REFERENCE if REFERENCE in words else "a worker" if "-c" in words else "a program"
        injector.perform("start", place, partial(plain, self, arguments, *others))

    return started


def _forking(injector: Injector, plain: Callable[[], int]) -> Callable[[], int]:
    return lambda: injector.perform("fork", "this program", plain)


def _threading(
    injector: Injector, plain: Callable[[threading.Thread], None]
) -> Callable[[threading.Thread], None]:
    def started(self: threading.Thread) -> None:
        injector.perform(
            "thread", CHANGING.sub("*", self.name).partition(" ")[0], partial(plain, self)
        )

    return started


def _connecting(injector: Injector, plain: Callable[..., sqlite3.Connection]) -> Callable[..., Any]:
    def told(statement: str, act: Callable[[], Any]) -> Any:
        return injector.perform("sql", " ".join(statement.split()[:1]).upper() or "nothing", act)

    class Cursor(sqlite3.Cursor):
        def execute(self, statement: str, *others: Any) -> Any:
            return told(statement, partial(super().execute, statement, *others))

        def executemany(self, statement: str, *others: Any) -> Any:
            return told(statement, partial(super().executemany, statement, *others))

    class Connection(sqlite3.Connection):
        def cursor(self, factory: Any = None) -> Any:
            return super().cursor(factory or Cursor)

        def execute(self, statement: str, *others: Any) -> Any:
            return told(statement, partial(super().execute, statement, *others))

        def commit(self) -> None:
            told("commit", super().commit)

    def connected(*arguments: Any, **options: Any) -> sqlite3.Connection:
        return plain(*arguments, **{"factory": Connection} | options)

    return connected
