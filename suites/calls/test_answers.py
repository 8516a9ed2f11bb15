"""What guests answered on the form of a booking link."""

import json
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

from plumbline.fixtures.http.exchange import Exchange, NotApplicableError, PreconditionNotMet
from plumbline.fixtures.judging.judge import Judge
from plumbline.fixtures.judging.matchers import finds_none, has, has_kind
from plumbline.fixtures.judging.values_as_text import as_json
from plumbline.fixtures.scenarios.builders import Builders
from plumbline.fixtures.scenarios.mark import check
from plumbline.fixtures.scenarios.shared.booking_scenario import BookingScenario, CallScenario
from plumbline.fixtures.scenarios.shared.list_scenario import ListScenario
from plumbline.spec import catalogue
from plumbline.spec.comparing import is_old, same_id

NOTHING: tuple[Any, ...] = (None, "", [])
"""Values of questions without an answer; they need not be listed."""
MAX_CALLS_READ = 3
"""Calls of the deployment whose answers are read: services store them in more than one format."""


@check("CALL-45", "CALL-46", "CALL-47", main=True)
def test_answers_can_be_read_back(judge: Judge, booking_scenario: BookingScenario) -> None:
    """A booking with answers to the custom questions of its link.

    > The answers of a booking MUST list each custom answer that was given with its value and the
    > type that the form names, with the label of the field of the booking link, and MUST leave out
    > the name, email and phone fields.
    """
    sent, _ = booking_scenario.sent[booking_scenario.booked().id]
    fields = {field["id"]: field for field in booking_scenario.build.custom_fields()}
    given = {name: value for name, value in sent.get("answers", {}).items() if name in fields}
    listed = booking_scenario.answers()
    rows = _rows(listed)
    contact = [row for row in rows if _is_contact(row, booking_scenario)]
    judge("CALL-47", listed, finds_none(contact, "no name, email or phone", "/data/answers"))
    if not given:
        raise NotApplicableError(
            "the form of the booking link asks no custom question",
            "use a booking link with a custom question",
        )
    _judge_listed(judge, listed, given, "")
    _judge_enriched(judge, listed, {name: fields[name] for name in given})
    if not given.keys() & _by_field(listed).keys():
        raise NotApplicableError("no answer is listed whose label could be judged")


@check("CALL-45", main=True)
def test_answers_outlive_changes(judge: Judge, call_scenario: CallScenario) -> None:
    """The answers of a call that was cancelled and rescheduled.

    > The answers of a booking MUST list each custom answer that was given with its value.
    """
    custom = {field["id"] for field in call_scenario.build.custom_fields()}
    sent = json.loads(call_scenario.booked().request_body or b"{}").get("answers", {})
    given = {name: value for name, value in sent.items() if name in custom}
    if not given:
        raise NotApplicableError(
            "the form of the booking link has no required custom question",
            "use a booking link with one",
        )
    listed = call_scenario.answers_at_last()
    _judge_listed(judge, listed, given, "")


def _judge_listed(judge: Judge, listed: Exchange, given: Mapping[str, Any], why: str) -> None:
    """Judge that answers are listed with their values."""
    answers = _by_field(listed)
    for name, value in given.items():
        answer, expected = (
            answers.get(name, {}).get("value"),
            f"{as_json(value)} for the field {name}{why}",
        )
        judge.that(
            "CALL-45",
            _says(answer, value),
            listed,
            expected=expected,
            received=answer,
            where="/data/answers",
        )


def _rows(listed: Exchange) -> list[dict[str, Any]]:
    """The answers that an exchange lists."""
    rows = listed.at("/data/answers")
    if not isinstance(rows, list):
        raise PreconditionNotMet("the answers are no array")
    return [row for row in rows if isinstance(row, dict)]


def _by_field(listed: Exchange) -> dict[str, dict[str, Any]]:
    """The answers that an exchange lists, by the id of their field."""
    return {row["field_id"]: row for row in _rows(listed) if isinstance(row.get("field_id"), str)}


