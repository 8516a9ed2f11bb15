"""Faults and variants that are tried side by side, in one deployment, because together they show
what each shows alone.

Which faults these are is measured: `make prove` packs those that should not meet, tries them with
their checks, and keeps in the matrix the groups that show exactly what the rows of their members
say.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from plumbline.fixtures.planning.matrix import Cells, Row
from plumbline.fixtures.reference.policy import Rules
from plumbline.fixtures.reference.variations.faults import FAULTS
from plumbline.fixtures.reference.variations.variants import VARIANTS

from .proving import Kind, agree, checks_of, focused, in_python, kind_of

FAULTS_AT_ONCE = {Kind.QUICK: 8, Kind.BOTH_SURFACES: 4, Kind.LATE: 6}
"""How many are tried side by side; more get in each other's way too often."""
VARIANTS_AT_ONCE = {Kind.QUICK: 32, Kind.BOTH_SURFACES: 16, Kind.LATE: 16}
"""More than of faults, because none of them may show; those of GraphQL and of webhooks often
replace the same method.
"""
HANDED_ON = frozenset({"incoming", "outgoing"})
"""Decisions that a fault replaces and hands on, so that several of them do not hide each other."""


@dataclass(frozen=True)
class _Traits:
    """What neighbours must not share.

    Attributes:
        decisions: the names of the rules that a fault replaces.
        cells: the judgements that it turns red, with their checks.
        traffic: the requirements that oracles find broken.
        checks: those that it is tried with.
        beside: those that turn red although they are about something else.
    """

    decisions: frozenset[str]
    cells: frozenset[tuple[str, str]]
    traffic: frozenset[str]
    checks: frozenset[str]
    beside: frozenset[str]

    def may_meet(self, other: "_Traits") -> bool:
        """Whether nothing of one is likely to show in the other."""
        shared = (
            self.decisions & other.decisions,
            self.cells & other.cells,
            self.traffic & other.traffic,
        )
        return not any((*shared, self.beside & other.checks, other.beside & self.checks))


def packed(names: Iterable[str], rows: Mapping[str, Row], *, share: int = 1) -> list[list[str]]:
    """Faults in groups of two and more whose members may meet.

    Args:
        names: the faults to pack; those that turn more red than they break, or need a date of their
            own, stay out.
        rows: what each of them turns red alone.
        share: groups are smaller by this factor.

    They are packed in an order of its own, since neighbours in the list are about the same subject.
    """
    traits = {
        name: _traits(name, rows[name]) for name in names if rows[name].red and not _is_alone(name)
    }
    groups: dict[Kind, list[list[str]]] = {kind: [] for kind in Kind}
    for name in sorted(traits, key=lambda name_: hashlib.sha256(name_.encode()).digest()):
        kind = kind_of(FAULTS[name].ids)
        for group in groups[kind]:
            if len(group) < FAULTS_AT_ONCE[kind] // share and all(
                traits[name].may_meet(traits[member]) for member in group
            ):
                group.append(name)
                break
        else:
            groups[kind].append([name])
    return [group for packed_group in groups.values() for group in packed_group if len(group) > 1]


def _is_alone(name: str) -> bool:
    return bool(FAULTS[name].also or FAULTS[name].season)


def _traits(name: str, row: Row) -> _Traits:
    plain, rules = set(Rules.__mro__), FAULTS[name].rules
    decisions = {
        var
        for part in rules.__mro__
        if part not in plain
        for var in vars(part)
        if not var.startswith("__")
    }
    return _Traits(
        frozenset(decisions - HANDED_ON),
        frozenset(
            (check, place)
            for check, places_by_id in row.checks.items()
            for places in places_by_id.values()
            for place in places
        ),
        frozenset(row.traffic),
        frozenset(check.name for check in checks_of([name], row.carriers)),
        frozenset(row.beside),
    )


def agree_side_by_side(names: Sequence[str], rows: Mapping[str, Row]) -> bool:
    """Whether faults in one deployment show exactly what their rows say, in the checks of all of
    them.
    """
    rows_known = [rows[name] for name in names]
    found_now, trial = focused(names, {carrier for row in rows_known for carrier in row.carriers})
    return not trial.harness and not in_python(trial) and agree(found_now, together(rows_known))


def together(rows: Iterable[Row]) -> Row:
    """What several rows say."""
    checks: dict[str, dict[str, set[str]]] = {}
    traffic: dict[str, set[str]] = {}
    for row in rows:
        for check, cells_of_check in row.checks.items():
            for requirement, places in cells_of_check.items():
                checks.setdefault(check, {}).setdefault(requirement, set()).update(places)
        for requirement, oracles in row.traffic.items():
            traffic.setdefault(requirement, set()).update(oracles)
    cells: Cells = {check: _sorted(cells_of_check) for check, cells_of_check in checks.items()}
    return Row(cells, _sorted(traffic))


def _sorted(sets: Mapping[str, set[str]]) -> dict[str, list[str]]:
    return {name: sorted(places) for name, places in sorted(sets.items())}


def kill_groups(measured: Iterable[Sequence[str]]) -> list[list[str]]:
    """Every fault once: in the group that was measured, as far as it still exists, or else
    alone.
    """
    groups = [[name for name in group if name in FAULTS] for group in measured]
    grouped = {name for group in groups for name in group}
    return [*filter(None, groups), *([name] for name in FAULTS if name not in grouped)]


def variant_groups() -> list[list[str]]:
    """All permitted variants in groups of one kind; those that are declared together are dealt to
    different groups.
    """
    groups = [[name] for name in sorted(VARIANTS) if VARIANTS[name].alone]
    for kind in Kind:
        names = [
            name
            for name, variant in VARIANTS.items()
            if kind_of(variant.ids) is kind and not variant.alone
        ]
        number = -(-len(names) // VARIANTS_AT_ONCE[kind])
        groups += [names[first::number] for first in range(number)]
    return groups
