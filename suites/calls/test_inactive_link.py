"""Bookings on a link that is switched off."""

from plumbline.fixtures.http.exchange import NotApplicableError
from plumbline.fixtures.judging.judge import Judge
from plumbline.fixtures.judging.matchers import refused
from plumbline.fixtures.scenarios.booker import DAYS_AHEAD
from plumbline.fixtures.scenarios.builders import Builders
from plumbline.fixtures.scenarios.mark import check
from plumbline.fixtures.scenarios.slots import slots_in


@check("CALL-64", main=True)
def test_an_inactive_link_takes_no_booking(judge: Judge, build: Builders) -> None:
    """A booking on a link that is not active, of a slot that it offers and with the answers that
    its form wants, if it shows any.

    Refused, it is sent again and wishes for a host.

    > A booking on a link that is not active MUST be refused.
    """
    link = build.session.profile.records.inactive_booking_link
    if not link:
        raise NotApplicableError(
            "no inactive booking link is known; give `inactive_booking_link` under [records] in the"
            " profile"
        )
    form = build.api.get("/v1/booking-links/{id}/fields", id=link)
    offered = slots_in(build.availability(1, DAYS_AHEAD, link=link))
    slot = offered[0] if offered else build.spare_slot()
    body = build.booking(slot, booking_link_id=link, answers=build.answers(form))
    if judge("CALL-64", build.api.post("/v1/calls", body), refused) and slot.emails:
        judge(
            "CALL-64", build.api.post("/v1/calls", body | {"closer_email": slot.emails[0]}), refused
        )
