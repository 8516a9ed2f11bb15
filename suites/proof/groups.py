"""Faults and variants that are tried side by side, in one deployment, because together they show
what each shows alone.

Which faults these are is measured: `make prove` packs those that should not meet, tries them with
their checks, and keeps in the matrix the groups that show exactly what the rows of their members
say.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from plumbline.fixtures.reference.policy import Rules
from plumbline.fixtures.reference.variations.faults import FAULTS
from plumbline.fixtures.reference.variations.variants import VARIANTS
from plumbline.fixtures.run.planning.matrix import Cells, Row

from .proving import Kind, agree, checks_of, focused, in_python, kind_of
from .trials.collected import varying_checks

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


def packed(names: Iterable[str], rows: Mapping[str, Row]) -> list[list[str]]:
    """Faults in groups of two and more whose members may meet.

    Args:
        names: the faults to pack; those that need a date of their own stay out.
        rows: what each of them turns red alone.

    Faults that are tried with the same checks come one after the other: a group then sends what a
    few checks send, and not what the checks of eight chapters do.
    """
    tried = (name for name in names if rows[name].red and FAULTS[name].season is None)
    traits = {name: _traits(name, rows[name]) for name in tried}
    groups: dict[Kind, list[list[str]]] = {kind: [] for kind in Kind}
    for name in sorted(traits, key=lambda fault: (sorted(traits[fault].checks), fault)):
        kind = kind_of(FAULTS[name].ids)
        for group in groups[kind]:
            is_full = len(group) == FAULTS_AT_ONCE[kind]
            if not is_full and all(traits[name].may_meet(traits[other]) for other in group):
                group.append(name)
                break
        else:
            groups[kind].append([name])
    return [group for packed_group in groups.values() for group in packed_group if len(group) > 1]


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
    return _side_by_side(names, rows)[0]


def _side_by_side(names: Sequence[str], rows: Mapping[str, Row]) -> tuple[bool, Row]:
    """Whether they do, and what they show."""
    alone = [rows[name] for name in names]
    row, trial = focused(names, {carrier for row in alone for carrier in row.carriers})
    return not trial.harness and not in_python(trial) and agree(row, together(alone)), row


def settled(names: Sequence[str], rows: Mapping[str, Row]) -> list[str]:
    """The members of a group that show side by side what each shows alone; none, where no two do.

    What a neighbour hides leaves the group; where they show too much, half of them leave.
    """
    group = list(names)
    while len(group) > 1:
        agrees, row = _side_by_side(group, rows)
        if agrees:
            return group
        shown = [name for name in group if _holds(row, rows[name])]
        group = shown if len(shown) < len(group) else group[: len(group) // 2]
    return []


def _holds(whole: Row, part: Row) -> bool:
    """Whether a row has all judgements of another one, but for those of checks that vary."""
    varying = varying_checks()
    return part.traffic.keys() <= whole.traffic.keys() and all(
        {*places} <= {*whole.checks.get(check, {}).get(requirement, ())}
        for check, cells in part.checks.items()
        if check not in varying
        for requirement, places in cells.items()
    )


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
