"""What a receiver does after it was sent something bad; last, because the worst may end it."""

from plumbline.fixtures.judging.judge import Judge
from plumbline.fixtures.judging.matchers import accepted
from plumbline.fixtures.scenarios.mark import check
from plumbline.fixtures.scenarios.receivers.delivery_matchers import turned_down
from plumbline.fixtures.scenarios.receivers.receiver_scenario import ReceiverScenario


@check("RECV-27")
def test_a_huge_header(judge: Judge, receiver_scenario: ReceiverScenario) -> None:
    """Eight hundred segments, none of which is under the secret.

    > A delivery with a huge `X-Svc-Signature-V1` in which nothing matches MUST NOT be taken.
    """
    for exchange in receiver_scenario.hostile("RECV-27"):
        judge("RECV-27", exchange, turned_down)


@check("RECV-14")
def test_the_receiver_recovers(judge: Judge, receiver_scenario: ReceiverScenario) -> None:
    """A valid delivery after one without a signature, after one without a body, and after one with
    a huge header.

    > A valid delivery that follows others which were not valid MUST be taken.
    """
    for exchange in receiver_scenario.after_others():
        judge("RECV-14", exchange, accepted)
