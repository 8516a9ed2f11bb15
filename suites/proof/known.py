"""What is known beforehand of faults and variants: which ids can show, what else turns red, what
must run alone.
"""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import NamedTuple

from plumbline.fixtures.reference.variations.faults import FAULTS
from plumbline.spec import catalogue

IMMEDIATE_CLASSES = "core,credentials,isolation,upstream,graphql,relay,analytics"
"""The conformance classes whose checks need no waiting, as `--claim` takes them."""
WARNED: dict[str, set[str]] = {
    "legacy-signature-removed": {"HOOK-17"},
    "limit-of-an-hour": {"LIM-20"},
    "lists-end-empty": {"PAG-06"},
    "phones-of-subscribers": {"LEAD-30"},
    "slim-events": {"HOOK-71"},
}
"""Recommendations that a variant goes against: it is permitted, and the report says so."""
RUNS_OF_ONE_HOST = "RUNS_OF_ONE_HOST"
"""Variable of the environment that says how many runs with one host `make prove` tries, by one
worker and by four.
"""
TRIED_ALONE = frozenset({"shared-bucket", "escaped-and-zipped", "graphql-media-type"})
"""Permitted variants that change what others rely on, and so are tried alone."""
RACES = frozenset(
    {
        "sweep/test_sweep.py::test_drawn_requests[PATCH /v1/calls/{id}]",
        "sweep/test_sweep.py::test_drawn_requests[PATCH /v1/leads/{id}]",
        "sweep/test_sweep.py::test_drawn_requests[POST /v1/calls]",
        "sweep/test_sweep.py::test_drawn_requests[POST /v1/leads]",
        "sweep/test_sweep.py::test_drawn_requests[POST /v1/payments]",
        "calls/test_taken_slots.py::test_one_slot_has_as_many_winners_as_hosts",
        "calls/test_taken_slots.py::test_one_key_in_flight_books_once",
        "leads/test_change.py::test_patches_at_the_same_moment",
    }
)
"""Checks that send at the same moment: what else they show of a fault that others catch depends on
who comes first.
"""
HIDDEN: dict[str, str] = {
    **dict.fromkeys(
        (
            "afternoon-late-when-clocks-change",
            "offset-of-today-for-all-days",
            "moved-behind-change-of-clocks",
        ),
        "a run at a date before a change of clocks",
    ),
    "emoji-as-question-marks": (
        "companies with letters beyond the basic plane, which not every seed creates"
    ),
    "empty-field-stays-empty": "a change of a field that was empty, as sequences make it by chance",
    **dict.fromkeys(
        ("yen-listed-as-a-hundredth", "yen-recorded-hundredfold"),
        "payments in currencies without decimals",
    ),
    "minutes-of-negative-offset-added": "times with an offset such as -03:30",
    "small-negative-offset-positive": "times with an offset such as -00:30",
    "second-in-slot-untold": (
        "two bookings of one slot while the run is subscribed, for which it takes the whole suite"
    ),
    "refused-event-drops-others": "an event that waits while its receiver refuses another one",
    "foreign-log-open": "subscriptions of other checks, beside which the log is asked for",
    "answers-of-first-in-slot": "answers of the second one of two calls at one time",
}
"""Faults that the checks of their requirements alone need not find, each with what shows them: sent
by chance, or not at all.
"""
CASCADES: dict[str, set[str]] = {
    "rate-of-nothing-is-nan": {"ENV-02", "ENV-03"},
    "retry-unsigned": {"HOOK-17"},
    "signature-of-latin": {"HOOK-21"},
    "null-after-last-payment": {"ERR-06"},
    "calls-refuse-limit": {"ERR-06"},
    "booked-end-ignored": {"LINK-12"},
    "lead-reads-uncounted": {"LIM-12"},
    "slots-without-length": {"CALL-01", "CALL-18"},
    "slot-times-half": {"CALL-01"},
    "analysis-takes-no-key": {"ERR-08"},
    "utm-content-lost": {"CALL-24"},
    "rows-without-notes": {"CALL-31"},
    "list-without-utm-term": {"CALL-24"},
    "has-analysis-number": {"CALL-24"},
    "patch-status-ignored": {"CALL-25"},
    "patch-declined-lost": {"CALL-25"},
    "patch-shows-its-own-time": {"CALL-24"},
    "inline-notes-as-given": {"ERR-06", "LEAD-17"},
    "formatted-phone": {"LEAD-27"},
    "patch-half-done": {"CALL-36"},
    "outcome-unknown-half-done": {"CALL-33"},
    "notes-begin-call": {"CALL-24"},
    "unfit-is-no-deal": {"OPP-16"},
    "verify-answer-only": {"PAY-15", "PAY-23"},
    "payment-date-day": {"PAY-23"},
    "verify-rounds-amount": {"PAY-02", "PAY-23"},
    "cancelled-is-final": {"CALL-71"},
    "outcome-later": {"CALL-71"},
    "booked-duration-in-text": {"HOOK-09"},
    "event-data-id-of-event": {"HOOK-49", "HOOK-50", "HOOK-51", "HOOK-52"},
    "subscription-pinged": {"HOOK-21", "HOOK-22"},
    "event-utm-in-list": {"HOOK-11"},
    "refused-move-told": {"HOOK-45"},
    "revival-told-as-booking": {"HOOK-07"},
    "missing-lead-400": {"AUTH-13"},
    "amount-text": {"PAY-02", "PAY-14", "PAY-23"},
    "one-opportunity-per-lead": {"OPP-03", "OPP-04", "OPP-16", "PAG-03"},
    "answers-checked-late": {"CALL-14"},
    "notes-append": {"LEAD-22"},
    "graphql-any-key": {"AUTH-08"},
    "scheme-is-optional": {"GQL-06"},
    "no-credentials-403": {"GQL-06"},
    "expired-key-works": {"GQL-06"},
    "dead-key-403": {"GQL-06"},
    "malformed-header-400": {"GQL-02", "GQL-06"},
    "empty-header-500": {"GQL-06"},
    "revoked-key-works": {"GQL-06"},
    "revoked-key-403": {"GQL-06"},
    "always-confirmed": {"OPP-17"},
    "answers-bare": {"CALL-48"},
    "calls-of-all": {"CALL-48"},
    "stage-upper-case": {"OPP-10", "OPP-11", "OPP-12", "OPP-13", "OPP-14", "OPP-17", "OPP-18"},
    "opportunity-time-of-booking": {"OPP-06", "OPP-07"},
    "stage-of-one-call": {"OPP-11", "OPP-12", "OPP-13", "OPP-18"},
    "foreign-link-booked": {"AUTH-15"},
    "reschedule-cancelled-only": {"CALL-71"},
    "field-options-objects": {"CALL-01", "CALL-05", "CALL-08"},
    "inline-notes-missing": {"CALL-07", "LEAD-04"},
    "slot-emails-objects": {"CALL-22"},
    "stale-lead": {"LEAD-15"},
    "qualified-lead-without-phone": {"CALL-07", "LEAD-15"},
    "key-books-again": {"OPP-11"},
    "booking-wrong-link": {"CALL-32", "CALL-38"},
    "row-lost-between-pages": {"PAG-06"},
    "lead-per-booking": {"OPP-18"},
    "slot-race": {"CALL-71"},
    "emoji-500": {"CALL-31", "CALL-34", "LEAD-14", "LEAD-24"},
    "fields-bare": {"CALL-01", "CALL-05", "CALL-08"},
    "opportunity-lead-filter-ignored": {
        "CALL-60",
        *(
            "OPP-02",
            "OPP-06",
            "OPP-07",
            "OPP-10",
            "OPP-11",
            "OPP-12",
            "OPP-13",
            "OPP-14",
            "OPP-17",
            "OPP-18",
            "PAG-11",
        ),
    },
    "pauses-none": {"HOOK-31"},
    "booking-offset-dropped": {"CALL-18"},
    "booking-utc-only": {"CALL-18"},
    "limit-across-organizations": {"LIM-02", "LIM-05"},
    "listed-amount-in-cents": {"PAY-16"},
    "payment-date-now": {"PAY-15"},
    "never-recovers": {"LIM-02", "LIM-03", "LIM-05", "LIM-14"},
    "call-lead-filter-ignored": {"CALL-29", "CALL-51", "OPP-01", "OPP-16"},
    "fresh-follow-up": {"CALL-31"},
    "outcome-unfit-half-done": {"CALL-31"},
    "reschedule-offset-dropped": {"CALL-18", "CALL-40"},
    "second-booking-replaces": {"CALL-25"},
    "second-try-served": {"LIM-04"},
    "third-try-served": {"LIM-04"},
    "patched-email-unchecked": {"LEAD-04"},
    "patch-field-by-field": {"LEAD-04"},
    "payment-rows-bare": {"PAY-16"},
    "link-filter-needs-lead": {"AUTH-15"},
    "end-time-refused": {"CALL-18"},
    "foreign-payment-verifies": {"AUTH-16"},
    "foreign-payment-verified-by-own-call": {"AUTH-16"},
    "deals-refuse-one": {"OPP-05"},
    "lead-spelled-differently": {"LEAD-04", "LEAD-14", "LEAD-15"},
    "payment-spelled-differently": {"PAY-23"},
    "slots-spelled-differently": {"LINK-06", "LINK-23"},
    "lead-id-gives-way": {"OPP-06", "OPP-07"},
    "start-four-minutes-late": {"CALL-21"},
    "past-start-with-end": {"CALL-21"},
    "no-notice-without-closer": {"CALL-21"},
    "closer-without-notice": {"CALL-21"},
    "confirmed-among-booked": {"OPP-08"},
    "stage-ignored": {"OPP-17"},
    "verify-dates-anew": {"PAY-23"},
    "verify-moves-payer": {"PAY-23"},
    "verify-in-francs": {"PAY-23"},
    "no-json-500": {"LEAD-17"},
    "no-json-401": {"LEAD-17"},
    "array-body-500": {"LEAD-17"},
}
"""Requirements that turn red beside those that the fault breaks, because a check believes what the
fault falsifies.
"""


