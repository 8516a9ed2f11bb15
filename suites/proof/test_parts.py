"""Checks of long observations are carried out whole when only the parts that they stand on are
exercised.
"""

import pytest

from plumbline.fixtures.scenarios.background import wanted

from .proving import checks_of_deployments
from .trials.trial import attempt

WAITING = [
    check for check in checks_of_deployments() if check.parts is not None and wanted(check.fixtures)
]
PARTS = list(dict.fromkeys(check.parts for check in WAITING))
"""The sets of parts that checks declare."""


@pytest.mark.parametrize("parts", PARTS, ids=lambda parts: "+".join(sorted(parts)) or "none")
def test_the_declared_parts_are_enough(parts: frozenset[str]) -> None:
    """Everything that these checks declare is judged and kept."""
    result = attempt([check for check in WAITING if check.parts == parts])
    assert (result.red, result.unmet, result.harness) == (set(), {}, {})
