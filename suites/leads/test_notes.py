"""The notes of a lead."""

from typing import Any

from plumbline.fixtures.http.exchange import NotApplicableError, PreconditionNotMet
from plumbline.fixtures.judging.judge import Judge
from plumbline.fixtures.judging.matchers import accepted, finds_exactly, finds_none, has_kind
from plumbline.fixtures.judging.values_as_text import as_json
from plumbline.fixtures.scenarios.mark import check
from plumbline.fixtures.scenarios.shared.lead_scenario import LeadScenario
from plumbline.spec.comparing import instant, same


def contents(notes: Any) -> list[Any]:
    """The contents of a notes array, in order; empty for anything else."""
    return (
        [note.get("content") for note in notes if isinstance(note, dict)]
        if isinstance(notes, list)
        else []
    )


@check("LEAD-21", "LEAD-24")
def test_notes_are_stored_and_listed(judge: Judge, lead_scenario: LeadScenario) -> None:
    """A PATCH with two notes that carry an extra key, then a look at the notes.

    > Extra keys in a note MUST be accepted. `GET /v1/leads/{id}/notes` MUST return the notes of the
    > lead under `data.notes`.
    """
    judge("LEAD-24", lead_scenario.renamed(), accepted)
    listed = lead_scenario.notes_listed()
    written = sorted([lead_scenario.old_note["content"], lead_scenario.new_note["content"]])
    stored = contents(listed.at("/data/notes"))
    if judge("LEAD-21", listed, has_kind("/data/notes", list, "an array")):
        judge("LEAD-21", listed, finds_exactly(stored, written, "the notes", "/data/notes"))


@check("LEAD-22")
def test_notes_are_listed_oldest_first(judge: Judge, lead_scenario: LeadScenario) -> None:
    """Two notes that were written newest first, and a dozen that were written oldest first but for
    two.

    > The notes endpoint MUST list notes oldest first.
    """
    for listed in (lead_scenario.notes_listed(), lead_scenario.notes_at_last()):
        times = [instant(note.get("created_at")) for note in _notes(listed.at("/data/notes"))]
        moments = [moment for moment in times if moment is not None]
        received = list(map(str, moments))
        rising = moments == sorted(moments)
        judge.that(
            "LEAD-22",
            rising,
            listed,
            expected="`created_at` never decreasing",
            received=received,
            where="/data/notes",
        )


@check("LEAD-19")
def test_notes_replace_the_array(judge: Judge, lead_scenario: LeadScenario) -> None:
    """A PATCH with two other notes on a qualified lead that has two already, its answer, and the
    lead when it is read again.

    > `notes` in a PATCH MUST replace the whole array.
    """
    read = lead_scenario.read_at_last()
    wanted = contents(lead_scenario.replacements)
    listed = lead_scenario.notes_at_last().at("/data/notes")
    are_notes = isinstance(listed, list) and all(isinstance(note, dict) for note in listed)
    stored = contents(listed if are_notes else read.data.get("notes"))
    judge("LEAD-19", read, finds_exactly(stored, wanted, "only the notes", "/data/notes"))
    if (
        isinstance(answered := lead_scenario.noted_anew().at("/data/notes"), list)
        and lead_scenario.noted_anew().ok
    ):
        judge(
            "LEAD-19",
            lead_scenario.noted_anew(),
            finds_exactly(contents(answered), wanted, "only the notes", "/data/notes"),
        )


@check("LEAD-19")
def test_no_notes_replace_all_notes(judge: Judge, lead_scenario: LeadScenario) -> None:
    """A PATCH with an empty array of notes on a lead that has some.

    > `notes` in a PATCH MUST replace the whole array.
    """
    cleared = lead_scenario.cleared()
    if not cleared.ok:
        raise NotApplicableError("an empty array of notes was refused")
    left = contents(cleared.data.get("notes"))
    judge("LEAD-19", cleared, finds_none(left, "no notes", "/data/notes"))


@check("LEAD-20")
def test_notes_survive_null_and_omission(judge: Judge, lead_scenario: LeadScenario) -> None:
    """A PATCH with `notes` null, then one without notes, on a lead that has two.

    > `notes` that are `null` or omitted in a PATCH MUST leave the array as it is.
    """
    before = contents(lead_scenario.notes_listed().at("/data/notes"))
    if not before:
        raise PreconditionNotMet("the lead has no notes that could survive")
    judge("LEAD-20", lead_scenario.moved(), accepted)
    after = lead_scenario.qualified()
    stored = contents(after.data.get("notes"))
    judge("LEAD-20", after, finds_exactly(stored, before, "the notes", "/data/notes"))


@check("LEAD-23")
def test_notes_stand_inline_too(judge: Judge, lead_scenario: LeadScenario) -> None:
    """The lead as a PATCH of two notes returns it, and the notes endpoint right after it.

    > The lead MUST carry inline the same notes array as the notes endpoint.
    """
    if not isinstance(lead_scenario.notes_listed().at("/data/notes"), list):
        raise PreconditionNotMet("the notes endpoint gives no array to compare with")
    listed, inline = (
        contents(lead_scenario.notes_listed().at("/data/notes")),
        lead_scenario.renamed(),
    )
    stored = contents(inline.data.get("notes"))
    judge("LEAD-23", inline, finds_exactly(stored, listed, "the notes", "/data/notes"))


@check("LEAD-23")
def test_notes_stand_inline_in_order(judge: Judge, lead_scenario: LeadScenario) -> None:
    """The notes endpoint and the lead itself, after a dozen notes were written, two of them in the
    wrong order.

    > The lead MUST carry inline the same notes array as the notes endpoint.
    """
    read, listed = lead_scenario.read_at_last(), lead_scenario.notes_at_last()
    if not isinstance(listed.at("/data/notes"), list):
        raise PreconditionNotMet("the notes endpoint gives no array to compare with")
    judge.that(
        "LEAD-23",
        same(read.data.get("notes"), listed.at("/data/notes")),
        read,
        expected=f"the notes {as_json(listed.at('/data/notes'))}",
        received=read.data.get("notes"),
        where="/data/notes",
    )


def _notes(value: Any) -> list[dict[str, Any]]:
    return [note for note in value if isinstance(note, dict)] if isinstance(value, list) else []
