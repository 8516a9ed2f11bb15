"""An organization that uses up its REST limits: first the one of bookings, then the one of all
requests.
"""

import json

from plumbline.fixtures.http.exchange import PreconditionNotMet
from plumbline.fixtures.http.pacing import BOOKINGS_PER_MINUTE, REST_PER_MINUTE
from plumbline.fixtures.judging.judge import Judge
from plumbline.fixtures.judging.matchers import answered, finds_none
from plumbline.fixtures.scenarios.background.burst import names_budget, nothing_left, served
from plumbline.fixtures.scenarios.background.limits import RestLimits
from plumbline.fixtures.scenarios.background.parts import BOOKINGS
from plumbline.fixtures.scenarios.mark import check
from plumbline.spec.comparing import same

NO_429 = "no request met a limit, so nothing follows from it"


@check("LIM-05", parts=[BOOKINGS])
def test_twenty_bookings_are_served(judge: Judge, rest_limits: RestLimits) -> None:
    """Real bookings, as fast as they go, by an organization that was idle.

    > From idle, 20 requests of `POST /v1/calls` within a minute MUST be served.
    """
    for exchange in rest_limits.bookings.within_budget:
        judge("LIM-05", exchange, served)


@check("LIM-06", parts=[BOOKINGS])
def test_bookings_meet_their_limit(judge: Judge, rest_limits: RestLimits) -> None:
    """The bookings go on to more than twice the limit, which is still less than the limit of all
    REST requests.

    > Requests of `POST /v1/calls` beyond its budget of a minute MUST be answered with 429.
    """
    judge("LIM-06", rest_limits.bookings.shown(), rest_limits.bookings.keeps_limit)


@check("LIM-02", parts=[])
def test_sixty_requests_are_served(judge: Judge, rest_limits: RestLimits) -> None:
    """Reads go on after the bookings, up to the 60th request of the minute.

    > From idle, 60 REST requests within a minute MUST be served.
    """
    reads = rest_limits.reads
    if not reads.within_budget:
        raise PreconditionNotMet("the bookings alone used up the 60 requests")
    for exchange in reads.within_budget:
        judge("LIM-02", exchange, served)


@check("LIM-01", parts=[])
def test_requests_meet_their_limit(judge: Judge, rest_limits: RestLimits) -> None:
    """The reads go on to more than twice the limit.

    > Requests beyond the REST budget of a minute MUST be answered with 429.
    """
    judge("LIM-01", rest_limits.reads.shown(), answered(429))


@check("LIM-07", "LIM-08", "LIM-09", "LIM-10", "LIM-11", parts=[BOOKINGS])
def test_429_carries_rate_limit_headers(judge: Judge, rest_limits: RestLimits) -> None:
    """The first read and the first booking that met a limit, and a read far into a long wait.

    > A 429 MUST carry `X-RateLimit-Limit`, `X-RateLimit-Remaining`, `X-RateLimit-Reset` in unix
    > seconds and `Retry-After` in seconds; the last two MUST agree within two seconds.
    """
    met = rest_limits.bookings.refused, rest_limits.reads.refused, rest_limits.late
    refused = [exchange for exchange in met if exchange and exchange.status == 429]
    if not refused:
        raise PreconditionNotMet(NO_429)
    for exchange in refused:
        judge.traffic(exchange)


@check("LIM-19", "LIM-20", parts=[BOOKINGS])
def test_429_names_its_budget(judge: Judge, rest_limits: RestLimits) -> None:
    """The same two; the limit of bookings is met before the one of all requests, and either may be
    the one that is named.

    > `X-RateLimit-Remaining` beside an `X-RateLimit-Limit` that names the budget that was used up
    > MUST be 0. `X-RateLimit-Limit` of a 429 SHOULD be one of the documented budgets of its
    > surface.
    """
    bookings, reads = rest_limits.bookings, rest_limits.reads
    if bookings.used_up:
        judge("LIM-19", bookings.used_up, nothing_left(BOOKINGS_PER_MINUTE))
        judge("LIM-20", bookings.used_up, names_budget(BOOKINGS_PER_MINUTE, REST_PER_MINUTE))
    if reads.used_up:
        judge("LIM-19", reads.used_up, nothing_left(REST_PER_MINUTE))
        judge("LIM-20", reads.used_up, names_budget(REST_PER_MINUTE))
    if judge.forgotten():
        raise PreconditionNotMet(NO_429)


