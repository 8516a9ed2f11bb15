"""Changing a lead."""

from functools import partial
from typing import Any

import pytest

from plumbline.fixtures.http.exchange import MISSING
from plumbline.fixtures.judging.completeness import leaves_nothing_out
from plumbline.fixtures.judging.judge import Judge
from plumbline.fixtures.judging.matchers import (
    answered,
    any_of,
    finds_none,
    has,
    has_zone,
    still_has,
)
from plumbline.fixtures.judging.mismatch import Matcher
from plumbline.fixtures.judging.model.keeping import leaves_alone
from plumbline.fixtures.scenarios.mark import check
from plumbline.fixtures.scenarios.shared.lead_scenario import LeadScenario
from plumbline.fixtures.scenarios.wrong_values import MARKED

WRONG: list[Any] = [
    pytest.param({"email": MARKED}, id="email without @"),
    pytest.param({"phone": "+49 30 23125123"}, id="phone with spaces"),
    pytest.param({"phone": "493023125123"}, id="phone without plus"),
    pytest.param({"full_name": {"first": "x"}}, id="name as object"),
    pytest.param({"company": ["x"]}, id="company as array"),
    pytest.param({"status": {"name": "new"}}, id="status as object"),
    pytest.param({"notes": "called back"}, id="notes as text"),
    pytest.param({"notes": ["called back"]}, id="note as text"),
    pytest.param(
        {"notes": [{"content": {"text": "x"}, "created_at": "2026-01-05T10:00:00Z"}]},
        id="note content as object",
    ),
]
CONFLICT = 409


@check("LEAD-14", "LEAD-15")
def test_patch_changes_what_it_names(judge: Judge, lead_scenario: LeadScenario) -> None:
    """Three PATCHes, each of another field; in between, nothing else may move, nor where the lead
    comes from.

    > `PATCH /v1/leads/{id}` MUST set the fields that it provides and MUST NOT change a field that
    > it does not provide.
    """
    judge("LEAD-14", lead_scenario.renamed(), has("/data/full_name", lead_scenario.later_name))
    judge("LEAD-14", lead_scenario.moved(), has("/data/company", lead_scenario.later_company))
    before = lead_scenario.created().data
    source = before.get("source")
    given = (
        {name: value for name, value in source.items() if value is not None}
        if isinstance(source, dict)
        else {}
    )
    for patched in (lead_scenario.renamed(), lead_scenario.moved(), lead_scenario.qualified()):
        if patched.ok and patched.at("/data/source") is not MISSING:
            judge(
                "LEAD-15",
                patched,
                *(has(f"/data/source/{name}", value) for name, value in given.items()),
            )
    for patched in (lead_scenario.renamed(), lead_scenario.moved()):
        if patched.ok:
            judge("LEAD-15", patched, leaves_alone(before, but=("full_name",)))
    if lead_scenario.renamed().ok and lead_scenario.moved().ok:
        judge("LEAD-15", lead_scenario.moved(), has("/data/full_name", lead_scenario.later_name))
        judge("LEAD-15", lead_scenario.moved(), leaves_nothing_out("Lead", before))


@check("LEAD-25", "LEAD-14", "LEAD-15")
def test_patch_changes_the_status(judge: Judge, lead_scenario: LeadScenario) -> None:
    """A PATCH of the status to `qualified`, then one of the email and the notes.

    > A PATCH of `status` MUST change the status of the lead. `PATCH /v1/leads/{id}` MUST NOT change
    > a field that it does not provide.
    """
    judge("LEAD-25", lead_scenario.qualified(), has("/data/status", "qualified"))
    _ = lead_scenario.qualified().data
    given = {name: lead_scenario.profile[name] for name in ("email", "phone")}
    if metadata := lead_scenario.created().data.get("metadata"):
        given["metadata"] = metadata
    judge(
        "LEAD-15",
        lead_scenario.qualified(),
        *(has(f"/data/{name}", value) for name, value in given.items()),
    )
    judge("LEAD-14", lead_scenario.noted_anew(), has("/data/email", lead_scenario.later_email))
    if lead_scenario.noted_anew().ok:
        kept = leaves_alone(lead_scenario.qualified().data)
        judge("LEAD-15", lead_scenario.noted_anew(), kept)


@check("LEAD-16")
def test_an_empty_patch_is_refused(judge: Judge, lead_scenario: LeadScenario) -> None:
    """A PATCH with the body `{}`.

    > An empty PATCH body MUST be answered with 400 and `VALIDATION_ERROR`.
    """
    judge("LEAD-16", lead_scenario.emptied(), answered(400, "VALIDATION_ERROR"))


