"""Checks of the suites, carried out one after another in one session, and what they have shown."""

import inspect
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from plumbline.fixtures.http.clock import Clock
from plumbline.fixtures.http.exchange import DEPLOYMENT, Exchange
from plumbline.fixtures.judging.mismatch import Mismatch
from plumbline.fixtures.judging.oracles import all_delivery_oracles, all_oracles
from plumbline.fixtures.profile.profile import Profile
from plumbline.fixtures.run.plugin.fixtures import FACTORIES
from plumbline.fixtures.run.plugin.outcomes import conclude
from plumbline.fixtures.run.plugin.runner_core import begin, open_background, place_of
from plumbline.fixtures.scenarios.background import scenario, wanted
from plumbline.fixtures.scenarios.mark import united
from plumbline.fixtures.session.run_settings import RunSettings
from plumbline.fixtures.session.session import Session
from plumbline.fixtures.session.share import Share
from plumbline.spec.findings import Finding

from .collected import Check
from .witness import Witness, WitnessedJudge, witnessed, witnessed_deliveries

LOOK = "look"
"""The account of the request with which a run checks that the deployment answers."""
TOO_MANY = 429
MADE_UP = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}|'[^']*'|\"[^\"]*\"")
"""What differs from trial to trial in a message: ids, and texts that were made up."""


