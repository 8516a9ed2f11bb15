"""Which faults a check finds although they do not say that they break its requirements.

A new requirement is often broken by an older fault as well, which `make prove` would find hours
later. Here one check is tried under every fault, in about a minute; one that waits for deliveries
or for limits takes longer.
"""

from collections.abc import Sequence
from functools import partial

from plumbline.fixtures.run.planning.matrix import matrix

from .expected import accepted
from .groups import kill_groups
from .proving import checks_of_deployments, season_of
from .trials.collected import Check
from .trials.trial import attempt


def checks_called(word: str) -> list[Check]:
    """The checks of a deployment with a word in their names, such as `test_a_new_lead_is_new`."""
    return [check for check in checks_of_deployments() if word in check.name]


def show_undeclared(word: str, cluster: str | None) -> int:
    """Try checks under every fault, and print what is not declared.

    Args:
        word: in the names of the checks.
        cluster: the address of a scheduler of Dask; None for the cores of this machine.

    Returns:
        The exit code: 1 if there is anything.
    """
    from .pool import pool, results_of  # noqa: PLC0415  what brings Dask along comes late

    work, groups = partial(not_declared, word=word), kill_groups(matrix().groups)
    with pool(cluster) as executor:
        lines = [
            f"{fault} turns {', '.join(ids)} red: name that in its `breaks`, or in its `also` where"
            " it only follows from what it breaks"
            for result in results_of(executor, "faults with this check", work, groups)
            for fault, ids in result.items()
        ]
    print("\n".join(lines) or "every fault that turns this check red declares it")
    return 1 if lines else 0


def not_declared(faults: Sequence[str], word: str) -> dict[str, list[str]]:
    """The faults that turn requirements of some checks red and do not declare that.

    Args:
        faults: their names; they are tried side by side first.
        word: in the names of the checks.

    Returns:
        By fault, the requirements.
    """
    checks = checks_called(word)
    declared = {requirement for check in checks for requirement in check.declared}
    red = attempt(checks, faults=faults, **season_of(faults)).red & declared
    if red and len(faults) > 1:
        return {name: ids for fault in faults for name, ids in not_declared([fault], word).items()}
    more = sorted(red.difference(*map(accepted, faults)))
    return {faults[0]: more} if more else {}
