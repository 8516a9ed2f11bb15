"""Malformed requests are spread as promised, and permitted ways to treat them raise no alarm with
any of ten seeds.
"""

import pytest

from plumbline.fixtures.http.exchange import Exchange
from plumbline.fixtures.scenarios.malformed import COMMON, DOCUMENTS, RARE
from plumbline.fixtures.scenarios.malformed.cases import ROTATION

from .trials.collected import Check, all_checks
from .trials.trial import attempt

FAMILIES = (*COMMON, *RARE)
MAX_FAMILIES = 21
"""Requests that a run sends at most over REST, beside the records that they name."""


def malformed() -> list[Check]:
    """The checks that send them."""
    return [
        check
        for check in all_checks()
        if "test_malformed" in check.name or "malformed_queries" in check.name
    ]


def test_ten_seeds_in_a_row_send_each_kind_to_each_sort_of_operation() -> None:
    for begin in (0, 20, 1_234_567):
        for family in FAMILIES:
            assert {family.case(begin + seed) for seed in range(ROTATION)} == set(family.cases), (
                family.name
            )
    for queries in DOCUMENTS.values():
        assert len(queries) <= ROTATION
    assert len(FAMILIES) <= MAX_FAMILIES


def test_every_kind_has_a_name_and_a_reason() -> None:
    cases = [case for family in FAMILIES for case in family.cases]
    assert all(case.kind.name and case.kind.reason for case in cases)
    assert all(query.name and query.reason for queries in DOCUMENTS.values() for query in queries)
    names = [
        kind.name
        for family in FAMILIES
        for kind in {case.kind.name: case.kind for case in family.cases}.values()
    ]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("variant", ["odd-requests-refused", "odd-requests-read", "proxy-in-front"])
def test_no_alarm_with_any_seed(variant: str) -> None:
    """Every case, since ten seeds in a row send all of them."""
    sent = list[Exchange]()
    for seed in range(ROTATION):
        result = attempt(malformed(), variants=(variant,), seed=seed, watch=sent.append)
        assert result.red == set(), (seed, result.checks, result.traffic)
        assert result.harness == {}
        assert result.unmet == {}
    assert not [exchange.summary() for exchange in sent if exchange.status >= 500]
