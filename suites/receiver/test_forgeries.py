"""Deliveries that are not valid: what a receiver must not take, in whatever way it turns it down."""

from plumbline.fixtures.certification.receiver import ReceiverScenario
from plumbline.fixtures.certification.verdicts import turned_down
from plumbline.fixtures.judging.judge import Judge
from plumbline.fixtures.planning.mark import check


@check("RECV-15", cost=3)
def test_a_time_that_has_gone_by(judge: Judge, receiver_scenario: ReceiverScenario) -> None:
    """A delivery that somebody has kept, seven minutes or a day, also with a right `X-Svc-Signature`.

    > A delivery whose `t` lies more than 5 minutes in the past MUST NOT be taken.
    """
    for exchange in receiver_scenario.hostile("RECV-15"):
        judge("RECV-15", exchange, turned_down)


@check("RECV-16", cost=3)
def test_a_time_to_come(judge: Judge, receiver_scenario: ReceiverScenario) -> None:
    """A delivery that is to be valid longer than it should, also with a right `X-Svc-Signature`.

    > A delivery whose `t` lies more than 5 minutes in the future MUST NOT be taken.
    """
    for exchange in receiver_scenario.hostile("RECV-16"):
        judge("RECV-16", exchange, turned_down)


@check("RECV-17", cost=1)
def test_a_time_in_seconds(judge: Judge, receiver_scenario: ReceiverScenario) -> None:
    """The present time, a thousand times too small, with the signature that belongs to it.

    > `t` MUST be read as unix milliseconds, so that a delivery with the present time in seconds is not taken.
    """
    for exchange in receiver_scenario.hostile("RECV-17"):
        judge("RECV-17", exchange, turned_down)


@check("RECV-18", cost=4)
def test_other_secrets(judge: Judge, receiver_scenario: ReceiverScenario) -> None:
    """Signatures of somebody who does not know the secret.

    > A delivery that was signed under other secrets alone MUST NOT be taken.
    """
    for exchange in receiver_scenario.hostile("RECV-18"):
        judge("RECV-18", exchange, turned_down)
    receiver_scenario.undecided("RECV-O04")


@check("RECV-19", cost=3)
def test_a_body_that_was_changed(judge: Judge, receiver_scenario: ReceiverScenario) -> None:
    """A right header over a body that lost a byte, all of them, or has a capital where none was.

    > A delivery whose body was changed after it was signed MUST NOT be taken.
    """
    for exchange in receiver_scenario.hostile("RECV-19"):
        judge("RECV-19", exchange, turned_down)


@check("RECV-20", cost=4)
def test_a_body_that_was_written_anew(judge: Judge, receiver_scenario: ReceiverScenario) -> None:
    """A right header over the same JSON with other spaces, escapes, or a line break at the end.

    > A delivery whose body is the same JSON as what was signed, but not the same bytes, MUST NOT be taken.
    """
    for exchange in receiver_scenario.hostile("RECV-20"):
        judge("RECV-20", exchange, turned_down)


@check("RECV-21", cost=2)
def test_a_time_that_was_not_signed(judge: Judge, receiver_scenario: ReceiverScenario) -> None:
    """An old signature beside the present time, and a signature that knows no time.

    > A delivery whose `v1` was not made with its `t` MUST NOT be taken.
    """
    for exchange in receiver_scenario.hostile("RECV-21"):
        judge("RECV-21", exchange, turned_down)


@check("RECV-22", cost=6)
def test_a_signature_that_is_not_whole(judge: Judge, receiver_scenario: ReceiverScenario) -> None:
    """Beginnings of the right signature, and what only begins like it.

    > A delivery whose `v1` is a part of the signature, or more than the signature, MUST NOT be taken.
    """
    for exchange in receiver_scenario.hostile("RECV-22"):
        judge("RECV-22", exchange, turned_down)


@check("RECV-23", cost=8)
def test_a_header_without_its_parts(judge: Judge, receiver_scenario: ReceiverScenario) -> None:
    """A right signature where nothing names it, or no signature.

    > A delivery whose `X-Svc-Signature-V1` has no time or no signature in its place MUST NOT be taken.
    """
    for exchange in receiver_scenario.hostile("RECV-23"):
        judge("RECV-23", exchange, turned_down)
    for open_item in ("RECV-O02", "RECV-O03"):
        receiver_scenario.undecided(open_item)


@check("RECV-24", cost=1)
def test_no_signature(judge: Judge, receiver_scenario: ReceiverScenario) -> None:
    """A body alone.

    > A delivery without any signature header MUST NOT be taken.
    """
    for exchange in receiver_scenario.hostile("RECV-24"):
        judge("RECV-24", exchange, turned_down)


@check("RECV-25", cost=2)
def test_the_legacy_header_instead(judge: Judge, receiver_scenario: ReceiverScenario) -> None:
    """A right `X-Svc-Signature` where the V1 header is missing or wrong.

    > A valid `X-Svc-Signature` MUST NOT replace `X-Svc-Signature-V1`.
    """
    for exchange in receiver_scenario.hostile("RECV-25"):
        judge("RECV-25", exchange, turned_down)


@check("RECV-26", cost=3)
def test_the_secret_instead(judge: Judge, receiver_scenario: ReceiverScenario) -> None:
    """The right secret, as `X-Automation-Signature` repeats it, where the V1 header is missing or wrong.

    > The secret in `X-Automation-Signature` MUST NOT replace `X-Svc-Signature-V1`.
    """
    for exchange in receiver_scenario.hostile("RECV-26"):
        judge("RECV-26", exchange, turned_down)
