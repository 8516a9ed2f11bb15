"""In every season and every kind of timezone the reference deployment keeps what the checks of
slots ask for.
"""

from datetime import UTC, datetime

import pytest

from .proving import checks_of_deployments
from .trials.trial import attempt

CHAPTERS = ("booking_links/", "calls/test_booking.py", "calls/test_taken_slots.py")
SEASONS = [
    ("2026-03-02T15", "America/New_York", ""),  # six days before clocks go forward
    (
        "2026-09-30T03",
        "America/New_York",
        "open-around-the-clock",
    ),  # they go back on a day that no month shows
    (
        "2026-10-25T00",
        "Europe/Berlin",
        "slots-by-the-wall-clock",
    ),  # the doubled hour is about to begin
    ("2026-03-28T22", "Europe/Berlin", "open-around-the-clock"),  # an hour that does not exist
    (
        "2026-04-04T13",
        "Australia/Lord_Howe",
        "slots-by-the-wall-clock",
    ),  # by half an hour, in the south
    ("2026-08-20T23", "America/Santiago", "open-around-the-clock"),  # at midnight, in the south
    ("2026-04-21T09", "Africa/Cairo", ""),  # on a Friday
    ("2026-12-30T12", "Pacific/Auckland", ""),  # a new year, and other days than in UTC
    ("2026-06-14T23", "Asia/Kathmandu", "open-around-the-clock"),  # a quarter of an hour
    ("2027-02-06T05", "Africa/Casablanca", ""),  # clocks go back for Ramadan
]
"""Beginnings, timezones of all links, and variants."""


@pytest.mark.parametrize(("begins", "zone", "variant"), SEASONS)
def test_slots_are_judged_alike_in_every_season(begins: str, zone: str, variant: str) -> None:
    """Nothing is red, and nothing is left out that another season shows."""
    checks = [check for check in checks_of_deployments() if check.name.startswith(CHAPTERS)]
    moment = datetime.fromisoformat(begins).replace(tzinfo=UTC)
    result = attempt(checks, variants=[variant] if variant else [], begins=moment, zone=zone)
    assert (result.red, result.harness) == (set(), {}), (result.checks, result.traffic)
    assert result.left_out == set()
