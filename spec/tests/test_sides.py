"""Edits of failures, of addresses, of what clients and receivers keep, and of parts of parts, each
with the side that breaks.
"""

import pytest

from plumbline.spec.facts import Facts, changes
from plumbline.spec.tests.test_promises import CHAPTERS, facts, line

LEADS, CALLS, LINKS, PAYMENTS = (
    "04-leads.md",
    "05-calls.md",
    "06-booking-links.md",
    "07-payments.md",
)
OPPORTUNITIES, HOOKS, ERRORS, LIMITS = (
    "08-opportunities.md",
    "11-webhooks.md",
    "12-errors.md",
    "13-limits.md",
)
RECEIVERS, CLIENT = "16-receivers.md", "17-clients.md"
CLIENTS, SERVICES, BOTH, NONE = "clients", "services", "clients services", ""
MESSAGE = "| error | string | required; length >= 1; [ERR-02] |"
REQUEST = "| requestId | string | required; length >= 1; [ERR-04] |"
RETRY = "| Retry-After | integer | yes | seconds to wait |\n"
UPCOMING = "| is_upcoming | enum upcoming | no |"
VERIFYING = "POST /v1/payments/{id}/verify path id"


def appended(chapter: str, prefix: str, sentence: str, part: str) -> tuple[str, str]:
    """An edit that adds a requirement after the last one."""
    last = [text for text in CHAPTERS[chapter].splitlines() if text.startswith(f"| {prefix}-")]
    last = [text for text in last if not text.startswith(f"| {prefix}-O")]
    number = len(last) + 1
    return last[-1], f"{last[-1]}\n| {prefix}-{number:02d} | {part} | {sentence} | check |"


CASES = [
    # Failures.
    (ERRORS, MESSAGE, MESSAGE.replace("1;", "2;"), SERVICES),
    (ERRORS, MESSAGE, MESSAGE.replace("length >= 1; ", ""), CLIENTS),
    (ERRORS, REQUEST, REQUEST.replace("required; ", ""), CLIENTS),
    # Headers of answers.
    (LIMITS, RETRY, "", CLIENTS),
    (LIMITS, RETRY, f"{RETRY}| X-Shard | string | no | where it is counted |\n", NONE),
    # What clients and receivers keep, and what services keep.
    (CLIENT, *appended(CLIENT, "CLI", "A client MUST send `Accept`.", "client"), CLIENTS),
    (CLIENT, *appended(CLIENT, "CLI", "A client MAY send `Accept`.", "client"), NONE),
    (CLIENT, "MUST go to a path under `/v1/`", "MUST go to a path under `/v2/`", CLIENTS),
    (RECEIVERS, *appended(RECEIVERS, "RECV", "A receiver MUST send `Date`.", "receiver"), CLIENTS),
    (PAYMENTS, *appended(PAYMENTS, "PAY", "A payment MUST be shown soon.", "core"), SERVICES),
    (PAYMENTS, *appended(PAYMENTS, "PAY", "A payment SHOULD be shown soon.", "core"), NONE),
    # Queries.
    (LINKS, "| timezone | string (iana) | no |", "| timezone | string (iana) | yes |", CLIENTS),
    (CALLS, "| status | enum call-status | no | | only",
     "| status | enum call-outcome | no | | only", CLIENTS),
    (CALLS, "| lead_id | string | no | sent as string (uuid); [CALL-26] |",
     "| lead_id | string (uuid) | no | [CALL-26] |", CLIENTS),
    (CALLS, UPCOMING, f"| region | string | yes | | where it is held |\n{UPCOMING}", BOTH),
    (CALLS, UPCOMING, f"| region | string | no | | where it is held |\n{UPCOMING}", SERVICES),
    (CALLS, line(CALLS, "| setter_id | string (user) | no |"), "", CLIENTS),
    # Parts of parts, and bounds that were not there.
    (PAYMENTS, "| confidence | number | |", "| confidence | number | required |", SERVICES),
    (LINKS, "| emails | array of string | required |", "| emails | array of integer | required |",
     BOTH),
    (LINKS, "| start_time | integer |", "| start_time | number |", CLIENTS),
    (PAYMENTS, "| >= 0 [PAY-07]; 2 decimals", "| 0..1000 [PAY-07]; 2 decimals", CLIENTS),
    (PAYMENTS, "| amount | number | >= 0; 2 decimals |",
     "| amount | number | 0..1000; 2 decimals |", SERVICES),
    (PAYMENTS, "| provider | string | [PAY-O01]", "| provider | enum payment-status | [PAY-O01]",
     SERVICES),
    (LEADS, ", not empty [LEAD-17, LEAD-16]", " [LEAD-17]", SERVICES),
    # Events and stability.
    (HOOKS, "| duration | number | |", "| duration | number | required |", SERVICES),
    (HOOKS, "| `payment.failed` | object Payment |",
     "| `payment.pending` | object Payment | waits |\n| `payment.failed` | object Payment |",
     SERVICES),
    (OPPORTUNITIES, "| list | object Opportunity | core |",
     "| list | object Opportunity | analytics |", CLIENTS),
]  # fmt: skip


@pytest.fixture(scope="module")
def before() -> Facts:
    return facts([])


@pytest.mark.parametrize(
    ("chapter", "old", "new", "breaks"), CASES, ids=[f"{case[0]} {case[2][:60]}" for case in CASES]
)
def test_edit_names_who_breaks(
    before: Facts, chapter: str, old: str, new: str, breaks: str
) -> None:
    edits = changes(before, facts([(chapter, old, new)]))
    assert edits
    assert {side for edit in edits for side in edit.breaks} == {*breaks.split()}


def test_clients_send_what_stands_in_a_path(before: Facts) -> None:
    plain = {word: value for word, value in before[VERIFYING].items() if word != "format"}
    assert changes(before, {**before, VERIFYING: plain})[0].breaks == (SERVICES,)
    assert changes({**before, VERIFYING: plain}, before)[0].breaks == (CLIENTS,)
