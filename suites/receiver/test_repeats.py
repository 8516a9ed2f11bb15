"""What deliveries do at a receiver, as its observer tells it."""

from plumbline.fixtures.http.exchange import PreconditionNotMet
from plumbline.fixtures.judging.judge import Judge
from plumbline.fixtures.scenarios.mark import check
from plumbline.fixtures.scenarios.receivers.effects import Effects


@check("RECV-28")
def test_a_repeated_event_takes_effect_once(judge: Judge, effects: Effects) -> None:
    """One event in three deliveries after each other, another one in three deliveries at the same
    moment.

    > An event that is delivered more than once MUST take effect once.
    """
    for exchange, times in effects.of_repeated():
        judge.that(
            "RECV-28", times == 1, exchange, expected="one effect", received=f"{times} effects"
        )


@check("RECV-29")
def test_similar_events_take_effect_each(judge: Judge, effects: Effects) -> None:
    """Three events: the second has the id of the first, the third its time.

    > Two events that differ in `data.id` or in `created_at` MUST each take effect.
    """
    for exchange, times in effects.of_similar():
        judge.that("RECV-29", times > 0, exchange, expected="an effect", received="no effect")


@check("RECV-30")
def test_invalid_deliveries_have_no_effect(judge: Judge, effects: Effects) -> None:
    """Deliveries that were refused, each with an event of its own.

    > A delivery that is not valid MUST NOT take effect.
    """
    if not effects.of_hostile():
        raise PreconditionNotMet("every delivery that is not valid was taken")
    for exchange, times in effects.of_hostile():
        judge.that(
            "RECV-30", times == 0, exchange, expected="no effect", received=f"{times} effects"
        )
