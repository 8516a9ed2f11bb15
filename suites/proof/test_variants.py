"""Under every permitted variant everything stays green, nothing is left out, and the traffic alone
shows nothing broken.
"""

import pytest

from plumbline.fixtures.http.exchange import Exchange
from plumbline.fixtures.reference.variations.variants import VARIANTS

from .expected import warned
from .groups import variant_groups
from .pages.observed import observed
from .proving import around


@pytest.mark.parametrize("variants", variant_groups(), ids="+".join)
def test_nothing_is_red_under_permitted_variants(variants: list[str]) -> None:
    """Many at once, since none of them may show, neither to the checks nor in their traffic."""
    exchanges = list[Exchange]()
    result = around(
        [identifier for name in variants for identifier in VARIANTS[name].ids],
        variants=variants,
        watch=exchanges.append,
    )
    permitted = warned(variants)
    assert result.red == permitted, (result.checks, result.traffic)
    assert result.harness == {}
    assert result.left_out == set()
    for complete in (True, False):
        broken, judged = observed(exchanges, complete=complete)
        assert broken <= permitted, complete
        assert judged > 0
