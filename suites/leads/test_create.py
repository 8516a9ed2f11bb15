"""Creating a lead."""

import json
import re
from decimal import Decimal
from typing import Any

import pytest

from plumbline.fixtures.http.exchange import Exchange, NotApplicableError
from plumbline.fixtures.judging.completeness import leaves_nothing_out
from plumbline.fixtures.judging.judge import Judge
from plumbline.fixtures.judging.matchers import (
    accepted,
    has,
    has_kind,
    has_mailbox,
    has_zone,
    refused,
    still_has,
)
from plumbline.fixtures.judging.mismatch import Matcher, Mismatch
from plumbline.fixtures.judging.values_as_text import as_json
from plumbline.fixtures.scenarios.builders import Builders
from plumbline.fixtures.scenarios.carriers import same_text
from plumbline.fixtures.scenarios.data import SampleData
from plumbline.fixtures.scenarios.mark import check
from plumbline.fixtures.scenarios.packing import packed
from plumbline.fixtures.scenarios.shared.growing_lists import LEADS, GrowingLists
from plumbline.fixtures.scenarios.shared.lead_scenario import (
    CLICKS,
    METADATA,
    OPAQUE,
    LeadScenario,
)
from plumbline.fixtures.scenarios.wrong_values import MARKED
from plumbline.spec.comparing import is_number, same
from plumbline.spec.reserved import MAX_PHONE_DIGITS, MIN_PHONE_DIGITS

WRONG = [
    pytest.param({"email": None}, marks=check("LEAD-05"), id="no email"),
    pytest.param({"email": MARKED}, marks=check("LEAD-05"), id="email without @"),
    pytest.param({"email": ""}, marks=check("LEAD-05"), id="empty email"),
    pytest.param({"phone": "+49 30 23125123"}, marks=check("LEAD-06"), id="phone with spaces"),
    pytest.param({"phone": "+49-30-23125123"}, marks=check("LEAD-06"), id="phone with hyphens"),
    pytest.param({"phone": "+03023125123"}, marks=check("LEAD-06"), id="phone with country code 0"),
    pytest.param({"phone": "+8923456789012345"}, marks=check("LEAD-06"), id="phone of 16 digits"),
    pytest.param({"phone": "+493023125abc"}, marks=check("LEAD-06"), id="phone with letters"),
    pytest.param({"timezone": "Mars/Olympus_Mons"}, marks=check("LEAD-07"), id="unknown zone"),
    pytest.param({"timezone": "Europe/Munich"}, marks=check("LEAD-07"), id="city without a zone"),
    pytest.param({"visitor_id": "a1b2c3d"}, marks=check("LEAD-08"), id="visitor id of 7"),
    pytest.param({"visitor_id": "v" * 129}, marks=check("LEAD-08"), id="visitor id of 129"),
    pytest.param({"visitor_id": ""}, marks=check("LEAD-08"), id="empty visitor id"),
    pytest.param({"company": {"name": "x"}}, marks=check("LEAD-12"), id="company as object"),
    pytest.param({"full_name": ["x"]}, marks=check("LEAD-12"), id="name as array"),
    pytest.param({"email": {"address": "x"}}, marks=check("LEAD-12"), id="email as object"),
    pytest.param({"phone": ["+493023125123"]}, marks=check("LEAD-12"), id="phone as array"),
    pytest.param({"visitor_id": ["a1b2c3d4"]}, marks=check("LEAD-12"), id="visitor id as array"),
    pytest.param({"metadata": "utmSource=x"}, marks=check("LEAD-12"), id="metadata as text"),
]

ROUNDING = 0.001
"""How far a number of the metadata may move where it is stored with few digits: a hundred metres of
latitude.
"""


@check("LEAD-01")
def test_email_alone_makes_a_lead(judge: Judge, build: Builders) -> None:
    """A body that holds nothing but an email.

    > `POST /v1/leads` with nothing but a valid `email` MUST create a lead with that `email`.
    """
    email = build.shared_guest.email
    judge("LEAD-01", build.shared_lead(), has("/data/email", email))


@check("LEAD-02")
def test_a_new_lead_is_new(judge: Judge, lead_scenario: LeadScenario) -> None:
    """A lead that was just created.

    > A new lead MUST have the `status` `new`.
    """
    judge("LEAD-02", lead_scenario.created(), has("/data/status", "new"))


@check("LEAD-32")
def test_a_new_lead_has_paid_nothing(judge: Judge, lead_scenario: LeadScenario) -> None:
    """A lead that was just created, under an address that nobody has paid from.

    > A new lead SHOULD NOT count payments: `payment_count` and `total_paid_cents` are 0 where they
    > are shown.
    """
    created = lead_scenario.created()
    for name in ("payment_count", "total_paid_cents"):
        figure = created.data.get(name)
        judge.that(
            "LEAD-32",
            figure is None or same(figure, 0),
            created,
            expected="0, or no figure",
            received=figure,
            where=f"/data/{name}",
        )


