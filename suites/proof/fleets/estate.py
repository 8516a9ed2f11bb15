"""Many reference deployments in this process, which note every request with the run that has sent
it, and a roster of them.
"""

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any
from unittest.mock import patch

import httpx
from starlette.types import ASGIApp, Receive, Scope, Send

from plumbline.fixtures.profile.template import profile_text
from plumbline.fixtures.reference import server
from plumbline.fixtures.reference.server import Deployment, Settings
from plumbline.fixtures.tests.deployments import started

RUN = "x-run"
AUTHENTICATION = (
    '"""Says which run sends a request."""\nimport os\n\n\ndef headers(actor, key):\n    return'
    f' {{"{RUN}": str(os.getpid())}}\n'
)


@dataclass
class Estate:
    """Deployments, and what they have seen.

    Attributes:
        roster: the FLEET.toml.
        environment: holds the secrets.
        seen: by address, begin and end of each request with the process of the run that sent it.
    """

    roster: Path
    environment: dict[str, str] = field(default_factory=dict)
    seen: dict[str, list[tuple[float, float, str]]] = field(default_factory=dict)

    def most_at_once(self) -> int:
        """How many runs were going on at the same time, by their first and last requests."""
        spans = [span for requests in self.seen.values() for span in _spans(requests).values()]
        return max((sum(begin <= at <= end for begin, end in spans) for at, _ in spans), default=0)

    def driven_by_two(self) -> list[str]:
        """The deployments in which a run began before the last request of another one had come."""
        overlaps = []
        for address, requests in self.seen.items():
            spans = sorted(_spans(requests).values())
            if any(later[0] < earlier[1] for earlier, later in pairwise(spans)):
                overlaps.append(address)
        return overlaps

    def runs(self) -> dict[str, int]:
        """How many runs each deployment has seen."""
        return {address: len(_spans(requests)) for address, requests in self.seen.items()}

    def add(self, name: str, base_url: str) -> None:
        """Put a deployment, of which only the address is known, at the beginning of the roster."""
        self.environment["ITS_KEY"] = "sk_test_of_nobody"
        settings = {"base_url": base_url, "keys.api": "ITS_KEY", "target.name": name}
        (self.roster.parent / f"{name}.toml").write_text(profile_text(settings))
        defaults, others = self.roster.read_text().split("[[deployments]]")
        self.roster.write_text(
            f'{defaults}[[deployments]]\nprofile = "{name}.toml"\n[[deployments]]{others}'
        )


def _spans(requests: Sequence[tuple[float, float, str]]) -> dict[str, tuple[float, float]]:
    spans: dict[str, tuple[float, float]] = {}
    for begin, end, run in requests:
        first, last = spans.get(run, (begin, end))
        spans[run] = (min(first, begin), max(last, end))
    return spans


@contextmanager
def estate(
    folder: Path, faults: Sequence[Sequence[str]], defaults: Mapping[str, Any] | None = None
) -> Iterator[Estate]:
    """Start deployments that enforce their limits, one for each list of faults, and write a roster
    into the folder.
    """
    new = Estate(folder / "FLEET.toml")
    (folder / "profiles").mkdir(parents=True)
    (folder / "who.py").write_text(AUTHENTICATION)
    lines = [f"{name} = {json.dumps(value)}" for name, value in (defaults or {}).items()]
    new.roster.write_text(
        "\n".join(["[defaults]", *lines, "[[deployments]]", 'profile = "profiles"', ""])
    )
    original = server.application

    def noting(*words: Any, **options: Any) -> ASGIApp:
        return Noting(original(*words, **options), new.seen)

    with ExitStack() as stack:
        stack.enter_context(patch.object(server, "application", noting))
        for number, names in enumerate(faults):
            deployment = stack.enter_context(
                started(Settings(faults=tuple(names), production=True))
            )
            _describe(new, folder, f"d{number:02}", deployment)
        yield new


def _describe(estate_: Estate, folder: Path, name: str, deployment: Deployment) -> None:
    token = {"Authorization": f"Bearer {deployment.controller_token}"}
    httpx.post(
        f"{deployment.controller_url}/set_limits", json={"enforced": True}, headers=token
    ).raise_for_status()
    # Made now: FastAPI does not make the descriptions of two applications of one process at once.
    httpx.get(f"{deployment.base_url}/openapi.json")
    variable = f"{name.upper()}_KEY"
    estate_.environment[variable] = deployment.keys["owner"]
    settings = {
        "base_url": deployment.base_url,
        "keys.api": variable,
        "target.name": name,
        "target.limits": "documented",
    }
    settings |= {
        "records.booking_link": deployment.booking_links["main"],
        "target.authentication": "who:headers",
    }
    (folder / "profiles" / f"{name}.toml").write_text(profile_text(settings))


class Noting:
    """Notes each request."""

    def __init__(self, app: ASGIApp, spans: dict[str, list[tuple[float, float, str]]]) -> None:
        self._app = app
        self._seen = spans

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        headers = dict(scope.get("headers", ()))
        begun = time.monotonic()
        try:
            await self._app(scope, receive, send)
        finally:
            address = "http://{}:{}".format(*scope["server"])
            if run := headers.get(RUN.encode(), b"").decode():
                self._seen.setdefault(address, []).append((begun, time.monotonic(), run))
