"""In virtual time the checks of long observations find what they find in real time, in a second or less."""

import pytest

from plumbline.fixtures.reference.variations import registry
from plumbline.suites.selfcheck.claims import observable
from plumbline.suites.selfcheck.known import CASCADES

from .checks import CHAPTERS, see, timed_checks

TELLING = {
    "limits": ("retry-after-one", "back-too-early", "second-try-served", "429-bare-on-graphql"),
    "webhooks": (
        *("pauses-even", "attempts-five", "answer-within-5", "answer-whenever", "six-at-once", "rotation-grace-endless"),
        *("signature-time-of-event", "subscription-pinged"),
    ),
}
"""Faults of each chapter that show in time."""
PERMITTED = {"limits": ("fixed-window", "token-bucket"), "webhooks": ("backoff-from-first", "events-in-any-order")}
"""Latitudes of each chapter that show in time."""
STOOD_ON = list(
    dict.fromkeys((chapter, check.parts) for chapter in CHAPTERS for check in timed_checks(chapter) if check.parts is not None)
)
"""The sets of parts that checks declare, by chapter."""


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
    expected = observable(registry("fault")[fault].ids) | CASCADES.get(fault, set())
    assert seen.failed == expected


@pytest.mark.parametrize(("chapter", "latitude"), [(chapter, name) for chapter, names in PERMITTED.items() for name in names])
def test_what_is_permitted_does_not_show(chapter: str, latitude: str) -> None:
    """Under a latitude nothing is found broken."""
    assert see(list(timed_checks(chapter)), latitudes=(latitude,)).failed == set()


@pytest.mark.parametrize(("chapter", "parts"), STOOD_ON, ids=lambda each: each if isinstance(each, str) else "+".join(each))
def test_the_declared_parts_are_enough(chapter: str, parts: frozenset[str]) -> None:
    """Checks that stand on certain parts judge everything when nothing but those is brought about."""
    checks = [check for check in timed_checks(chapter) if check.parts == parts]
    seen = see(checks)
    assert (seen.failed, seen.unmet) == (set(), {})
    assert seen.judged >= {name for check in checks for name in check.declared}
