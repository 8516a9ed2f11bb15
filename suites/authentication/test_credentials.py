"""Who may come in at all."""

from base64 import b64encode
from collections.abc import Callable, Mapping
from uuid import uuid4

import pytest

from plumbline.fixtures.http.client import Client
from plumbline.fixtures.http.exchange import NotApplicableError, PreconditionNotMet
from plumbline.fixtures.judging.graphql_client import TYPENAME, ask, names_its_type
from plumbline.fixtures.judging.judge import Judge
from plumbline.fixtures.judging.matchers import accepted, answered, any_of, has_none_of
from plumbline.fixtures.scenarios.background.webhooks import LIST
from plumbline.fixtures.scenarios.builders import Builders
from plumbline.fixtures.scenarios.mark import check
from plumbline.fixtures.scenarios.metrics import PATHS
from plumbline.fixtures.scenarios.sample_requests import (
    ALL,
    LISTS,
    WRITES,
    Carried,
    SampleRequest,
    carrying_key,
    sample_request,
)
from plumbline.fixtures.scenarios.shared.refused_writes import RefusedWrites
from plumbline.fixtures.session.controller_client import Controller
from plumbline.fixtures.session.session import Session

COOKIES = ("api_key", "access_token", "authorization", "session", "token")
READS = tuple(
    operation
    for operation in ALL
    if operation not in {*WRITES, "GET /v1/leads", "GET /v1/payments"}
    and "analysis" not in operation
)
"""What a key with `read` only is tried on; both other lists it reads before it tries to write."""
DEAD = {"AUTH-06": "revoked", "AUTH-07": "expired", "AUTH-08": "deleted"}
"""Keys of the profile that no longer work."""
PLACES: Mapping[str, Callable[[str], Carried]] = {
    "query": lambda key: Carried(
        query=dict.fromkeys(("api_key", "apikey", "key", "token", "access_token"), key)
    ),
    "cookies": lambda key: Carried({"cookie": "; ".join(f"{name}={key}" for name in COOKIES)}),
    "headers": lambda key: Carried(
        dict.fromkeys(("x-api-key", "api-key", "x-auth-token", "x-access-token"), key)
    ),
}
"""Where keys are carried elsewhere."""
LIVE = "svc_pk_live_"
EXPIRY_SECONDS = 2
"""Seconds of life of the key whose expiration is awaited."""


@check("AUTH-01")
@pytest.mark.parametrize("operation", ALL)
def test_missing_credentials_are_refused(
    judge: Judge, anonymous: Client, build: Builders, operation: str
) -> None:
    """A request that is valid but for its missing credentials.

    > A request without credentials MUST be answered with 401, on every operation.
    """
    judge("AUTH-01", sample_request(build, operation).by(anonymous), answered(401))


@check("AUTH-01")
def test_metrics_need_credentials(judge: Judge, anonymous: Client) -> None:
    """The metrics of analytics and team and the log of deliveries, which a deployment need not
    have, without any credentials.

    > A request without credentials MUST be answered with 401, on every operation.
    """
    for answer in (*map(anonymous.get, PATHS), anonymous.get(LIST, subscription_id=str(uuid4()))):
        if answer.status != 404:
            judge("AUTH-01", answer, answered(401))


@check("AUTH-01")
def test_a_key_elsewhere_opens_nothing(judge: Judge, session: Session, build: Builders) -> None:
    """The key under test in the query, in cookies and in other headers, under all names that are
    usual, without `Authorization`.

    A read and a write are tried, others by seed. A key of a live environment is not put into an
    address, which others may log.

    > A request without credentials in an `Authorization` header MUST be answered with 401, on every
    > operation, wherever else it carries a key.
    """
    key, seed = session.profile.keys.api or "", session.settings.seed
    for number, (place, carried) in enumerate(PLACES.items()):
        if place == "query" and key.startswith(LIVE):
            continue
        for operations in (READS, WRITES):
            request = sample_request(
                build, operations[(len(PLACES) * seed + number) % len(operations)]
            )
            tried = carrying_key(session.anonymous, request, key, carried)
            # A parameter that is unknown may be refused before anybody asks who sent it (AUTH-O07).
            judge(
                "AUTH-01",
                tried,
                any_of(answered(401), answered(400)) if place == "query" else answered(401),
            )


