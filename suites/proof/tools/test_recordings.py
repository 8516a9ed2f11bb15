"""What real tools record of a client's traffic is judged: Chromium, by the Swagger UI of a
deployment, and mitmproxy.
"""

import signal
import socket
import subprocess
from pathlib import Path

import httpx

from plumbline.fixtures.cli.main import main
from plumbline.fixtures.reference.server import Settings
from plumbline.fixtures.tests.deployments import started
from plumbline.fixtures.tests.reference.receivers import eventually
from plumbline.reports.evidence.results import load

from .browser import chromium
from .workshop import WORK, run

ANSWER_SECONDS = 60.0


def observed(har: Path) -> tuple[int, set[str], dict[str, int]]:
    """Exit code, what is broken, and the requests that were judged."""
    code = main(["observe", str(har), "--report-dir", str(har.parent / "report")])
    results = load(har.parent / "report" / "conformance.json")
    return (
        code,
        {
            requirement["id"]
            for requirement in results["requirements"]
            if requirement["verdict"] == "failed"
        },
        dict(results["requests"]),
    )


def test_recording_of_chromium_is_judged(service: dict[str, str], tmp_path: Path) -> None:
    har = tmp_path / "swagger.har"
    run("node", "record.mjs", folder=WORK, **service, CHROMIUM=chromium(), HAR=str(har))
    operations = (
        "GET /v1/calls",
        "GET /v1/leads",
        "GET /v1/opportunities",
        "GET /v1/payments",
        "POST /v1/leads",
    )
    assert observed(har) == (0, set(), dict.fromkeys(operations, 1))


def test_recording_of_mitmproxy_is_judged(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    har = tmp_path / "mitmproxy.har"
    with started(Settings(faults=("invalid-patch-code",))) as deployment:
        words = [
            "--quiet",
            "--mode",
            f"reverse:{deployment.base_url}",
            "--listen-host",
            "127.0.0.1",
            "--listen-port",
            str(port),
        ]
        words += ["--set", f"hardump={har}", "--set", f"confdir={tmp_path}"]
        with subprocess.Popen([str(WORK / "mitmproxy/bin/mitmdump"), *words]) as recorder:
            eventually(lambda: _listens(port), ANSWER_SECONDS)
            _use(f"http://127.0.0.1:{port}", deployment.keys["owner"])
            recorder.send_signal(signal.SIGINT)
    assert observed(har) == (
        1,
        {"LEAD-17"},
        {
            "GET /v1/leads": 1,
            "GET /v1/leads/{id}": 1,
            "PATCH /v1/leads/{id}": 1,
            "POST /v1/leads": 1,
        },
    )


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def _use(url: str, key: str) -> None:
    with httpx.Client(
        base_url=url, headers={"Authorization": f"Bearer {key}"}, timeout=ANSWER_SECONDS
    ) as client:
        made = client.post(
            "/v1/leads",
            json={"email": "grace@example.com", "full_name": "Grace Hopper, née Murray"},
        ).json()["data"]["id"]
        assert client.patch(f"/v1/leads/{made}", json={"phone": "none"}).status_code == 400
        client.get(f"/v1/leads/{made}")
        client.get("/v1/leads?limit=2")
        client.get("/nowhere")
