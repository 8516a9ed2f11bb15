"""What clients send: keys, bodies, paths and values."""

from plumbline.fixtures.http.exchange import PreconditionNotMet
from plumbline.fixtures.judging.judge import Judge
from plumbline.fixtures.judging.mismatch import Mismatch
from plumbline.fixtures.scenarios.clients.client_scenarios import AMOUNT, SCENARIOS
from plumbline.fixtures.scenarios.clients.driver import ClientDriver
from plumbline.fixtures.scenarios.clients.reply_matchers import shows
from plumbline.fixtures.scenarios.clients.request_matchers import (
    DESCRIPTIONS,
    bearer,
    dollars,
    json_body,
    lacking,
    meant_currency,
    meant_instant,
    notes_kept,
    notes_whole,
    short_range,
    small_page,
    versioned,
    well_formed,
    zoned_instant,
)
from plumbline.fixtures.scenarios.clients.situations import EARLIER_NOTES
from plumbline.fixtures.scenarios.mark import check

BEFORE_THE_CHANGE = {"full_name": "Nora Field", "status": "new", "phone": None, "timezone": None}
"""Fields of the lead that is changed."""


@check("CLI-01", "CLI-02", "CLI-03")
def test_every_request(judge: Judge, client_driver: ClientDriver) -> None:
    """All requests of all scenarios.

    > Every request over REST and GraphQL MUST carry the key as `Authorization: Bearer`.
    > A request with a body MUST send JSON and say so in `Content-Type`.
    > A REST request MUST go to a path under `/v1/`.
    """
    pairs = [pair for play in client_driver.plays() for pair in play.pairs]
    for served, exchange in pairs:
        judge.each("CLI-03", exchange, versioned(served.request))
        if served.request.path not in DESCRIPTIONS:
            judge.each("CLI-01", exchange, bearer(exchange, client_driver.api_key))
        if served.request.body:
            judge.each("CLI-02", exchange, json_body(served.request))
    if judge.forgotten():
        for play in client_driver.plays(SCENARIOS):
            play.demand_reply()
        raise PreconditionNotMet("the client has sent no request with a body")


@check("CLI-04", "CLI-05")
def test_bodies(judge: Judge, client_driver: ClientDriver) -> None:
    """Leads, bookings, outcomes and payments, from values that are valid.

    > A create MUST hold every field that is required.
    > A documented field that is sent MUST have its documented type and format.
    """
    tasks = (
        *("a create with 201", "a change", "a booking", "a payment", "a call moved"),
        "a cancelled call",
    )
    plays = client_driver.plays(tasks)
    for play in plays:
        for served, exchange in play.pairs:
            if not isinstance(served.request.document, dict):
                continue
            missing = lacking(exchange, served.request)
            if served.request.method == "POST":
                judge.each(
                    "CLI-04",
                    exchange,
                    Mismatch("all required fields", f"no {missing[0]}") if missing else None,
                )
            if not missing:
                judge.each("CLI-05", exchange, well_formed(exchange))
    if judge.forgotten():
        for play in plays:
            play.demand_reply()
        raise PreconditionNotMet("the client has created nothing")


@check("CLI-06")
def test_amounts_are_sent_in_dollars(judge: Judge, client_driver: ClientDriver) -> None:
    """A payment of 1234.50 euros.

    > An amount MUST be sent in dollars.
    """
    for served, exchange in client_driver.play("a payment").objects("POST", "/v1/payments"):
        sent = served.request.sent.get("amount")
        judge.that(
            "CLI-06", dollars(sent) == dollars(AMOUNT), exchange, expected=AMOUNT, received=sent
        )


@check("CLI-52", "CLI-53")
def test_payments_are_recorded_as_they_were_made(judge: Judge, client_driver: ClientDriver) -> None:
    """A payment in euros, whose time was given with an offset.

    > A payment MUST be recorded in its currency, which is USD where none is sent.
    > The `payment_date` MUST be sent as the instant that is meant, in UTC or with an offset.
    """
    play = client_driver.play("a payment")
    meant = play.task.arguments
    for served, exchange in play.objects("POST", "/v1/payments"):
        sent = served.request.sent
        judge("CLI-52", exchange, shows(meant_currency(sent.get("currency"), meant["currency"])))
        judge(
            "CLI-53",
            exchange,
            shows(meant_instant(sent.get("payment_date"), meant["payment_date"])),
        )


@check("CLI-07")
def test_times_are_sent_as_instants(judge: Judge, client_driver: ClientDriver) -> None:
    """A booking and a new appointment, whose times were given with an offset.

    > The time of a booking or of a new appointment MUST be sent as the instant that is meant, in
    > UTC or with an offset.
    """
    booking, move = client_driver.play("a booking"), client_driver.play("a call moved")
    for served, exchange in booking.objects("POST", "/v1/calls") if booking.reply.supported else ():
        meant = booking.task.arguments["start_time"]
        judge(
            "CLI-07", exchange, shows(meant_instant(served.request.sent.get("start_time"), meant))
        )
    for served, exchange in move.objects("POST", "/v1/calls/") if move.reply.supported else ():
        meant = move.task.arguments["scheduled_at"]
        judge(
            "CLI-07", exchange, shows(meant_instant(served.request.sent.get("scheduled_at"), meant))
        )
    if judge.forgotten():
        booking.sent("POST", "/v1/calls")


