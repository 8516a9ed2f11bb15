"""Every fault is caught by the checks that the matrix names, and by no others."""

import pytest

from plumbline.fixtures.run.planning.matrix import Row, matrix

from .expected import accepted, to_show
from .groups import agree_side_by_side, kill_groups
from .proving import agree, focused, in_python

ROWS = matrix().faults


@pytest.mark.parametrize("faults", kill_groups(matrix().groups), ids="+".join)
def test_faults_are_caught_as_the_matrix_says(faults: list[str]) -> None:
    """By exactly these checks and judgements; where faults side by side show anything else, each of
    them alone.
    """
    if len(faults) > 1 and set(faults) <= set(ROWS) and agree_side_by_side(faults, ROWS):
        return
    for fault in faults:
        row = ROWS.get(fault, Row())
        result, trial = focused([fault], row.carriers)
        assert trial.harness == {}
        assert in_python(trial) == []
        assert to_show(fault) <= result.red <= accepted(fault)
        assert agree(result, row), (result.checks, result.traffic, f"see `make prove ARGS={fault}`")
