"""What a report says about a run besides its findings: against what, how, and how to repeat it."""

import shlex
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

PROGRAM = "plumbline"
DEFAULT_FOLDER = "plumbline-report"
ALLOW_LIVE = "--allow-live"
"""The option that permits a key to production data; no report gives it."""
ADDRESSES = ("--base-url", "--receiver-url")
CLIENT = "client: "
"""How the target of a run begins that tests a client: its command line follows."""
OBSERVED = "observed"
"""The tier of a report about traffic that others have sent."""


@dataclass(frozen=True)
class RunContext:
    """The circumstances of a run.

    Attributes:
        base_url: address of the deployment; credentials in it are never shown.
        seed: repeats the random inputs.
        tier: `smoke`, `standard` or `exhaustive`; `observed` where nothing was sent.
        suite_version: version of the kit.
        receiver: whether it is the address of a receiver of webhooks, which is tested in place of a
            deployment.
        client: command line of the client that is tested in place of a deployment; empty for none.
        one_process: whether that client takes all tasks in one process.
        embedded: whether the deployment was the kit's own, started for this run, so that its
            address repeats nothing.
        options: command line that repeats the run besides address, seed and selection, such as
            `("--tier", "smoke")`; without secrets.
        tests: command line of the tests of others that were observed, such as `("pytest",
            "tests")`.
        selection: command line that filtered the run, such as `("-k", "pagination")`; empty when
            nothing was left out.
        exports: options that gave a secret, with the variable that gives it to the lines that
            repeat something; those lines hold no secret.
        profile: what the tester said about the deployment, JSON-able, without secrets.
        earlier: what earlier runs against the same target said, the latest one first, as
            conformance.json has it.
        nonce: 32 hex digits that tell this run from every other.
        started, ended: with a time zone; None while that is not known.
        report_dir: where conformance.json goes.
        folder: the same as the tester would type it.
        program: what the tester types to start the command of the kit; only lines on the terminal
            say it, because files of the report are read elsewhere.
    """

    base_url: str
    seed: int
    tier: str = "standard"
    suite_version: str = ""
    receiver: bool = False
    client: tuple[str, ...] = ()
    one_process: bool = False
    embedded: bool = False
    options: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    selection: tuple[str, ...] = ()
    exports: Mapping[str, str] = field(default_factory=dict)
    profile: Mapping[str, Any] = field(default_factory=dict)
    earlier: tuple[Mapping[str, Any], ...] = ()
    nonce: str = "0" * 32
    started: datetime | None = None
    ended: datetime | None = None
    report_dir: Path = Path(DEFAULT_FOLDER)
    folder: str = DEFAULT_FOLDER
    program: str = PROGRAM

    @property
    def target(self) -> str:
        """The base URL without credentials, query and fragment; of a client its command line."""
        if self.client:
            return CLIENT + shlex.join(self.client)
        parts = urlsplit(self.base_url)
        return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))

    @property
    def results(self) -> Path:
        """The file that the results of the run are written to."""
        return self.report_dir / "conformance.json"

    @property
    def seconds(self) -> float:
        """How long the run took."""
        return (self.ended - self.started).total_seconds() if self.started and self.ended else 0.0

    @property
    def arguments(self) -> tuple[str, ...]:
        """The options that repeat the run without its selection; secrets come from the
        environment.
        """
        if self.tier == OBSERVED:
            return self.options
        address = (
            ()
            if self.embedded
            else ("--receiver-url" if self.receiver else "--base-url", self.target)
        )
        return (*address, *self.options, "--seed", str(self.seed))

    @property
    def command(self) -> str:
        """The command line that repeats the run."""
        if self.tests:
            return shlex.join(self.tests)
        if self.client:
            how = ["--one-process"] if self.one_process else []
            options = [*how, *self.arguments, *self.selection]
            return shlex.join([self.program, "client", *options, "--", *self.client])
        verb = "observe" if self.tier == OBSERVED else "run"
        return shlex.join([self.program, verb, *self.arguments, *self.selection])

    @property
    def before_repeating(self) -> str:
        """What has to be typed before any line that repeats something; empty where the environment
        holds the secrets.
        """
        told = (
            f"export {variable}=...  (what {option} gave)"
            for option, variable in self.exports.items()
        )
        return "; ".join(told)

    def again(self, requirement: str) -> str:
        """The command line that repeats what showed a failure, at the same address, with the same
        profile and seed.
        """
        if self.client:  # `again` starts no program that a report names
            return replace(self, selection=(f"--requirement={requirement}",)).command
        return again_line(
            requirement, self.folder, named_in(self.tier, self.target, self.arguments), self.program
        )

    def in_files(self) -> "RunContext":
        """The context for what is read on other machines."""
        return replace(self, program=PROGRAM)


def is_client(target: str) -> bool:
    """Whether the target of a run is a client, and no address."""
    return target.startswith(CLIENT)


def again_line(
    requirement: str, folder: str, named: Sequence[str] = (), program: str = PROGRAM
) -> str:
    """The command line that repeats what showed a failure in the run that a report folder holds.

    Args:
        requirement: its id.
        folder: the report folder.
        named: options that say where requests go.
        program: what starts the kit.
    """
    return shlex.join(
        [program, "again", requirement, *([] if folder == DEFAULT_FOLDER else [folder]), *named]
    )


def named_in(tier: str, target: str, arguments: Sequence[str]) -> tuple[str, ...]:
    """The options that say where a run went, which `plumbline again` takes from no report.

    Args:
        tier: of the run.
        target: its address.
        arguments: the options that repeat it.

    Returns:
        Those options, and the one that permits a live key.
    """
    if tier == OBSERVED:
        return "--base-url", target
    pairs = zip(arguments, (*arguments[1:], ""), strict=True)
    address = [word for pair in pairs if pair[0] in ADDRESSES for word in pair]
    return (
        *address,
        *(word for word in arguments if word == ALLOW_LIVE or word.startswith("--deployment=")),
    )


def program_here(*, anywhere: bool = False) -> str:
    """What a tester has to type to reach the kit that runs now: the bare name where the shell finds
    it, else its path.

    Args:
        anywhere: whether it may be typed in another folder than this one.
    """
    own = Path(sys.executable).with_name(PROGRAM)
    program = shutil.which(PROGRAM)
    if not own.exists() or (program and Path(program).absolute() == own):
        return PROGRAM
    return (
        str(own.relative_to(Path.cwd()))
        if own.is_relative_to(Path.cwd()) and not anywhere
        else str(own)
    )