@check("LEAD-17", "LEAD-18")
def test_a_partly_invalid_patch_changes_nothing(judge: Judge, lead_scenario: LeadScenario) -> None:
    """A PATCH with a valid company and an invalid email, then a look at the lead.

    > A PATCH with an invalid body or field MUST be answered with 400 and `VALIDATION_ERROR`. A
    > refused PATCH MUST leave the lead unchanged.
    """
    judge("LEAD-17", lead_scenario.spoiled(), answered(400, "VALIDATION_ERROR"))
    if lead_scenario.spoiled().ok:
        judge.not_applicable("LEAD-18", "the PATCH was not refused")
        return
    before = lead_scenario.noted_anew().data
    kept = [
        name for name in ("email", "company", "full_name", "status") if before.get(name) is not None
    ]
    judge(
        "LEAD-18",
        lead_scenario.read_at_last(),
        *(has(f"/data/{name}", before[name]) for name in kept),
    )


@check("LEAD-17")
@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_field_is_refused(
    judge: Judge, lead_scenario: LeadScenario, wrong: dict[str, Any]
) -> None:
    """A PATCH of one field, which is wrong.

    > A PATCH with an invalid body or field MUST be answered with 400 and `VALIDATION_ERROR`.
    """
    lead_scenario.notes_at_last()
    judge("LEAD-17", lead_scenario.patch(**wrong), answered(400, "VALIDATION_ERROR"))


@check("LEAD-17")
def test_a_note_has_a_time(judge: Judge, lead_scenario: LeadScenario) -> None:
    """A PATCH of a note whose `created_at` is none; a service that dates notes itself may take it
    (LEAD-O08).

    > A PATCH with an invalid body or field MUST be answered with 400 and `VALIDATION_ERROR`.
    """
    lead_scenario.notes_at_last()
    patched = lead_scenario.patch(notes=[lead_scenario.new_note | {"created_at": "yesterday"}])
    if patched.ok:
        judge(
            "LEAD-17",
            patched,
            finds_none(
                _stored(patched.at("/data/notes")), "no such time, or a refusal", "/data/notes"
            ),
        )
    else:
        judge("LEAD-17", patched, answered(400, "VALIDATION_ERROR"))


def _stored(notes: Any) -> list[Any]:
    """The times of notes that are the one that is none."""
    times = (
        [note.get("created_at") for note in notes if isinstance(note, dict)]
        if isinstance(notes, list)
        else []
    )
    return [time for time in times if time == "yesterday"]


@check("LEAD-04", "LEAD-14", "LEAD-15", varies=True)
def test_patches_at_the_same_moment(judge: Judge, lead_scenario: LeadScenario) -> None:
    """PATCHes of three further fields and a read at the same moment, then the lead; what is in the
    way of others is sent again.

    The read may come before or after each PATCH.

    > `PATCH /v1/leads/{id}` MUST set the fields that it provides and MUST NOT change a field that
    > it does not provide. `GET /v1/leads/{id}` MUST return the lead as it was last written.
    """
    lead_scenario.notes_at_last()
    before, sample_data = lead_scenario.read_at_last().data, lead_scenario.build.sample_data
    given = {
        "email": sample_data.guest().email,
        "phone": sample_data.phone(),
        "timezone": sample_data.long_zone(),
    }
    expected = {
        name: before[name]
        for name in ("metadata", "company", "full_name", "status")
        if before.get(name) is not None
    }
    lead_scenario.build.api.make_room(len(given) + 1, "PATCH /v1/leads/{id}")
    acts = [partial(lead_scenario.patch, **{name: value}) for name, value in given.items()]
    *tried, meanwhile = lead_scenario.build.session.together([*acts, lead_scenario.get])
    judge(
        "LEAD-04",
        meanwhile,
        *(
            any_of(_holds(name, value), still_has(f"/data/{name}", before.get(name)))
            for name, value in given.items()
        ),
    )
    judge("LEAD-04", meanwhile, *(has(f"/data/{name}", value) for name, value in expected.items()))
    for (name, value), first in zip(given.items(), tried, strict=True):
        patched = lead_scenario.patch(**{name: value}) if first.status == CONFLICT else first
        if judge("LEAD-14", patched, _holds(name, value)):
            expected[name] = value
    judge(
        "LEAD-15",
        lead_scenario.get(),
        *(_holds(name, value) for name, value in expected.items()),
    )


def _holds(name: str, value: Any) -> Matcher:
    """An answer shows what a field was given."""
    return (has_zone if name == "timezone" else has)(f"/data/{name}", value)
