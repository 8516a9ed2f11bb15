"""Notes, outcomes and rescheduling of a call."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

import pytest

from plumbline.fixtures.http.exchange import Exchange, NotApplicableError
from plumbline.fixtures.judging.completeness import leaves_nothing_out
from plumbline.fixtures.judging.judge import Judge
from plumbline.fixtures.judging.matchers import (
    accepted,
    answered,
    any_of,
    finds_all,
    finds_none,
    has,
    has_instant,
    has_none_of,
    refused,
    resting_on,
    still_has,
)
from plumbline.fixtures.judging.mismatch import Step
from plumbline.fixtures.judging.model.keeping import changed, known_after, leaves_alone
from plumbline.fixtures.judging.statuses import ONLY_BY_PATCH, call_statuses
from plumbline.fixtures.judging.values_as_text import as_json, shown
from plumbline.fixtures.scenarios.builders import Builders, Move
from plumbline.fixtures.scenarios.mark import check
from plumbline.fixtures.scenarios.shared.booking_scenario import CallScenario
from plumbline.fixtures.scenarios.shared.host_scenario import of_another_host
from plumbline.fixtures.scenarios.shared.stage_scenario import AHEAD, MAYBE_ACTIVE, stages_of
from plumbline.spec.comparing import instant, iso, same, same_id, same_instant

OTHER_WEEKS = (0, 1, 3)
"""Weeks from one time without slots to others; another day of the week may have slots then."""
YEARS_AHEAD = timedelta(weeks=13 * 52)
"""Whole weeks, after which 32 bits do not hold the seconds since 1970."""
SOON_MINUTES = 10
"""Minutes ahead, less than any usual notice, of a time to which a call is moved."""
CLOCK_MARGIN = timedelta(minutes=1)
"""How near to now a call may be scheduled and still count as either side of it."""
NEAR_MINUTES = 5
"""Minutes by which a call is moved to a time that overlaps its own; less than any call lasts."""
NOTE, END = "PATCH /v1/calls/{id}", "POST /v1/calls/{id}/outcome"
WRONG: tuple[tuple[tuple[str, str, dict[str, Any]], ...], ...] = (
    (("CALL-33", NOTE, {"status": "canceled"}), ("CALL-33", NOTE, {"notes": {"text": "x"}})),
    (
        ("CALL-33", NOTE, {"status": ["shown"]}),
        ("CALL-33", NOTE, {"status": "shown", "notes": {"text": "x"}}),
    ),
    (
        ("CALL-36", END, {}),
        ("CALL-36", END, {"status": "won"}),
        ("CALL-36", END, {"notes": "no status"}),
        ("CALL-36", END, {"status": {"is": "shown"}}),
    ),
    (
        ("CALL-67", END, {"status": "shown", "notes": {"text": "x"}}),
        ("CALL-35", END, {"status": "unfit", "notes": "sorted out"}),
    ),
)
"""What a call must not take, by the status in which it is tried: requirement, operation and
body.
"""


class Tried(NamedTuple):
    """A change that must be refused: the requirement, what was sent, and the answer."""

    requirement: str
    body: dict[str, Any]
    exchange: Exchange

    def is_in(self, call: dict[str, Any]) -> bool:
        """Whether a call has a status or notes that it would have set."""
        return any(
            name in self.body and same(call.get(name), self.body[name])
            for name in ("status", "notes")
        )


@check("CALL-31")
def test_notes_change_alone(judge: Judge, call_scenario: CallScenario) -> None:
    """A PATCH of the notes of a fresh booking; they may be refused for their length, but not cut.

    > `PATCH /v1/calls/{id}` MUST set `notes` and change nothing else.
    """
    noted = call_scenario.noted()
    judge("CALL-31", noted, has("/data/notes", call_scenario.notes))
    if not call_scenario.unfit_tried().ok:
        before = call_scenario.booked().data
        judge("CALL-31", noted, leaves_alone(before))
        judge("CALL-31", noted, leaves_nothing_out("Call", before))


@check("CALL-31")
def test_notes_do_not_begin_a_call(judge: Judge, call_scenario: CallScenario) -> None:
    """The status in the answers to a booking and to a PATCH of its notes, neither of them one of
    the nine.

    A service may have several words for an active call (CALL-O01). Whether it has shows in the
    list, once the call is revived.

    > `PATCH /v1/calls/{id}` MUST set `notes` and change nothing else.
    """
    noted, status = call_scenario.noted(), call_scenario.booked().data.get("status")
    if call_scenario.after_moves().get("status") != status:
        raise NotApplicableError("the deployment has several words for an active call")
    judge("CALL-31", noted, still_has("/data/status", status))


@check("CALL-35")
def test_unfit_is_no_outcome(judge: Judge, call_scenario: CallScenario) -> None:
    """An outcome of `unfit`, and the call as the next PATCH returns it.

    > An outcome of `unfit` MUST be refused and leave the call unchanged.
    """
    judge("CALL-35", call_scenario.unfit_tried(), refused)
    status = call_scenario.noted().data.get("status")
    judge.that(
        "CALL-35",
        status != "unfit",
        call_scenario.unfit_tried(),
        expected="a call that is not `unfit`",
        received=shown(status),
        where="status",
    )


@check("CALL-08", "CALL-34", "CALL-37")
def test_an_outcome_is_stored(judge: Judge, call_scenario: CallScenario) -> None:
    """An outcome of `cancelled` with notes; they may be refused for their length, but not cut.

    > An outcome with one of its eight statuses MUST set exactly that status, or be refused and
    > leave the call unchanged. The `notes` of an accepted outcome MUST be stored on the call.
    > `utm_*` values of a booking MUST be recorded on the call.
    """
    cancelled = call_scenario.cancelled()
    if not cancelled.ok:
        judge("CALL-34", cancelled, refused)
        raise NotApplicableError("the outcome was refused")
    judge("CALL-34", cancelled, has("/data/status", "cancelled"))
    judge("CALL-37", cancelled, has("/data/notes", call_scenario.outcome_notes))
    booked = call_scenario.booked().data
    kept = {name: value for name, value in call_scenario.utm.items() if booked.get(name) == value}
    judge("CALL-08", cancelled, *(has(f"/data/{name}", value) for name, value in kept.items()))


def judge_moved(judge: Judge, move: Move, *requirements: str) -> None:
    """Judge that a reschedule to a free slot was accepted; a conflict breaks nothing where the host
    may have been busy.
    """
    if move.exchange.ok or move.surely_free or move.exchange.status not in {409, 422}:
        for requirement in requirements:
            judge(requirement, move.exchange, accepted)
        return
    for requirement in requirements:
        judge.not_applicable(
            requirement, "no slot was found at which the host of the call was surely free"
        )


@check("CALL-18", "CALL-38", "CALL-39", "CALL-42")
def test_a_cancelled_call_is_revived(judge: Judge, call_scenario: CallScenario) -> None:
    """A cancelled call is moved to a free slot; the time is written with an offset, and all else
    stays. Then somebody books its new time with a wish for its host.

    > A reschedule to a future slot that is free MUST be accepted. An accepted reschedule MUST move
    > `scheduled_at` to the given instant. A reschedule MUST revive a cancelled call as an active
    > booking at the new time, and leave an active one active. A slot that was taken meanwhile MUST
    > be answered with 409 `SLOT_UNAVAILABLE` or 422 `EXTERNAL_API_ERROR`.
    """
    revived = call_scenario.revived()
    judge_moved(
        judge,
        call_scenario.revival(),
        "CALL-39",
        *(["CALL-42"] if call_scenario.cancelled().ok else []),
    )
    _ = revived.data
    judge("CALL-38", revived, has_instant("/data/scheduled_at", call_scenario.revival().start))
    booked, decided = call_scenario.booked().data, call_scenario.cancelled()
    before = known_after(booked, decided) if decided.ok else booked
    judge("CALL-38", revived, leaves_alone(before))
    if booked.get("form_data") and revived.data.get("form_data") is not None:
        kept = revived.data["form_data"]
        judge.that(
            "CALL-38",
            bool(kept),
            revived,
            expected="the answers as before",
            received=kept,
            where="/data/form_data",
        )
    if call_scenario.cancelled().ok:
        _judge_active(judge, call_scenario.build, revived, call_scenario.lead())
    host, onto = revived.at("/data/closer_id"), call_scenario.booked_onto()
    there = same_instant(revived.at("/data/scheduled_at"), call_scenario.revival().start)
    if there and isinstance(host, str) and same_id(host, booked.get("closer_id")):
        once = resting_on([Step(revived)], of_another_host(host))
        judge("CALL-18", onto, once if onto.ok else refused)
    else:
        judge.not_applicable("CALL-18", "the call is not there, or nobody knows with which host")


@check("CALL-40")
def test_a_call_cannot_move_into_the_past(judge: Judge, call_scenario: CallScenario) -> None:
    """A reschedule to little more than a minute ago, of a cancelled call and of an active one.

    > A reschedule to an instant that is not in the future MUST be refused and leave the call
    > unchanged.
    """
    judge("CALL-40", call_scenario.moved_back_while_cancelled(), refused)
    judge("CALL-40", call_scenario.moved_back_in_time(), refused)


@check("CALL-38", "CALL-40")
def test_moves_show_in_the_list(judge: Judge, call_scenario: CallScenario) -> None:
    """A call that was moved to a free slot, then refused a move to a time just past, as the list
    shows it afterwards.

    > An accepted reschedule MUST move `scheduled_at` to the given instant. A reschedule to an
    > instant that is not in the future MUST be refused and leave the call unchanged.
    """
    _ = call_scenario.revived().data
    at = instant(call_scenario.after_moves().get("scheduled_at"))
    went_back = at is not None and at < datetime.now(UTC)
    tried, moved = call_scenario.moved_back_in_time(), call_scenario.revived()
    judge.that(
        "CALL-40",
        not went_back,
        tried,
        expected="a call that has not moved into the past",
        received=str(at),
        where="scheduled_at",
    )
    if not went_back:
        judge.that(
            "CALL-38",
            at == instant(call_scenario.revival().start),
            moved,
            expected=call_scenario.revival().start,
            received=str(at),
            where="scheduled_at",
        )


@check("CALL-41")
@pytest.mark.parametrize(
    "body",
    [{}, {"scheduled_at": "next Tuesday"}, {"scheduled_at": {"at": 1}}],
    ids=["empty", "words", "object"],
)
def test_a_reschedule_needs_a_time(
    judge: Judge, call_scenario: CallScenario, body: dict[str, Any]
) -> None:
    """A reschedule without a usable time.

    > A reschedule without `scheduled_at`, or with one that is not a date-time, MUST be refused.
    """
    judge(
        "CALL-41",
        call_scenario.build.api.post("/v1/calls/{id}/reschedule", body, id=call_scenario.call()),
        refused,
    )


@check("CALL-29", "CALL-38", "CALL-39", "CALL-42", "CALL-43", "OPP-10")
def test_a_reschedule_ignores_opening_hours(judge: Judge, build: Builders) -> None:
    """A booked call is moved to a time of the week without slots, far beyond every horizon, with
    every other seed beyond the year 2038 unless the provider of the calendar does not go so far, to
    very soon, and back again.

    In between it is moved by a few minutes, to a time that overlaps its own. Far ahead and very
    soon it is looked for among the upcoming calls, and very soon for its stage as well. The move
    there names a zone of three parts. A host may be busy at one of these times, but not at all of
    them, so others are tried. Before it moves back it is cancelled by PATCH, with every other seed.

    > A reschedule to a future slot that is free MUST be accepted, and MUST revive a cancelled call
    > and leave an active one active. A reschedule MUST NOT be refused for the availability rules of
    > the link; only a conflict is refused, with 422. `is_upcoming` MUST yield only calls scheduled
    > after now when `true` and before now when `false`. A lead with an active future booking MUST
    > be at stage `booked`, or `confirmed` when the guest accepted.
    """
    call = build.book(hosted=True)
    nights = [build.off_hours() + timedelta(weeks=weeks) for weeks in OTHER_WEEKS]
    if build.session.settings.seed % 2 == 0:
        nights[0] += YEARS_AHEAD
    moved, night = _move_to_any(
        judge,
        build,
        call.id_of_data,
        nights,
        "a reschedule to a time without slots at which the host is free",
    )
    if moved.ok:
        near = [night + timedelta(minutes=minutes) for minutes in (NEAR_MINUTES, -NEAR_MINUTES)]
        _move_to_any(
            judge,
            build,
            call.id_of_data,
            near,
            "a reschedule to a time that overlaps with no call but itself",
        )
        _judge_upcoming(judge, build, call, "the call, however far ahead", until=iso(night))
    soon = iso(build.ago(minutes=-SOON_MINUTES).replace(second=30, microsecond=0))
    at_once = {"scheduled_at": soon, "timezone": build.sample_data.long_zone()}
    moved_up = build.api.post("/v1/calls/{id}/reschedule", at_once, id=call.id_of_data)
    judge("CALL-43", moved_up, any_of(accepted, answered(422, "EXTERNAL_API_ERROR")))
    if moved_up.ok:
        judge("CALL-38", moved_up, has_instant("/data/scheduled_at", soon))
        _judge_upcoming(judge, build, call, "the call, however soon", until=soon)
        _judge_booked(judge, build, build.lead_of(call), until=soon)
    else:
        judge.not_applicable("CALL-38", "the host is busy very soon")
    if build.session.settings.seed % 2 == 0:
        build.api.patch("/v1/calls/{id}", {"status": "cancelled"}, id=call.id_of_data)
    again = build.move_back(call.id_of_data, call)
    judge_moved(judge, again, "CALL-39")
    accepted_moves = [move for move in (moved, again.exchange) if move.ok]
    if not accepted_moves:
        raise NotApplicableError("both reschedules were refused")
    for move in accepted_moves:
        _judge_active(judge, build, move, build.lead_of(call))


def _judge_upcoming(
    judge: Judge, build: Builders, call: Exchange, expected: str, *, until: str
) -> None:
    """Judge that the calls of a lead which are upcoming hold one, unless its time has come."""
    upcoming = build.api.get(
        "/v1/calls", lead_id=build.lead_of(call), is_upcoming="true", limit=100
    )
    if _is_before(upcoming, until):
        judge("CALL-29", upcoming, finds_all(upcoming.ids, [call.id_of_data.lower()], expected))


def _judge_booked(judge: Judge, build: Builders, lead: str, *, until: str) -> None:
    """Judge that a lead with one call is at the stage of a booking, unless its time has come."""
    deals = build.api.get("/v1/opportunities", lead_id=lead, limit=100)
    stages = stages_of(deals)
    if _is_before(deals, until):
        judge.that(
            "OPP-10",
            bool(stages) and stages <= AHEAD,
            deals,
            expected=f"stage {' or '.join(sorted(AHEAD))}, of the call at {until}",
            received=f"stages {as_json(sorted(stages))}",
            where="/data",
        )


def _is_before(answer: Exchange, time: str) -> bool:
    """Whether an answer came safely before a time."""
    start = instant(time)
    return start is not None and (
        datetime.fromtimestamp(answer.answered_at, UTC) < start - CLOCK_MARGIN
    )


def _move_to_any(
    judge: Judge, build: Builders, call: str, starts: Sequence[datetime], expected: str
) -> tuple[Exchange, datetime]:
    """Move a call to the first of some times at which there is no conflict, and judge that one of
    them is `expected`.
    """
    for start in starts:
        moved = build.api.post("/v1/calls/{id}/reschedule", {"scheduled_at": iso(start)}, id=call)
        judge("CALL-43", moved, any_of(accepted, answered(422, "EXTERNAL_API_ERROR")))
        if moved.ok:
            judge("CALL-38", moved, has_instant("/data/scheduled_at", iso(start)))
        if moved.status != 422:
            break
    received = f"422 at each of {len(starts)} such times" if moved.status == 422 else "no conflict"
    judge.that("CALL-43", moved.status != 422, moved, expected=expected, received=received)
    return moved, start


def _judge_active(judge: Judge, build: Builders, moved: Exchange, lead: str) -> None:
    """Judge that a call is active after a reschedule.

    What its status says then is open, but it cannot be `cancelled`. Where it is another of the
    nine, the opportunity decides.
    """
    status, stage = moved.at("/data/status"), None
    if status in call_statuses():
        listed = build.api.get("/v1/opportunities", lead_id=lead, limit=100)
        stage = next(
            (row.get("stage") for row in listed.rows if isinstance(row.get("stage"), str)), None
        )
    ahead = stage in AHEAD or (
        stage is None and (status == MAYBE_ACTIVE or status not in call_statuses())
    )
    received = f"status {status}, stage {stage}" if stage else f"status {status}"
    holds = ahead and status != "cancelled"
    judge.that(
        "CALL-42",
        holds,
        moved,
        expected="an active booking",
        received=received,
        where="/data/status",
    )


@check("CALL-31", "CALL-32", "CALL-33", "CALL-35", "CALL-36", "CALL-67")
def test_wrong_changes_are_refused(judge: Judge, second_org: Builders) -> None:
    """A call goes through four of the nine statuses, others by seed. In each it takes notes, then
    what it must not take.

    Notes are short, long or empty, alone or beside the status. Wrong is a status with another
    spelling, a stage in its place, `unfit` as an outcome, a wrong type, also beside a right status,
    or no status at all.

    > `PATCH /v1/calls/{id}` MUST set `notes` and change nothing else; with an unknown status, or
    > `notes` of a wrong type, it MUST be refused and leave the call unchanged. An outcome without
    > `status`, with an unknown one, or with `notes` that are no string MUST be refused and leave it
    > unchanged.
    """
    build = second_org
    booked, seed = build.book(), build.session.settings.seed
    before, lead = booked.data, build.lead_of(booked)
    texts = (build.sample_data.remark(), build.sample_data.remark(), "", build.sample_data.words())
    kept = True
    for number, (notes, wrong) in enumerate(zip(texts, WRONG, strict=True)):
        status = call_statuses()[(len(WRONG) * seed + number) % len(call_statuses())]
        before = before | _brought_to(
            judge, build, before if kept else before | {"notes": None}, status, number
        )
        noted = build.api.patch("/v1/calls/{id}", {"notes": notes}, id=booked.id_of_data)
        kept = _judge_notes(judge, noted, notes, before)
        before = (
            before | (_as_set(noted.data) if noted.ok else {})
            if kept
            else build.call(booked.id_of_data, lead)
        )
        tried = [
            Tried(requirement, body, _sent(build, before, operation, body))
            for requirement, operation, body in (
                (*change[:2], _unlike(change[2], before.get("status"))) for change in wrong
            )
        ]
        for trial in tried:
            judge(trial.requirement, trial.exchange, refused)
        after = build.call(booked.id_of_data, lead)
        listed = _judge_unchanged(judge, noted, tried, before, after)
        before = after if listed else after | {"notes": None}


def _as_set(call: dict[str, Any]) -> dict[str, Any]:
    """What an answer shows of that what a PATCH can set; the rest is looked at in the list."""
    return {name: call[name] for name in ("status", "notes") if name in call}


def _unlike(body: dict[str, Any], status: object) -> dict[str, Any]:
    """The same body with another status in place of the one that the call has, unless no outcome
    may have it.
    """
    return body | {"status": "closed"} if body.get("status") == status != ONLY_BY_PATCH else body


def _sent(build: Builders, call: dict[str, Any], operation: str, body: dict[str, Any]) -> Exchange:
    method, path = operation.split(" ")
    return build.api.request(method, path, id=call["id"], json_body=body)


def _brought_to(
    judge: Judge, build: Builders, call: dict[str, Any], status: str, number: int
) -> dict[str, Any]:
    """Give a call a status: the first one as an outcome, the second one beside notes, the others
    alone; what it shows then.
    """
    body = {"status": status} | ({"notes": build.sample_data.words()} if number < 2 else {})
    if number == 0 and status != "unfit":
        decided = build.outcome(call["id"], **body)
        return _as_set(decided.data) if decided.ok else {}
    changed = build.api.patch("/v1/calls/{id}", body, id=call["id"])
    if not changed.ok:
        judge("CALL-32", changed, refused)
        return {}
    # What was stored is kept; whether that is what was sent is CALL-31.
    stored = call.get("notes")
    kept = [still_has("/data/notes", stored)] if stored and "notes" not in body else []
    judge("CALL-32", changed, has("/data/status", status), *kept)
    return _as_set(changed.data)


def _judge_notes(judge: Judge, noted: Exchange, notes: str, before: dict[str, Any]) -> bool:
    """Judge that a PATCH of nothing but notes stores them, and leaves the status; empty ones may be
    refused, and be null.
    """
    if not notes and not noted.ok:
        return True
    stored = (
        has("/data/notes", notes)
        if notes
        else has_none_of("/data/notes", frozenset({before.get("notes") or "none"}))
    )
    kept = (
        [has("/data/status", before["status"])] if before.get("status") in call_statuses() else []
    )
    return judge("CALL-31", noted, stored, *kept)


def _judge_unchanged(
    judge: Judge,
    noted: Exchange,
    tried: Sequence[Tried],
    before: dict[str, Any],
    after: dict[str, Any],
) -> bool:
    """Judge that a call is in the list as it was in the answer before what was refused; returns
    whether its notes are.

    Notes that none of the refused requests carried were not stored; for all else one is blamed that
    was accepted, or whose words the call has.
    """
    unlike = changed("call", before, after)
    said = any(
        trial.exchange.ok or trial.body.get("notes") == after.get("notes") for trial in tried
    )
    unstored = unlike == ["notes"] and not said
    judge(
        "CALL-31",
        noted,
        finds_none(unlike if unstored else [], "the notes in the list", "/data/notes"),
    )
    likely = (
        [trial for trial in tried if trial.exchange.ok]
        or [trial for trial in tried if trial.is_in(after)]
        or tried
    )
    for trial in {trial.requirement: trial for trial in (*tried, likely[-1])}.values():
        blamed = unlike if trial.requirement == likely[-1].requirement and not unstored else []
        judge(trial.requirement, trial.exchange, finds_none(blamed, "no change of the call", ""))
    return not unstored
