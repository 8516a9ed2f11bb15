"""Leads with values of every class that their formats have."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from plumbline.fixtures.http.exchange import Exchange, PreconditionNotMet
from plumbline.fixtures.judging.completeness import same_record
from plumbline.fixtures.judging.judge import Judge
from plumbline.fixtures.judging.matchers import causes_no_5xx, resting_on, still_has
from plumbline.fixtures.judging.mismatch import Step
from plumbline.fixtures.scenarios.carriers import (
    Given,
    comes_back,
    is_taken,
    judge_carried,
    same_text,
)
from plumbline.fixtures.scenarios.covering import REQUESTS
from plumbline.fixtures.scenarios.mark import check
from plumbline.fixtures.scenarios.shared.records_of_values import Answers, LeadValues, accepted_of
from plumbline.spec.comparing import same_instant
from plumbline.spec.values.fields import CHANGE, CREATE

SHOWN = {name: f"/data/{name}" for name in ("email", "full_name", "phone", "company", "timezone")}
CONTENT = "notes[].content"
UNBROKEN = causes_no_5xx("an empty text", "what reads its first character breaks at it")
READ = 0
"""Which of the leads is read once more."""


@check("LEAD-01", "LEAD-03", "LEAD-09", "LEAD-10")
def test_a_lead_is_created_of_any_valid_value(judge: Judge, lead_values: LeadValues) -> None:
    """Leads whose profile, visitor id and metadata hold values of many classes at once; a refusal
    is told apart.

    > `POST /v1/leads` MUST create a lead with its `email`. A created lead MUST hold every profile
    > field that was given. A `visitor_id` of 8 and one of 128 characters MUST be accepted.
    > `metadata` MUST be accepted with unknown keys.
    """
    for number in range(REQUESTS[CREATE]):
        judge_carried(judge, lead_values.created(number), SHOWN)


@check("LEAD-14", "LEAD-19", "LEAD-24")
def test_a_lead_changes_to_any_valid_value(judge: Judge, lead_values: LeadValues) -> None:
    """PATCHes of these leads, again with values of many classes, and with notes of which each has
    an extra key.

    > `PATCH /v1/leads/{id}` MUST set the fields that it provides. `notes` in a PATCH MUST replace
    > the whole array. Extra keys in a note MUST be accepted.
    """
    for number in range(REQUESTS[CHANGE]):
        answers = lead_values.changed(number)
        judge_carried(judge, [row for row in answers if row[0].field.path != CONTENT], SHOWN)
        for given, exchange in _notes(answers):
            at, content = _place_of(given, exchange)
            judge.each("LEAD-19", exchange, comes_back(given, at, content)(exchange))


@check("ERR-06")
def test_an_empty_text_breaks_nothing(judge: Judge, lead_values: LeadValues) -> None:
    """One of these leads is given an empty company; whether that is taken is open.

    > A request MUST NOT be answered with a 5xx.
    """
    judge("ERR-06", lead_values.emptied(), UNBROKEN)


@check("LEAD-04")
def test_a_lead_reads_as_it_was_changed(judge: Judge, lead_values: LeadValues) -> None:
    """One of these leads when it is read.

    > `GET /v1/leads/{id}` MUST return the lead as it was last written.
    """
    written, read = accepted_of(lead_values.changed(READ)), lead_values.read(READ)
    judge(
        "LEAD-04",
        read,
        *(still_has(pointer, written.data.get(name)) for name, pointer in SHOWN.items()),
    )


@check("LEAD-27")
def test_a_lead_is_listed_as_it_was_changed(judge: Judge, lead_values: LeadValues) -> None:
    """The rows of these leads in the list.

    > The leads list MUST contain the leads of the organization, in the lead shape.
    """
    listed = lead_values.listed()
    for number in range(REQUESTS[CHANGE]):
        last = accepted_of(lead_values.changed(number))
        row, (page, at) = listed.row_of(last.id_of_data), listed.place_of(last.id_of_data)
        if row is not None:
            judge(
                "LEAD-27",
                page,
                resting_on([Step(last), Step(page)], same_record("Lead", last.data, row, at)),
            )
    if not judge.findings:
        raise PreconditionNotMet("the first pages of the list show none of these leads")


def _notes(answers: Answers) -> Iterator[tuple[Given, Exchange]]:
    """The contents of notes, each with the exchange that speaks about it; a refusal speaks for
    itself.
    """
    return ((given, exchange) for given, exchange in answers if given.field.path == CONTENT)


def _place_of(given: Given, exchange: Exchange) -> tuple[str, object]:
    """Where an answer shows the content of a note, or what it shows in place of it."""
    notes = exchange.at("/data/notes") if is_taken(given)(exchange) is None else None
    rows = (
        [note if isinstance(note, dict) else {} for note in notes]
        if isinstance(notes, list)
        else []
    )
    place = next(
        (at for at, row in enumerate(rows) if same_text(row.get("content"), given.value)), None
    )
    if place is None:
        place = _stand_in(given, exchange, rows)
    return f"/data/notes/{place}/content", rows[place].get("content") if rows else None


def _stand_in(given: Given, exchange: Exchange, rows: Sequence[Mapping[str, Any]]) -> int:
    """Which note of an answer stands in place of a given one: the one of its time whose content was
    not sent, or any such one; 0 where there is none.
    """
    sent = json.loads(exchange.request_body or b"{}")["notes"]
    strange = [
        at
        for at, row in enumerate(rows)
        if not any(same_text(row.get("content"), note.get("content")) for note in sent)
    ]
    time = next((note.get("created_at") for note in sent if note.get("content") == given.value), "")
    of_its_time = [at for at in strange if same_instant(rows[at].get("created_at"), time)]
    return next(iter((*of_its_time, *strange)), 0)