def _says(answer: object, value: object) -> bool:
    """Whether an answer holds a value, alone or as the one member of a list, or several in one
    text: the type is open.
    """
    if isinstance(value, list) and len(value) > 1:
        return (
            all(member in answer for member in value) if isinstance(answer, str | list) else False
        )
    unpacked = [
        member[0] if isinstance(member, list) and len(member) == 1 else member
        for member in (answer, value)
    ]
    return unpacked[0] == unpacked[1] or str(unpacked[0]) == str(unpacked[1])


def _is_contact(row: dict[str, object], scenario: BookingScenario) -> bool:
    built_in = {field["id"] for field in scenario.build.fields() if field.get("kind") == "default"}
    return row.get("field_id") in built_in or row.get("value") in (
        scenario.guest.email,
        scenario.guest.name,
    )


@check("CALL-44", "CALL-48")
def test_answers_of_a_call_without_form_are_empty(
    judge: Judge, build: Builders, list_scenario: ListScenario
) -> None:
    """A call whose form data is empty: one of this run, or one that the calls list shows.

    > `GET /v1/calls/{id}/answers` MUST return an array under `data.answers`. The answers of a call
    > without form data MUST be an empty array.
    """
    answered = build.api.get("/v1/calls/{id}/answers", id=build.shared_call().id_of_data)
    judge("CALL-44", answered, has_kind("/data/answers", list, "an array"))
    if "answers" not in build.shared_booking:
        bare = answered
    else:
        rows = list_scenario.calls().rows + list_scenario.past_calls().rows
        empty = next(
            (
                row["id"]
                for row in rows
                if row.get("form_data", "unknown") in ([], None) and isinstance(row.get("id"), str)
            ),
            None,
        )
        if empty is None:
            raise NotApplicableError(
                "no call without form data is in sight",
                "use a booking link without required questions",
            )
        bare = build.api.get("/v1/calls/{id}/answers", id=empty)
    judge("CALL-48", bare, has("/data/answers", []))


@check("CALL-45", "CALL-46", "CALL-47", main=True)
def test_answers_of_earlier_calls(
    judge: Judge, build: Builders, list_scenario: ListScenario
) -> None:
    """Calls whose `form_data` holds custom answers, of each look that it has; those from before the
    run, if there are any.

    One of them begins when another one with other answers does, if there are such calls; if it can
    be, both were booked in this run.
    A label is that of the form, or the one that was stored where the form has changed since; an id
    is neither.

    > The answers of a booking MUST list each custom answer that was given with its value and the
    > type that the form names, with the label of the field of the booking link, and MUST leave out
    > the name, email and phone fields.
    """
    custom = {field["id"]: field for field in build.custom_fields()}
    rows = list_scenario.calls().rows + list_scenario.past_calls().rows
    answered = [*{str(row["id"]): row for row in rows if _given(row, build, {*custom})}.values()]
    if not answered:
        raise NotApplicableError(
            "none of the first calls was booked with custom answers on the booking link"
        )
    old, seed = [row for row in answered if is_old(row)], build.session.settings.seed
    given = {row["id"]: _given(row, build, {*custom}) for row in answered}
    for row in [*_of_each_look(old or answered, seed), *_beside_another(answered, given)]:
        listed = build.api.get("/v1/calls/{id}/answers", id=row["id"])
        _judge_listed(judge, listed, given[row["id"]], ", as in `form_data`")
        others = [answer for answer in _rows(listed) if answer.get("field_id") not in custom]
        left = [answer for answer in others if _tells_contact(answer, _items(row), build)]
        judge("CALL-47", listed, finds_none(left, "no name, email or phone", "/data/answers"))
        stored = {item.get("field_id"): item.get("label") for item in _items(row)}
        _judge_enriched(judge, listed, custom, stored)
    for requirement in judge.forgotten():
        judge.not_applicable(requirement, "no answer is listed whose label could be judged")


def _items(row: dict[str, Any]) -> list[dict[str, Any]]:
    """What the form data of a row of the calls list holds."""
    data = row.get("form_data")
    return [item for item in data if isinstance(item, dict)] if isinstance(data, list) else []


