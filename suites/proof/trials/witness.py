"""What judged: a judge and oracles that note, beside what they find, which judgement found it."""

import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from plumbline.fixtures.http.exchange import Exchange
from plumbline.fixtures.judging import judge as judging
from plumbline.fixtures.judging.judge import Judge
from plumbline.fixtures.judging.mismatch import Judgements, Matcher, Mismatch
from plumbline.fixtures.judging.oracle import Oracle, OracleOfDeliveries
from plumbline.fixtures.webhooks.deliveries import Delivery

from .places import place_at

ITSELF = {judging.__file__, __file__}


@dataclass
class Witness:
    """The judgements that failed: by requirement, the names of the places (see `places.py`) or of
    oracles.

    Attributes:
        failed: what found a violation.
        made: what judged at all.
        kept: by requirement, the first exchange of each operation that kept it.
    """

    failed: dict[str, set[str]] = field(default_factory=dict)
    made: dict[str, set[str]] = field(default_factory=dict)
    kept: dict[str, dict[str, Exchange]] = field(default_factory=dict)

    def note(self, requirement: str, place: str, *, failed: bool) -> None:
        """Note one judgement."""
        self.made.setdefault(requirement, set()).add(place)
        if failed:
            self.failed.setdefault(requirement, set()).add(place)

    def keep(self, requirement: str, exchange: Exchange) -> None:
        """Note an exchange that keeps a requirement."""
        self.kept.setdefault(requirement, {}).setdefault(exchange.operation, exchange)


class WitnessedJudge(Judge):
    """A judge that tells a witness where it was called, and asks every matcher of a conjunction."""

    witness: Witness

    def __call__(self, requirement: str, exchange: Exchange, *matchers: Matcher) -> bool:
        """Judge an exchange by all matchers; the first mismatch is the violation."""
        place, mismatches = _Caller.of(), [matcher(exchange) for matcher in matchers]
        for index, mismatch in enumerate(mismatches):
            self.witness.note(
                requirement, place.matcher(index, len(matchers)), failed=mismatch is not None
            )
        return self._judged(requirement, exchange, next(filter(None, mismatches), None))

    def that(self, requirement: str, holds: bool, exchange: Exchange, **words: Any) -> bool:
        """Judge a fact."""
        self.witness.note(requirement, _Caller.of().name, failed=not holds)
        return super().that(requirement, holds, exchange, **words)

    def each(self, requirement: str, exchange: Exchange, mismatch: Mismatch | None) -> None:
        """Enter what was found in one of many exchanges."""
        self.witness.note(requirement, _Caller.of().name, failed=mismatch is not None)
        super().each(requirement, exchange, mismatch)

    def traffic(self, exchange: Exchange) -> None:
        """Judge one exchange by all oracles; the place is the call, whichever oracle it was."""
        place, before = _Caller.of().name, len(self.findings)
        super().traffic(exchange)
        for finding in self.findings[before:]:
            self.witness.note(finding.requirement, place, failed=finding.failed)

    def _judged(self, requirement: str, exchange: Exchange, mismatch: Mismatch | None) -> bool:
        if mismatch is None:
            self.witness.keep(requirement, exchange)
        return super()._judged(requirement, exchange, mismatch)


def witnessed(oracles: Iterable[Oracle], witness: Witness) -> tuple[Oracle, ...]:
    """The same oracles, each of which tells a witness what it judges."""
    return tuple(_witnessed(oracle, witness) for oracle in oracles)


def witnessed_deliveries(
    oracles: Iterable[OracleOfDeliveries], witness: Witness
) -> tuple[OracleOfDeliveries, ...]:
    """The same of oracles of deliveries."""

    def of(oracle: OracleOfDeliveries) -> OracleOfDeliveries:
        def judge(delivery: Delivery) -> Judgements:
            return _noted(oracle, oracle(delivery), delivery.exchange, witness)

        return judge

    return tuple(map(of, oracles))


def _witnessed(oracle: Oracle, witness: Witness) -> Oracle:
    def judge(exchange: Exchange) -> Judgements:
        return _noted(oracle, oracle(exchange), exchange, witness)

    return judge


def _noted(
    oracle: object, judgements: Judgements, exchange: Exchange, witness: Witness
) -> Judgements:
    name = getattr(oracle, "__name__", type(oracle).__name__)
    for requirement, mismatch in judgements.items():
        witness.note(requirement, f"oracle {name}", failed=mismatch is not None)
        if mismatch is None:
            witness.keep(requirement, exchange)
    return judgements


@dataclass(frozen=True)
class _Caller:
    """The place from which a judge was called.

    Attributes:
        name: of the place.
        matcher: the name of one of its matchers, by its position and their number.
    """

    name: str
    matcher: Callable[[int, int], str]

    @classmethod
    def of(cls) -> "_Caller":
        frame = inspect.currentframe()
        while frame is not None and frame.f_code.co_filename in ITSELF:
            frame = frame.f_back
        assert frame is not None
        file, line = Path(frame.f_code.co_filename), frame.f_lineno
        place = place_at(file, line)
        if place is not None:
            return cls(place.name, place.of_matcher)
        name = f"{file.parent.name}/{file.name}::{frame.f_code.co_name}"
        return cls(name, lambda *_: name)
