"""The checks of the suites as plain functions: collected by pytest once for each process, run
without it many times.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from plumbline.fixtures.run.plugin.collecting import all_items
from plumbline.fixtures.scenarios.mark import declared, name_of, parts_of, varies

BY_CHANCE = ("test_drawn.py", "stateful/")
"""Parts of the names of checks whose inputs are drawn: what those find by chance proves nothing."""


@dataclass(frozen=True)
class Check:
    """One check with one set of its parameters.

    Attributes:
        name: such as `leads/test_create.py::test_a_new_lead_is_new`.
        function: what carries it out.
        parameters: the values of its parameters.
        fixtures: the names of everything that it stands on, directly or not.
        declared: the requirements that it judges.
        parts: the parts of its background scenario that it stands on; None for all.
        varies: whether what it finds may differ from trial to trial.
    """

    name: str
    function: Callable[..., None]
    parameters: Mapping[str, Any]
    fixtures: frozenset[str]
    declared: frozenset[str]
    parts: frozenset[str] | None
    varies: bool

    @property
    def is_by_chance(self) -> bool:
        """Whether what it finds depends on inputs that are drawn."""
        return is_by_chance(self.name)


def is_by_chance(check: str) -> bool:
    """Whether what the check of a name finds depends on inputs that are drawn."""
    return any(part in check for part in BY_CHANCE)


@cache
def all_checks() -> tuple[Check, ...]:
    """Every check of the standard tier, in the order in which they are written."""
    return tuple(
        Check(
            name_of(item),
            item.obj,
            item.callspec.params if hasattr(item, "callspec") else {},
            frozenset(item.fixturenames),
            declared(item),
            parts_of([item]),
            varies(item),
        )
        for item in all_items()
    )


@cache
def varying_checks() -> frozenset[str]:
    """The names of the checks whose findings may differ from trial to trial."""
    return frozenset(check.name for check in all_checks() if check.varies)
