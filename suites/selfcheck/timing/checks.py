"""Runs checks of long observations against a reference deployment in this process, in virtual time."""

import inspect
import tempfile
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

from plumbline.fixtures.client.exchange import UnmetError
from plumbline.fixtures.embedded import WHERE
from plumbline.fixtures.profile import Profile, build_profile
from plumbline.fixtures.reference.server import Deployment, Settings, running
from plumbline.fixtures.settings import SETTINGS, Value
from plumbline.fixtures.stage import RunSettings, Stage
from plumbline.fixtures.watches import wanted
from plumbline.suites.limits import test_graphql, test_rest
from plumbline.suites.webhooks import test_deliveries, test_events, test_retries, test_rotation, test_subscribing

from .virtual_time import VirtualTime

CHAPTERS: Mapping[str, tuple[ModuleType, ...]] = {
    "limits": (test_rest, test_graphql),
    "webhooks": (test_deliveries, test_events, test_retries, test_rotation, test_subscribing),
}
"""The chapters whose checks wait, with their modules."""
SEED = 20


@dataclass(frozen=True)
class Timed:
    """A check with one set of parameters.

    Attributes:
        name: of the function.
        function: what carries it out.
        parameters: the values of its parameters.
        declared: the requirements that it judges.
        parts: the parts of its watch that it stands on; None for all.
    """

    name: str
    function: Callable[..., None]
    parameters: Mapping[str, Any]
    declared: frozenset[str]
    parts: frozenset[str] | None

    @property
    def watches(self) -> list[str]:
        """What it waits for."""
        return wanted(inspect.signature(self.function).parameters)


@dataclass
class Seen:
    """What came of some checks.

    Attributes:
        failed: requirements that were found broken, by a check or by an oracle.
        judged: all requirements that were judged.
        unmet: why a check could not be carried out, by its name.
    """

    failed: set[str] = field(default_factory=set)
    judged: set[str] = field(default_factory=set)
    unmet: dict[str, str] = field(default_factory=dict)


def timed_checks(chapter: str) -> Iterator[Timed]:
    """The checks of a chapter, in the order in which a run takes them."""
    for module in CHAPTERS[chapter]:
        for name, function in vars(module).items():
            if name.startswith("test_"):
                yield from _cases(name, function)


def see(checks: Collection[Timed], *, faults: tuple[str, ...] = (), latitudes: tuple[str, ...] = ()) -> Seen:
    """Carry out checks; what none of them stands on is not brought about.

    Args:
        checks: of one chapter or of several.
        faults: names of defects that the deployment has.
        latitudes: names of its permitted differences.
    """
    settings = Settings(faults=faults, latitudes=latitudes, production=True)
    with VirtualTime() as time, running(settings, time) as deployment, tempfile.TemporaryDirectory() as folder:
        stage = Stage(profile_of(deployment), RunSettings(SEED, "tag0", "standard", Path(folder)), clock=time)
        try:
            return _seen(stage, checks)
        finally:
            stage.close()


def profile_of(deployment: Deployment) -> Profile:
    """What a tester knows of a deployment in this process, that its limits need not be kept among it."""
    told = asdict(deployment) | {"operator": {"url": deployment.operator_url, "token": deployment.operator_token}}
    settings = {"target.limits": Value("lifted", "here")}
    for key, (first, *rest) in WHERE.items():
        content = told[first]
        for name in rest:
            content = content[name]
        settings[key] = Value(SETTINGS[key].read(content), "here")
    return build_profile(settings)


def _seen(stage: Stage, checks: Collection[Timed]) -> Seen:
    seen = Seen()
    parts = [check.parts for check in checks]
    stage.watches.want(None if None in parts else {name for each in parts if each for name in each})
    stage.watches.open({name for check in checks for name in check.watches})
    for check in checks:
        judge = stage.judge(check.declared, check.name)
        try:
            asked = {name: stage.watches.result(name) for name in check.watches}
            check.function(**check.parameters, **asked, judge=judge)
        except UnmetError as error:
            judge.cut_short(error)
            seen.unmet[check.name] = error.reason
        _note(seen, judge.findings)
    _note(seen, stage.traffic.collect("")[1])
    return seen


def _note(seen: Seen, findings: Collection[Mapping[str, Any]]) -> None:
    for finding in findings:
        seen.judged.add(finding["requirement"])
        seen.failed |= {finding["requirement"]} if finding["outcome"] == "failed" else set()


def _cases(name: str, function: Any) -> Iterator[Timed]:
    """A check for each set of parameters."""
    marks = [mark for mark in function.pytestmark if mark.name == "check"]
    table = next((mark.args for mark in function.pytestmark if mark.name == "parametrize"), None)
    names, rows = table or ((), [()])
    for row in rows:
        values, more = getattr(row, "values", row), getattr(row, "marks", ())
        given = dict(zip([names], [values], strict=True) if isinstance(names, str) else zip(names, values, strict=True))
        checks = [*marks, *more]
        said = [mark.kwargs["parts"] for mark in checks]
        parts = None if None in said else frozenset(part for each in said for part in each)
        yield Timed("-".join([name, *given.values()]), function, given, frozenset(x for mark in checks for x in mark.args), parts)
