"""Long random sequences of commands on leads, calls, payments and opportunities, judged by a model
of the contract.
"""

from plumbline.fixtures.judging.judge import Judge
from plumbline.fixtures.scenarios.builders import Builders
from plumbline.fixtures.scenarios.mark import check
from plumbline.fixtures.scenarios.stateful.looks import (
    AskForSlot,
    FilterCalls,
    ListCalls,
    ListOpportunities,
)
from plumbline.fixtures.scenarios.stateful.machine import Command, Machine
from plumbline.fixtures.scenarios.stateful.on_calls import (
    Book,
    MoveCall,
    Outcome,
    PatchCall,
    SpoilCall,
)
from plumbline.fixtures.scenarios.stateful.on_leads import (
    CreateLead,
    ListLeads,
    PatchLead,
    ReadLead,
    SpoilLead,
)
from plumbline.fixtures.scenarios.stateful.on_payments import (
    ListPayments,
    PatchPayment,
    Pay,
    SpoilPayment,
    Verify,
)
from plumbline.fixtures.session.session import Session

OF_CALLS: tuple[type[Command], ...] = (
    CreateLead,
    PatchLead,
    Book,
    Outcome,
    PatchCall,
    SpoilCall,
    MoveCall,
    ListCalls,
    FilterCalls,
    ListOpportunities,
)
OF_DEALS: tuple[type[Command], ...] = (
    *(CreateLead, PatchLead, SpoilLead, Book),
    *(Pay, PatchPayment, SpoilPayment, Verify, ListPayments, ReadLead, ListLeads),
)
OF_ALL: tuple[type[Command], ...] = (*OF_CALLS, *OF_DEALS, AskForSlot)


def proved(*commands: type[Command]) -> tuple[str, ...]:
    """The requirements that some kinds of commands can prove."""
    return tuple(sorted({name for command in commands for name in command.ids}))


@check(*proved(*OF_CALLS))
def test_calls_go_through_every_status(
    judge: Judge, second_org: Builders, session: Session
) -> None:
    """Three calls of one lead go through all nine statuses; one is revived, and the lead changes
    its email.

    Ten seeds in a row cover each command on a call behind each other one (`designs.py`).

    > Every act MUST change what it names and nothing else, a refused one nothing at all; lists and
    > their filters MUST show each call as it is now, and the stage of its lead MUST follow.
    """
    from plumbline.fixtures.scenarios.stateful.plans import (  # noqa: PLC0415
        call_sequences,
        draw_one,
    )

    seed = session.settings.seed
    Machine(second_org, judge).play(draw_one(call_sequences(seed), seed=f"{seed}:calls"))


@check(*proved(*OF_DEALS))
def test_payments_go_through_every_status(
    judge: Judge, second_org: Builders, session: Session
) -> None:
    """Two payments of a lead go through all four statuses, one is verified, and the lead is changed
    meanwhile.

    Ten seeds in a row cover each command on a payment and on a lead behind each other one
    (`designs.py`).

    > Every act MUST change what it names and nothing else; the payments list and the lead MUST show
    > what was written last.
    """
    from plumbline.fixtures.scenarios.stateful.plans import (  # noqa: PLC0415
        draw_one,
        opportunity_sequences,
    )

    seed = session.settings.seed
    Machine(second_org, judge).play(
        draw_one(opportunity_sequences(seed), seed=f"{seed}:opportunities")
    )


@check(*proved(*OF_ALL), tier="exhaustive")
def test_any_sequence_of_commands(judge: Judge, second_org: Builders, session: Session) -> None:
    """Any commands in any order, played until one fails; then shorter ones, to find the shortest.

    > Every act MUST change what it names and nothing else, a refused one nothing at all, and every
    > list MUST show it.
    """
    from plumbline.fixtures.scenarios.stateful.plans import (  # noqa: PLC0415
        any_sequences,
    )
    from plumbline.fixtures.scenarios.stateful.search import Reserve, Search  # noqa: PLC0415

    Search(second_org, judge, Reserve()).run(any_sequences(), seed=f"{session.settings.seed}:any")
