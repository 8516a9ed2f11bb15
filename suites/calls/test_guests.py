"""The leads that guests of bookings become or are."""

from plumbline.fixtures.http.exchange import MISSING
from plumbline.fixtures.judging.judge import Judge
from plumbline.fixtures.judging.matchers import has, has_id, has_none_of, still_has
from plumbline.fixtures.scenarios.builders import Builders
from plumbline.fixtures.scenarios.data import Guest
from plumbline.fixtures.scenarios.mark import check
from plumbline.fixtures.scenarios.shared.booking_scenario import BookingScenario
from plumbline.spec.comparing import same_id

TAGS_TO_DOTS = 4
"""Of so many seeds one tries a dot, the others a tag."""


@check("CALL-06")
def test_a_new_guest_becomes_a_lead(judge: Judge, booking_scenario: BookingScenario) -> None:
    """A booking for an email that the organization has never seen.

    > A booking MUST create a lead for a guest email that is new to the organization, with the email
    > and name of the guest.
    """
    guest = booking_scenario.guest
    judge(
        "CALL-06",
        booking_scenario.lead_read(),
        has("/data/email", guest.email),
        has("/data/full_name", guest.name),
    )


@check("CALL-07")
def test_a_known_guest_keeps_the_lead(judge: Judge, booking_scenario: BookingScenario) -> None:
    """A second booking by the same guest.

    > A booking with a guest email that the organization already knows MUST use that lead.
    """
    judge(
        "CALL-07", booking_scenario.booked_again(), has_id("/data/lead_id", booking_scenario.lead())
    )


@check("CALL-07", "CALL-06")
def test_the_address_tells_guests_apart(judge: Judge, second_org: Builders) -> None:
    """A qualified lead with notes, whose address has an apostrophe; somebody of the same name books
    from an address that is nearly the same, then the lead itself, by another name.

    Last the lead is given another address, and books from there, by its first name.

    > A booking MUST create a lead for a guest email that is new to the organization. A booking with
    > a guest email that the organization already knows MUST use that lead.
    """
    build, api, note = second_org, second_org.api, second_org.sample_data.note(3)
    lead = build.create_lead(email=f"o'{build.sample_data.guest().email}").data
    noted = api.patch("/v1/leads/{id}", {"notes": [note], "status": "qualified"}, id=lead["id"])
    other_org = build.book(Guest(lead["full_name"], _nearly(lead["email"], build)))
    owner = build.lead_of(other_org)
    build.leave(other_org)
    judge.that(
        "CALL-06",
        not same_id(owner, lead["id"]),
        other_org,
        expected="a new lead",
        received=owner,
        where="/data/lead_id",
    )
    booked = build.book(Guest(build.sample_data.guest().name, lead["email"]))
    judge("CALL-07", booked, has_id("/data/lead_id", lead["id"]))
    if booked.ok and noted.ok:
        before = (
            (pointer, noted.at(pointer))
            for pointer in ("/data/phone", "/data/company", "/data/notes/0/content")
        )
        kept = [still_has(pointer, value) for pointer, value in before if value is not MISSING]
        begun_anew = {"new"} if noted.at("/data/status") == "qualified" else set()
        judge(
            "CALL-07",
            api.get("/v1/leads/{id}", id=lead["id"]),
            *kept,
            has_none_of("/data/status", frozenset(begun_anew)),
        )
    later = build.sample_data.guest().email
    if api.patch("/v1/leads/{id}", {"email": later}, id=lead["id"]).at("/data/email") == later:
        judge(
            "CALL-07",
            build.book(Guest(lead["full_name"], later)),
            has_id("/data/lead_id", lead["id"]),
        )


def _nearly(address: str, build: Builders) -> str:
    """Another address that some services take for the same, by the seed: with a tag, as most do, or
    without a dot.
    """
    mailbox, _, domain = address.rpartition("@")
    if build.session.settings.seed % TAGS_TO_DOTS == TAGS_TO_DOTS - 1 and "." in mailbox:
        return f"{mailbox.replace('.', '', 1)}@{domain}"
    return f"{mailbox}+2@{domain}"
