"""Inputs that break a rule, in further places and in further ways than the chapters try, and what
they must not leave behind.

They are asked of an organization that has requests to spare; where there is none, they are left to
the exhaustive tier.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import count
from typing import Any, NamedTuple

import pytest

from plumbline.fixtures.http.exchange import Exchange, NotApplicableError
from plumbline.fixtures.judging.judge import Judge
from plumbline.fixtures.judging.matchers import answered, any_of, finds_none, has, refused
from plumbline.fixtures.judging.mismatch import Matcher
from plumbline.fixtures.judging.model.keeping import is_same
from plumbline.fixtures.judging.statuses import payment_statuses
from plumbline.fixtures.scenarios.builders import Builders
from plumbline.fixtures.scenarios.list_walk import MAX_PAGES, Walk, walk
from plumbline.fixtures.scenarios.mark import check
from plumbline.fixtures.scenarios.sample_requests import (
    ON_LINKS,
    SampleRequest,
    record_of,
    sample_request,
)
from plumbline.fixtures.scenarios.shared.growing_lists import PAYMENTS, GrowingLists
from plumbline.fixtures.scenarios.wrong_values import cells, day_that_is_none, requirements_of
from plumbline.spec.comparing import iso, same, same_id, same_instant

CREATE, CHANGE = "POST /v1/leads", "PATCH /v1/leads/{id}"
BOOK, NOTE, END, MOVE = (
    "POST /v1/calls",
    "PATCH /v1/calls/{id}",
    "POST /v1/calls/{id}/outcome",
    "POST /v1/calls/{id}/reschedule",
)
PAY, CORRECT, VERIFY = (
    "POST /v1/payments",
    "PATCH /v1/payments/{id}",
    "POST /v1/payments/{id}/verify",
)
NOTED_AT = "2026-01-05T10:00:00Z"
EXPECTED = {"LEAD-17": answered(400, "VALIDATION_ERROR")}
"""What is more than a refusal."""
RULES: dict[tuple[str, str], list[dict[str, Any]]] = {
    ("LEAD-05", CREATE): [{"email": "ada@"}],
    ("LEAD-07", CREATE): [{"timezone": "+02:00"}],
    ("LEAD-08", CREATE): [{"visitor_id": "v"}, {"visitor_id": "v" * 200}],
    ("LEAD-12", CREATE): [
        {"company": 4711},
        {"timezone": ["Europe/Berlin"]},
        {"metadata": ["utmSource"]},
    ],
    ("LEAD-17", CHANGE): [
        {"notes": [{"created_at": NOTED_AT}]},
        {"notes": {"content": "called back", "created_at": NOTED_AT}},
    ],
    ("CALL-11", BOOK): [{"utm_medium": "u" * 256}, {"utm_campaign": "u" * 256}],
    ("CALL-16", BOOK): [
        {"guest": {"email": ["ada@example.com"], "name": "Ada"}},
        {"guest": []},
        {"start_time": ["2031-01-07T15:00:00Z"]},
    ],
    ("CALL-17", BOOK): [
        {"closer_email": ["ada@example.com"]},
        {"timezone": {"name": "Europe/Berlin"}},
    ],
    ("CALL-33", NOTE): [{"notes": 4711}],
    ("CALL-36", END): [{"status": ["shown"]}],
    ("CALL-41", MOVE): [{"scheduled_at": 1930000000}],
    ("CALL-66", BOOK): [
        {"utm_medium": ["paid"]},
        {"utm_campaign": {"name": "spring"}},
        {"utm_content": ["hero"]},
    ],
    ("CALL-67", END): [{"notes": ["called back"]}],
    ("PAY-07", PAY): [{"amount": -50}],
    ("PAY-08", PAY): [{"amount": 100.999}],
    ("PAY-12", PAY): [
        {"lead_id": {"id": 1}},
        {"amount": "12.50"},
        {"amount": True},
        {"amount": None},
        {"payment_date": ["2026-01-05T10:00:00Z"]},
        {"status": ["pending"]},
        {"source": ["manual"]},
    ],
    ("PAY-16", CORRECT): [
        {"amount": "12.50"},
        {"amount": True},
        {"amount": {"dollars": 12}},
        {"currency": ["USD"]},
    ],
    ("PAY-26", PAY): [{"external_id": 4711}, {"call_id": 4711}, {"product_id": ["x"]}],
    ("PAY-26", CORRECT): [{"external_id": 4711}, {"external_id": ["x"]}],
    ("PAY-27", VERIFY): [{"call_id": 4711}, {"call_id": ["x"]}],
}
"""What is wrong, by requirement and operation. A run tries half of the values of each, and the next
one the other half; each field that takes a format is also tried with classes of its own, which the
seed chooses as well.
"""


APART = (CREATE, CHANGE, BOOK, PAY, CORRECT)
"""Operations whose records are looked at once all their wrong requests were sent."""
WATCHED = (
    "email",
    "full_name",
    "phone",
    "company",
    "timezone",
    "status",
    "amount",
    "currency",
    "lead_id",
)
"""What a refused change of a lead or a payment leaves as it is."""


class Tried(NamedTuple):
    """A wrong request: its body and its exchange."""

    body: dict[str, Any]
    sent: Exchange


def rules_of(operation: str) -> list[str]:
    """The input rules of an operation that are broken here."""
    return sorted(
        {requirement for requirement, rule_operation in RULES if rule_operation == operation}
        | {*requirements_of(operation)}
    )


@pytest.mark.parametrize(
    ("operation", "wrong"),
    [
        pytest.param(
            operation,
            wrong,
            marks=check(requirement, spare=True),
            id=f"{operation} {wrong}".replace("/", " "),
        )
        for (requirement, operation), fields in RULES.items()
        for wrong in fields
        if operation not in APART
    ],
)
def test_a_wrong_field_is_refused(
    judge: Judge, second_org: Builders, operation: str, wrong: dict[str, Any]
) -> None:
    """A valid request with one field made wrong: another type, another format, or out of bounds.

    > The input rule of the field, as its requirement words it; the request MUST be refused.
    """
    valid = sample_request(second_org, operation)
    (requirement,) = judge.declared
    judge(requirement, valid.with_body(valid.body | wrong).by(second_org.api), refused)


@check(*requirements_of(NOTE, END, MOVE), spare=True)
def test_wrong_formats_leave_a_call_unchanged(judge: Judge, second_org: Builders) -> None:
    """A status and a time of no format, by PATCH, as an outcome and in a reschedule; then the call
    in the list of its lead.

    > The input rule of the field, as its requirement words it; the request MUST be refused and
    > leave the call unchanged.
    """
    booked = second_org.shared_call()
    tried = {
        operation: _tried(
            judge,
            second_org,
            operation,
            booked.id_of_data,
            _of_formats(second_org, operation),
            given={},
        )
        for operation in (NOTE, END, MOVE)
    }
    if any(trial.sent.ok for some in tried.values() for trial in some):
        return
    page = second_org.api.get("/v1/calls", lead_id=second_org.lead_of(booked), limit=100)
    row = next((row for row in page.rows if same_id(row.get("id"), booked.id_of_data)), {})
    before, after = booked.data.get("status"), row.get("status")
    both = after is not None and before is not None
    changed = [after] if both and not is_same("call", "status", before, after) else []
    for requirement in ("CALL-33", "CALL-36"):
        judge(requirement, page, finds_none(changed, f"the status {before}"))


QUERIES = ("GET /v1/calls", "GET /v1/opportunities", ON_LINKS[0])
"""Operations whose query takes a format."""


@check(*requirements_of(*QUERIES), spare=True)
def test_wrong_queries_are_refused(judge: Judge, second_org: Builders) -> None:
    """A status, stage, user and day of no format in a query that is right but for it.

    > The input rule of the parameter, as its requirement words it; the request MUST be refused.
    """
    _, day = day_that_is_none(datetime.now(UTC).date() + timedelta(days=2))
    ranges = {
        "start_date": {"start_date": str(day), "end_date": str(day + timedelta(days=1))},
        "end_date": {"start_date": str(day - timedelta(days=2)), "end_date": str(day)},
    }
    for operation in QUERIES:
        for cell in cells(operation):
            right = ranges.get(cell.place[0], {"limit": "1"})
            for wrong, requirement in cell.of(second_org.session.settings.seed):
                request = SampleRequest(
                    operation, record_of(second_org, operation), query=cell.broken(right, wrong)
                )
                judge(requirement, request.by(second_org.api), refused)


@check(*rules_of(CREATE), "LEAD-13", spare=True)
def test_wrong_leads_are_refused(judge: Judge, second_org: Builders) -> None:
    """Leads with one field made wrong, each with an email of its own, and then the list of leads.

    > The input rule of the field, as its requirement words it. A refused create MUST NOT leave a
    > lead behind.
    """
    lead = second_org.lead()
    tried = _tried_all(judge, second_org, CREATE)
    later = _list(second_org, "/v1/leads", lead)
    emails = [row.get("email") for row in later.rows]
    _judge_left(judge, "LEAD-13", tried, later.last, lambda body: body["email"] in emails)


@check(*rules_of(CHANGE), "LEAD-18", spare=True)
def test_wrong_changes_of_a_lead_are_refused(judge: Judge, second_org: Builders) -> None:
    """PATCHes of a name, a company and one wrong field, then of a body that breaks off and of an
    array, and then the lead.

    > A PATCH with an invalid body or field MUST be answered with 400 and `VALIDATION_ERROR`. A
    > refused PATCH MUST leave the lead unchanged.
    """
    created, before = second_org.spare_lead(), second_org.spare_lead_read()
    tried = _tried_all(
        judge,
        second_org,
        CHANGE,
        created.id_of_data,
        full_name=lambda: second_org.sample_data.guest().name,
    )
    for content in (b'{"company": "Ada', b'[{"company": "Ada"}]'):
        sent = SampleRequest(CHANGE, created.id_of_data).raw_by(second_org.api, content)
        judge("LEAD-17", sent, EXPECTED["LEAD-17"])
        tried.append(Tried({}, sent))
    after = second_org.api.get("/v1/leads/{id}", id=created.id_of_data)
    _judge_kept(judge, "LEAD-18", tried, after, before=before.data, after=after.data)


@check(*rules_of(BOOK), "CALL-20", spare=True)
def test_wrong_bookings_are_refused(judge: Judge, second_org: Builders) -> None:
    """Bookings of one slot by a known guest who wishes for a host, with one field made wrong, and
    then the calls of the guest.

    > The input rule of the field, as its requirement words it. A refused booking MUST NOT leave a
    > call.
    """
    lead = second_org.lead()
    guest = {"email": second_org.shared_guest.email, "name": second_org.shared_guest.name}
    hosts = second_org.spare_slot().emails
    wish: dict[str, Callable[[], Any]] = {"closer_email": lambda: hosts[0]} if hosts else {}
    tried = _tried_all(judge, second_org, BOOK, "", guest=lambda: guest, **wish)
    later = second_org.api.get("/v1/calls", lead_id=lead, limit=100)
    booked = [trial.body["start_time"] for trial in tried if trial.sent.ok]
    own = [row.get("scheduled_at") for row in later.rows if same_id(row.get("lead_id", lead), lead)]
    at = [
        start_shown
        for start_shown in own
        if not any(same_instant(start_shown, start) for start in booked)
    ]
    _judge_left(
        judge,
        "CALL-20",
        tried,
        later,
        lambda body: any(same_instant(start_shown, body["start_time"]) for start_shown in at),
    )


@check(*rules_of(PAY), "PAY-13", spare=True)
def test_wrong_payments_are_refused(judge: Judge, second_org: Builders) -> None:
    """Payments of any status with one field made wrong, each with an amount and a date of its own,
    and then the list of payments.

    > The input rule of the field, as its requirement words it. A refused payment MUST NOT be
    > recorded.
    """
    payment = second_org.shared_payment().id_of_data
    days = (iso(second_org.ago(days=number)) for number in count(400))
    amount, status = (
        second_org.sample_data.rare_amount,
        partial(second_org.sample_data.pick, payment_statuses()),
    )
    tried = _tried_all(
        judge, second_org, PAY, amount=amount, status=status, payment_date=lambda: next(days)
    )
    later = _list(second_org, PAYMENTS, payment)
    _judge_left(
        judge,
        "PAY-13",
        tried,
        later.last,
        lambda body: any(_is_payment(row, body) for row in later.rows),
    )


@check(*rules_of(CORRECT), "PAY-16", spare=True)
def test_wrong_corrections_are_refused(judge: Judge, growing_lists: GrowingLists) -> None:
    """PATCHes of a payment with one field made wrong, and then the payment in the list.

    > A PATCH with an invalid `status`, `amount` or `currency` MUST be refused and leave the payment
    > unchanged.
    """
    growing_lists.walked(PAYMENTS)
    build, recorded = growing_lists.build, growing_lists.one_more(PAYMENTS)
    tried = _tried_all(judge, build, CORRECT, recorded.id_of_data)
    later = _list(build, PAYMENTS, recorded.id_of_data)
    _judge_kept(
        judge,
        "PAY-16",
        tried,
        later.last,
        before=recorded.data,
        after=later.row_of(recorded.id_of_data) or {},
    )


def _tried_all(
    judge: Judge, build: Builders, operation: str, record: str = "", **given: Callable[[], Any]
) -> list[Tried]:
    """Send and judge all wrong requests of an operation; `given` makes values for fields that are
    not the wrong one.
    """
    seed = build.session.settings.seed
    of_rules = [
        (requirement, partial(_with, wrong))
        for (requirement, rule_operation), wrong_values in RULES.items()
        for wrong in wrong_values[seed % 2 :: 2] or wrong_values
        if rule_operation == operation
    ]
    return _tried(
        judge, build, operation, record, [*of_rules, *_of_formats(build, operation)], given=given
    )


Breaks = Callable[[Mapping[str, Any]], dict[str, Any]]
"""Makes a wrong body of a right one."""


def _of_formats(build: Builders, operation: str) -> list[tuple[str, Breaks]]:
    """The requirements of each field of an operation that takes a format, with what makes a body
    wrong in this run.
    """
    return [
        (requirement, partial(cell.broken, wrong=wrong))
        for cell in cells(operation)
        for wrong, requirement in cell.of(build.session.settings.seed)
    ]


def _tried(
    judge: Judge,
    build: Builders,
    operation: str,
    record: str,
    wrongs: Sequence[tuple[str, Breaks]],
    *,
    given: Mapping[str, Callable[[], Any]],
) -> list[Tried]:
    """Send wrong requests, each judged by its requirement."""
    trials = []
    for requirement, breaks in wrongs:
        valid = sample_request(build, operation)
        body = breaks(valid.body | {name: make() for name, make in given.items()})
        sent = (
            build.book_wrongly(body)
            if operation == BOOK
            else valid.at(record).with_body(body).by(build.api)
        )
        judge(requirement, sent, _refusal(requirement, body))
        trials.append(Tried(body, sent))
    return trials


def _refusal(requirement: str, body: Mapping[str, Any]) -> Matcher:
    """What has to be answered to a wrong body; a service may cut off white space at the end of a
    text before it looks at it, and shows the text without it then.
    """
    expected = EXPECTED.get(requirement, refused)
    cut = [
        has(f"/data/{name}", text.strip())
        for name, text in body.items()
        if isinstance(text, str) and text != text.strip()
    ]
    return any_of(expected, *cut) if cut else expected


def _with(wrong: Mapping[str, Any], right: Mapping[str, Any]) -> dict[str, Any]:
    """A body with other values."""
    return {**right, **wrong}


def _list(build: Builders, path: str, identifier: str) -> Walk:
    """A walk through a list that has come to a record that was there before, or to the end."""
    walked = walk(
        build.api,
        path,
        pages=MAX_PAGES[build.session.settings.tier],
        until=[identifier],
        at_least=2,
        limit=100,
    )
    return walked if walked.row_of(identifier) else walked.demand_end()


def _is_payment(row: Mapping[str, Any], body: Mapping[str, Any]) -> bool:
    """Whether a row of the list may be what a body asked for."""
    dated = same_instant(row.get("payment_date"), body["payment_date"])
    return dated or same(row.get("amount"), body["amount"])


def _judge_left(
    judge: Judge,
    requirement: str,
    tried: list[Tried],
    listed: Exchange,
    is_left: Callable[[Mapping[str, Any]], bool],
) -> None:
    """Whether a list shows nothing of what was refused; a reader should look first at the request
    that left something.
    """
    trials = [trial for trial in tried if not trial.sent.ok]
    if not trials:
        raise NotApplicableError("no request was refused")
    left = [trial.sent for trial in trials if is_left(trial.body)]
    received = f"{listed.operation} shows it"
    first = left[0] if left else listed
    judge.that(
        requirement,
        not left,
        first,
        expected="nothing of a refused request in the list",
        received=received,
    )


def _judge_kept(
    judge: Judge,
    requirement: str,
    tried: list[Tried],
    shown: Exchange,
    *,
    before: Mapping[str, Any],
    after: Mapping[str, Any],
) -> None:
    """Whether a record shows what it showed before all of its changes were refused."""
    if any(trial.sent.ok for trial in tried):
        raise NotApplicableError("a wrong request was not refused")
    changed = [
        name
        for name in WATCHED
        if before.get(name) is not None and not same(after.get(name), before[name])
    ]
    judge(requirement, shown, finds_none(changed, "no change of the record", ""))