@check("AUTH-02")
def test_a_wrong_key_is_refused(judge: Judge, session: Session, build: Builders) -> None:
    """A made-up key, for a read and a write; the right one cut, longer, with other last letters,
    other case, of test for live.

    > A request with a wrong key MUST be answered with 401.
    """
    made_up, right = f"svc_pk_test_{build.sample_data.text(32)}", session.profile.keys.api or ""
    near = right[:-4] + "".join("a" if letter != "a" else "b" for letter in right[-4:])
    other_case = right[:12] + right[12:].swapcase()
    other_prefix = (
        right.replace("_test_", "_live_", 1)
        if "_test_" in right
        else right.replace("_live_", "_test_", 1)
    )
    for key, operation in (
        (made_up, "GET /v1/leads"),
        (made_up, "POST /v1/leads"),
        (near, "GET /v1/leads"),
        (right[:-1], "GET /v1/leads"),
        (f"{right}a", "GET /v1/leads"),
        (other_case, "GET /v1/leads"),
        (other_prefix, "GET /v1/leads"),
    ):
        if key != right:
            judge(
                "AUTH-02",
                sample_request(build, operation).by(session.bearer("guesser", f"Bearer {key}")),
                answered(401),
            )


@pytest.mark.parametrize(
    "form",
    [
        pytest.param(header, marks=check("AUTH-03"))
        for header in (
            *("{key}", "Basic {basic}", "Bearer", "Token {key}", "Bearer {key} please"),
            *("Basic {password}", "ApiKey {key}", "Bearer: {key}"),
        )
    ],
)
def test_a_malformed_header_is_refused(
    judge: Judge, session: Session, build: Builders, form: str
) -> None:
    """The key under test in a header that is not `Bearer <key>`, also as the user name or the
    password of HTTP Basic.

    > A request whose `Authorization` header is malformed MUST be answered with 401.
    """
    key = session.profile.keys.api
    forms = {
        "key": key,
        "basic": b64encode(f"{key}:".encode()).decode(),
        "password": b64encode(f":{key}".encode()).decode(),
    }
    muddler = session.bearer("muddler", form.format(**forms))
    judge("AUTH-03", sample_request(build, "GET /v1/leads").by(muddler), answered(401))


@check("AUTH-04")
def test_a_write_without_credentials_changes_nothing(
    api: Client, judge: Judge, anonymous: Client, build: Builders
) -> None:
    """A PATCH of a lead without credentials, and the lead afterwards.

    > A request that was refused for its credentials MUST NOT have an effect.
    """
    refused = sample_request(build, "PATCH /v1/leads/{id}")
    refused.by(anonymous)
    judge(
        "AUTH-04",
        api.get("/v1/leads/{id}", id=build.lead()),
        has_none_of("/data/company", frozenset({refused.body["company"]})),
    )


@check("AUTH-05")
def test_a_valid_key_is_accepted(api: Client, judge: Judge, build: Builders) -> None:
    """The key under test.

    > A valid key MUST be accepted as `Authorization: Bearer`.
    """
    judge("AUTH-05", sample_request(build, "GET /v1/calls").by(api), accepted)


@pytest.mark.parametrize(
    "key", [pytest.param(key, marks=check(requirement)) for requirement, key in DEAD.items()]
)
def test_an_ended_key_is_refused(judge: Judge, session: Session, build: Builders, key: str) -> None:
    """A key that once worked.

    > A revoked key, an expired key and a deleted key MUST be answered with 401.
    """
    (requirement,) = judge.declared
    judge(
        requirement,
        sample_request(build, "GET /v1/leads").by(session.holder_of(key)),
        answered(401),
    )


@pytest.mark.parametrize(
    "key", [pytest.param(key, marks=check(requirement)) for requirement, key in DEAD.items()]
)
def test_no_operation_accepts_an_ended_key(
    judge: Judge, session: Session, build: Builders, key: str
) -> None:
    """Every operation with a key that once worked.

    > A revoked key, an expired key and a deleted key MUST be answered with 401.
    """
    (requirement,) = judge.declared
    holder = session.holder_of(key)
    for request in [sample_request(build, operation) for operation in ALL] + [
        SampleRequest(f"GET {path}") for path in PATHS
    ]:
        answer = request.by(holder)
        if answer.status != 404 or request.operation.removeprefix("GET ") not in PATHS:
            judge(requirement, answer, answered(401))


@check("AUTH-09")
@pytest.mark.parametrize("operation", READS)
def test_a_read_only_key_reads(
    judge: Judge, read_only: Client, build: Builders, operation: str
) -> None:
    """Each list and each record, with a key that has `read` only.

    > A key with only `read` MUST be able to list and fetch.
    """
    judge("AUTH-09", sample_request(build, operation).by(read_only), accepted)


