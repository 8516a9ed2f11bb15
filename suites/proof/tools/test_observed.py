"""Observed traffic of conformant deployments breaks nothing: that of two clients at random, and
that of Schemathesis.
"""

import random
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from plumbline.fixtures.capturing.clients import clients_watched
from plumbline.fixtures.capturing.watch import Watch
from plumbline.fixtures.observing.sources.files import Recording
from plumbline.fixtures.reference.server import Deployment, Settings
from plumbline.fixtures.tests.deployments import started
from plumbline.suites.proof.pages.fuzzed import record
from plumbline.suites.proof.pages.observed import findings

from .replaying import replayed

VARIED = {
    "plain": (),
    "shapes": ("nulls-absent", "ids-in-capitals", "times-in-nanoseconds", "writes-202"),
    "zones": (
        "times-with-offset",
        "escaped-and-zipped",
        "emails-in-small-letters",
        "updated-at-rests",
    ),
    "lists": ("oldest-first", "odd-cursors", "last-cursor-filled", "opportunities-by-time"),
    "cursors": (
        "cursors-used-up",
        "last-cursor-absent",
        "limits-refused",
        "slim-calls",
        "slim-payments",
    ),
    "decisions": (
        "outcomes-are-final",
        "outcome-clears-notes",
        "payments-go-forward",
        "refunds-are-final",
        "reschedule-zone-ignored",
    ),
    "bookings": (
        "last-touch",
        "unknown-closer-ignored",
        "end-time-ignored",
        "key-of-one-body",
        "taken-slot-422",
    ),
    "refusals": (
        "refusals-422",
        "malformed-ids-404",
        "unknown-keys-refused",
        "unknown-parameters-refused",
        "key-codes",
    ),
    "other refusals": (
        "refusals-418",
        "references-elsewhere",
        "nulls-skipped",
        "currencies-in-capitals",
        "other-types-415",
    ),
    "graphql": (
        "graphql-errors-400",
        "graphql-bodies-422",
        "graphql-data-always",
        "introspection-closed",
    ),
}
"""Permitted variants together, each set without two that decide the same."""
REQUESTS = 300
"""Of each of the two clients."""


@pytest.fixture(scope="session", autouse=True)
def _installed() -> None:
    """Nothing: Schemathesis comes with the kit."""