class Season(NamedTuple):
    """A date, and a timezone of booking links, at which something shows that shows at no other.

    Attributes:
        begins: of the trial.
        zone: an IANA name.
    """

    begins: datetime
    zone: str


SEASONS: dict[str, Season] = {
    "slots-of-todays-offset": Season(datetime(2026, 9, 24, 14, tzinfo=UTC), "America/New_York"),
    "slots-of-offset-in-a-month": Season(datetime(2026, 8, 20, 14, tzinfo=UTC), "America/Santiago"),
    "day-of-change-by-midnight": Season(datetime(2026, 3, 23, 14, tzinfo=UTC), "Africa/Cairo"),
    "weekdays-in-utc": Season(datetime(2026, 9, 24, 14, tzinfo=UTC), "Pacific/Auckland"),
    "offsets-in-whole-hours": Season(datetime(2026, 3, 12, 14, tzinfo=UTC), "Asia/Kolkata"),
    "offsets-of-january": Season(datetime(2026, 3, 12, 14, tzinfo=UTC), "Australia/Lord_Howe"),
}
"""Faults that need a date and a timezone of their own; they are tried alone."""


def observable(ids: Iterable[str]) -> set[str]:
    """The requirements that can be observed from outside; a fault in any other one shows
    nowhere.
    """
    requirements = catalogue().requirements
    return {identifier for identifier in ids if not requirements[identifier].unobservable}


def to_show(fault: str) -> set[str]:
    """The requirements that a fault has to turn red."""
    return set() if fault in HIDDEN else observable(FAULTS[fault].ids)
