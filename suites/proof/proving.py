"""Proves faults and variants in process: which checks see them, and that nothing else does."""

import hashlib
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from enum import Enum, auto
from functools import cache
from random import Random
from typing import Any

from plumbline.fixtures.http.exchange import Exchange
from plumbline.fixtures.reference.variations.faults import FAULTS
from plumbline.fixtures.reference.variations.variants import VARIANTS
from plumbline.fixtures.run.planning.matrix import Cells, Row, matrix
from plumbline.fixtures.scenarios.background import wanted
from plumbline.spec import catalogue

from .expected import observable, to_show
from .once import once
from .trials.carried_out import Found
from .trials.collected import Check, all_checks, is_by_chance, varying_checks
from .trials.trial import BEGINS, SEED, attempt

OF_OTHERS = frozenset({"receiver_scenario", "effects", "client_driver"})
"""Fixtures of checks that certify receivers and clients; those are proved by receivers and clients
with defects, see `fixtures/tests/scenarios/receivers` and `fixtures/tests/scenarios/clients`."""
LATE, SURFACES = {"LIM", "HOOK"}, {"GQL", "SVC"}
"""Chapters whose checks wait, and those of both surfaces."""
PYTHON = re.compile(
    r"\b(None|True|False)\b(?! of)|[{(\[]'|frozenset|\bset\(|datetime\.|Decimal\(|<[a-z_.]+ object"
)
"""How a value of Python looks that was printed as it is."""
IMMEDIATE_CLASSES = "core,credentials,isolation,upstream,graphql,relay,analytics"
"""The conformance classes whose checks need no waiting, as `--claim` takes them."""
COMPARING = "relay"
"""The class that compares REST with GraphQL."""


SEED_DISTANCE = timedelta(days=17, hours=5, minutes=50)
"""Between the beginnings of one seed and the next: all hours, weekdays and months come by, also the
last day of one.
"""


class Kind(Enum):
    """Which checks a variation is tried with."""

    QUICK = auto()
    BOTH_SURFACES = auto()
    LATE = auto()


def checks_of_deployments(*, by_chance: bool = False) -> list[Check]:
    """The checks of a deployment.

    Args:
        by_chance: also those whose inputs are drawn; what they find proves nothing.
    """
    return [
        check
        for check in all_checks()
        if not check.fixtures & OF_OTHERS and (by_chance or not check.is_by_chance)
    ]


def focused(
    faults: Sequence[str],
    carriers: Iterable[str] = (),
    watch: Callable[[Exchange], object] = lambda _: None,
    *,
    seed: int = SEED,
) -> tuple[Row, Found]:
    """Try faults, one or some side by side, with the checks that declare what they break.

    Args:
        faults: their names.
        carriers: names of further checks, without whose requests they do not show.
        watch: is shown each exchange.
        seed: each other one at a date and an hour of its own.
    """
    others = sorted(set(carriers))
    checks = checks_of(faults, others)
    result = attempt(checks, faults=faults, watch=watch, seed=seed, **_when(faults, seed))
    return Row(result.checks, result.traffic, others, findings=_digest(result)), result


def checks_of(faults: Iterable[str], carriers: Collection[str] = ()) -> list[Check]:
    """The checks that declare what faults break, and their carriers."""
    broken = observable(name for fault in faults for name in FAULTS[fault].ids)
    return [
        check
        for check in checks_of_deployments(by_chance=True)
        if (check.declared & broken and not check.is_by_chance) or check.name in carriers
    ]


def _digest(result: Found) -> str:
    """What the findings of a trial say, in a few letters."""
    return hashlib.sha256(repr(result.messages).encode()).hexdigest()[:12]


def twins(rows: Mapping[str, Row]) -> list[list[str]]:
    """Faults that nothing tells apart: the same judgements of the same checks say the same; the
    unobservable ones left out.
    """
    alike: dict[str, list[str]] = {}
    for name, row in rows.items():
        if row.red:
            alike.setdefault(
                f"{row.checks} {row.traffic} {row.findings} {FAULTS[name].ids}", []
            ).append(name)
    return [names for names in alike.values() if len(names) > 1]


def measured(fault: str, sent: list[Exchange] | None = None) -> Row:
    """The row of a fault, with as few carriers as it takes, as far as the whole suite has any.

    Args:
        fault: its name.
        seen: holds the exchanges of that row afterwards.
    """
    broken = to_show(fault)
    exchanges: list[Exchange] = [] if sent is None else sent

    def tried(carriers: Iterable[str] = ()) -> Row:
        exchanges.clear()
        return focused([fault], carriers, exchanges.append)[0]

    row, carriers_before = tried(), matrix().faults.get(fault, Row()).carriers
    if not broken <= row.red and carriers_before:
        row = tried(carriers_before)
    missing = broken - row.red
    if not missing:
        return row
    for carriers in _candidates(whole_suite([fault]), missing):
        row = tried(carriers)
        if missing <= row.red:
            break
    return row


def _candidates(whole: Found, missing: set[str]) -> Iterator[list[str]]:
    """Checks whose traffic shows what is missing, and checks that find it although they do not have
    to: one, or all of them.
    """
    telling = [name for name, ids in whole.carried.items() if ids & missing]
    telling += [
        name for name, cells in whole.checks.items() if set(cells) & missing and name not in telling
    ]
    yield from ([name] for name in telling[:3])
    yield telling


def agree(result: Row, row: Row) -> bool:
    """Whether a fault was caught as the matrix says.

    Where others catch it too, a check that varies may or may not.
    """
    return result.traffic == row.traffic and _constant(result) == _constant(row)


