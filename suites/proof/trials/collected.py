"""The checks of the suites as plain functions: collected by pytest once for each process, run
without it many times.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from plumbline.fixtures.planning.mark import Tier, declared, name_of, parts_of, tier_of, varies

SUITES = Path(__file__).parents[2]
ALONE = (
    *(
        "--collect-only",
        "--assert=plain",
        "--disable-plugin-autoload",
        "--noconftest",
        "-p",
        "no:terminal",
    ),
    *("-p", "no:cacheprovider", "-p", "plumbline.fixtures.plugin.fixtures"),
    *("-oaddopts=--import-mode=importlib", "-ofilterwarnings="),
)
"""What keeps a collection inside another run of pytest from meeting that run."""
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


class _Catcher:
    """A pytest plugin that keeps what was collected."""

    def __init__(self) -> None:
        self.items: list[pytest.Function] = []

    def pytest_configure(self, config: pytest.Config) -> None:
        config.addinivalue_line(
            "markers", "check(*requirements, tier): the requirements that a test judges"
        )

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self.items += [
            item for item in session.items if isinstance(item, pytest.Function) and declared(item)
        ]


@cache
def items_of_all_tiers() -> tuple[pytest.Function, ...]:
    """Every check as pytest sees it, in the order in which they are written.

    Raises:
        RuntimeError: when the suites cannot be collected.
    """
    catcher = _Catcher()
    code = pytest.main([*ALONE, f"--rootdir={SUITES.parent}", str(SUITES)], plugins=[catcher])
    if code or not catcher.items:
        raise RuntimeError(f"The suites cannot be collected: pytest ends with {code}.")
    return tuple(catcher.items)


@cache
def all_items() -> tuple[pytest.Function, ...]:
    """Those of the standard tier."""
    return tuple(
        item for item in items_of_all_tiers() if tier_of(item, can_spare=True) <= Tier.standard
    )


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
