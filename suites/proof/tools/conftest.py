"""Installed tools, and a running reference deployment for the generated clients."""

from collections.abc import Iterator

import pytest

from plumbline.fixtures.profile.embedded import Embedded

from .workshop import install


@pytest.fixture(scope="session", autouse=True)
def _installed() -> None:
    """All tools, before the first test."""
    install()


@pytest.fixture(scope="session")
def service() -> Iterator[dict[str, str]]:
    """Environment of a script: address, key and booking link of a running reference deployment."""
    deployment = Embedded.start()
    told = deployment.description
    yield {
        "BASE_URL": told["base_url"],
        "API_KEY": told["keys"]["owner"],
        "BOOKING_LINK": told["booking_links"]["main"],
    }
    deployment.stop()