def _constant(row: Row) -> Cells:
    """What a row says of checks, without those that vary where others have found as much."""
    varying = varying_checks()
    sure = {check: cells for check, cells in row.checks.items() if check not in varying}
    caught = {name for cells in sure.values() for name in cells}
    return sure | {
        check: cells
        for check, cells in row.checks.items()
        if check in varying and not set(cells) <= caught
    }


def in_python(result: Found) -> list[str]:
    """Texts of findings in the notation of Python, where the reader of an API report expects
    JSON.
    """
    return sorted(
        {text for message in result.messages for text in message[2:5] if PYTHON.search(text)}
    )


def beside(row: Row, fault: str, whole: Found) -> Row:
    """A row with what turned red in the whole suite beyond it, on all traffic under the name
    `traffic`.
    """
    broken_ids, result = observable(FAULTS[fault].ids), whole.checks | {"traffic": whole.traffic}
    cells = {
        name: sorted(set(ids) - broken_ids - set(row.checks.get(name, ())) - set(row.traffic))
        for name, ids in result.items()
    }
    return replace(row, beside={name: ids for name, ids in cells.items() if ids})


def whole_suite(faults: Sequence[str] = (), *, seed: int = SEED) -> Found:
    """Try faults with every check, those by chance as well; each other seed at a date, at an hour
    and in an order of its own.
    """
    checks = checks_of_deployments(by_chance=True)
    if seed != SEED:
        Random(seed).shuffle(checks)
    return attempt(checks, faults=faults, seed=seed, **_when(faults, seed))


def _when(faults: Sequence[str], seed: int) -> dict[str, Any]:
    """The date of a seed, and the timezone where faults have one."""
    return {"begins": BEGINS + (seed - SEED) * SEED_DISTANCE} | season_of(faults)


def season_of(faults: Sequence[str]) -> dict[str, Any]:
    """The date and the timezone of a trial of faults that has its own, as `attempt` takes them."""
    season = FAULTS[faults[0]].season if len(faults) == 1 else None
    return season._asdict() if season else {}


@cache
def plain() -> Found:
    """What every check finds without a fault, with evidence of what passes; tried once for all
    workers of `make test`.
    """
    return once("plain", _try_plain)[0]


def plain_exchanges() -> list[Exchange]:
    """The exchanges of that trial, which are many; not kept here."""
    return once("plain", _try_plain)[1]


def _try_plain() -> tuple[Found, list[Exchange]]:
    exchanges: list[Exchange] = []
    return (
        attempt(checks_of_deployments(by_chance=True), keeps=True, watch=exchanges.append),
        exchanges,
    )


def changing(variants: Iterable[str], result: Found) -> set[str]:
    """The variants under which a choice was observed, of an open item that they use, that the plain
    deployment does not make.
    """

    def chosen(trial: Found, item: str) -> set[tuple[str, str]]:
        return {
            (of, value) for of, values in trial.choices.get(item, {}).items() for value in values
        }

    return {
        name
        for name in variants
        if any(chosen(result, item) - chosen(plain(), item) for item in VARIANTS[name].ids)
    }


def around(
    ids: Iterable[str],
    *,
    faults: Sequence[str] = (),
    variants: Sequence[str] = (),
    watch: Callable[[Exchange], object] = lambda _: None,
) -> Found:
    """Try faults or variants with every check that has to do with their ids, none by chance.

    Args:
        ids: requirements or open items of all of them.
        faults, variants: which.
        watch: is shown each exchange.

    What shows late is tried with the checks that wait, the rest with all others. What differs over
    REST alone differs from GraphQL, so that only variations of GraphQL are held against the class
    that compares both.
    """
    chosen = [
        deployment for deployment in checks_of_deployments() if kind_of(ids) in _kinds(deployment)
    ]
    return attempt(chosen, faults=faults, variants=variants, watch=watch, **season_of(faults))


def kind_of(ids: Iterable[str]) -> Kind:
    """Which checks have to do with some ids."""
    chapters = {name.partition("-")[0] for name in ids}
    return (
        Kind.LATE if chapters & LATE else Kind.BOTH_SURFACES if chapters & SURFACES else Kind.QUICK
    )


def _kinds(check: Check) -> set[Kind]:
    if wanted(check.fixtures):
        return {Kind.LATE}
    requirements = catalogue().requirements
    only_compares = all(
        requirements[name].conformance_class == COMPARING for name in check.declared
    )
    return {Kind.BOTH_SURFACES} if only_compares else {Kind.BOTH_SURFACES, Kind.QUICK}


def judgements(result: Found) -> set[str]:
    """What a trial has judged, such as `leads/test_create.py test_a_new_lead_is_new#1 LEAD-02`, but
    for checks by chance.
    """
    return {
        _judgement(check, place, requirement)
        for check, cells in result.judged.items()
        if not is_by_chance(check)
        for requirement, places in cells.items()
        for place in places
    }


def unproved(made: Iterable[str], rows: Iterable[Row]) -> list[str]:
    """Judgements that could be deleted without any test failing: under no fault the only one that
    turns its check red.
    """
    cells = [
        (check, *cell)
        for row in rows
        for check, cells_of_check in row.checks.items()
        for cell in cells_of_check.items()
    ]
    proved = {
        _judgement(check, places[0], requirement)
        for check, requirement, places in cells
        if len(places) == 1
    }
    return sorted(set(made) - proved)


def _judgement(check: str, place: str, requirement: str) -> str:
    return f"{check.partition('::')[0]} {place} {requirement}"


def is_green(result: Found) -> bool:
    """Whether a trial broke nothing, on either side."""
    return not result.red and not result.harness
