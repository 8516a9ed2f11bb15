"""The files of a folder that somebody else may have made: data, and never a way to other places.

Each part of a name below the folder is opened relative to the folder before it, without following a
link. So no link leads elsewhere, not even one that takes the place of a file or a folder while it
is read. Pipes, sockets and devices are not opened.
"""

import hashlib
import os
import stat
import unicodedata
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path

from plumbline.reports.report_errors import ReportError

MAX_DOCUMENT_BYTES = 64 * 2**20
"""Of a file that is read as one JSON document; the results of a large run have about 5 MB."""
MAX_FILE_BYTES = 2**30
"""Of any file of a report; the transcript of an exhaustive run has about 100 MB."""
MAX_ENTRIES, MAX_LEVELS = 20_000, 8
"""Files and folders of one report, and how deep they are nested; a run leaves two levels."""
AS_LEFT = "name the report folder as the run has left it."
FOLDER_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
FILE_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
"""Without O_NONBLOCK, opening a pipe would wait for its writer."""
LOOKALIKES = str.maketrans("аαɑсϲԁеƒһіıιјӏмոоοрρгѕтνу", "aaaccdefhiiijlmnooppr" + "stvy")
"""Letters of other scripts that look like those in the names of a report."""


@dataclass(frozen=True)
class Entry:
    """What a folder holds under a name.

    Attributes:
        name: relative to the folder, with `/` between its parts.
        kind: `file`, `folder`, `link`, `special` for pipes, sockets and devices, or `shared` for a
            file that also has a name outside of the folder.
        size: of a file, in bytes.
    """

    name: str
    kind: str
    size: int = 0

    @property
    def fault(self) -> str:
        """Why it is not read, as the end of a sentence that begins with its name; empty for files
        and folders.
        """
        return {
            "link": "is a link; a report holds its files themselves",
            "special": "is neither a file nor a folder",
            "shared": (
                "is also a file outside of the report (a hard link); copy the folder, and name the"
                " copy"
            ),
        }.get(self.kind, "")


@contextmanager
def opened(folder: Path, name: str) -> Iterator[BufferedReader]:
    """A regular file below a folder, open for reading.

    Args:
        folder: named by the user, so it may be reached through links.
        name: relative to it, with `/` between its parts.

    Raises:
        OSError: there is no such file, or it cannot be read.
        ReportError: the name leads out of the folder, or what it names is a link or no regular
            file, or is too large.
    """
    parts = name.split("/")
    if any(part in ("", ".", "..") or "\0" in part for part in parts):
        raise ReportError(f"{folder}: {name!r} is no name of a file in a report.")
    folders = [os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)]
    try:
        for part in parts[:-1]:
            folders.append(_open(part, FOLDER_FLAGS, folders[-1], folder / name))
        state = os.stat(parts[-1], dir_fd=folders[-1], follow_symlinks=False)
        if not stat.S_ISREG(state.st_mode) and not stat.S_ISLNK(
            state.st_mode
        ):  # to open a device may do something
            raise ReportError(f"{folder / name}: is no regular file; {AS_LEFT}")
        number = _open(parts[-1], FILE_FLAGS, folders[-1], folder / name)
    finally:
        for place in folders:
            os.close(place)
    with os.fdopen(number, "rb") as file:
        state = os.fstat(number)
        if not stat.S_ISREG(state.st_mode):
            raise ReportError(f"{folder / name}: is no regular file; {AS_LEFT}")
        if state.st_size > MAX_FILE_BYTES:
            raise ReportError(
                f"{folder / name}: is larger than {MAX_FILE_BYTES // 2**20} MB, so it is not read."
            )
        yield file


def content_of(path: Path, most: int = MAX_DOCUMENT_BYTES) -> bytes:
    """The content of a regular file; the path to its folder may hold links, the file itself may be
    none.

    Raises:
        OSError: there is no such file, or it cannot be read.
        ReportError: it is a link or no regular file, or it is too large.
    """
    with opened(path.parent, path.name) as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise ReportError(f"{path}: is larger than {most // 2**20} MB, so it is not read.")
    return content


def digest_in(folder: Path, name: str) -> str:
    """SHA-256 of a file below a folder, in hex.

    Raises:
        OSError, ReportError: as for `opened`.
    """
    with opened(folder, name) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def entries(folder: Path) -> list[Entry]:
    """Everything that a folder holds, by name; links are named and not followed.

    Raises:
        OSError: the folder cannot be read.
        ReportError: it holds too much to be a report.
    """
    held: list[tuple[str, os.stat_result]] = []
    number = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        _walk(folder, number, "", held)
    finally:
        os.close(number)
    names = Counter((state.st_dev, state.st_ino) for _, state in held)
    return sorted(
        (_entry(name, state, names[state.st_dev, state.st_ino]) for name, state in held),
        key=lambda entry: entry.name,
    )


def skeleton(name: str) -> str:
    """What a name looks like: equal for names that differ in case, accents, look-alike letters,
    dots or blanks at the end.
    """
    plain = unicodedata.normalize("NFKD", name).casefold().translate(LOOKALIKES).replace("\\", "/")
    letters = "".join(char for char in plain if unicodedata.category(char)[0] not in "CMZ")
    return "/".join(part.rstrip(".") for part in letters.split("/"))


def _walk(folder: Path, number: int, above: str, held: list[tuple[str, os.stat_result]]) -> None:
    with os.scandir(number) as scanned:
        for item in scanned:
            name, state = above + item.name, item.stat(follow_symlinks=False)
            held.append((name, state))
            if len(held) > MAX_ENTRIES or name.count("/") >= MAX_LEVELS:
                raise ReportError(
                    f"{folder}: holds too much to be the report of a run; name the folder of one"
                    " run."
                )
            if stat.S_ISDIR(state.st_mode):
                within = _open(item.name, FOLDER_FLAGS, number, folder / name)
                try:
                    _walk(folder, within, f"{name}/", held)
                finally:
                    os.close(within)


def _entry(name: str, state: os.stat_result, names: int) -> Entry:
    if stat.S_ISDIR(state.st_mode):
        return Entry(name, "folder")
    if stat.S_ISLNK(state.st_mode):
        return Entry(name, "link")
    if not stat.S_ISREG(state.st_mode):
        return Entry(name, "special")
    return Entry(name, "shared" if state.st_nlink > names else "file", state.st_size)


def _open(name: str, flags: int, within: int, path: Path) -> int:
    """Open a part of a name; a link there is told in a sentence."""
    try:
        return os.open(name, flags, dir_fd=within)
    except OSError as error:
        try:
            is_link = stat.S_ISLNK(os.stat(name, dir_fd=within, follow_symlinks=False).st_mode)
        except OSError:
            is_link = False
        if is_link:
            raise ReportError(
                f"{path}: is a link, or lies behind one; a report holds its files themselves."
            ) from None
        raise OSError(error.errno, error.strerror, str(path)) from None
