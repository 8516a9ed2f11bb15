"""Valid deliveries in all shapes: what a receiver has to take."""

from plumbline.fixtures.http.exchange import PreconditionNotMet
from plumbline.fixtures.http.lateness import LESS_TO_DO
from plumbline.fixtures.judging.judge import Judge
from plumbline.fixtures.judging.matchers import accepted
from plumbline.fixtures.scenarios.mark import check
from plumbline.fixtures.scenarios.receivers.delivery_matchers import in_time, spoilt
from plumbline.fixtures.scenarios.receivers.receiver_scenario import ReceiverScenario


@check("RECV-01")
def test_every_kind_of_event(judge: Judge, receiver_scenario: ReceiverScenario) -> None:
    """One event of each kind, signed as the service does.

    > A valid delivery of each kind of event that the receiver is subscribed to MUST be taken.
    """
    for exchange in receiver_scenario.taken("RECV-01"):
        judge("RECV-01", exchange, accepted)


@check("RECV-03")
def test_the_first_of_two_segments(judge: Judge, receiver_scenario: ReceiverScenario) -> None:
    """The grace after a rotation: the receiver knows the secret that comes first.

    > A delivery with two `v1` segments MUST be taken when the first one matches.
    """
    for exchange in receiver_scenario.taken("RECV-03"):
        judge("RECV-03", exchange, accepted)


@check("RECV-04")
def test_the_second_of_two_segments(judge: Judge, receiver_scenario: ReceiverScenario) -> None:
    """The same, and the receiver knows the secret that comes second.

    > A delivery with two `v1` segments MUST be taken when the second one matches.
    """
    for exchange in receiver_scenario.taken("RECV-04"):
        judge("RECV-04", exchange, accepted)


@check("RECV-05")
def test_any_way_to_write_json(judge: Judge, receiver_scenario: ReceiverScenario) -> None:
    """Bodies that change when they are parsed and serialized again.

    > A valid delivery MUST be taken however its JSON is written: with any spaces, escapes, order of
    > keys and form of numbers.
    """
    for exchange in receiver_scenario.taken("RECV-05"):
        judge("RECV-05", exchange, accepted)


@check("RECV-06")
def test_texts_beyond_ascii(judge: Judge, receiver_scenario: ReceiverScenario) -> None:
    """Names and campaigns in other scripts, in UTF-8.

    > A valid delivery whose texts use characters beyond ASCII MUST be taken.
    """
    for exchange in receiver_scenario.taken("RECV-06"):
        judge("RECV-06", exchange, accepted)


@check("RECV-07")
def test_attribution_that_is_null(judge: Judge, receiver_scenario: ReceiverScenario) -> None:
    """A lead of unknown origin.

    > A valid delivery whose attribution is null MUST be taken.
    """
    for exchange in receiver_scenario.taken("RECV-07"):
        judge("RECV-07", exchange, accepted)


@check("RECV-08")
def test_unknown_fields(judge: Judge, receiver_scenario: ReceiverScenario) -> None:
    """Fields that a later version of the service may add, in `data` and beside it.

    > A valid delivery with unknown fields in its body MUST be taken.
    """
    for exchange in receiver_scenario.taken("RECV-08"):
        judge("RECV-08", exchange, accepted)


@check("RECV-09")
def test_further_headers(judge: Judge, receiver_scenario: ReceiverScenario) -> None:
    """Headers that a proxy or a later version of the service may add.

    > A valid delivery with further headers MUST be taken.
    """
    for exchange in receiver_scenario.taken("RECV-09"):
        judge("RECV-09", exchange, accepted)


@check("RECV-10")
def test_deprecated_headers(judge: Judge, receiver_scenario: ReceiverScenario) -> None:
    """The V1 header alone, as it is going to be, and beside each of the deprecated headers.

    > A valid delivery MUST be taken with and without the deprecated signature headers.
    """
    for exchange in receiver_scenario.taken("RECV-10"):
        judge("RECV-10", exchange, accepted)


@check("RECV-11")
def test_repeated_deliveries(judge: Judge, receiver_scenario: ReceiverScenario) -> None:
    """One event in three deliveries, each signed at its own time.

    > A valid delivery of an event that was taken before MUST be taken again.
    """
    for exchange in receiver_scenario.repeated()[1:]:
        judge("RECV-11", exchange, accepted)


@check("RECV-12")
def test_events_in_any_order(judge: Judge, receiver_scenario: ReceiverScenario) -> None:
    """Events of one record from the newest to the oldest.

    > Valid deliveries that arrive in another order than their events happened in MUST be taken.
    """
    for exchange in receiver_scenario.disordered():
        judge("RECV-12", exchange, accepted)


@check("RECV-13")
def test_fresh_timestamps(judge: Judge, receiver_scenario: ReceiverScenario) -> None:
    """Three minutes on either side, as between clocks that are not quite right.

    > A delivery whose `t` is less than 5 minutes away, and which is valid otherwise, SHOULD be
    > taken.
    """
    for exchange in receiver_scenario.taken("RECV-13"):
        judge("RECV-13", exchange, accepted)


@check("RECV-02")
def test_answers_come_in_time(judge: Judge, receiver_scenario: ReceiverScenario) -> None:
    """All valid deliveries so far.

    > A valid delivery MUST be answered within 10 seconds.
    """
    for exchange in receiver_scenario.all_taken():
        if spoilt(exchange, receiver_scenario.lateness):
            raise PreconditionNotMet(
                "the machine of this run was late itself to send, or to read an answer", LESS_TO_DO
            )
        judge("RECV-02", exchange, in_time)
