"""Malformed requests: parameters, paths, bodies and headers that clients with a bug, and scanners,
send to every service.

The requests are data, see `fixtures/scenarios/malformed`. Each run sends one of each family; ten
seeds in a row send all.
"""

from collections.abc import Iterable

from plumbline.fixtures.judging.judge import Judge
from plumbline.fixtures.judging.matchers import causes_no_5xx
from plumbline.fixtures.scenarios.malformed import COMMON, RARE, Family, Targets
from plumbline.fixtures.scenarios.mark import check


@check("ERR-06")
def test_malformed_requests_cause_no_server_error(judge: Judge, targets: Targets) -> None:
    """Parameters with NUL, twice, in brackets, with broken percent signs; bodies of odd characters
    and types, and none.

    > A request MUST NOT be answered with a 5xx, except for a typed failure of a provider or of
    > analytics.
    """
    _judge_families(judge, targets, COMMON)


@check("ERR-06", spare=True)
def test_odd_requests_of_further_kinds_cause_no_server_error(
    judge: Judge, targets: Targets
) -> None:
    """Parameters that are empty, long or no numbers; odd ids, headers and idempotency keys; deep
    bodies, odd names and numbers.

    > A request MUST NOT be answered with a 5xx, except for a typed failure of a provider or of
    > analytics.
    """
    _judge_families(judge, targets, RARE)


def _judge_families(judge: Judge, targets: Targets, families: Iterable[Family]) -> None:
    seed = targets.build.session.settings.seed
    for family in families:
        case = family.case(seed)
        exchange = case.by(targets, seed)
        judge("ERR-06", exchange, causes_no_5xx(case.kind.name, case.kind.reason))
