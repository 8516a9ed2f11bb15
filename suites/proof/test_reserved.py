"""Nothing that a run of the standard tier sends, causes or is shown could reach somebody."""

from collections import Counter
from collections.abc import Callable, Iterator
from urllib.parse import unquote, urlsplit

import pytest

from plumbline.fixtures.http.exchange import CONTROLLER, DEPLOYMENT, Exchange
from plumbline.fixtures.tests.reaching import Value, values_in
from plumbline.spec.reserved import PHONES

from .proving import plain, plain_exchanges

DOCUMENTS = ("/openapi.json", "/docs")
"""What is published for readers, with links to standards."""
MIN_VALUES = {"phone": 40, "mail": 150, "host": 3, "address": 2}
"""How many different values of each kind are sent at least; with less this test would not look."""


@pytest.fixture(name="everything", scope="module")
def _everything() -> list[Exchange]:
    """All requests, to the deployment and to the test controller, and all deliveries to the
    inbox.
    """
    return [*plain_exchanges(), *plain().delivered]


def sent(exchange: Exchange) -> Iterator[Value]:
    """What a request holds: its address, headers and body."""
    yield from values_in(unquote(exchange.url))
    yield from values_in(dict(exchange.request_headers))
    yield from values_in(exchange.request_body or b"")


def answered(exchange: Exchange) -> Iterator[Value]:
    """What an answer holds, unless it is a document."""
    if urlsplit(exchange.url).path not in DOCUMENTS:
        yield from values_in(dict(exchange.headers))
        yield from values_in(exchange.body)


@pytest.mark.parametrize("part", [sent, answered])
def test_a_run_reaches_nobody(
    everything: list[Exchange], part: Callable[[Exchange], Iterator[Value]]
) -> None:
    reaching = {
        value.text: f"{exchange.operation} by {exchange.actor}"
        for exchange in everything
        for value in part(exchange)
        if not value.is_reserved
    }
    assert reaching == {}


def test_a_run_sends_enough_to_look_at(everything: list[Exchange]) -> None:
    counts = Counter(
        value.kind for value in {value for exchange in everything for value in sent(exchange)}
    )
    assert all(counts[kind] >= least for kind, least in MIN_VALUES.items()), counts
    assert {DEPLOYMENT, CONTROLLER, "main"} <= {exchange.actor for exchange in everything}


def test_a_run_sends_numbers_of_many_countries(everything: list[Exchange]) -> None:
    """Of all that are known, so that whatever fits one country alone shows."""
    phones = {
        value.text for exchange in everything for value in sent(exchange) if value.kind == "phone"
    }
    countries = {
        country
        for country, ranges in PHONES.items()
        if any(phone in range_ for phone in phones for range_ in ranges)
    }
    assert countries == set(PHONES)


def test_nothing_but_the_deployment_and_the_inbox_is_asked(everything: list[Exchange]) -> None:
    """Addresses that must not be subscribed are written down; nobody connects to them."""
    hosts = {urlsplit(exchange.url).hostname for exchange in everything}
    assert all(
        host is None or host == "localhost" or host.startswith("127.0.0.") for host in hosts
    ), hosts
