"""Under every permitted variant everything stays green, and no requirement is left out."""

import pytest

from plumbline.fixtures.reference.variations.variants import VARIANTS

from .groups import variant_groups
from .known import WARNED
from .proving import around


@pytest.mark.parametrize("variants", variant_groups(), ids="+".join)
def test_nothing_is_red_under_permitted_variants(variants: list[str]) -> None:
    """Many at once, since none of them may show."""
    found = around([each for name in variants for each in VARIANTS[name].ids], variants=variants)
    assert found.red == set().union(*(WARNED.get(name, set()) for name in variants)), (found.checks, found.traffic)
    assert found.harness == {}
    assert found.left_out == set()