@check("LEAD-02", spare=True)
def test_a_new_lead_is_new_whatever_it_says(judge: Judge, growing_lists: GrowingLists) -> None:
    """A create with a `status`, which is no field of it.

    > A new lead MUST have the `status` `new`.
    """
    growing_lists.walked(LEADS)
    created = growing_lists.called_qualified()
    if not created.ok:
        raise NotApplicableError("a field that is not documented was refused")
    judge("LEAD-02", created, has("/data/status", "new"))


@check("LEAD-03")
def test_a_lead_holds_what_was_given(judge: Judge, lead_scenario: LeadScenario) -> None:
    """A lead that was created with its whole profile, but for one field.

    > A created lead MUST hold every profile field that was given: `full_name`, `phone`, `company`,
    > `timezone`.
    """
    given = {name: value for name, value in lead_scenario.profile.items() if name != "email"}
    judge(
        "LEAD-03",
        lead_scenario.created(),
        *(has(f"/data/{name}", value) for name, value in given.items()),
    )


@check("LEAD-04")
def test_a_lead_reads_as_created(judge: Judge, second_org: Builders) -> None:
    """A lead that is read right after its creation.

    > `GET /v1/leads/{id}` MUST return the lead as it was last written.
    """
    created, read = second_org.spare_lead(), second_org.spare_lead_read()
    names = ("id", *json.loads(created.request_body or b"{}"))
    judge("LEAD-04", read, *(still_has(f"/data/{name}", created.data.get(name)) for name in names))


@check("LEAD-04")
def test_a_lead_reads_as_changed(judge: Judge, lead_scenario: LeadScenario) -> None:
    """A lead that is read after its name, company, status and email were changed one after the
    other.

    > `GET /v1/leads/{id}` MUST return the lead as it was last written.
    """
    written = lead_scenario.noted_anew().data
    names = ("id", "email", "full_name", "phone", "timezone", "status")
    fields = (still_has(f"/data/{name}", written.get(name)) for name in names)
    others = {name: value for name, value in written.items() if name not in names}
    judge("LEAD-04", lead_scenario.read_at_last(), *fields, leaves_nothing_out("Lead", others))


@check("LEAD-31")
def test_a_changed_lead_is_read_with_its_timestamps(
    judge: Judge, lead_scenario: LeadScenario
) -> None:
    """A lead that is read after several PATCHes.

    > `GET /v1/leads/{id}` of a lead that was changed MUST return the `created_at` and the
    > `updated_at` of the lead.
    """
    _ = lead_scenario.renamed().data  # until a lead is changed, it may have no `updated_at`
    judge(
        "LEAD-31",
        lead_scenario.read_at_last(),
        has_kind("/data/created_at", str, "a timestamp"),
        has_kind("/data/updated_at", str, "a timestamp"),
    )


@check("LEAD-03", "LEAD-09", "LEAD-10", "LEAD-30", "LEAD-33")
def test_a_long_visitor_id_and_metadata_are_accepted(
    judge: Judge, build: Builders, lead_scenario: LeadScenario
) -> None:
    """The longest visitor id, metadata with unknown keys, a zone of three parts, the shortest
    phone, an email with rare characters.

    Known keys show as they do for a lead without unknown ones.

    > A created lead MUST hold every profile field that was given. A `visitor_id` of 8 and one of
    > 128 characters MUST be accepted. `metadata` MUST be accepted with its documented keys and with
    > unknown ones. A created lead SHOULD hold a `phone` of any length that its pattern permits. An
    > `email` with any character that an atom may have SHOULD be accepted, and kept.
    """
    metadata = METADATA | {f"x{build.sample_data.text(6)}": "anything"}
    zone, phone = build.sample_data.long_zone(), build.sample_data.spare_phone(MIN_PHONE_DIGITS)
    email = build.sample_data.rare_email()
    inputs: dict[str, dict[str, Any]] = {
        "LEAD-03": {"timezone": zone},
        "LEAD-09": {"visitor_id": build.sample_data.text(128)},
        "LEAD-10": {"metadata": metadata},
        "LEAD-30": {"phone": phone},
        "LEAD-33": {"email": email},
    }
    pack = packed(lambda more: build.create_lead(**more), inputs)
    judge("LEAD-09", pack.of("LEAD-09"), accepted)
    judge(
        "LEAD-10",
        pack.of("LEAD-10"),
        accepted,
        _keeps_documented_keys,
        _keeps_clicks,
        _shows_no_less_than(lead_scenario.created()),
    )
    judge("LEAD-03", pack.of("LEAD-03"), has_zone("/data/timezone", zone))
    judge("LEAD-30", pack.of("LEAD-30"), has("/data/phone", phone))
    judge("LEAD-33", pack.of("LEAD-33"), has_mailbox("/data/email", email))


