"""Booking a call."""

from plumbline.fixtures.checks import check
from plumbline.fixtures.client.exchange import NotApplicableError, UnmetError
from plumbline.fixtures.expect import accepted, has, has_id, has_instant, has_none_of, has_nothing
from plumbline.fixtures.judge import Judge
from plumbline.fixtures.stories.bookings import BookingStory
from plumbline.fixtures.values import same_id
from plumbline.fixtures.world import World
from plumbline.spec import catalogue


@check("CALL-01", "CALL-02", "CALL-03", "CALL-04", tier="smoke", cost=0)
def test_an_offered_slot_can_be_booked(judge: Judge, world: World) -> None:
    """A plain booking of a slot that availability offers, with its start in UTC.

    > A valid booking of an offered slot MUST create a call on the given booking link at the given start. A fresh booking MUST
    > have `has_analysis` false and `ai_summary` null, and MUST NOT carry one of the nine outcome statuses.
    """
    booked, body = world.shared_call, world.shared_booking
    at_its_place = has_id("/data/booking_link_id", world.booking_link), has_instant("/data/scheduled_at", body["start_time"])
    judge("CALL-01", booked, accepted, *at_its_place)
    _ = booked.data
    judge("CALL-02", booked, has("/data/has_analysis", value=False))
    judge("CALL-03", booked, has_nothing("/data/ai_summary"))
    judge("CALL-04", booked, has_none_of("/data/status", frozenset(catalogue().enumerations["call-status"])))


@check("CALL-05", "CALL-10", "CALL-22", tier="smoke", cost=0)
def test_optional_inputs_are_accepted(judge: Judge, booking_story: BookingStory) -> None:
    """A start with an offset, a `utm_term` of 255 characters, a host that the slot offers.

    > A `start_time` with an offset MUST be taken as that instant. A `utm_*` value of 255 characters MUST be accepted. A
    > `closer_email` of a host that the slot offers MUST be accepted.
    """
    pack = booking_story.pack
    with_offset = pack.of("CALL-05")
    start = booking_story.sent[with_offset.id][0]["start_time"]
    judge("CALL-05", with_offset, accepted, has_instant("/data/scheduled_at", start))
    judge("CALL-10", pack.of("CALL-10"), accepted)
    judge("CALL-22", pack.of("CALL-22"), accepted)


@check("CALL-08", "CALL-09", tier="smoke", cost=0)
def test_attribution_is_recorded(judge: Judge, booking_story: BookingStory) -> None:
    """A first booking of a new guest with `utm_*` values, and the lead that it created.

    > `utm_*` values of a booking MUST be recorded on the call, and on the lead that it creates.
    """
    utm = booking_story.utm
    judge("CALL-08", booking_story.pack.of("CALL-08"), *(has(f"/data/{name}", value) for name, value in utm.items()))
    sent, _ = booking_story.sent[booking_story.booked.id]
    given = {name: value for name, value in sent.items() if name in utm}
    if not given:
        raise NotApplicableError("no booking with attribution was accepted")
    judge("CALL-09", booking_story.lead_read, *(has(f"/data/source/{name}", value) for name, value in given.items()))


@check("CALL-06", tier="smoke", cost=0)
def test_a_new_guest_becomes_a_lead(judge: Judge, booking_story: BookingStory) -> None:
    """A booking for an email that the organization has never seen.

    > A booking MUST create a lead for a guest email that is new to the organization, with the email and name of the guest.
    """
    guest = booking_story.guest
    judge("CALL-06", booking_story.lead_read, has("/data/email", guest.email), has("/data/full_name", guest.name))


@check("CALL-07", tier="smoke", cost=0)
def test_a_known_guest_keeps_the_lead(judge: Judge, booking_story: BookingStory) -> None:
    """A second booking by the same guest.

    > A booking with a guest email that the organization already knows MUST use that lead.
    """
    judge("CALL-07", booking_story.booked_again, accepted, has_id("/data/lead_id", booking_story.lead))


@check("CALL-50", "CALL-51", tier="smoke", cost=0)
def test_a_repeated_key_returns_the_first_call(judge: Judge, booking_story: BookingStory) -> None:
    """The first booking sent once more with its idempotency key, then a second booking, then the calls of the lead.

    > A repeated `Idempotency-Key` with the same body MUST return the call that was created first, and MUST NOT book a second.
    """
    judge("CALL-50", booking_story.replayed, accepted, has_id("/data/id", booking_story.call))
    known = {booking_story.call.lower(), booking_story.booked_again.id_of_data.lower()}
    listed = booking_story.calls_of_lead
    surplus = [row.get("id") for row in listed.rows if str(row.get("id")).lower() not in known]
    judge.that(
        "CALL-51", not surplus, listed, expected=f"the {len(known)} calls that were booked", received=f"further calls {surplus}"
    )


@check("CALL-51", cost=4)
def test_a_repeated_key_books_nothing(judge: Judge, world: World) -> None:
    """A booking that is repeated with its idempotency key, for a slot with as many free hosts as can be found.

    > A repeated `Idempotency-Key` MUST NOT book a second call.
    """
    body, key = world.booking(world.take_slot(fresh=True, many_hosts=True)), {"Idempotency-Key": world.people.token()}
    first = world.api.post("/v1/calls", body, headers=key)
    lead = world.lead_of(first)
    world.api.post("/v1/calls", body, headers=key)
    listed = world.api.get("/v1/calls", lead_id=lead, limit=100)
    surplus = [row.get("id") for row in listed.rows if not same_id(row.get("id"), first.id_of_data)]
    judge.that("CALL-51", not surplus, listed, expected="one call", received=f"further calls {surplus}", where="/data")