class Client:
    """Sends requests at random, some of them about what the other client has made.

    Args:
        seed: of its choices.
        http: with credentials.
        deployment: what it asks.
        known: ids by the name of their list, which both clients share.
    """

    def __init__(
        self, seed: int, http: httpx.Client, deployment: Deployment, ids: dict[str, list[str]]
    ) -> None:
        self._random, self._http, self._link, self._known = (
            random.Random(seed),
            http,
            deployment.booking_links["main"],
            ids,
        )
        self._cursors: dict[str, str] = {}

    def send(self) -> None:
        """Send one request."""
        self._random.choice(STEPS)(self)

    def _call(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        answer = self._http.request(
            method,
            path,
            json=body,
            headers={name.replace("_", "-"): text for name, text in headers.items()},
        )
        try:
            return answer.json()
        except ValueError:
            return None

    def _kept(self, kind: str, answer: Any) -> None:
        if (
            isinstance(answer, dict)
            and isinstance(answer.get("data"), dict)
            and "id" in answer["data"]
        ):
            self._known.setdefault(kind, []).append(answer["data"]["id"])

    def _id(self, kind: str) -> str:
        return self._random.choice(
            self._known.get(kind) or ["7f1c2d9e-4b58-4c1a-9d3e-2a6f0b8c5e71"]
        )

    def _word(self) -> str:
        return "".join(self._random.choices("abcdefgh ÄÖ-", k=9)).strip() or "x"

    def _time(self) -> str:
        day = datetime.now(UTC) + timedelta(days=self._random.randint(2, 20))
        hour, minute = self._random.randint(14, 20), self._random.choice(("00", "30"))
        return f"{day:%Y-%m-%d}T{hour:02}:{minute}:00Z"

    def _profile(self) -> dict[str, Any]:
        zone = self._random.choice(("Europe/Berlin", "Asia/Calcutta", "Nowhere"))
        every = {
            "company": self._word(),
            "full_name": self._word(),
            "phone": "+14155550123",
            "timezone": zone,
        }
        return dict(self._random.sample(sorted(every.items()), self._random.randint(0, 3)))

    def lead(self) -> None:
        """Create a lead, sometimes with an address that exists."""
        email = f"{self._random.randint(0, 400)}@example.com"
        self._kept("leads", self._call("POST", "/v1/leads", {"email": email} | self._profile()))

    def change_lead(self) -> None:
        """Change a lead, sometimes with nothing."""
        notes = (
            {"notes": [{"content": self._word(), "created_at": self._time()}]}
            if self._random.random() < 0.2
            else {}
        )
        self._call("PATCH", f"/v1/leads/{self._id('leads')}", self._profile() | notes)

    def read(self) -> None:
        """Read a record."""
        name, end = self._random.choice(
            (("leads", ""), ("leads", "/notes"), ("calls", "/answers"), ("calls", "/analysis"))
        )
        self._call("GET", f"/v1/{name}/{self._id(name)}{end}")

    def page(self) -> None:
        """Walk on through a list, or begin anew."""
        name = self._random.choice(
            (
                "leads",
                "calls",
                "payments",
                "opportunities",
                "calls?status=closed",
                "calls?is_upcoming=true",
            )
        )
        limit = self._random.choice((1, 2, 3, 100, 0, 101))
        path = f"/v1/{name}{'&' if '?' in name else '?'}limit={limit}"
        cursor = self._cursors.pop(name, "")
        answer = self._call(
            "GET", path + (f"&cursor={httpx.QueryParams({'c': cursor})['c']}" if cursor else "")
        )
        if isinstance(answer, dict) and (
            after := (answer.get("pagination") or {}).get("next_cursor")
        ):
            self._cursors[name] = str(after)

    def book(self) -> None:
        """Book a call, sometimes with the key of an earlier booking."""
        guest = {"email": f"{self._random.randint(0, 60)}@example.com", "name": self._word()}
        body = {
            "booking_link_id": self._link,
            "start_time": self._time(),
            "guest": guest,
            "utm_source": self._word(),
        }
        body["answers"] = {"field_goal": "More time"}
        key = (
            {"idempotency_key": f"key-{self._random.randint(0, 9)}"}
            if self._random.random() < 0.3
            else {}
        )
        self._kept("calls", self._call("POST", "/v1/calls", body, **key))

    def act(self) -> None:
        """Set the outcome of a call, change it, or move it."""
        status = self._random.choice(
            ("shown", "no_show", "cancelled", "closed", "lost", "unfit", "nothing")
        )
        call = f"/v1/calls/{self._id('calls')}"
        steps = (
            ("POST", f"{call}/outcome", {"status": status, "notes": self._word()}),
            ("PATCH", call, {"status": status, "notes": self._word()}),
            ("POST", f"{call}/reschedule", {"scheduled_at": self._time()}),
        )
        self._call(*self._random.choice(steps))

    def pay(self) -> None:
        """Record a payment, change it, or verify it."""
        status = self._random.choice(("pending", "succeeded", "failed", "refunded", "odd"))
        amount = self._random.choice((12.34, 0, 99, 1e7, -1, 1.234))
        made = {
            "lead_id": self._id("leads"),
            "amount": amount,
            "payment_date": self._time(),
            "status": status,
            "source": "x",
        }
        payment = f"/v1/payments/{self._id('payments')}"
        match self._random.randint(0, 2):
            case 0:
                self._kept("payments", self._call("POST", "/v1/payments", made))
            case 1:
                self._call("PATCH", payment, {"amount": amount, "status": status})
            case _:
                self._call("POST", f"{payment}/verify", {"call_id": self._id("calls")})

    def look(self) -> None:
        """Read what is no record: slots, fields, GraphQL."""
        days = [
            (datetime.now(UTC) + timedelta(days=self._random.randint(0, 20))).date()
            for _ in range(2)
        ]
        link = f"/v1/booking-links/{self._link}"
        steps = (
            (
                "GET",
                f"{link}/availability?start_date={days[0]}&end_date={days[1]}&timezone=Asia/Tokyo",
            ),
            ("GET", f"{link}/fields"),
            (
                "POST",
                "/graphql",
                {"query": self._random.choice(("{ __typename }", "{ nothing", "{ unknownField }"))},
            ),
        )
        self._call(*self._random.choice(steps))


STEPS: tuple[Callable[[Client], None], ...] = (
    *(
        Client.lead,
        Client.change_lead,
        Client.change_lead,
        Client.read,
        Client.read,
        Client.page,
        Client.page,
        Client.page,
    ),
    *(Client.book, Client.act, Client.pay, Client.pay, Client.look),
)


def broken(watch: Watch) -> Mapping[str, Any]:
    """What was observed to be broken, by requirement, and that anything was judged."""
    told = watch.records(last=True)
    assert told["judged"] >= 200
    return {
        entry["requirement"]: entry["violation"]
        for entry in told["records"]
        if entry.get("outcome") == "failed"
    }


@pytest.fixture(params=list(VARIED.values()), ids=list(VARIED))
def deployment(request: pytest.FixtureRequest) -> Iterator[Deployment]:
    """A conformant deployment."""
    with started(Settings(variants=request.param)) as running:
        yield running


@pytest.mark.parametrize("seed", [1, 2])
def test_two_clients_at_random_break_nothing(deployment: Deployment, seed: int) -> None:
    watch, ids = Watch(deployment.base_url), dict[str, list[str]]()
    watch.begin("a test")

    def carried(number: int) -> None:
        headers = {"authorization": f"Bearer {deployment.keys[('owner', 'owner2')[number]]}"}
        with httpx.Client(base_url=deployment.base_url, headers=headers, timeout=60) as http:
            client = Client(10 * seed + number, http, deployment, ids)
            for _ in range(REQUESTS):
                client.send()

    with clients_watched(watch), ThreadPoolExecutor(2) as clients:
        list(clients.map(carried, range(2)))
    assert broken(watch) == {}


@pytest.fixture(scope="module", name="recording")
def _recording(tmp_path_factory: pytest.TempPathFactory) -> tuple[Deployment, Path]:
    """What Schemathesis sends by the OpenAPI document to a plain reference, and which one that
    was.
    """
    folder = tmp_path_factory.mktemp("schemathesis")
    with started() as plain:
        record(plain, folder / "run.har")
        return plain, folder / "run.har"


@pytest.mark.parametrize("complete", [True, False])
def test_schemathesis_breaks_nothing(recording: tuple[Deployment, Path], complete: bool) -> None:
    plain, har = recording
    assert findings(Recording(har), plain.base_url, complete=complete) == set()


def test_requests_of_schemathesis_break_nothing(
    deployment: Deployment, recording: tuple[Deployment, Path]
) -> None:
    plain, har = recording
    watch = Watch(deployment.base_url)
    watch.begin("a test")
    with clients_watched(watch):
        keys = {plain.keys["owner"]: deployment.keys["owner"]}
        answers = list(replayed(Recording(har), plain.base_url, deployment.base_url, keys))
    assert sum(answer.is_success for answer in answers) >= 20
    assert broken(watch) == {}
