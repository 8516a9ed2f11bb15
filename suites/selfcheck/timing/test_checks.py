"""In virtual time the checks of long observations find what they find in real time, in a second or less."""

import pytest

from plumbline.fixtures.reference.variations import registry
from plumbline.suites.selfcheck.claims import observable
from plumbline.suites.selfcheck.known import CASCADES

from .checks import CHAPTERS, see, timed_checks

TELLING = {
    "limits": (
        *("retry-after-one", "back-too-early", "never-recovers", "second-try-served", "third-try-served", "refused-late"),
        *("rest-limit-59", "rest-limit-200", "graphql-limit-99", "bookings-unlimited", "limit-per-key-only", "over-limit-503"),
        *("429-bare-on-graphql", "429-bare-on-bookings", "reset-ten-minutes-off", "graphql-in-rest-bucket"),
    ),
    "webhooks": (
        *("pauses-even", "pauses-none", "pauses-late", "pauses-doubled", "attempts-three", "attempts-five", "retry-never"),
        *("success-of-retry-missed", "retry-unreachable-never", "retry-timeout-never"),
        *("answer-within-5", "answer-within-30", "answer-whenever", "six-at-once", "all-at-once"),
        *("rotation-without-grace", "rotation-grace-short", "rotation-grace-endless", "rotation-late"),
        *("signature-time-of-event", "signature-time-behind", "subscription-pinged", "replay-told", "test-event-unsent"),
    ),
}
"""Faults of each chapter that show in time, and some of every other kind."""
PERMITTED = {
    "limits": ("fixed-window", "sliding-window", "token-bucket", "waits-rounded-up", "refused-requests-count", "shared-bucket"),
    "webhooks": ("backoff-from-first", "events-in-any-order", "copies-come-late", "events-late", "redirects-followed"),
}
"""Latitudes of each chapter that show in time."""
BESIDE = {"over-limit-503": {"ERR-06"}, "pauses-none": {"HOOK-31"}}
"""What else turns red, in real time as well."""


STOOD_ON = list(dict.fromkeys(check.parts for check in timed_checks("webhooks") if check.parts is not None))
"""The sets of parts that checks declare."""


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_plain_deployment_keeps_everything(chapter: str) -> None:
    """All checks are carried out, and all that they declare is judged and kept."""
    checks = list(timed_checks(chapter))
    seen = see(checks)
    assert (seen.failed, seen.unmet) == (set(), {})
    assert seen.judged >= {name for check in checks for name in check.declared}


@pytest.mark.parametrize(("chapter", "fault"), [(chapter, name) for chapter, names in TELLING.items() for name in names])
def test_a_fault_shows(chapter: str, fault: str) -> None:
    """All checks of the chapter together find what the fault breaks, and nothing else."""
    seen = see(list(timed_checks(chapter)), faults=(fault,))
    expected = observable(registry("fault")[fault].ids) | CASCADES.get(fault, set()) | BESIDE.get(fault, set())
    assert seen.failed == expected


@pytest.mark.parametrize(("chapter", "latitude"), [(chapter, name) for chapter, names in PERMITTED.items() for name in names])
def test_what_is_permitted_does_not_show(chapter: str, latitude: str) -> None:
    """Under a latitude nothing is found broken."""
    assert see(list(timed_checks(chapter)), latitudes=(latitude,)).failed == set()


@pytest.mark.parametrize(
    "parts", sorted({check.parts for check in timed_checks("webhooks") if check.parts is not None}, key=sorted)
)
def test_the_declared_parts_are_enough(parts: frozenset[str]) -> None:
    """Checks that stand on certain parts judge everything when nothing but those is brought about."""
    checks = [check for check in timed_checks("webhooks") if check.parts == parts]
    seen = see(checks)
    assert (seen.failed, seen.unmet) == (set(), {})
    assert seen.judged >= {name for check in checks for name in check.declared}