@check("CALL-45", "CALL-46", "CALL-47", tier="smoke", cost=0)
def test_answers_can_be_read_back(judge: Judge, booking_story: BookingStory) -> None:
    """A booking with answers to the custom questions of its link.

    > The answers of a booking MUST list each custom answer that was given with its value, with the label of the field of the
    > booking link, and MUST leave out the name, email and phone fields.
    """
    sent, _ = booking_story.sent[booking_story.booked.id]
    fields = {field["id"]: field for field in booking_story.world.custom_fields}
    given = {name: value for name, value in sent.get("answers", {}).items() if name in fields}
    listed = booking_story.answers
    if not isinstance(listed.at("/data/answers"), list):
        raise UnmetError("the answers are no array")
    rows = [row for row in listed.at("/data/answers") if isinstance(row, dict)]
    contact = [row for row in rows if _is_contact(row, booking_story)]
    judge.that("CALL-47", not contact, listed, expected="no name, email or phone", received=contact, where="/data/answers")
    if not given:
        raise NotApplicableError(
            "the form of the booking link asks no custom question", "use a booking link with a custom question"
        )
    found = {row.get("field_id"): row for row in rows}
    for name, value in given.items():
        answer = found.get(name, {}).get("value")
        judge.that(
            "CALL-45",
            _says(answer, value),
            listed,
            expected=f"{value!r} for the field {name}",
            received=answer,
            where="/data/answers",
        )
        if name in found and isinstance(fields[name].get("label"), str):
            label = found[name].get("label")
            judge.that(
                "CALL-46",
                label == fields[name]["label"],
                listed,
                expected=fields[name]["label"],
                received=label,
                where="/data/answers",
            )
    if not found:
        raise NotApplicableError("no answer is listed whose label could be judged")


def _says(answer: object, value: object) -> bool:
    """Whether an answer holds a value, alone or as the one member of a list, or several in one text: the type is open."""
    if isinstance(value, list) and len(value) > 1:
        return all(each in answer for each in value) if isinstance(answer, str | list) else False
    unpacked = [each[0] if isinstance(each, list) and len(each) == 1 else each for each in (answer, value)]
    return unpacked[0] == unpacked[1] or str(unpacked[0]) == str(unpacked[1])


def _is_contact(row: dict[str, object], story: BookingStory) -> bool:
    built_in = {field["id"] for field in story.world.fields if field.get("kind") == "default"}
    return row.get("field_id") in built_in or row.get("value") in (story.guest.email, story.guest.name)


@check("CALL-44", "CALL-48", cost=3)
def test_answers_of_a_call_without_form_are_empty(judge: Judge, world: World) -> None:
    """A call whose form data is empty: one of this run, or one that the calls list shows.

    > `GET /v1/calls/{id}/answers` MUST return an array under `data.answers`. The answers of a call without form data MUST be an
    > empty array.
    """
    answered = world.api.get("/v1/calls/{id}/answers", id=world.shared_call.id_of_data)
    judge("CALL-44", answered, accepted)
    judge.that(
        "CALL-44",
        isinstance(answered.at("/data/answers"), list),
        answered,
        expected="an array",
        received=answered.at("/data/answers"),
        where="/data/answers",
    )
    if "answers" not in world.shared_booking:
        bare = answered
    else:
        rows = world.api.get("/v1/calls", limit=100).rows
        empty = next(
            (row["id"] for row in rows if row.get("form_data", "unknown") in ([], None) and isinstance(row.get("id"), str)), None
        )
        if empty is None:
            raise NotApplicableError("no call without form data is in sight", "use a booking link without required questions")
        bare = world.api.get("/v1/calls/{id}/answers", id=empty)
    judge.that(
        "CALL-48",
        bare.ok and bare.at("/data/answers") == [],
        bare,
        expected="[]",
        received=bare.at("/data/answers"),
        where="/data/answers",
    )


@check("CALL-65", cost=2)
def test_a_review_can_be_read(judge: Judge, world: World) -> None:
    """A call of the deployment that has an AI review.

    > The AI review MUST be available from the analysis endpoint once `has_analysis` is true.
    """
    rows = world.api.get("/v1/calls", limit=100).rows
    reviewed = next((row["id"] for row in rows if row.get("has_analysis") is True and isinstance(row.get("id"), str)), None)
    if reviewed is None:
        raise NotApplicableError("none of the first 100 calls has an AI review", "use an organization with a reviewed call")
    judge("CALL-65", world.api.get("/v1/calls/{id}/analysis", id=reviewed), accepted)


@check("CALL-26", tier="smoke", cost=0)
def test_calls_of_a_lead(judge: Judge, booking_story: BookingStory) -> None:
    """The calls of a guest who has booked twice.

    > The `lead_id` filter of the calls list MUST yield only calls of that lead, and all of them.
    """
    listed = booking_story.calls_of_lead
    strangers = [
        row.get("lead_id") for row in listed.rows if row.get("lead_id") and not same_id(row["lead_id"], booking_story.lead)
    ]
    ids = {str(row.get("id")).lower() for row in listed.rows}
    missing = [each for each in (booking_story.call, booking_story.booked_again.id_of_data) if each.lower() not in ids]
    judge.that(
        "CALL-26",
        not strangers,
        listed,
        expected=f"only calls of the lead {booking_story.lead}",
        received=f"calls of {strangers[:3]}",
    )
    judge.that("CALL-26", not missing, listed, expected="every call of the lead", received=f"a list without {missing}")