@check("CLI-08")
def test_ranges_of_availability(judge: Judge, client_driver: ClientDriver) -> None:
    """The slots of 45 days; a client asks twice, or says that it cannot.

    > A request for availability MUST span at most 31 days.
    """
    play, control = client_driver.plays(("slots of 45 days", "slots"))
    control.sent("GET", "/v1/booking-links")
    for served, exchange in [
        *play.of("GET", "/v1/booking-links"),
        *control.of("GET", "/v1/booking-links"),
    ]:
        judge("CLI-08", exchange, shows(short_range(served.request)))


@check("CLI-09")
def test_page_sizes(judge: Judge, client_driver: ClientDriver) -> None:
    """All payments, with a page size of 250.

    > The `limit` of a list of leads, payments or opportunities MUST lie within 1 to 100.
    """
    play, control = client_driver.plays(("a large page", "one page"))
    control.sent("GET", "/v1/payments")
    for served, exchange in [*play.of("GET", "/v1/payments"), *control.of("GET", "/v1/payments")]:
        judge("CLI-09", exchange, shows(small_page(served.request)))


@check("CLI-10")
def test_unfit_is_no_outcome(judge: Judge, client_driver: ClientDriver) -> None:
    """The status `unfit` for a call, which a change can set.

    > `unfit` MUST NOT be sent as an outcome.
    """
    play = client_driver.play("an unfit call")
    evidence = play.exchanges or client_driver.play("a call").exchanges
    play.demand_supported()
    if not evidence:
        play.demand_reply()
        raise PreconditionNotMet("the client has sent nothing")
    outcomes = [
        exchange for served, exchange in play.pairs if served.request.path.endswith("/outcome")
    ]
    judge.that(
        "CLI-10",
        not outcomes,
        (outcomes or evidence)[-1],
        expected="a PATCH, or an error",
        received="an outcome `unfit`",
    )


@check("CLI-11")
def test_a_change_leaves_the_rest(judge: Judge, client_driver: ClientDriver) -> None:
    """The company of a lead, and nothing else.

    > A change of one field MUST NOT change others.
    """
    for served, exchange in client_driver.play("a change").objects("PATCH", "/v1/leads/"):
        sent = served.request.sent
        changed = [
            name
            for name, value in BEFORE_THE_CHANGE.items()
            if name in sent and sent[name] != value
        ]
        changed += ["notes"] if sent.get("notes") else []
        received = f"`{changed[0]}` as {sent[changed[0]]!r}" if changed else ""
        judge.that(
            "CLI-11",
            not changed,
            exchange,
            expected="`company`, and the rest as it was",
            received=received,
        )


@check("CLI-12", "CLI-13")
def test_earlier_notes_are_sent_along(judge: Judge, client_driver: ClientDriver) -> None:
    """A third note for a lead that has two.

    > A client that adds a note MUST send the earlier notes along, because the array is replaced.
    > Earlier notes SHOULD keep all their keys when they are sent again.
    """
    for served, exchange in client_driver.play("a further note").objects("PATCH", "/v1/leads/"):
        kept = notes_kept(served.request, EARLIER_NOTES)
        whole = len(kept) == len(EARLIER_NOTES)
        judge.that(
            "CLI-12",
            whole,
            exchange,
            expected="the two earlier notes beside the new one",
            received=f"{len(kept)} of them",
        )
        if whole:
            judge("CLI-13", exchange, shows(notes_whole(served.request, kept)))
    if judge.forgotten():
        raise PreconditionNotMet("the earlier notes are not sent along")


@check("CLI-29")
def test_times_of_slots(judge: Judge, client_driver: ClientDriver) -> None:
    """The free slots of five days.

    > The times of slots MUST be read as unix seconds.
    """
    play = client_driver.play("slots")
    play.demand_result()
    pairs = [
        pair
        for pair in play.sent("GET", "/v1/booking-links")
        if pair[0].request.path.endswith("/availability")
    ]
    served = {
        slot["start_time"]
        for one, _ in pairs
        if one.answer
        for slot in one.answer.document["data"]["slots"]
    }
    starts = [zoned_instant(slot["start"]) for slot in (play.reply.result or {})["slots"]]
    reported = {start.timestamp() if start else None for start in starts}
    odd = next(iter(reported - served), None)
    received = (
        f"{len(reported)} starts, among them {odd}"
        if reported - served
        else f"{len(reported)} starts"
    )
    judge.that(
        "CLI-29",
        reported == served,
        pairs[-1][1],
        expected=f"the {len(served)} starts of the answer",
        received=received,
    )
