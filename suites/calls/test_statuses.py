"""Every status, through the outcome endpoint and through PATCH."""

import pytest

from plumbline.fixtures.http.exchange import NotApplicableError
from plumbline.fixtures.judging.judge import Judge
from plumbline.fixtures.judging.matchers import (
    accepted,
    has,
    has_instant,
    refused,
    resting_on,
)
from plumbline.fixtures.judging.mismatch import Step
from plumbline.fixtures.judging.model.keeping import leaves_alone
from plumbline.fixtures.judging.statuses import call_statuses, outcome_statuses
from plumbline.fixtures.scenarios.mark import check
from plumbline.fixtures.scenarios.shared.booking_scenario import BookingScenario
from plumbline.fixtures.scenarios.shared.stage_scenario import StageScenario


@check("CALL-34", "CALL-37")
@pytest.mark.parametrize("status", outcome_statuses())
def test_outcomes(judge: Judge, stage_scenario: StageScenario, status: str) -> None:
    """An outcome with each status that the endpoint takes, and with notes of its own, each after
    another one by seed.

    > An outcome with one of its eight statuses MUST set exactly that status, or be refused and
    > leave the call unchanged. The `notes` of an accepted outcome MUST be stored on the call.
    """
    step = stage_scenario.outcome(status)
    if step.changed.ok:
        judge("CALL-34", step.changed, has("/data/status", status))
        judge("CALL-34", step.changed, leaves_alone(step.known))
        judge("CALL-37", step.changed, has("/data/notes", step.notes))
    else:
        judge.not_applicable("CALL-37", "the outcome was refused")
        judge("CALL-34", step.changed, refused)
        expected = f"the status {step.before} as before"
        judge.that(
            "CALL-34",
            step.after == step.before,
            step.changed,
            expected=expected,
            received=step.after,
            where="status",
        )


@check("CALL-72")
def test_an_outcome_needs_no_notes(judge: Judge, booking_scenario: BookingScenario) -> None:
    """An outcome without notes; where it is refused, as some outcomes may be, the same one with
    notes.

    > An outcome MUST NOT be refused because it has no `notes`.
    """
    bare, build = booking_scenario.first_closed(), booking_scenario.build
    steps = [Step(bare)]
    if not bare.ok:
        noted = build.outcome(booking_scenario.call(), "closed", notes=build.sample_data.words())
        if not noted.ok:
            raise NotApplicableError("the outcome was refused with notes, too")
        steps.append(Step(noted))
    judge("CALL-72", bare, resting_on(steps, accepted))


@check("CALL-32")
@pytest.mark.parametrize("status", call_statuses())
def test_patches(judge: Judge, stage_scenario: StageScenario, status: str) -> None:
    """A PATCH with each of the nine statuses and nothing else, each after another one by seed.

    > `PATCH /v1/calls/{id}` with one of the nine statuses MUST set exactly that status, or be
    > refused and leave the call unchanged.
    """
    step = stage_scenario.patched(status)
    if step.changed.ok:
        judge("CALL-32", step.changed, has("/data/status", status))
        judge("CALL-32", step.changed, leaves_alone(step.known, but=("scheduled_at",)))
        judge("CALL-32", step.changed, has_instant("/data/scheduled_at", step.start))
    else:
        judge("CALL-32", step.changed, refused)
        expected = f"the status {step.before} as before"
        judge.that(
            "CALL-32",
            step.after == step.before,
            step.changed,
            expected=expected,
            received=step.after,
            where="status",
        )


@check("CALL-38")
def test_a_reschedule_of_a_call_with_an_outcome(
    judge: Judge, stage_scenario: StageScenario
) -> None:
    """A call is moved to a free slot from one of the nine statuses, another one by seed; only a
    cancelled one has to be moved.

    > An accepted reschedule MUST move `scheduled_at` to the given instant.
    """
    step = stage_scenario.moved()
    if not step.changed.ok:
        judge.not_applicable(
            "CALL-38", f"the reschedule of a call that is `{step.before}` was refused"
        )
        return
    judge("CALL-38", step.changed, has_instant("/data/scheduled_at", step.start))
    judge("CALL-38", step.changed, leaves_alone(step.known))
