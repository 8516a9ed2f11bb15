"""Every status, through the outcome endpoint and through PATCH."""

import pytest

from plumbline.fixtures.checks import check
from plumbline.fixtures.expect import has, refused
from plumbline.fixtures.judge import Judge
from plumbline.fixtures.stories.stages import StageStory
from plumbline.spec import catalogue

NINE = catalogue().enumerations["call-status"]
EIGHT = tuple(status for status in NINE if status != "unfit")


@check("CALL-34")
@pytest.mark.parametrize("status", EIGHT)
def test_outcomes(judge: Judge, stage_story: StageStory, status: str) -> None:
    """An outcome with each status that the endpoint takes.

    > An outcome with one of its eight statuses MUST set exactly that status, or be refused and leave the call unchanged.
    """
    before, exchange = stage_story.status_now(), stage_story.outcome(status)
    if exchange.ok:
        judge("CALL-34", exchange, has("/data/status", status))
    else:
        judge("CALL-34", exchange, refused)
        after = stage_story.read_status()
        judge.that(
            "CALL-34", after == before, exchange, expected=f"the status {before} as before", received=after, where="status"
        )


@check("CALL-32")
@pytest.mark.parametrize("status", NINE)
def test_patches(judge: Judge, stage_story: StageStory, status: str) -> None:
    """A PATCH with each of the nine statuses.

    > `PATCH /v1/calls/{id}` with one of the nine statuses MUST set exactly that status, or be refused and leave the call
    > unchanged.
    """
    before, exchange = stage_story.status_now(), stage_story.patch(status)
    if exchange.ok:
        judge("CALL-32", exchange, has("/data/status", status))
    else:
        judge("CALL-32", exchange, refused)
        after = stage_story.read_status()
        judge.that(
            "CALL-32", after == before, exchange, expected=f"the status {before} as before", received=after, where="status"
        )