@check("AUTH-09")
@pytest.mark.parametrize("path", ["leads", "payments"])
def test_a_read_only_key_reads_lists(
    judge: Judge, read_only: Client, writes_of_reader: RefusedWrites, path: str
) -> None:
    """A list with a key that has `read` only, before it tries to write.

    > A key with only `read` MUST be able to list and fetch.
    """
    page = writes_of_reader.before()[path].pages[0]
    if page.actor != read_only.actor:
        page = read_only.get(f"/v1/{path}", limit=100)
    judge("AUTH-09", page, accepted)


@check("AUTH-10")
@pytest.mark.parametrize("operation", WRITES)
def test_a_read_only_key_cannot_write(
    judge: Judge, writes_of_reader: RefusedWrites, operation: str
) -> None:
    """Each write, valid as it is, with a key that has `read` only.

    > A key without `write` MUST be answered with 403 on every write of leads, calls and payments.
    """
    judge("AUTH-10", writes_of_reader.tried(operation), answered(403))


@check("AUTH-11")
def test_refused_writes_of_a_read_only_key_change_nothing(
    judge: Judge, writes_of_reader: RefusedWrites
) -> None:
    """Every write with a key that has `read` only that was refused, and the lists that would show
    it before and after.

    A guest who then books with the address of the refused lead does not have its company.

    > A write refused for its scope MUST NOT have an effect.
    """
    for trace in writes_of_reader.traces():
        judge.that(
            "AUTH-11",
            trace.kept,
            trace.exchange,
            expected=trace.expected,
            received=trace.after,
            where=trace.where,
        )
    if judge.forgotten():
        raise NotApplicableError("no write with this key was refused")


@check("AUTH-18")
def test_revoking_works_at_once(
    judge: Judge, controller: Controller, session: Session, build: Builders
) -> None:
    """A new key that is used, revoked, and used again, over REST and, where that is served, over
    GraphQL.

    > A key that is revoked MUST stop working at once.
    """
    key = controller.ask("create_key", name=build.sample_data.token(), scopes=["read"])
    holder = session.bearer("newcomer", f"Bearer {key}", lane="main")
    if not sample_request(build, LISTS[0]).by(holder).ok:
        raise NotApplicableError("the key that the test controller made does not work")
    asked = ask(holder, TYPENAME)
    controller.ask("revoke_key", key=key)
    judge("AUTH-18", sample_request(build, LISTS[0]).by(holder), answered(401))
    if names_its_type(asked) is None:
        judge("AUTH-18", ask(holder, TYPENAME), answered(401))


@check("AUTH-08")
def test_deleting_ends_a_key(
    judge: Judge, controller: Controller, session: Session, build: Builders
) -> None:
    """A new key that is revoked, deleted, and then used.

    > A deleted key MUST be answered with 401.
    """
    key = controller.ask("create_key", name=build.sample_data.token(), scopes=["read"])
    for method in ("revoke_key", "delete_key"):
        controller.ask(method, key=key)
    judge(
        "AUTH-08",
        sample_request(build, LISTS[0]).by(session.bearer("goner", f"Bearer {key}", lane="main")),
        answered(401),
    )


@check("AUTH-19")
def test_expiring_ends_a_key(
    judge: Judge, controller: Controller, session: Session, build: Builders
) -> None:
    """A new key with an expiration, used before it and after it.

    > A key MUST stop working when its expiration time is reached.
    """
    build.api.make_room(2, LISTS[0])
    key = controller.ask(
        "create_key",
        name=build.sample_data.token(),
        scopes=["read"],
        expires_in_seconds=EXPIRY_SECONDS,
    )
    expired_at = session.clock.time() + EXPIRY_SECONDS + 1
    holder = session.bearer("mayfly", f"Bearer {key}", lane="main")
    before = sample_request(build, LISTS[0]).by(holder)
    if not before.ok:
        raise NotApplicableError("the key that the test controller made does not work")
    after = session.poll(
        lambda: sample_request(build, LISTS[0]).by(holder),
        until=lambda exchange: not exchange.ok,
        seconds=EXPIRY_SECONDS + 3,
    )
    if after.ok and after.sent_at < expired_at:
        raise PreconditionNotMet(
            "the last request with the key went out too early, since the one before took too long"
        )
    judge("AUTH-19", after, answered(401))
