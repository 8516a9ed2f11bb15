"""One trial: checks of the suites against a reference deployment in this process, judged as a run judges them."""

import gc
import inspect
import logging
import queue
import re
import shutil
import tempfile
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from contextvars import Context
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache, partial
from pathlib import Path
from typing import Any

import time_machine

from plumbline.fixtures.http.clock import Clock
from plumbline.fixtures.http.exchange import Exchange
from plumbline.fixtures.judging.judge import Mismatch
from plumbline.fixtures.judging.oracles import all_oracles
from plumbline.fixtures.plugin import fixtures as actors
from plumbline.fixtures.plugin.outcomes import conclude
from plumbline.fixtures.profile.embedded import settings_of
from plumbline.fixtures.profile.profile import Profile, build_profile
from plumbline.fixtures.profile.settings import Value
from plumbline.fixtures.reference.app.storage.database import Database
from plumbline.fixtures.reference.server import Settings, running
from plumbline.fixtures.scenarios.background import scenario, wanted
from plumbline.fixtures.session.background import label
from plumbline.fixtures.session.session import RunSettings, Session
from plumbline.spec.findings import Finding

from .collected import Check
from .places import places
from .timing.virtual_time import VirtualTime
from .witness import Witness, WitnessedJudge, witnessed

SEED = 20
"""One seed for all: what is proved is that a fault turns certain ids red, not that any seed finds it."""
BEGINS = datetime(2026, 5, 20, 10, tzinfo=UTC)
"""When a trial begins by default, so that nothing depends on the hour at which the proof runs."""
WHOLE_LISTS = "list_scenario"
"""The fixture of those who look at whole lists, which come late in a run."""
LOOK = "look"
"""The account of the request with which a run checks that the deployment answers."""
TOO_MANY = 429
MADE_UP = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}|'[^']*'|\"[^\"]*\"")
"""What differs from trial to trial in a message: ids, and texts that were made up."""


# A fault may make the deployment log an error from its thread. Python 3.11 parses lines of source to format a traceback, and its
# parser must not be used in two threads at once: a check that looked up its place in the source met a SystemError.
logging.getLogger("uvicorn.error").addFilter(lambda _: False)
gc.set_threshold(50_000, 20, 50)
"""Trials make many objects and few circles: looking for these less often saves a tenth of the time."""
_ENDING = ThreadPoolExecutor(4, "ending")
"""Stops deployments while the next trial already runs, because a server takes time to stop."""


@dataclass
class Found:
    """What a trial has shown.

    Attributes:
        checks: by check and requirement, the places of the judgements that failed; of checks without any, nothing.
        traffic: by requirement, the oracles that found a violation in any exchange.
        judged: by check and requirement, every place that judged.
        unmet: by check, why it could not be carried out.
        carried: by check, the requirements that its exchanges were the first to show broken.
        violations: the findings of what was broken.
        kept: evidence of what passed, by requirement and situation: the check, if it has judged, and the operation.
        accounts: what was sent for each check and step, see `Meter.to_dict`.
        outcomes: by requirement, what became of it anywhere: `passed`, `failed`, `unmet`, `not-applicable`.
        harness: by check, what went wrong with the kit.
        choices: what the deployment chose, by open item, part and choice.
        refused: how many of them met a limit, but for those of background scenarios.
    """

    checks: dict[str, dict[str, list[str]]] = field(default_factory=dict)
    traffic: dict[str, list[str]] = field(default_factory=dict)
    judged: dict[str, dict[str, set[str]]] = field(default_factory=dict)
    unmet: dict[str, str] = field(default_factory=dict)
    carried: dict[str, set[str]] = field(default_factory=dict)
    violations: list[Finding] = field(default_factory=list)
    kept: dict[str, dict[str, dict[str, Any]]] = field(default_factory=dict)
    accounts: dict[str, dict[str, Any]] = field(default_factory=dict)
    outcomes: dict[str, set[str]] = field(default_factory=dict)
    harness: dict[str, str] = field(default_factory=dict)
    choices: dict[str, Any] = field(default_factory=dict)
    refused: int = 0

    @property
    def red(self) -> set[str]:
        """All requirements that were found broken."""
        return {name for found in self.checks.values() for name in found} | set(self.traffic)

    @property
    def left_out(self) -> set[str]:
        """The requirements that no check could bring about."""
        return {name for name, outcomes in self.outcomes.items() if outcomes == {"unmet"}}

    @property
    def messages(self) -> list[tuple[str, ...]]:
        """What the findings say: check, requirement, operation, expected, received and where; what was made up left out."""
        said = {
            (
                *(each.test if each.source == "check" else "", each.requirement, each.operation),
                *(MADE_UP.sub("*", text) for text in (each.violation.expected, each.violation.received, each.violation.where)),
            )
            for each in self.violations
            if each.violation
        }
        return sorted(said)


