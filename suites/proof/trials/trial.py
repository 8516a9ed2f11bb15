"""One trial: checks of the suites against a reference deployment in this process, judged as a run
judges them.
"""

import gc
import logging
import queue
import shutil
import tempfile
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from contextvars import Context
from datetime import UTC, datetime
from functools import cache, partial
from pathlib import Path

import time_machine

from plumbline.fixtures.http.clock import Clock
from plumbline.fixtures.http.exchange import Exchange
from plumbline.fixtures.profile.embedded import settings_of
from plumbline.fixtures.profile.profile import build_profile
from plumbline.fixtures.profile.settings import Value
from plumbline.fixtures.reference.app.storage.database import Database
from plumbline.fixtures.reference.server import Settings, running
from plumbline.fixtures.scenarios.background import wanted
from plumbline.fixtures.session.run_settings import RunSettings
from plumbline.fixtures.session.share import Share

from ..timing.virtual_time import VirtualTime
from .carried_out import Found, carried_out
from .collected import Check
from .places import read_suites

SEED = 20
"""One seed for all: what is proved is that a fault turns certain ids red, not that any seed finds
it.
"""
BEGINS = datetime(2026, 5, 20, 10, tzinfo=UTC)
"""When a trial begins by default, so that nothing depends on the hour at which the proof runs."""

# A fault may make the deployment log an error from its thread. Python 3.11 parses lines of source
# to format a traceback, and its parser must not be used in two threads at once: a check that looked
# up its place in the source met a SystemError.
logging.getLogger("uvicorn.error").addFilter(lambda _: False)
gc.set_threshold(50_000, 20, 50)
"""Trials make many objects and few circles: looking for these less often saves a tenth of the
time.
"""
_ENDING = ThreadPoolExecutor(4, "ending")
"""Stops deployments while the next trial already runs, because a server takes time to stop."""


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
    zone: str = "",
    lacking: Collection[str] = (),
    prepare: Callable[[Path], None] = lambda _: None,
    watch: Callable[[Exchange], object] = lambda _: None,
    share: Share | None = None,
    early: Collection[str] = (),
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
        zone: the timezone of all booking links, in place of their own.
        lacking: settings that the profile leaves out, such as `keys.read_only`, or whole sections,
            such as `controller`.
        prepare: changes the database before the deployment starts.
        watch: is shown each exchange.
        share: of a run, that the checks belong to.
        early: the names of those that come before background scenarios.
    """
    read_suites()
    # The time of this process stands still, too: however long a trial takes, the kit and the
    # deployment agree on what is past.
    with ExitStack() as stack, time_machine.travel(begins, tick=False) as traveller:
        time = stack.enter_context(VirtualTime(follow=partial(traveller.move_to, tick=False)))
        folder = Path(
            stack.enter_context(
                tempfile.TemporaryDirectory(prefix="trial-", ignore_cleanup_errors=True)
            )
        )
        file, database = stack.enter_context(_database(_seeded(begins)))
        prepare(file)
        settings = Settings(
            faults=tuple(faults), variants=tuple(variants), production=True, zone=zone
        )
        deployment = stack.enter_context(running(settings, time, database))
        try:
            described = deployment.description()
            values = settings_of(described, production=True) | {
                "target.limits": Value(limits, "the trial")
            }
            if link != "main":  # the facts are those of the main one
                values = {
                    key: value for key, value in values.items() if not key.startswith("link.")
                }
            values["records.booking_link"] = Value(described["booking_links"][link], "the trial")
            values = {
                key: value
                for key, value in values.items()
                if not {key, key.partition(".")[0]} & {*lacking}
            }
            run = RunSettings(seed, "trial0", "standard", folder / "report")
            # In a context of its own, because the meter notes there whom this thread sends for.
            in_session = partial(
                carried_out,
                profile=build_profile(values),
                settings=run,
                clock=time,
                keeps=keeps,
                watch=watch,
                share=share,
                early=early,
            )
            if workers == 1:
                return Context().run(in_session, checks)
            return _shared_out(checks, workers, in_session, time)
        finally:
            _ENDING.submit(stack.pop_all().close)


def _shared_out(
    checks: Collection[Check], workers: int, in_session: Callable[..., Found], clock: Clock
) -> Found:
    """Deal checks to workers, which carry them out at the same time; what they found broken, and
    what went wrong with the kit.
    """
    hands: list[list[Check]] = [[] for _ in range(workers)]
    for number, check in enumerate(checks):
        hands[0 if wanted(check.fixtures) else number % workers].append(check)
    work = [
        partial(Context().run, partial(in_session, hand, worker=f"gw{number}", workers=workers))
        for number, hand in enumerate(hands)
    ]
    begun = [clock.start(share, "worker") for share in work]
    result = Found()
    for share_result in map(clock.result, begun):
        result.checks |= share_result.checks
        result.harness |= share_result.harness
        result.unmet |= share_result.unmet
        result.traffic |= share_result.traffic
        result.violations += share_result.violations
    return result


@contextmanager
def _database(original: Path) -> Iterator[tuple[Path, Database]]:
    """A copy of a database file, opened as one of an earlier trial was: what opens it anew compiles
    every statement anew.
    """
    try:
        file, database = _CLOSED.get_nowait()
    except queue.Empty:
        file = Path(tempfile.mkdtemp(dir=_FOLDER.name)) / "service.db"
        database = None
    for path in file.parent.iterdir():
        path.unlink()
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
