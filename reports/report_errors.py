"""What the rooms of the reports raise when a file cannot be used."""

import errno
from collections.abc import Mapping
from pathlib import Path

FULL = "free space or name another"
REMEDIES: Mapping[int, str] = {
    errno.ENOSPC: FULL,
    errno.EDQUOT: FULL,
    errno.EFBIG: FULL,
    errno.EMFILE: "allow more open files (ulimit -n)",
    errno.ENFILE: "allow more open files on this machine",
    errno.ENOENT: "leave it in place while a run writes there, or name another",
    errno.ENOMEM: "free memory",
    errno.EIO: "look at the disk or name another",
}
"""What to do about an error of the machine; for any other, the folder has to be made writable."""
OF_THE_MACHINE = frozenset({*REMEDIES} - {errno.ENOENT})
"""Errors that no other name of a folder would have avoided for certain: a fault of the machine, not
of what was typed.
"""


class ReportError(ValueError):
    """A file of an earlier run, or one that a run is given, that cannot be used: one sentence with
    the place and what to do.
    """


class UnwritableError(ReportError):
    """The machine cannot write the report; says nothing about the deployment."""

    exit_code = 12


def unwritable(folder: Path | str, error: OSError) -> str:
    """The sentence about a report folder that cannot be written."""
    remedy = REMEDIES.get(error.errno or 0, "make it writable or name another")
    return f"--report-dir {folder}: cannot be written ({error.strerror or error}); {remedy}."


def unreadable(path: Path, error: OSError, remedy: str) -> ReportError:
    """The error for a file that cannot be read.

    Args:
        path: of the file.
        error: what the system says.
        remedy: what to do, with a full stop.

    Raises:
        OSError: the error itself, if the machine is at fault: a report is not rejected for that.
    """
    if error.errno in OF_THE_MACHINE:
        raise error
    return ReportError(f"{path}: cannot be read ({error.strerror}); {remedy}")
