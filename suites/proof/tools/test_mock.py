"""Prism serves the published document as a mock. Its answers pass the oracles; the kit tells it
from a deployment.
"""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from plumbline.fixtures.judging.oracles.shapes import fits
from plumbline.fixtures.tests.reference.receivers import eventually
from plumbline.spec import catalogue, openapi

from .workshop import DOCUMENT, ROOT, WORK

ID = "7f1c2d9e-4b58-4c1a-9d3e-2a6f0b8c5e71"
KEY = "svc_pk_test_mock"
QUERY = {
    "GET /v1/booking-links/{id}/availability": {
        "start_date": "2031-01-07",
        "end_date": "2031-01-08",
    }
}
SECONDS_FOR_THE_KIT = 120
EXIT_NON_CONFORMANT = 1


@pytest.fixture(scope="module")
def mock() -> Iterator[str]:
    """The address of a mock."""
    command = [str(WORK / "node_modules/.bin/prism"), "mock", "--port", "0", str(DOCUMENT)]
    log = WORK / "prism.log"
    with log.open("wb") as file:
        process = subprocess.Popen(command, stdout=file, stderr=file)
    listening = eventually(
        lambda: re.search(r"listening on .*?(http://[\d.]+:\d+)", log.read_text(encoding="utf-8"))
    )
    yield listening[1]
    process.kill()
    process.wait()


@pytest.mark.parametrize(
    "operation", catalogue().operations.values(), ids=lambda operation: operation.id
)
def test_answers_of_a_mock_pass_the_oracles(mock: str, operation: Any) -> None:
    entry = openapi()["paths"][operation.path][operation.method.lower()]
    body = (
        entry["requestBody"]["content"]["application/json"]["example"]
        if operation.request_schema
        else None
    )
    url = mock + operation.path.replace("{id}", ID)
    headers = {"Authorization": f"Bearer {KEY}"}
    answer = httpx.request(
        operation.method, url, json=body, params=QUERY.get(operation.id), headers=headers
    )
    assert answer.status_code == 200, answer.text
    assert {
        name: wrong
        for name, wrong in fits(operation.response_schema, answer.json()).items()
        if wrong
    } == {}
    refused = httpx.request(operation.method, url, json=body, params=QUERY.get(operation.id))
    assert refused.status_code == 401
    if operation.path.startswith("/v1"):
        assert {name: wrong for name, wrong in fits("Error", refused.json()).items() if wrong} == {}


def test_limits_of_a_query_are_those_of_the_document(mock: str) -> None:
    headers = {"Authorization": f"Bearer {KEY}"}
    assert httpx.get(f"{mock}/v1/calls", params={"limit": 500}, headers=headers).status_code == 200
    refused = httpx.get(f"{mock}/v1/opportunities", params={"stage": "elsewhere"}, headers=headers)
    assert refused.is_client_error
    assert {name: wrong for name, wrong in fits("Error", refused.json()).items() if wrong} == {}


def test_kit_finds_a_mock_non_conformant_without_a_fault_of_its_own(
    mock: str, tmp_path: Path
) -> None:
    command = [
        sys.executable,
        "-m",
        "plumbline",
        "run",
        "--base-url",
        mock,
        "--api-key",
        KEY,
        "--booking-link",
        ID,
    ]
    command += ["--limits", "lifted", "--report-dir", str(tmp_path)]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=SECONDS_FOR_THE_KIT, check=False
    )
    assert done.returncode == EXIT_NON_CONFORMANT, done.stdout + done.stderr