def attempt(
    checks: Collection[Check],
    *,
    faults: Sequence[str] = (),
    variants: Sequence[str] = (),
    seed: int = SEED,
    limits: str = "lifted",
    keeps: bool = False,
    begins: datetime = BEGINS,
    workers: int = 1,
    link: str = "main",
    prepare: Callable[[Path], None] = lambda _: None,
    watch: Callable[[Exchange], object] = lambda _: None,
) -> Found:
    """Carry out checks against a fresh deployment, in virtual time.

    Args:
        checks: in the order of the suites.
        faults: names of defects that the deployment has.
        variants: names of its permitted differences.
        seed: what random inputs derive from.
        limits: `lifted`, or `documented` for a deployment that enforces them everywhere.
        keeps: whether evidence of what passed is wanted.
        begins: the date and the hour of the trial.
        workers: how many share the checks; each is a thread with a session of its own.
        link: the booking link that the profile names.
        prepare: changes the database before the deployment starts.
        watch: is shown each exchange.
    """
    with ExitStack() as stack, time_machine.travel(begins):
        time = stack.enter_context(VirtualTime())
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="trial-", ignore_cleanup_errors=True)))
        file, database = stack.enter_context(_database(_seeded(begins)))
        prepare(file)
        settings = Settings(faults=tuple(faults), variants=tuple(variants), production=True)
        deployment = stack.enter_context(running(settings, time, database))
        try:
            described = deployment.description()
            values = settings_of(described, production=True) | {"target.limits": Value(limits, "the trial")}
            if link != "main":  # the facts are those of the main one
                values = {key: value for key, value in values.items() if not key.startswith("link.")}
            values["records.booking_link"] = Value(described["booking_links"][link], "the trial")
            run = RunSettings(seed, "trial0", "standard", folder / "report")
            # In a context of its own, because the meter notes there whom this thread sends for.
            carried_out = partial(_carried_out, profile=build_profile(values), settings=run, clock=time, keeps=keeps, watch=watch)
            if workers == 1:
                return Context().run(carried_out, checks)
            return _shared_out(checks, workers, carried_out, time)
        finally:
            _ENDING.submit(stack.pop_all().close)


def _shared_out(checks: Collection[Check], workers: int, carried_out: Callable[..., Found], clock: Clock) -> Found:
    """Deal checks to workers, which carry them out at the same time; what they found broken, and what went wrong with the kit."""
    for check in checks:
        places(Path(inspect.getfile(check.function)))  # now, because the parser is not for two threads
    hands: list[list[Check]] = [[] for _ in range(workers)]
    for number, check in enumerate(checks):
        hands[0 if wanted(check.fixtures) else number % workers].append(check)
    work = [
        partial(Context().run, partial(carried_out, hand, worker=f"gw{number}", workers=workers))
        for number, hand in enumerate(hands)
    ]
    begun = [clock.start(each, "worker") for each in work]
    found = Found()
    for each in map(clock.result, begun):
        found.checks |= each.checks
        found.harness |= each.harness
        found.unmet |= each.unmet
        found.traffic |= each.traffic
        found.violations += each.violations
    return found


def _carried_out(
    checks: Collection[Check],
    *,
    profile: Profile,
    settings: RunSettings,
    clock: Clock,
    keeps: bool,
    watch: Callable[[Exchange], object],
    worker: str = "main",
    workers: int = 1,
) -> Found:
    """Carry out checks in one session."""
    witness, found = Witness(), Found()

    def count(exchange: Exchange) -> Mapping[str, Mismatch | None]:
        found.refused += exchange.status == TOO_MANY
        return {}

    session = Session(
        profile,
        settings,
        worker,
        workers,
        oracles=lambda: (*witnessed(all_oracles(), witness), count),
        clock=clock,
        background=scenario,
        writes=False,
    )
    record, record_act = session.transcript.record, session.transcript.record_act
    setattr(session.transcript, "record", lambda each: (watch(each), record(each)))  # noqa: B010  what mypy would not have assigned
    setattr(session.transcript, "record_act", lambda each: (watch(each), record_act(each)))  # noqa: B010
    cast = Cast(session)
    try:
        with session.meter.sending_for(LOOK):
            session.main.get("/v1/leads", limit=1)
        if session.profile.target.limits == "documented":
            session.controller.ask("set_limits", enforced=True)
        _open_background(session, checks)
        for check in sorted(checks, key=_late):
            seen = _carry_out(check, cast, found)
            if keeps:
                _keep(found, session, check.name, seen)
        if keeps:
            _keep(found, session, "", witness)
        found.accounts = {name: account for name, account in session.meter.to_dict().items() if name != LOOK}
    finally:
        cast.close()
        session.close()
    found.traffic = {name: sorted(oracles) for name, oracles in witness.failed.items()}
    found.choices = session.traffic.choices.take().get("choices", {})
    return found


