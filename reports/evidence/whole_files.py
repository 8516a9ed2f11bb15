"""Writes files so that a process that is killed, or a disk that is full, leaves the old content or
the new one.
"""

import os
from pathlib import Path

ESCAPED = "backslashreplace"
"""How half of a surrogate pair is written, which has no UTF-8; in JSON this is the escape that
stands for it.
"""


def write_whole(path: Path, text: str) -> None:
    """Write a file whole or not at all; a reader that has the old one open reads it to its end.

    Raises:
        OSError: the folder cannot be made or written to.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with unfinished.open("w", encoding="utf-8", errors=ESCAPED) as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
    sync(path.parent)


def sync(path: Path) -> None:
    """Have what was written to a file, or the names in a folder, outlast a machine that loses its
    power.

    Raises:
        OSError: it could not be written after all.
    """
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
