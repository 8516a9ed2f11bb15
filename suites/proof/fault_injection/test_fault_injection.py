"""One operation of the kit fails at a time, and what comes of it is true.

That is the same verdict as without the fault, *unfinished*, or one sentence. `make test` tries a
spread; `--thorough`, as in `make prove`, tries every operation in every way.
"""

import pytest

from .choosing import injections
from .commands import names
from .conftest import TRIED
from .injector import Point
from .truth import spoiled, untruths
from .trying import Command, Ending, sandbox

LIMIT = 8
"""Operations of a command of which `make test` tries the first one that comes again."""
MIN_HIT = 0.7
"""Share of the operations that come again in the next run; threads and workers differ."""


@pytest.mark.parametrize("name", names())
def test_no_fault_of_ours_becomes_a_verdict(
    name: str, commands_by_name: dict[str, Command], request: pytest.FixtureRequest
) -> None:
    command = commands_by_name[name]
    with sandbox(command) as place:
        plain = place.carry_out(command)
    thorough = request.config.getoption("--thorough", default=False)
    tried: list[tuple[bool, list[str]]] = []
    for point, failure in injections(plain.points, command.most if thorough else LIMIT):
        tried.append(tried_at(command, plain, point, failure))
        if tried[-1][0] and not thorough:
            break
    count = sum(is_hit for is_hit, _ in tried)
    request.node.user_properties.append((TRIED, count))
    problems = [problem for _, problems_here in tried for problem in problems_here]
    assert not problems, "\n".join([f"{len(problems)} of {count} endings", *problems])
    assert count >= len(tried) * MIN_HIT if thorough else count or not tried, (
        "the operations of this command differ from run to run"
    )


def tried_at(
    command: Command, plain: Ending, point: Point, failure: str, sabotage: str = ""
) -> tuple[bool, list[str]]:
    """Whether the fault occurred, and what is wrong with this end and with the next run."""
    with sandbox(command) as place:
        ending = place.carry_out(command, point, failure, sabotage)
        if not ending.is_hit:
            return False, []
        untruths_here = [*untruths(command, plain, ending, point, failure)]
        if command.report and ending.code != plain.code:
            untruths_here += spoiled(plain, place.carry_out(command))
    last = ending.shown.strip().rpartition("\n")[2]
    return True, (
        [f"{point}, {failure}: {'; '.join(untruths_here)} [{last[:200]}]"] if untruths_here else []
    )