def _open_background(session: Session, checks: Iterable[Check]) -> None:
    """Start the background scenarios that the checks need."""
    waiting = [check for check in checks if wanted(check.fixtures)]
    parts = [check.parts for check in waiting]
    session.background.want(None if None in parts else {name for each in parts if each for name in each})
    session.background.open(sorted({name for check in waiting for name in wanted(check.fixtures)}))


class Cast:
    """Resolves the fixtures of checks, as pytest would, once per trial."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self._known: dict[str, Any] = {"session": session, "request": self}
        self._ends: list[Iterator[Any]] = []

    def getfixturevalue(self, name: str) -> Any:
        """The value of a fixture, made once.

        Raises:
            PreconditionNotMet: when the deployment's profile lacks what it takes.
        """
        if name not in self._known:
            function = inspect.unwrap(getattr(actors, name))
            made = function(**{each: self.getfixturevalue(each) for each in inspect.signature(function).parameters})
            if inspect.isgenerator(made):
                self._ends.append(made)
                made = next(made)
            self._known[name] = made
        return self._known[name]

    def arguments(self, check: Check, judge: WitnessedJudge) -> dict[str, Any]:
        """The arguments of a check."""
        given = {**check.parameters, "judge": judge}
        names = inspect.signature(check.function).parameters
        return {name: given[name] if name in given else self.getfixturevalue(name) for name in names}

    def close(self) -> None:
        """End what has an end."""
        for each in reversed(self._ends):
            next(each, None)


def _late(check: Check) -> tuple[bool, bool]:
    """Checks of long observations come last, those of whole lists late."""
    return bool(wanted(check.fixtures)), WHOLE_LISTS in check.fixtures


def _carry_out(check: Check, cast: Cast, found: Found) -> Witness:
    """Carry out a check, and enter what came of it."""
    session = cast.session
    judge = WitnessedJudge(check.declared, check.name, session.transcript, all_oracles())
    judge.witness = Witness()
    session.meter.begin(check.name)
    for name in wanted(check.fixtures):
        session.meter.note_dependency(label(name))
    error: Exception | None = None
    try:
        check.function(**cast.arguments(check, judge))
    except Exception as trouble:  # noqa: BLE001  any error belongs to the check
        error = trouble
    outcome = conclude(judge, check.name, session, error, finished=error is None)
    if judge.witness.failed:
        found.checks[check.name] = {name: sorted(places) for name, places in sorted(judge.witness.failed.items())}
    found.judged[check.name] = judge.witness.made
    found.violations += outcome.violations
    for record in outcome.records:
        if "requirement" in record:
            found.outcomes.setdefault(record["requirement"], set()).add(record["outcome"])
    for each in outcome.violations:
        if each.source == "traffic":
            found.carried.setdefault(check.name, set()).add(each.requirement)
    if outcome.unmet:
        found.unmet[check.name] = outcome.unmet
    if outcome.harness:
        found.harness[check.name] = outcome.harness
    return judge.witness


def _keep(found: Found, session: Session, test: str, witness: Witness) -> None:
    """Keep evidence of what passed."""
    for requirement, exchanges in witness.kept.items():
        known = found.kept.setdefault(requirement, {})
        for operation, exchange in exchanges.items():
            known.setdefault(f"{test} {operation}".strip(), session.transcript.evidence(exchange))


@contextmanager
def _database(original: Path) -> Iterator[tuple[Path, Database]]:
    """A copy of a database file, opened as one of an earlier trial was: what opens it anew compiles every statement anew."""
    try:
        file, database = _CLOSED.get_nowait()
    except queue.Empty:
        file = Path(tempfile.mkdtemp(dir=_FOLDER.name)) / "service.db"
        database = None
    for each in file.parent.iterdir():
        each.unlink()
    shutil.copy(original, file)
    database = database or Database(f"sqlite:///{file}")
    try:
        yield file, database
    finally:
        _CLOSED.put((file, database))


@cache
def _seeded(_begins: datetime) -> Path:
    """A database with all organizations, made once for each process and date."""
    file = Path(_FOLDER.name) / f"{_begins:%Y-%m-%dT%H%M}.db"
    with running(Settings(database_url=f"sqlite:///{file}")):
        pass
    return file


_FOLDER = tempfile.TemporaryDirectory(prefix="seeded-")
"""Goes away with the process."""
_CLOSED: queue.SimpleQueue[tuple[Path, Database]] = queue.SimpleQueue()
"""Databases of trials that have ended."""
