"""The list of leads."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from plumbline.fixtures.http.exchange import NotApplicableError
from plumbline.fixtures.judging.completeness import leaves_nothing_out, same_record
from plumbline.fixtures.judging.judge import Judge
from plumbline.fixtures.judging.matchers import (
    finds_all,
    finds_none,
    has_id,
    refused,
    resting_on,
)
from plumbline.fixtures.judging.mismatch import Step
from plumbline.fixtures.judging.values_as_text import as_json
from plumbline.fixtures.scenarios.list_walk import Walk
from plumbline.fixtures.scenarios.mark import check
from plumbline.fixtures.scenarios.shared.growing_lists import LEADS, GrowingLists
from plumbline.fixtures.scenarios.shared.lead_scenario import METADATA, OPAQUE
from plumbline.fixtures.scenarios.shared.list_scenario import ListScenario
from plumbline.spec.comparing import is_old, same

MAX_KINDS_READ = 3
"""Leads from before the run that are read."""


@check("LEAD-27")
def test_the_list_holds_the_leads(judge: Judge, list_scenario: ListScenario) -> None:
    """A walk through all leads after some were created.

    > The leads list MUST contain the leads of the organization, in the lead shape.
    """
    walk, lead = list_scenario.leads(), list_scenario.lead()
    if lead not in walk.ids:
        walk.demand_end()
    created = list_scenario.build.shared_lead()
    held = finds_all(walk.ids, [lead], f"the lead {lead} on one of its pages")
    judge("LEAD-27", walk.last, resting_on(walk.after(created), held))
    shown, (page, at) = created.data, walk.place_of(lead)
    row = walk.row_of(lead) or shown
    received, expected = row.get("email"), shown.get("email")
    if received != expected:  # a sweep may have changed it meanwhile
        expected = list_scenario.build.api.get("/v1/leads/{id}", id=lead).data.get("email")
    judge.that(
        "LEAD-27",
        received == expected,
        page,
        expected=f"it with {as_json(expected)}",
        received=received,
        where=f"{at}/email",
    )
    judge(
        "LEAD-27",
        page,
        resting_on([Step(created), Step(page)], leaves_nothing_out("Lead", shown, row, at)),
    )


@check("LEAD-27")
def test_the_list_holds_leads_of_bookings(judge: Judge, list_scenario: ListScenario) -> None:
    """A second walk through all leads, after a guest was booked who was not known before.

    > The leads list MUST contain the leads of the organization, in the lead shape.
    """
    booked, listed = list_scenario.build.shared_call(), list_scenario.leads_after_booking()
    lead = list_scenario.build.lead_of(booked).lower()
    if lead not in listed.ids:
        listed.demand_end()
    held = finds_all(listed.ids, [lead], f"the lead {lead} of a booking on one of its pages")
    judge("LEAD-27", listed.last, resting_on(listed.after(booked), held))


@check("LEAD-04")
def test_leads_of_each_kind_read_as_listed(judge: Judge, list_scenario: ListScenario) -> None:
    """Leads from before the run, of the kinds that the list shows seldom: with payments, sorted
    out, with notes, at any status.

    > `GET /v1/leads/{id}` MUST return the lead as it was last written.
    """
    rows_shown = list_scenario.leads()
    kinds = defaultdict[tuple[Any, ...], list[dict[str, Any]]](list)
    for row in filter(is_old, rows_shown.rows):
        kinds[_kind(row)].append(row)
    if not kinds:
        raise NotApplicableError("the first leads of the list are all of this run")
    for rows in sorted(kinds.values(), key=len)[:MAX_KINDS_READ]:
        row = rows[0]
        (page, _), read = (
            rows_shown.place_of(str(row["id"])),
            list_scenario.build.api.get("/v1/leads/{id}", id=row["id"]),
        )
        kept = judge("LEAD-04", read, has_id("/data/id", str(row["id"])))
        if kept and read.at("/data/updated_at") == row.get(
            "updated_at"
        ):  # nobody has changed it meanwhile
            judge(
                "LEAD-04",
                read,
                resting_on([Step(page), Step(read)], same_record("Lead", row, read.data, "/data")),
            )


def _kind(row: Mapping[str, Any]) -> tuple[Any, ...]:
    """What tells leads from others that are likely to be read in another way."""
    return row.get("status"), *(
        bool(row.get(name))
        for name in ("payment_count", "disqualification_data", "notes", "source")
    )


@check("LEAD-10", "LEAD-19", "LEAD-23", "LEAD-27", spare=True)
def test_the_list_shows_the_whole_lead(judge: Judge, growing_lists: GrowingLists) -> None:
    """A lead with a whole profile, attribution and two notes, one by a closer: its last change, its
    notes, its row in the list.

    The list is read before that change as well. Who wrote a note stands in it where that was given.
    The lead that was made right after it has no metadata, and shows none of those.

    > `metadata` MUST be accepted with its documented keys and with unknown ones, and show on no
    > other lead. The leads list MUST contain the leads of the organization, in the lead shape. The
    > lead MUST carry inline the same notes array as the notes endpoint. `notes` in a PATCH MUST
    > replace the whole array.
    """
    growing_lists.walked(LEADS)
    build, lead = growing_lists.build, growing_lists.record(LEADS).id_of_data
    noted = growing_lists.noted()
    shown = noted.data.get("notes")
    if (
        shown
        and isinstance(shown, list)
        and isinstance(build.shared_call().at("/data/closer_id"), str)
    ):
        authors = [note.get("user_id") for note in shown if isinstance(note, dict)]
        judge.that(
            "LEAD-19",
            any(authors),
            noted,
            expected="a note with `user_id`",
            received=authors,
            where="/data/notes",
        )
    else:
        judge.not_applicable("LEAD-19", "no user is known who could have written a note")
    listed_notes = build.api.get("/v1/leads/{id}/notes", id=lead)
    apart = listed_notes.at("/data/notes")
    if isinstance(shown, list) and isinstance(apart, list):
        expected = f"the notes {as_json(shown)}, as in the lead"
        judge.that(
            "LEAD-23",
            same(shown, apart),
            listed_notes,
            expected=expected,
            received=apart,
            where="/data/notes",
        )
    else:
        judge.not_applicable("LEAD-23", "the notes stand in one place only")
    listed = growing_lists.leads_after()
    row, (page, at) = listed.row_of(lead), listed.place_of(lead)
    if row is None:
        raise NotApplicableError("the first pages of the list do not show the lead")
    judge(
        "LEAD-27",
        page,
        resting_on([Step(noted), Step(page)], same_record("Lead", noted.data, row, at)),
    )
    _judge_metadata_apart(judge, growing_lists, listed)


def _judge_metadata_apart(judge: Judge, growing_lists: GrowingLists, listed: Walk) -> None:
    """Judge that a lead without metadata shows none of those that only another one was given."""
    given = {str(METADATA[key]) for key in OPAQUE}
    other = growing_lists.newest(LEADS)
    (page, at), row = listed.place_of(other.id_of_data), listed.row_of(other.id_of_data)
    for exchange, where, lead in ((other, "/data", other.data), (page, at, row or {})):
        strange = [
            f"{name} {value}"
            for part in (lead.get("metadata"), lead.get("source"))
            for name, value in (part.items() if isinstance(part, dict) else ())
            if str(value) in given
        ]
        nothing = finds_none(strange, "nothing that another lead was given", where)
        judge(
            "LEAD-10",
            exchange,
            resting_on([Step(growing_lists.record(LEADS)), Step(exchange)], nothing),
        )


@check("LEAD-06", "LEAD-13")
def test_a_refused_create_leaves_nothing(judge: Judge, list_scenario: ListScenario) -> None:
    """A create that is refused for its phone number without a plus, and the list afterwards.

    > A `phone` that is not E.164 MUST be refused on create. A refused create MUST NOT leave a lead
    > behind.
    """
    judge("LEAD-06", list_scenario.refused(), refused)
    if list_scenario.refused().ok:
        judge.not_applicable("LEAD-13", "the create was not refused")
        return
    walk, email = list_scenario.leads(), list_scenario.refused_email
    if list_scenario.lead() not in walk.ids:
        # Only where the lead that was made beside it shows up would the other one show up too.
        walk.demand_end()
    addresses = [email for row in walk.rows if row.get("email") == email]
    nothing = finds_none(addresses, "no lead with the email of the refused create")
    judge("LEAD-13", walk.last, resting_on(walk.after(list_scenario.refused()), nothing))
