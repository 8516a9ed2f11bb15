"""Under every permitted variant everything stays green, and nothing is left out."""

import pytest

from .known import WARNED
from .proving import checks_of_deployments, variant_groups
from .trial import Found, attempt


@pytest.fixture(scope="module", name="plain")
def _plain() -> Found:
    """Without any."""
    return attempt(checks_of_deployments())


@pytest.mark.parametrize("variants", variant_groups(), ids="+".join)
def test_nothing_is_red_under_permitted_variants(plain: Found, variants: list[str]) -> None:
    """Many at once, since none of them may show; every check is carried out as without them."""
    found = attempt(checks_of_deployments(), latitudes=variants)
    assert found.red == set().union(*(WARNED.get(name, set()) for name in variants)), (found.checks, found.traffic)
    assert found.harness == {}
    assert set(found.unmet) <= set(plain.unmet)