def _keeps_documented_keys(created: Exchange) -> Mismatch | None:
    """Where given metadata show up is open (LEAD-O04); an answer that shows some under their names
    shows all, its numbers, its texts as texts, and what others gave a meaning to as it was given.
    """
    shown, source = created.at("/data/metadata"), created.at("/data/source")
    if not isinstance(shown, dict) or not shown.keys() & METADATA.keys():
        return None
    elsewhere = {str(value) for value in source.values()} if isinstance(source, dict) else set()
    lost = [
        name
        for name, value in METADATA.items()
        if shown.get(name) is None and str(value) not in elsewhere
    ]
    if lost:
        return Mismatch(
            "all documented keys that were given", f"none of {', '.join(lost)}", "/data/metadata"
        )
    numbers = {
        name: value
        for name, value in METADATA.items()
        if is_number(value) and is_number(shown.get(name))
    }
    name = next(
        (
            name
            for name, value in numbers.items()
            if abs(Decimal(shown[name]) - Decimal(value)) > ROUNDING
        ),
        None,
    )
    others = (name for name in METADATA if _is_another_text(name, shown.get(name)))
    name = name or next(others, None)
    return (
        Mismatch(
            f"{METADATA[name]}, as it was given", as_json(shown[name]), f"/data/metadata/{name}"
        )
        if name
        else None
    )


def _keeps_clicks(created: Exchange) -> Mismatch | None:
    """Which clicks stand in `source` is open; what stands there is the identifier of the click."""
    source = created.at("/data/source")
    for name in CLICKS if isinstance(source, dict) else ():
        key = re.sub("[A-Z]", lambda letter: f"_{letter[0].lower()}", name)
        value = source.get(key)
        if value is not None and not same_text(value, METADATA[name]):
            return Mismatch(f"{METADATA[name]}, or no {key}", as_json(value), f"/data/source/{key}")
    return None


def _is_another_text(name: str, value: object) -> bool:
    """Whether a text of the metadata shows as no text, or as another one where a service has no
    reason to write it otherwise.
    """
    if value is None or not isinstance(METADATA[name], str):
        return False
    return not isinstance(value, str) or (name in OPAQUE and not same_text(value, METADATA[name]))


def _shows_no_less_than(plain: Exchange) -> Matcher:
    """The documented keys that a lead with no others shows."""

    def matcher(created: Exchange) -> Mismatch | None:
        shown, usual = created.at("/data/metadata"), plain.at("/data/metadata")
        keys = METADATA.keys() & (usual.keys() if isinstance(usual, dict) else ())
        lost = ", ".join(sorted(keys - (shown.keys() if isinstance(shown, dict) else set())))
        return (
            Mismatch(
                "the documented keys beside an unknown one",
                f"none of {as_json(lost)}",
                "/data/metadata",
            )
            if lost
            else None
        )

    return matcher


@check("LEAD-01", "LEAD-09", "LEAD-11", "LEAD-30")
def test_a_short_visitor_id_and_no_metadata_are_accepted(judge: Judge, build: Builders) -> None:
    """The shortest visitor id, metadata that is null, the longest phone, and an email with a plus.

    How such an email comes back is not judged: some services take it for the one without what
    follows the plus.

    > `POST /v1/leads` with nothing but a valid `email` MUST create a lead. A `visitor_id` of 8 and
    > one of 128 characters MUST be accepted. A `metadata` of `null` MUST be accepted and skipped. A
    > created lead SHOULD hold a `phone` of any length that its pattern permits.
    """
    phone = build.sample_data.spare_phone(MAX_PHONE_DIGITS)
    mailbox, _, host = build.sample_data.guest().email.partition("@")
    inputs: dict[str, dict[str, Any]] = {
        "LEAD-01": {"email": f"{mailbox}+spring@{host}"},
        "LEAD-09": {"visitor_id": build.sample_data.text(8)},
        "LEAD-11": {"metadata": None},
        "LEAD-30": {"phone": phone},
    }
    pack = packed(lambda more: build.create_lead(**more), inputs)
    judge("LEAD-01", pack.of("LEAD-01"), accepted)
    judge("LEAD-09", pack.of("LEAD-09"), accepted)
    judge("LEAD-11", pack.of("LEAD-11"), accepted)
    judge("LEAD-30", pack.of("LEAD-30"), has("/data/phone", phone))


@pytest.mark.parametrize("wrong", WRONG)
def test_wrong_input_is_refused(judge: Judge, second_org: Builders, wrong: dict[str, Any]) -> None:
    """A body that was just accepted, with one field made wrong; `None` stands for a field that is
    left out.

    > A create without `email`, or with one that is not an email address, MUST be refused; likewise
    > a `phone` that is not E.164, a `timezone` that is no IANA name, a `visitor_id` of less than 8
    > or more than 128 characters, a wrong JSON type.
    """
    body = {
        name: value
        for name, value in (_valid(second_org.sample_data) | wrong).items()
        if value is not None
    }
    exchange = second_org.api.post("/v1/leads", body)
    for requirement in judge.declared:
        judge(requirement, exchange, refused)


def _valid(sample_data: SampleData) -> dict[str, Any]:
    return sample_data.profile() | {"visitor_id": sample_data.text(20)}
