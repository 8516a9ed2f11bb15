"""Invalid deliveries, which a receiver must not accept; how it refuses them is open."""

from plumbline.fixtures.judging.judge import Judge
from plumbline.fixtures.scenarios.mark import check
from plumbline.fixtures.scenarios.receivers.delivery_matchers import turned_down
from plumbline.fixtures.scenarios.receivers.receiver_scenario import ReceiverScenario


@check("RECV-15")
def test_old_timestamps(judge: Judge, receiver_scenario: ReceiverScenario) -> None:
    """A delivery that is seven minutes or a day old, also with a right `X-Svc-Signature`.

    > A delivery whose `t` lies more than 5 minutes in the past MUST NOT be taken.
    """
    for exchange in receiver_scenario.hostile("RECV-15"):
        judge("RECV-15", exchange, turned_down)


@check("RECV-16")
def test_future_timestamps(judge: Judge, receiver_scenario: ReceiverScenario) -> None:
    """A delivery whose time lies ahead, also with a right `X-Svc-Signature`.

    > A delivery whose `t` lies more than 5 minutes in the future MUST NOT be taken.
    """
    for exchange in receiver_scenario.hostile("RECV-16"):
        judge("RECV-16", exchange, turned_down)


@check("RECV-17")
def test_timestamps_in_seconds(judge: Judge, receiver_scenario: ReceiverScenario) -> None:
    """The present time in seconds in place of milliseconds, correctly signed.

    > `t` MUST be read as unix milliseconds, so that a delivery with the present time in seconds is
    > not taken.
    """
    for exchange in receiver_scenario.hostile("RECV-17"):
        judge("RECV-17", exchange, turned_down)


@check("RECV-18")
def test_signatures_under_other_secrets(judge: Judge, receiver_scenario: ReceiverScenario) -> None:
    """Signatures under other secrets.

    > A delivery that was signed under other secrets alone MUST NOT be taken.
    """
    for exchange in receiver_scenario.hostile("RECV-18"):
        judge("RECV-18", exchange, turned_down)
    receiver_scenario.undecided("RECV-O04")


@check("RECV-19")
def test_modified_bodies(judge: Judge, receiver_scenario: ReceiverScenario) -> None:
    """A right header over a body that lost a byte, all of them, or has a capital where none was.

    > A delivery whose body was changed after it was signed MUST NOT be taken.
    """
    for exchange in receiver_scenario.hostile("RECV-19"):
        judge("RECV-19", exchange, turned_down)


@check("RECV-20")
def test_reserialized_bodies(judge: Judge, receiver_scenario: ReceiverScenario) -> None:
    """A right header over the same JSON, serialized with other spaces or escapes, or with a line
    break at the end.

    > A delivery whose body is the same JSON as what was signed, but not the same bytes, MUST NOT be
    > taken.
    """
    for exchange in receiver_scenario.hostile("RECV-20"):
        judge("RECV-20", exchange, turned_down)


@check("RECV-21")
def test_unsigned_timestamps(judge: Judge, receiver_scenario: ReceiverScenario) -> None:
    """An old signature beside the present time, and a signature of the body alone.

    > A delivery whose `v1` was not made with its `t` MUST NOT be taken.
    """
    for exchange in receiver_scenario.hostile("RECV-21"):
        judge("RECV-21", exchange, turned_down)


@check("RECV-22")
def test_truncated_signatures(judge: Judge, receiver_scenario: ReceiverScenario) -> None:
    """The right signature cut short or with more behind it, and one that only begins like it.

    > A delivery whose `v1` is a part of the signature, or more than the signature, MUST NOT be
    > taken.
    """
    for exchange in receiver_scenario.hostile("RECV-22"):
        judge("RECV-22", exchange, turned_down)


@check("RECV-23")
def test_incomplete_headers(judge: Judge, receiver_scenario: ReceiverScenario) -> None:
    """A right signature without its name in the header, or no signature.

    > A delivery whose `X-Svc-Signature-V1` lacks the time or the signature MUST NOT be taken.
    """
    for exchange in receiver_scenario.hostile("RECV-23"):
        judge("RECV-23", exchange, turned_down)
    for open_item in ("RECV-O02", "RECV-O03"):
        receiver_scenario.undecided(open_item)


@check("RECV-24")
def test_no_signature(judge: Judge, receiver_scenario: ReceiverScenario) -> None:
    """A delivery without any signature header.

    > A delivery without any signature header MUST NOT be taken.
    """
    for exchange in receiver_scenario.hostile("RECV-24"):
        judge("RECV-24", exchange, turned_down)


@check("RECV-25")
def test_the_legacy_header_instead(judge: Judge, receiver_scenario: ReceiverScenario) -> None:
    """A right `X-Svc-Signature` where the V1 header is missing or wrong.

    > A valid `X-Svc-Signature` MUST NOT replace `X-Svc-Signature-V1`.
    """
    for exchange in receiver_scenario.hostile("RECV-25"):
        judge("RECV-25", exchange, turned_down)


@check("RECV-26")
def test_the_secret_instead(judge: Judge, receiver_scenario: ReceiverScenario) -> None:
    """The right secret, as `X-Automation-Signature` repeats it, where the V1 header is missing or
    wrong.

    > The secret in `X-Automation-Signature` MUST NOT replace `X-Svc-Signature-V1`.
    """
    for exchange in receiver_scenario.hostile("RECV-26"):
        judge("RECV-26", exchange, turned_down)