def _beside_another(
    answered: Iterable[dict[str, Any]], given: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """A call that begins when one does that was booked before it, and whose answers no other call
    at that time has, if there is any; of the latest ones, which are likely to be of this run.
    """
    at_one_time: dict[str, list[dict[str, Any]]] = {}
    for row in sorted(answered, key=lambda row: str(row.get("created_at"))):
        at_one_time.setdefault(str(row.get("scheduled_at")), []).append(row)
    for rows in reversed(at_one_time.values()):
        answers = [given[row["id"]] for row in rows]
        for row, own in zip(rows[1:], answers[1:], strict=True):
            if answers.count(own) == 1:
                return [row]
    return []


def _judge_enriched(
    judge: Judge,
    listed: Exchange,
    fields: Mapping[str, Mapping[str, Any]],
    stored: Mapping[Any, Any] = MappingProxyType({}),
) -> None:
    """Judge that answers have the labels of the form, or those that were stored with them, and a
    type where the form has one.
    """
    answers = _by_field(listed)
    for name, field in fields.items():
        if (answer := answers.get(name)) is None:
            continue
        if isinstance(field.get("type"), str):
            kind = answer.get("type")
            judge.that(
                "CALL-45",
                bool(kind),
                listed,
                expected=f"a type for {name}",
                received=kind,
                where="/data/answers",
            )
        if isinstance(label := field.get("label"), str):
            before, shown = stored.get(name), answer.get("label")
            # An id is no label, even where it was stored as one.
            labels = {label} if before in {None, name} else {label, before}
            judge.that(
                "CALL-46",
                shown in labels,
                listed,
                expected=label,
                received=shown,
                where="/data/answers",
            )


def _tells_contact(row: Mapping[str, Any], stored: list[dict[str, Any]], build: Builders) -> bool:
    """Whether an answer is one to a built-in field, by its id or by what was stored for that field,
    in whatever format.
    """
    built_in = [field for field in build.fields() if field.get("kind") == "default"]
    names = {str(field.get(key)).lower() for field in built_in for key in ("id", "key", "label")}
    stored_values = {
        str(item.get(key)).lower(): item.get("value")
        for item in stored
        for key in ("field_id", "label")
    }
    values = [
        value for name, value in stored_values.items() if name in names and value not in NOTHING
    ]
    return (
        str(row.get("field_id")).lower() in {str(field["id"]).lower() for field in built_in}
        or row.get("value") in values
    )


def _of_each_look(rows: list[dict[str, Any]], seed: int) -> list[dict[str, Any]]:
    """A few calls of each look of their form data, which may hint at how it is stored; other
    statuses come first by seed.
    """
    statuses = catalogue().enumerations["call-status"]
    looks = dict[object, list[dict[str, Any]]]()
    for row in rows:
        items = _items(row)
        look = frozenset(
            (*sorted(item), item.get("label") == item.get("field_id")) for item in items
        )
        looks.setdefault(look, []).append(row)
    share = -(-MAX_CALLS_READ // len(looks))
    order = {
        status: (number - share * seed) % len(statuses) for number, status in enumerate(statuses)
    }

    def chosen(alike: list[dict[str, Any]]) -> list[dict[str, Any]]:
        ranked = sorted(alike, key=lambda row: order.get(str(row.get("status")), len(order)))
        of_each = {str(row.get("status")): row for row in reversed(ranked)}
        return [*sorted(of_each.values(), key=ranked.index), *ranked][:share]

    return [row for alike in looks.values() for row in chosen(alike)][:MAX_CALLS_READ]


def _given(row: dict[str, Any], build: Builders, custom: set[str]) -> dict[str, Any]:
    """The custom answers in the form data of a row of the calls list, by field id."""
    if not isinstance(row.get("id"), str) or not same_id(
        row.get("booking_link_id"), build.booking_link()
    ):
        return {}
    return {
        item["field_id"]: item["value"]
        for item in _items(row)
        if item.get("field_id") in custom and item.get("value") not in NOTHING
    }
