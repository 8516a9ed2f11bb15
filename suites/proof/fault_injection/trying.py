"""Carries out a command in a folder of its own, with a fault or without, and says how it ended."""

import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from plumbline.fixtures.evidence.hash_chain import BrokenChainError, read_chain
from plumbline.fixtures.tests.forks import Ended, Going, begun
from plumbline.reports.evidence.manifest import FINDINGS, broken_seals, read_manifest
from plumbline.reports.evidence.recorder import replay
from plumbline.reports.evidence.results import judged_part
from plumbline.reports.report_errors import ReportError
from plumbline.spec import catalogue

from .injector import Order, Point

STARTUP = Path(__file__).with_name("startup")
REPORT = "plumbline-report"


@dataclass(frozen=True)
class Command:
    """A command whose operations are to fail.

    Attributes:
        words: after `plumbline`.
        prepare: puts into the folder of the command what it reads, and returns its environment.
        report: the report folder that it writes, or empty.
        outputs: other files and folders that it writes, as without a fault.
        drive: does what a command waits for that does not end by itself.
        environment: variables beside those that `prepare` returns.
        most: tries of it in the long proof, where it takes seconds; `make test` tries each command
            once.
    """

    words: tuple[str, ...]
    prepare: Callable[[Path], Mapping[str, str]] = lambda _: {}
    report: str = ""
    outputs: tuple[str, ...] = ()
    drive: Callable[[Going, Path], None] = lambda _going, _folder: None
    environment: Mapping[str, str] = field(default_factory=dict)
    most: int | None = None


@dataclass(frozen=True)
class Ending:
    """How a command has ended.

    Attributes:
        code: exit code; negative for a signal.
        shown: everything on the terminal.
        state: of the report: `finished`, `unfinished`, `none`, or `unreadable`.
        verdict: of the report.
        says: the exit code that the report says.
        requirements: verdicts by id.
        seals: what is wrong with the seals of the report, empty where they hold.
        names: the files of the report folder, without those below it.
        outputs: the content of each output that is there, by its name.
        is_hit: whether the fault has occurred.
        points: the operations, where they were counted.
    """

    code: int
    shown: str
    state: str
    verdict: str
    says: int | None
    requirements: Mapping[str, str]
    seals: tuple[str, ...]
    names: frozenset[str]
    outputs: Mapping[str, bytes]
    is_hit: bool
    points: tuple[Point, ...]


@dataclass(frozen=True)
class Sandbox:
    """A folder with all that a command reads and writes, its home and its temporary files."""

    root: Path
    environment: Mapping[str, str]

    @property
    def folder(self) -> Path:
        """Where the command is typed."""
        return self.root / "here"

    def carry_out(
        self, command: Command, point: Point | None = None, failure: str = "", sabotage: str = ""
    ) -> Ending:
        """Type the command; without a point its operations are counted."""
        log = self.root.with_suffix(".log")
        log.unlink(missing_ok=True)
        order = Order(str(self.root), str(log), point, failure, sabotage).variable()
        environment = {
            "HOME": str(self.root / "home"),
            "TMPDIR": str(self.root / "tmp"),
            "PYTHONPATH": str(STARTUP),
            **self.environment,
            **command.environment,
            **order,
        }
        with begun(
            "plumbline", *command.words, folder=self.folder, environment=environment
        ) as going:
            command.drive(going, self.folder)
            ended = going.result()
        lines = log.read_text().splitlines() if log.exists() else []
        log.unlink(missing_ok=True)
        points = tuple(Point(**json.loads(line)) for line in lines if line != "hit")
        return _ending(ended, command, self.folder, is_hit="hit" in lines, points=points)


@contextmanager
def sandbox(command: Command) -> Iterator[Sandbox]:
    """A new folder, prepared for a command."""
    root = Path(os.path.realpath(tempfile.mkdtemp(prefix="sandbox")))
    try:
        for name in ("here", "home", "tmp"):
            (root / name).mkdir()
        yield Sandbox(root, command.prepare(root / "here"))
    finally:
        root.with_suffix(".log").unlink(missing_ok=True)
        shutil.rmtree(root, ignore_errors=True)


def _ending(
    ended: Ended, command: Command, folder: Path, *, is_hit: bool, points: tuple[Point, ...]
) -> Ending:
    report = folder / command.report if command.report else None
    results = _results(report)
    outputs = {
        name: content
        for name in command.outputs
        if (content := _content(folder / name)) is not None
    }
    return Ending(
        code=ended.code,
        shown=ended.out + ended.err,
        state=results.get("state", "none"),
        verdict=results.get("verdict", ""),
        says=results.get("exit_code"),
        requirements={entry["id"]: entry["verdict"] for entry in results.get("requirements", ())},
        seals=_seals(report) if report else (),
        names=(
            frozenset(path.name for path in report.iterdir())
            if report and report.is_dir()
            else frozenset()
        ),
        outputs=outputs,
        is_hit=is_hit,
        points=points,
    )


def _results(report: Path | None) -> dict[str, Any]:
    try:
        return dict(json.loads((report / "conformance.json").read_bytes())) if report else {}
    except FileNotFoundError:
        return {}
    except ValueError:
        return {"state": "unreadable"}


def _seals(report: Path) -> tuple[str, ...]:
    """What is wrong with the evidence: a file that was changed, a missing line, another verdict."""
    try:
        broken = tuple(broken_seals(report))
        nonce = read_manifest(report)["nonce"]
        for path in sorted(report.glob("transcript/*.jsonl")):
            assert all(read_chain(path, nonce))
        again = judged_part(replay(read_chain(report / FINDINGS, nonce), catalogue()).verdict)
        written = json.loads((report / "conformance.json").read_bytes())
    except (ReportError, BrokenChainError, OSError, ValueError) as error:
        return (str(error).replace(str(report), "the report"),)
    differing = [
        name
        for name in ("state", "verdict", "exit_code", "requirements")
        if again[name] != written[name]
    ]
    return (*broken, *(f"{name} does not follow from the findings" for name in differing))


def _content(path: Path) -> bytes | None:
    """A file, or the files below a folder with their names."""
    if path.is_dir():
        files = sorted(file for file in path.rglob("*") if file.is_file())
        return b"\0".join(
            str(file.relative_to(path)).encode() + b"\0" + file.read_bytes() for file in files
        )
    return path.read_bytes() if path.exists() else None
