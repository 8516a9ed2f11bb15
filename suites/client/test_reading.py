"""What clients make of answers: unknown, missing and unusual values, successes and errors."""

import pytest

from plumbline.fixtures.http.exchange import PreconditionNotMet
from plumbline.fixtures.judging.judge import Judge
from plumbline.fixtures.scenarios.clients.client_scenarios import AMOUNT, PAID_CENTS
from plumbline.fixtures.scenarios.clients.driver import ClientDriver
from plumbline.fixtures.scenarios.clients.list_matchers import pages_of, rows_reported
from plumbline.fixtures.scenarios.clients.reply_matchers import (
    error_reported,
    of_result,
    shows,
    succeeded,
)
from plumbline.fixtures.scenarios.clients.request_matchers import dollars, zoned_instant
from plumbline.fixtures.scenarios.mark import check

LEADS = "/v1/leads"


@check("CLI-14")
@pytest.mark.parametrize(
    ("scenario", "control"),
    [
        ("unknown fields", "a lead"),
        ("unknown fields in a list", "one page"),
        ("unknown fields of slots", "slots"),
        ("unknown fields of a booking", "a booking"),
    ],
)
def test_unknown_fields(
    judge: Judge, client_driver: ClientDriver, scenario: str, control: str
) -> None:
    """Every object of an answer has two further fields: of a lead, of a list, of slots, and of a
    booking.

    > Unknown fields in an answer MUST be tolerated.
    """
    play, usual = client_driver.plays((scenario, control))
    judge("CLI-14", play.last, shows(succeeded(play, usual)))


@check("CLI-15")
@pytest.mark.parametrize(
    ("scenario", "control"),
    [
        ("unknown values of a call", "a call"),
        ("unknown values of a payment", "a payment"),
    ],
)
def test_unknown_values_beside_status(
    judge: Judge, client_driver: ClientDriver, scenario: str, control: str
) -> None:
    """The kind of a call, and the provider of a payment, are words that the document does not show.

    > Unknown values of open enumerations SHOULD be tolerated.
    """
    play, usual = client_driver.plays((scenario, control))
    judge("CLI-15", play.last, shows(succeeded(play, usual)))


@check("CLI-15")
def test_unknown_values(judge: Judge, client_driver: ClientDriver) -> None:
    """The status of a lead, and of its payments, are words that the document does not show; those
    of a list of leads too.

    > Unknown values of open enumerations SHOULD be tolerated.
    """
    play, usual = client_driver.plays(("unknown values", "a lead"))
    judge("CLI-15", play.last, shows(succeeded(play, usual)))
    rows, usual = client_driver.plays(("unknown values in a list", "all leads"))
    if usual.reply.result and rows_reported(usual, LEADS, usual.reply.result["ids"]) is None:
        mismatch = succeeded(rows, usual) or rows_reported(rows, LEADS, of_result(rows, "ids"))
        judge("CLI-15", rows.last, shows(mismatch))


@check("CLI-16")
def test_calls_without_a_summary(judge: Judge, client_driver: ClientDriver) -> None:
    """A call whose `ai_summary` is null, as on every fresh one.

    > A null `ai_summary` MUST be tolerated.
    """
    play, usual = client_driver.plays(("a fresh call", "a call"))
    judge("CLI-16", play.last, shows(succeeded(play, usual)))


@check("CLI-17")
@pytest.mark.parametrize(
    ("scenario", "control"),
    [
        ("null fields", "a lead"),
        ("missing fields", "a lead"),
        ("null fields in a list", "all leads"),
    ],
)
def test_fields_without_a_value(
    judge: Judge, client_driver: ClientDriver, scenario: str, control: str
) -> None:
    """All fields of a lead but `id`, `email` and `created_at` are null, or missing; null in a list
    as well.

    > Documented fields that are null or missing SHOULD be tolerated, apart from `id`.
    """
    play, usual = client_driver.plays((scenario, control))
    judge("CLI-17", play.last, shows(succeeded(play, usual)))


@check("CLI-19")
def test_creates_with_any_2xx(judge: Judge, client_driver: ClientDriver) -> None:
    """The same create is answered with 200, 201 and 202.

    > A create MUST be taken for a success whichever 2xx answers it.
    """
    plays = client_driver.plays(("a create with 200", "a create with 201", "a create with 202"))
    if all(play.reply.result is None for play in plays):
        plays[0].demand_result()
    for play in plays:
        judge("CLI-19", play.last, shows(succeeded(play)))