@dataclass
class Found:
    """What a trial has shown.

    Attributes:
        checks: by check and requirement, the places of the judgements that failed; of checks
            without any, nothing.
        traffic: by requirement, the oracles that found a violation in any exchange.
        judged: by check and requirement, every place that judged.
        unmet: by check, why it could not be carried out.
        carried: by check, the requirements that its exchanges were the first to show broken.
        violations: the findings of what was broken.
        kept: evidence of what passed, by requirement and situation: the check, if it has judged,
            and the operation.
        accounts: what was sent for each check and step, see `Meter.to_dict`.
        outcomes: by requirement, what became of it anywhere: `passed`, `failed`, `unmet`,
            `not-applicable`.
        harness: by check, what went wrong with the kit.
        choices: what the deployment chose, by open item, part and choice.
        refused: how many of them met a limit, but for those of background scenarios.
        delivered: what arrived at the inbox, if evidence is kept.
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
    delivered: list[Exchange] = field(default_factory=list)

    @property
    def red(self) -> set[str]:
        """All requirements that were found broken."""
        return {name for check in self.checks.values() for name in check} | set(self.traffic)

    @property
    def left_out(self) -> set[str]:
        """The requirements that no check could exercise."""
        return {name for name, outcomes in self.outcomes.items() if outcomes == {"unmet"}}

    @property
    def messages(self) -> list[tuple[str, ...]]:
        """What the findings say: check, requirement, operation, expected, received and where; what
        was made up left out.
        """
        said = {
            (
                *(
                    violation.test if violation.source == "check" else "",
                    violation.requirement,
                    violation.operation,
                ),
                *(
                    MADE_UP.sub("*", text)
                    for text in (
                        violation.violation.expected,
                        violation.violation.received,
                        violation.violation.where,
                    )
                ),
            )
            for violation in self.violations
            if violation.violation
        }
        return sorted(said)


def carried_out(
    checks: Collection[Check],
    *,
    profile: Profile,
    settings: RunSettings,
    clock: Clock,
    keeps: bool,
    watch: Callable[[Exchange], object],
    worker: str = "main",
    workers: int = 1,
    share: Share | None = None,
    early: Collection[str] = (),
) -> Found:
    """Carry out checks in one session, which may have a share of a run; then those that are named
    as `early` come before background scenarios.
    """
    witness, result = Witness(), Found()

    def count(exchange: Exchange) -> Mapping[str, Mismatch | None]:
        result.refused += exchange.status == TOO_MANY
        return {}

    def recorded(exchange: Exchange) -> None:
        if exchange.actor != DEPLOYMENT:
            watch(exchange)
        elif keeps:
            result.delivered.append(exchange)

    session = Session(
        profile,
        settings,
        worker,
        workers,
        oracles=lambda: (*witnessed(all_oracles(), witness), count),
        delivery_oracles=lambda made: witnessed_deliveries(all_delivery_oracles(made), witness),
        clock=clock,
        background=scenario,
        writes=False,
        watch=recorded,
        share=share,
    )
    cast = Cast(session)
    try:
        with session.meter.sending_for(LOOK):
            session.main.get("/v1/leads", limit=1)
        if session.profile.target.limits == "documented":
            session.controller.ask("set_limits", enforced=True)
        waiting = [check for check in checks if wanted(check.fixtures)]
        for check in sorted(
            checks,
            key=lambda check: place_of(
                check.fixtures, is_early=check.name in early, is_lent=session.is_lent
            ),
        ):
            if check.name not in early:
                _open_background(session, waiting)
                waiting.clear()
            witness_of_check = _carry_out(check, cast, result)
            if keeps:
                _keep(result, session, check.name, witness_of_check)
        if keeps:
            _keep(result, session, "", witness)
        result.accounts = {
            name: account for name, account in session.meter.to_dict().items() if name != LOOK
        }
    finally:
        cast.close()
        session.close()
    result.traffic = {name: sorted(oracles) for name, oracles in witness.failed.items()}
    result.choices = session.traffic.choices.take().get("choices", {})
    return result


def _open_background(session: Session, waiting: Collection[Check]) -> None:
    """Start the background scenarios that checks wait for."""
    if not waiting:
        return
    names = (name for check in waiting for name in wanted(check.fixtures))
    open_background(session, names, united(check.parts for check in waiting))


class Cast:
    """Makes the values of fixtures, once per trial.

    A trial cannot leave that to pytest, which has one session in a process: trials run in several
    threads, and a check needs another deployment in each of them.
    """

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
            factory = FACTORIES[name]
            made = factory(
                **{
                    needed: self.getfixturevalue(needed)
                    for needed in inspect.signature(factory).parameters
                }
            )
            if inspect.isgenerator(made):
                self._ends.append(made)
                made = next(made)
            self._known[name] = made
        return self._known[name]

    def arguments(self, check: Check, judge: WitnessedJudge) -> dict[str, Any]:
        """The arguments of a check."""
        given = {**check.parameters, "judge": judge}
        names = inspect.signature(check.function).parameters
        return {
            name: given[name] if name in given else self.getfixturevalue(name) for name in names
        }

    def close(self) -> None:
        """End what has an end."""
        for end in reversed(self._ends):
            next(end, None)


def _carry_out(check: Check, cast: Cast, result: Found) -> Witness:
    """Carry out a check, and enter what came of it."""
    session = cast.session
    judge = WitnessedJudge(
        check.declared,
        check.name,
        session.transcript,
        all_oracles(),
        of_deliveries=session.traffic.of_delivery,
    )
    judge.witness = Witness()
    begin(session, check.name, check.fixtures)
    error: Exception | None = None
    try:
        check.function(**cast.arguments(check, judge))
    except Exception as trouble:  # noqa: BLE001  any error belongs to the check
        error = trouble
    outcome = conclude(judge, check.name, session, error, finished=error is None)
    if judge.witness.failed:
        result.checks[check.name] = {
            name: sorted(places) for name, places in sorted(judge.witness.failed.items())
        }
    result.judged[check.name] = judge.witness.made
    result.violations += outcome.violations
    for record in outcome.records:
        if "requirement" in record:
            result.outcomes.setdefault(record["requirement"], set()).add(record["outcome"])
    for violation in outcome.violations:
        if violation.source == "traffic":
            result.carried.setdefault(check.name, set()).add(violation.requirement)
    if outcome.unmet:
        result.unmet[check.name] = outcome.unmet
    if outcome.harness:
        result.harness[check.name] = outcome.harness
    return judge.witness


def _keep(result: Found, session: Session, test: str, witness: Witness) -> None:
    """Keep evidence of what passed."""
    for requirement, exchanges in witness.kept.items():
        kept = result.kept.setdefault(requirement, {})
        for operation, exchange in exchanges.items():
            kept.setdefault(f"{test} {operation}".strip(), session.transcript.evidence(exchange))
