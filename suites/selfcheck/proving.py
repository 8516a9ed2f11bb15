"""Proves faults and variants in process: which checks see them, and that nothing else does."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from plumbline.fixtures.reference.faults import FAULTS
from plumbline.matrix import Row

from .claims import observable
from .collected import Check, all_checks
from .known import CASCADES
from .trial import Found, attempt

RECEIVERS = frozenset({"receiver_story", "effects"})
"""Fixtures of checks that certify receivers; those are proved by receivers with defects, see `fixtures/tests/receivers`."""
WAITING = frozenset({"webhooks", "rest_limits", "graphql_limits"})


def checks_of_deployments() -> list[Check]:
    """Every check of a deployment that shows without waiting."""
    return [check for check in all_checks() if not check.fixtures & (RECEIVERS | WAITING)]


def declaring(ids: Iterable[str]) -> list[Check]:
    """The checks that declare any of the requirements, but for those that find by chance."""
    wanted = set(ids)
    return [check for check in checks_of_deployments() if check.declared & wanted and not check.is_by_chance]


def focused(fault: str, carriers: Sequence[str] = ()) -> tuple[Row, Found]:
    """Try a fault with the checks that declare what it breaks.

    Args:
        fault: its name.
        carriers: names of further checks, whose exchanges an oracle needs to see it.
    """
    wanted = {check.name for check in declaring(observable(FAULTS[fault].ids))} | set(carriers)
    found = attempt([check for check in checks_of_deployments() if check.name in wanted], faults=[fault])
    return Row(found.checks, found.traffic, list(carriers)), found


def measured(fault: str) -> Row:
    """The row of a fault, with as few carriers as it takes, as far as the whole suite has any."""
    row, _ = focused(fault)
    if missing := observable(FAULTS[fault].ids) - row.red:
        whole = attempt([check for check in checks_of_deployments() if not check.is_by_chance], faults=[fault])
        carriers: list[str] = []
        for name, ids in whole.carried.items():
            if ids & missing:
                carriers.append(name)
                missing -= ids
        row, _ = focused(fault, carriers)
    return row


def accepted(fault: str) -> set[str]:
    """The requirements that a fault may turn red: those that it breaks, and those that are known to fall with them."""
    return observable(FAULTS[fault].ids) | CASCADES.get(fault, set())


def beside(row: Row, fault: str, whole: Found) -> Row:
    """A row with what turned red in the whole suite beyond it."""
    known = observable(FAULTS[fault].ids)
    cells = {
        check: sorted(set(found) - known - set(row.checks.get(check, ())))
        for check, found in whole.checks.items()
    }
    return replace(row, beside={check: ids for check, ids in cells.items() if ids})
