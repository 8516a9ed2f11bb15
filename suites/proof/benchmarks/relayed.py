"""What the proxy of `plumbline observe` adds to a request on loopback: the same request directly
and through it, by turns.
"""

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from statistics import median
from urllib.parse import urlsplit

from plumbline.fixtures.profile.embedded import Embedded

PAIRS, UNTIMED = 300, 20
"""Of each kind of request, and those before them that no time is taken of."""
VARYING = frozenset({"date"})
"""Headers that need not be the same in two answers to the same request."""
REQUESTS: Mapping[str, tuple[str, str]] = {
    "a lead": ("GET", "/v1/leads/{lead}"),
    "a page of 100 leads": ("GET", "/v1/leads?limit=100"),
    "a new lead": ("POST", "/v1/leads"),
}


def latencies(folder: Path) -> Iterator[str]:
    """A table with medians of both ways and of the differences, in milliseconds.

    Args:
        folder: for the report of the proxy.
    """
    yield "| request | bytes of the answer | direct | through the proxy | added at the median |"
    yield "|---|---|---|---|---|"
    server = Embedded.start(production=True)
    try:
        says = server.description
        with _proxy(says["base_url"], folder / "proxied") as through:
            for name, (method, path) in REQUESTS.items():
                ways = [
                    _Way(url, str(says["keys"]["owner"])) for url in (says["base_url"], through)
                ]
                yield f"| {name} {_measured(ways, method, path.format(**says['ids']))} |"
    finally:
        server.stop()


class _Way:
    """A connection that stays open, and the times of its requests.

    Args:
        url: of the deployment or of the proxy.
        key: of the client.
    """

    def __init__(self, url: str, key: str) -> None:
        self._connection = HTTPConnection(urlsplit(url).netloc, timeout=60)
        self._headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
        self.times: list[float] = []

    def send(self, method: str, path: str, body: str | None) -> tuple[dict[str, str], bytes]:
        """Send a request; returns headers and body of the answer."""
        begun = time.perf_counter()
        self._connection.request(method, path, body, self._headers)
        answer = self._connection.getresponse()
        content = answer.read()
        self.times.append((time.perf_counter() - begun) * 1000)
        assert answer.status < 300, (answer.status, content)
        return {
            name: value for name, value in answer.getheaders() if name.lower() not in VARYING
        }, content

    def close(self) -> None:
        """End the connection."""
        self._connection.close()


def _measured(ways: list[_Way], method: str, path: str) -> str:
    """The cells of a row; what is read is the same on both ways, byte for byte."""
    direct, through = ways
    size = 0
    with closing(direct), closing(through):
        for number in range(UNTIMED + PAIRS):
            answers = {}
            for base in (direct, through) if number % 2 else (through, direct):
                body = (
                    json.dumps({"email": f"{number}-{id(base)}@example.com"})
                    if method == "POST"
                    else None
                )
                answers[base] = base.send(method, path, body)
            assert method == "POST" or answers[direct] == answers[through]
            size = len(answers[direct][1])
    times = [way.times[UNTIMED:] for way in ways]
    added = median(late - early for early, late in zip(*times, strict=True))
    return f"| {size:,} | {median(times[0]):.2f} ms | {median(times[1]):.2f} ms | {added:.2f} ms"


@contextmanager
def _proxy(target: str, report: Path) -> Iterator[str]:
    """The address of a proxy, which ends with the block and must have seen nothing broken."""
    command = [
        sys.executable,
        "-m",
        "plumbline",
        "observe",
        "--proxy",
        target,
        "--listen",
        "127.0.0.1:0",
    ]
    process = subprocess.Popen(
        [*command, "--report-dir", str(report)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    try:
        yield process.stdout.readline().split(" ", 1)[0]
    finally:
        process.send_signal(signal.SIGINT)
        said, _ = process.communicate(timeout=60)
    assert process.returncode == 0, said