@check("LIM-12", parts=[BOOKINGS])
def test_early_retries_are_refused(judge: Judge, rest_limits: RestLimits) -> None:
    """Lists, a lead, its change, and the form and slots of a link, each three times and at once.

    A token bucket may have room for one of a kind, whatever it says about waiting. Where more are
    served, a new window may have begun; then the limit is met, and the requests come back, once
    more.

    > A request inside the window after a 429 MUST be answered with 429.
    """
    again = [read for kind in rest_limits.again for read in kind]
    if not again:
        raise PreconditionNotMet(NO_429)
    for exchange in rest_limits.surely_inside:
        judge("LIM-12", exchange, answered(429))
    too_often = rest_limits.served_too_often
    if not too_often and all(read.status != 429 for read in again):
        raise PreconditionNotMet("a token bucket may have had room for each request that came back")
    if too_often and rest_limits.came_back_slowly:
        raise PreconditionNotMet(
            "the requests that came back took so long that new windows may have begun meanwhile"
        )
    shown = too_often[0][-1] if too_often else again[-1]
    kinds = [f"{len(served)} of {served[0].operation}" for served in too_often]
    judge("LIM-12", shown, finds_none(kinds, "of each kind no more than a token bucket may serve"))


@check("LIM-14", parts=[])
def test_keys_share_the_budget(judge: Judge, rest_limits: RestLimits) -> None:
    """Another key of the organization reads while the first one is refused, before and after.

    > Two keys of one organization MUST share its budget.
    """
    if not rest_limits.again:
        raise PreconditionNotMet(NO_429)
    if not rest_limits.other_key:
        raise PreconditionNotMet(
            "no second key of the limited organization is known",
            "give `limited_second` under [keys] in the profile",
        )
    other, first = rest_limits.other_key[-1]
    if first is not None and first.status != 429:
        raise PreconditionNotMet("each time that the other key was served, a new window had begun")
    if other.status != 429 and rest_limits.other_key_had_room:
        raise PreconditionNotMet(
            "requests took so long that a token bucket may have had room for the other key each"
            " time"
        )
    judge("LIM-14", other, answered(429))


@check("LIM-13", parts=[])
def test_a_retry_in_time_is_served(judge: Judge, rest_limits: RestLimits) -> None:
    """A read when `Retry-After` of the last 429 is over.

    > A request after `Retry-After` MUST be served.
    """
    if rest_limits.recovered is None:
        raise PreconditionNotMet(NO_429)
    judge("LIM-13", rest_limits.recovered, served)


@check("LIM-15", parts=[BOOKINGS])
def test_a_refused_write_has_no_effect(judge: Judge, rest_limits: RestLimits) -> None:
    """A change of a lead, and a booking, that met a limit; the lead, and who has a call at the time
    of the booking, afterwards.

    > A write that was answered with 429 MUST NOT have an effect.
    """
    write, after = rest_limits.write, rest_limits.recovered
    if write is None or after is None or write.status != 429:
        raise PreconditionNotMet("no write was refused by the limit")
    company = after.data.get("company")
    kept = not same(company, rest_limits.written)
    judge.that(
        "LIM-15",
        kept,
        after,
        expected="a lead without the change",
        received=company,
        where="/data/company",
    )
    booking = rest_limits.bookings.refused
    guest = json.loads(booking.request_body or b"{}")["guest"]["email"] if booking else ""
    for lead in rest_limits.at_refused_time:
        address = lead.at("/data/email")
        judge.that(
            "LIM-15",
            address != guest,
            lead,
            expected="no call of the refused booking",
            received=f"a call of {address}",
        )
