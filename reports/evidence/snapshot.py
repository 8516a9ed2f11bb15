"""A report folder as it stood in one moment: a private copy of the files that a run leaves, which
every judgement rests on.

What somebody else made may change while it is read, and may hold links, pipes and files of any
size. So nothing but the regular files with the names of a run is copied, once; what is signed,
published or believed afterwards is what was checked.
"""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from plumbline.reports.evidence.manifest import FOLDERS, RESULTS, is_of_a_run
from plumbline.reports.evidence.regular_files import AS_LEFT, Entry, entries, opened, skeleton
from plumbline.reports.report_errors import ReportError, unreadable
from plumbline.reports.text import printable

LOCK = ".lock"
"""What a run holds while it writes; see `folder.writing_to`."""
MAX_REPORT_BYTES = 2 * 2**30
READ_BYTES = 2**20


@dataclass(frozen=True)
class Snapshot:
    """A copy of a report.

    Attributes:
        source: the folder that it is of.
        folder: the copy, which goes when the block ends.
        unsafe: files of the run that were not copied, because they are links or the like; a
            sentence each, without its end and printable.
        added: what else lies in the folder, likewise; folders count by the files in them.
    """

    source: Path
    folder: Path
    unsafe: tuple[str, ...]
    added: tuple[str, ...]

    def told(self, sentence: str) -> str:
        """A sentence about the copy as one about its source."""
        return sentence.replace(str(self.folder), str(self.source))


@contextmanager
def snapshot(folder: Path) -> Iterator[Snapshot]:
    """Copy what a run has left in a folder, for the block; its errors are told of the folder
    itself.

    Raises:
        ReportError: the folder cannot be read, or is too large for a report.
        OSError: the copy cannot be written.
    """
    with tempfile.TemporaryDirectory(prefix="plumbline-report-") as place:
        copy = Path(place)
        taken = Snapshot(folder, copy, *_taken(folder, copy))
        try:
            yield taken
        except ReportError as error:
            raise ReportError(taken.told(str(error))) from None


def _taken(folder: Path, copy: Path) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Copy the files of a run; returns why some were not copied, and what else there is."""
    try:
        held = entries(folder)
    except OSError as error:
        raise unreadable(
            folder / RESULTS, error, "name the report folder of a finished run."
        ) from None
    if (
        sum(entry.size for entry in held if entry.kind == "file" and is_of_a_run(entry.name))
        > MAX_REPORT_BYTES
    ):
        raise ReportError(
            f"{folder}: is larger than {MAX_REPORT_BYTES // 2**30} GB, so it is not read; name the"
            " folder of one run."
        )
    ours = {entry.name for entry in held if is_of_a_run(entry.name) or entry.name in FOLDERS}
    unsafe, added = [], []
    for entry in held:
        if entry.name not in ours:
            added += (
                []
                if entry.kind == "folder" or entry == Entry(LOCK, "file")
                else [_addition(entry, ours)]
            )
        elif entry.name in FOLDERS:
            unsafe += (
                [] if entry.kind == "folder" else [f"{entry.name} {entry.fault or 'is no folder'}"]
            )
        elif entry.kind != "file":
            unsafe += [f"{entry.name} {entry.fault or 'is a folder'}"]
        else:
            _copy(folder, copy, entry)
    return tuple(unsafe), tuple(added)


def _copy(folder: Path, copy: Path, entry: Entry) -> None:
    target = copy / entry.name
    target.parent.mkdir(mode=0o700, exist_ok=True)
    with target.open("xb") as written:
        for part in _parts(folder, entry):
            written.write(part)


def _parts(folder: Path, entry: Entry) -> Iterator[bytes]:
    """The content of a file, as long as it was when it was listed: one that grows is not read
    without an end.
    """
    left = entry.size
    try:
        with opened(folder, entry.name) as file:
            while left and (part := file.read(min(left, READ_BYTES))):
                left -= len(part)
                yield part
    except OSError as error:
        raise unreadable(folder / entry.name, error, AS_LEFT) from None


def _addition(entry: Entry, ours: set[str]) -> str:
    """What an entry that no run leaves is; a name that passes for that of a file of the run is told
    as such.
    """
    like = next((name for name in sorted(ours) if skeleton(name) == skeleton(entry.name)), None)
    what = f", and its name looks like {like}" if like else ""
    return f"{printable(entry.name)} {entry.fault or f'was added after the run{what}'}"