@check("CLI-20", "CLI-21")
def test_errors_are_reported(judge: Judge, client_driver: ClientDriver) -> None:
    """A lead that does not exist: 404 with `NOT_FOUND`.

    > An error answer MUST be reported as an error.
    > A reported error SHOULD carry the `code` of the answer.
    """
    play, usual = client_driver.plays(("no such lead", "a lead"))
    if judge("CLI-20", play.last, shows(error_reported(play, usual))) and play.reply.error:
        code = play.reply.error.get("code")
        judge.that(
            "CLI-21",
            code == "NOT_FOUND",
            play.last,
            expected="`code` NOT_FOUND in the error",
            received=code,
        )
    if judge.forgotten():
        raise PreconditionNotMet("the client reports no error")


@check("CLI-22")
def test_unknown_codes(judge: Judge, client_driver: ClientDriver) -> None:
    """403 with a code that the document does not have.

    > An error answer with an unknown `code` MUST be reported as an error of the service.
    """
    play, usual = client_driver.plays(("an unknown code", "a lead"))
    documented = client_driver.play("no such lead")
    if error_reported(documented, usual):
        raise PreconditionNotMet("the client does not report errors with a documented code either")
    judge("CLI-22", play.last, shows(error_reported(play, usual, kind="service")))


@check("CLI-23")
@pytest.mark.parametrize("scenario", ["a query with errors", "a query with data and errors"])
def test_graphql_errors(judge: Judge, client_driver: ClientDriver, scenario: str) -> None:
    """`errors` in an answer with status 200, without data and beside it.

    > A GraphQL answer with `errors` MUST be reported as an error.
    """
    play, usual = client_driver.plays((scenario, "a query"))
    judge("CLI-23", play.last, shows(error_reported(play, usual)))


@check("CLI-24")
def test_graphql_user_errors(judge: Judge, client_driver: ClientDriver) -> None:
    """A mutation whose data holds `userErrors`, without `errors`.

    > A GraphQL answer with `userErrors` in its `data` MUST NOT be reported as a success.
    """
    play, usual = client_driver.plays(("a mutation with user errors", "a query"))
    judge("CLI-24", play.last, shows(error_reported(play, usual)))


@check("CLI-54")
def test_graphql_without_user_errors(judge: Judge, client_driver: ClientDriver) -> None:
    """A mutation that took effect: its `userErrors` are an empty list.

    > A GraphQL answer whose `userErrors` are empty SHOULD NOT be reported as an error.
    """
    play, usual = client_driver.plays(("a mutation without user errors", "a query"))
    judge("CLI-54", play.last, shows(succeeded(play, usual)))


@check("CLI-25")
def test_timestamps(judge: Judge, client_driver: ClientDriver) -> None:
    """Timestamps with the offset +05:30 and microseconds.

    > Timestamps MUST be read as instants, whatever their offset and their fractions of a second.
    """
    play, usual = client_driver.plays(("other timestamps", "a call"))
    of_result(usual, "scheduled_at")
    rows = [
        row
        for _, exchange in pages_of(play, "/v1/calls")
        if exchange.ok
        for row in exchange.rows
        if row["id"] == play.task.arguments["call_id"]
    ]
    if not rows:
        raise PreconditionNotMet("the client has not read the call")
    served, reported = rows[-1]["scheduled_at"], (play.reply.result or {}).get("scheduled_at")
    is_same = zoned_instant(reported) == zoned_instant(served)
    judge.that(
        "CLI-25",
        is_same,
        play.last,
        expected=f"the instant {served}",
        received=reported or play.reply.summary,
    )


@check("CLI-26", "CLI-27")
def test_amounts_are_read_in_dollars(judge: Judge, client_driver: ClientDriver) -> None:
    """A payment of 1234.50, which an answer writes as 1234.5 and another one as 1.2345e3.

    > Numbers SHOULD be read by their value, however JSON writes them.
    > The `amount` of an answer MUST be read as dollars.
    """
    usual, play = client_driver.plays(("a payment", "other numbers"))
    amount = of_result(usual, "amount")
    recorded = usual.sent("POST", "/v1/payments")[-1][1]
    sent = recorded.at("/data/amount")
    if judge.that(
        "CLI-27",
        dollars(amount) == dollars(sent),
        recorded,
        expected=f"{sent} dollars",
        received=amount,
    ):
        read = (play.reply.result or {}).get("amount")
        judge.that(
            "CLI-26",
            dollars(read) == dollars(sent),
            play.last,
            expected=f"{AMOUNT} dollars",
            received=play.reply.summary if read is None else read,
        )
    if judge.forgotten():
        raise PreconditionNotMet("the client does not read amounts as dollars")


@check("CLI-28")
def test_totals_are_read_in_cents(judge: Judge, client_driver: ClientDriver) -> None:
    """A lead whose `total_paid_cents` is 123450.

    > `total_paid_cents` MUST be read as cents.
    """
    play = client_driver.play("a lead")
    total = of_result(play, "total_paid")
    wanted = dollars(PAID_CENTS / 100)
    judge.that(
        "CLI-28", dollars(total) == wanted, play.last, expected=f"{wanted} dollars", received=total
    )
