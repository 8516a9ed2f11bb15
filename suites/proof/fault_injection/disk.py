"""Operations on files that the injector counts and lets fail, below the buffers of Python."""

import builtins
import fcntl
import io
import os
from collections.abc import Callable
from functools import partial
from typing import Any

from .injector import Injector

BY_PATH = {"replace": "rename", "rename": "rename", "unlink": "unlink", "remove": "unlink"} | {
    name: name for name in ("mkdir", "rmdir")
}
"""Functions of `os` whose first argument is a path, and the kind of each."""


def install(injector: Injector) -> None:
    """Put the functions of this module in place of those of Python."""
    builtins.open = io.open = _opening(injector, io.open)
    for name, kind in BY_PATH.items():
        setattr(os, name, _by_path(injector, kind, getattr(os, name)))
    for name in ("listdir", "scandir"):
        setattr(os, name, _by_path(injector, "list", getattr(os, name)))
    os.open = _os_open(injector, os.open)
    os.write = _os_write(injector, os.write)
    for name in {"fsync", "fdatasync"} & {*dir(os)}:  # not every system has both
        setattr(os, name, _by_path(injector, "sync", getattr(os, name)))
    fcntl.flock = _flock(injector, fcntl.flock)


class _File(io.FileIO):
    """A file below the buffers of Python."""

    injector: Injector
    place: str

    def write(self, content: Any, /) -> int:
        """Write what the system takes."""
        act, half = super().write, memoryview(content).nbytes // 2
        return self.injector.perform(
            "write",
            self.place,
            lambda: act(content),
            lambda: act(memoryview(content).cast("B")[:half]),
        )

    def close(self) -> None:
        """Close; like a system, that does it even where it says that something was lost."""
        if self.closed:
            return
        super().close()
        if self.place:
            self.injector.perform("close", self.place, lambda: None)


def _opening(injector: Injector, plain: Callable[..., Any]) -> Callable[..., Any]:
    def noted(stream: Any, file: Any) -> Any:
        injector.opened(stream.fileno(), file)
        return stream

    def opened(  # noqa: PLR0917  as the builtin has it
        file: Any,
        mode: str = "r",
        buffering: int = -1,
        encoding: str | None = None,
        errors: str | None = None,
        newline: str | None = None,
        closefd: bool = True,  # noqa: FBT002
        opener: Any = None,
    ) -> Any:
        place = injector.place(file)
        simply = partial(plain, file, mode, buffering, encoding, errors, newline, closefd, opener)
        if place is None:
            return simply()
        if not {*mode} & {*"wax+"}:
            return noted(injector.perform("open", place, simply), file)
        kind = "create" if not isinstance(file, int) else "reopen"

        def written() -> Any:
            raw = _File(file, "".join(sign for sign in mode if sign not in "bt"), closefd, opener)
            raw.injector, raw.place = injector, place
            return noted(_buffered(raw, mode, buffering, encoding, errors, newline), file)

        return injector.perform(kind, place, written) if kind == "create" else written()

    return opened


def _buffered(raw: _File, mode: str, buffering: int, *text: str | None) -> io.IOBase:
    """What Python lays over a file; `text` is encoding, treatment of errors, and newline."""
    if "b" in mode and buffering == 0:
        return raw
    size = buffering if buffering > 1 else io.DEFAULT_BUFFER_SIZE
    buffer: Any = io.BufferedRandom(raw, size) if "+" in mode else io.BufferedWriter(raw, size)
    if "b" in mode:
        return buffer  # type: ignore[no-any-return]
    encoding, errors, newline = text
    written = io.TextIOWrapper(buffer, encoding, errors, newline, line_buffering=buffering == 1)
    written.mode = mode  # type: ignore[misc]
    return written


def _by_path(injector: Injector, kind: str, plain: Callable[..., Any]) -> Callable[..., Any]:
    def done(path: Any = ".", *others: Any, **options: Any) -> Any:
        act = partial(plain, path, *others, **options)
        beside = options.get("dir_fd") is not None or options.get("src_dir_fd") is not None
        return injector.perform(kind, None if beside else injector.place(path), act)

    return done


def _os_open(injector: Injector, plain: Callable[..., int]) -> Callable[..., int]:
    def opened(path: Any, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
        place = None if dir_fd is not None else injector.place(path)
        kind = "create" if flags & (os.O_WRONLY | os.O_RDWR) else "open"
        handle: int = injector.perform(
            kind, place, partial(plain, path, flags, mode, dir_fd=dir_fd)
        )
        if place is not None:
            injector.opened(handle, path)
        return handle

    return opened


def _os_write(injector: Injector, plain: Callable[..., int]) -> Callable[..., int]:
    def written(handle: int, content: Any) -> int:
        return injector.perform("write", injector.place(handle), partial(plain, handle, content))

    return written


def _flock(injector: Injector, plain: Callable[..., Any]) -> Callable[..., Any]:
    def locked(file: Any, operation: int) -> None:
        handle = file if isinstance(file, int) else file.fileno()
        is_release = operation & fcntl.LOCK_UN
        injector.perform(
            "lock", None if is_release else injector.place(handle), partial(plain, file, operation)
        )

    return locked
