"""How clients read lists: cursors, ends, filters, rows and pages that are lost."""

import pytest

from plumbline.fixtures.http.exchange import NotApplicableError, PreconditionNotMet
from plumbline.fixtures.judging.judge import Judge
from plumbline.fixtures.judging.mismatch import Mismatch
from plumbline.fixtures.scenarios.clients.driver import ClientDriver
from plumbline.fixtures.scenarios.clients.list_matchers import (
    at_end,
    beyond_end,
    filters_itself,
    followed,
    pages_of,
    rows_reported,
    wrong_cursor,
)
from plumbline.fixtures.scenarios.clients.reply_matchers import of_result, shows, succeeded
from plumbline.fixtures.scenarios.mark import check

LEADS = "/v1/leads"
INTERRUPTED = ("a lost page", "a failed page", "a limited page")
"""Scenarios in which the second page does not come at once."""


@check("CLI-18")
def test_lists_have_no_success(judge: Judge, client_driver: ClientDriver) -> None:
    """A list of one page.

    > A list MUST be taken for a success although it has no `success`.
    """
    play = client_driver.play("one page")
    if play.reply.fault and all(other.reply.fault for other in client_driver.plays()):
        play.demand_reply()
    judge("CLI-18", play.last, shows(succeeded(play)))


@check("CLI-30")
def test_cursors_come_back_unchanged(judge: Judge, client_driver: ClientDriver) -> None:
    """All leads in three pages; the cursors hold characters that an address has to encode.

    > The next page MUST be asked for with the previous `next_cursor` as `cursor`, unchanged.
    """
    pages = pages_of(client_driver.play("all leads"), LEADS)
    exchange, mismatch = wrong_cursor(pages) or (pages[-1][1], None)
    if len(pages) == 1 and mismatch is None:
        raise PreconditionNotMet("the client asks for one page alone")
    judge("CLI-30", exchange, shows(mismatch))


@check("CLI-31")
def test_lists_are_followed(judge: Judge, client_driver: ClientDriver) -> None:
    """The same leads.

    > A list that is read to its end MUST be followed while `has_more` is true.
    """
    play = client_driver.play("all leads")
    play.demand_result()
    exchange, mismatch = followed(play, LEADS)
    judge("CLI-31", exchange, shows(mismatch))


@check("CLI-32")
def test_short_and_empty_pages_are_no_end(judge: Judge, client_driver: ClientDriver) -> None:
    """Opportunities of a stage: a page of two, an empty one, and a third one.

    > A list with a `stage` filter MUST be followed past pages that are short or empty.
    """
    play, usual = client_driver.plays(("a stage", "all leads"))
    play.demand_supported()
    if usual.reply.supported and followed(usual, LEADS)[1]:
        raise PreconditionNotMet("the client does not follow a list of full pages either")
    exchange, mismatch = followed(play, "/v1/opportunities")
    judge("CLI-32", exchange, shows(mismatch))


@check("CLI-33")
def test_nothing_follows_the_end(judge: Judge, client_driver: ClientDriver) -> None:
    """The last page of the leads has a `next_cursor` too, and `has_more` is false.

    > No further page MUST be asked for after `has_more` was false.
    """
    pages = pages_of(client_driver.play("all leads"), LEADS)
    if not at_end(pages):
        raise PreconditionNotMet("the client has not come to the end of the list")
    more = beyond_end(pages)
    judge.that(
        "CLI-33",
        more is None,
        more or pages[-1][1],
        expected="no request",
        received="a request for a further page",
    )


@check("CLI-34")
def test_every_row_is_reported_once(judge: Judge, client_driver: ClientDriver) -> None:
    """The rows of all pages of the leads, also where one page was lost, refused, or met a limit.

    > Every row of a list SHOULD be reported once.
    """
    play, *interrupted = client_driver.plays(("all leads", *INTERRUPTED))
    ids = of_result(play, "ids")
    if not at_end(pages_of(play, LEADS)):
        raise PreconditionNotMet("the client has not come to the end of the list")
    judge("CLI-34", play.last, shows(rows_reported(play, LEADS, ids)))
    for other in interrupted:
        if other.reply.result is not None and at_end(pages_of(other, LEADS)):
            mismatch = rows_reported(other, LEADS, other.reply.result["ids"])
            judge("CLI-34", other.last, shows(mismatch))


@check("CLI-35")
@pytest.mark.parametrize(
    ("scenario", "path", "name"),
    [
        ("calls of a link", "/v1/calls", "booking_link_id"),
        ("a stage", "/v1/opportunities", "stage"),
    ],
)
def test_filters_stay(
    judge: Judge, client_driver: ClientDriver, scenario: str, path: str, name: str
) -> None:
    """The calls of a booking link, and the opportunities of a stage, in several pages.

    > The filters of a list SHOULD be sent with every page.
    """
    play = client_driver.play(scenario)
    wanted = play.task.arguments[name]
    pages = pages_of(play, path)
    is_sent = any(served.request.query.get(name) for served, _ in pages)
    if not is_sent and filters_itself(play, pages, name, wanted):
        raise NotApplicableError("the client filters by itself")
    for served, exchange in pages:
        if served.request.query.get("cursor") or not is_sent:
            sent = served.request.query.get(name)
            judge.that(
                "CLI-35",
                sent == wanted,
                exchange,
                expected=f"{name}={wanted}",
                received=sent or "no filter",
            )
    if judge.forgotten():
        raise PreconditionNotMet("the client asks for one page alone")


@check("CLI-36")
@pytest.mark.parametrize("interruption", INTERRUPTED)
def test_a_lost_page_is_no_end(
    judge: Judge, client_driver: ClientDriver, interruption: str
) -> None:
    """In place of the second page the connection is cut twice, two errors come, or a limit is met.

    > A page without a success answer MUST NOT be taken for the end of a list.
    """
    play, usual = client_driver.plays((interruption, "all leads"))
    if followed(usual, LEADS)[1]:
        raise PreconditionNotMet("the client does not follow a list without lost pages either")
    pages = pages_of(play, LEADS)
    if all(served.is_success for served, _ in pages):
        raise PreconditionNotMet("the client has lost no page")
    is_honest = at_end(pages) or play.reply.result is None
    mismatch = None if is_honest else Mismatch("an error, or the page again", play.reply.summary)
    judge("CLI-36", pages[-1][1], shows(mismatch))


@check("CLI-37")
def test_an_empty_list_is_a_success(judge: Judge, client_driver: ClientDriver) -> None:
    """The calls of a lead that has none.

    > An empty list MUST be taken for a success.
    """
    play, usual = client_driver.plays(("an empty list", "calls of a link"))
    usual.demand_result()
    judge("CLI-37", play.last, shows(succeeded(play)))


@check("CLI-47")
def test_recovery_after_an_outage(judge: Judge, client_driver: ClientDriver) -> None:
    """Webhooks were missed, and the records are read over REST.

    > A client that recovers from missed webhooks SHOULD read leads, calls and payments to their
    > end.
    """
    play, usual = client_driver.plays(("an outage", "all leads"))
    play.demand_result()
    if usual.reply.supported and followed(usual, LEADS)[1]:
        raise PreconditionNotMet("the client does not follow lists")
    for path in (LEADS, "/v1/calls", "/v1/payments"):
        pages = [pair for pair in play.of("GET", path) if pair[0].request.path == path]
        received = (
            f"{path} is not read" if not pages else f"{path} is left after {len(pages)} pages"
        )
        judge.that(
            "CLI-47", at_end(pages), play.last, expected=f"{path} to its end", received=received
        )
