"""What a run of ours, and one of Schemathesis' command line, make of the same deployment, and what
they spend on it.

`plumbline.suites.proof.benchmarks.bench` has them look at many deployments and writes the table:
`make bench`.
"""

import json
import resource
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Protocol

import httpx

from plumbline.fixtures.profile.embedded import Embedded

ROOT = Path(__file__).parents[3]
GENERATED = ROOT / "spec" / "generated" / "kit.openapi.json"
SETTINGS = (
    "--checks=all",
    "--generation-database=none",
    "--generation-allow-x00=false",
    "--generation-codec=ascii",
    "--exclude-tag=graphql",
    "--exclude-tag=analytics",
    "--exclude-tag=webhooks",
    "--report=ndjson",
    "--no-color",
)
"""Of every run of Schemathesis: all checks, text that no service need take left out, and the
operations of class `core`.
"""
RECORDS = {"leads": "lead", "calls": "call", "payments": "payment"}
"""The record whose id stands in the paths of a tag; in all others it is the booking link."""
ANSWERS = {
    "type": "object",
    "required": ["field_goal"],
    "properties": {"field_goal": {"enum": ["More leads", "More sales", "More time"]}},
    "additionalProperties": False,
}
"""What the form of the main booking link takes."""
UNHELPFUL = frozenset({"end_time", "closer_email"})
"""Optional members of a booking that one gets right only if one knows the link and its hosts."""


@dataclass(frozen=True)
class Deployment:
    """A reference deployment to look at.

    Attributes:
        kind: `plain`, `fault` or `variant`.
        name: of the fault or variant; empty for a plain one.
        seed: of the tool.
    """

    kind: str
    name: str
    seed: int

    @property
    def varied(self) -> dict[str, Any]:
        """How it is varied, as the embedded deployment takes it."""
        return {f"{self.kind}s": (self.name,)} if self.name else {}


@dataclass(frozen=True)
class Run:
    """A finished run of a tool.

    Attributes:
        exit_code: of the tool.
        signs: what it complains about: ids of requirements, or kinds of check with operations.
        requests: that it sent.
        seconds: from the start of the deployment to the end of the tool.
        processor: seconds of processor that tool and deployment took.
    """

    exit_code: int
    signs: tuple[str, ...]
    requests: int
    seconds: float
    processor: float


class Tool(Protocol):
    """A tool in one setting."""

    def __call__(self, deployment: Deployment, folder: Path) -> tuple[int, tuple[str, ...], int]:
        """Look at a deployment; returns the exit code, the complaints and the number of requests.
        The folder is empty.
        """


def measured(tool: Tool, deployment: Deployment, folder: Path) -> Run:
    """Run a tool and take its time."""
    began, before = time.monotonic(), _processor()
    exit_code, signs, requests = tool(deployment, folder)
    return Run(
        exit_code,
        signs,
        requests,
        round(time.monotonic() - began, 1),
        round(_processor() - before, 1),
    )


def _processor() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Ours:
    """A run of the suites on class `core`, which starts the deployment itself.

    Args:
        tier: how much it sends.
    """

    def __init__(self, tier: str) -> None:
        self._tier = tier

    def __call__(self, deployment: Deployment, folder: Path) -> tuple[int, tuple[str, ...], int]:
        """See `Tool`."""
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            f"--report-dir={folder}",
            "--claim=core",
        ]
        command += [f"--tier={self._tier}", f"--seed={deployment.seed}"]
        command += [f"--{deployment.kind}={deployment.name}"] if deployment.name else []
        # our own program
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        results = folder / "conformance.json"
        assert results.exists(), done.stdout + done.stderr
        document = json.loads(results.read_text(encoding="utf-8"))
        assert document["state"] == "finished", done.stdout + done.stderr
        signs = (
            entry["id"]
            for entry in document["requirements"]
            if entry["verdict"] in {"failed", "warned"}
        )
        return done.returncode, tuple(sorted(signs)), sum(document["requests"].values())


class Schemathesis:
    """A run of Schemathesis' command line on the generated OpenAPI document, against a deployment
    of its own.

    It gets the key that ours gets, and what ours finds out by itself: `informed` says what.

    Args:
        options: of the command line, beside those that all settings share.
    """

    def __init__(self, *options: str) -> None:
        self._options = options

    def __call__(self, deployment: Deployment, folder: Path) -> tuple[int, tuple[str, ...], int]:
        """See `Tool`."""
        server = Embedded.start(**deployment.varied, production=True)
        try:
            description, events = folder / "openapi.json", folder / "events.ndjson"
            description.write_text(
                json.dumps(informed(GENERATED, server.description)), encoding="utf-8"
            )
            command = [
                str(Path(sys.executable).with_name("schemathesis")),
                "run",
                str(description),
                *SETTINGS,
                *self._options,
            ]
            command += [
                "--url",
                server.description["base_url"],
                "-H",
                f"Authorization: Bearer {_key(server)}",
            ]
            command += ["--seed", str(deployment.seed), "--report-ndjson-path", str(events)]
            # of our environment
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        finally:
            server.stop()
        assert done.returncode in {0, 1}, done.stdout + done.stderr
        return done.returncode, *summed(
            map(json.loads, events.read_text(encoding="utf-8").splitlines())
        )


def summed(events: Iterable[dict[str, Any]]) -> tuple[tuple[str, ...], int]:
    """What the events of a run of Schemathesis tell: kinds of check that failed with their
    operations, and requests sent.
    """
    signs, requests = set(), 0
    for event in events:
        recorder = event.get("ScenarioFinished", {}).get("recorder")
        if not recorder or "interactions" not in recorder:
            continue
        requests += len(recorder["interactions"])
        for case, checks in recorder["checks"].items():
            sent = recorder["cases"][case]["value"]
            signs |= {
                f"{check['name']} {sent['method']} {sent['path']}"
                for check in checks
                if check["status"] == "failure"
            }
    return tuple(sorted(signs)), requests


def informed(file: Path, says: Mapping[str, Any]) -> dict[str, Any]:
    """The generated OpenAPI document with what makes requests of this deployment succeed.

    Ids are those of records that exist, starts are such as the booking link offers, the form is
    answered, time zones and cursors are real, payments are of our time, and a `limit` may lie
    beyond its bounds, since it is clamped. Optional members that are refused unless one knows the
    deployment (`end_time`, `closer_email`) are left out.

    Args:
        file: the document.
        says: what the deployment says of itself.
    """
    document: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    ids = _known(says)
    for path, operations in document["paths"].items():
        for operation in operations.values():
            ids["id"] = [
                says["ids"].get(
                    RECORDS.get(operation["tags"][0], ""), says["booking_links"]["main"]
                )
            ]
            for parameter in operation.get("parameters", ()):
                if parameter["name"] == "cursor":
                    ids["cursor"] = [_cursor(says, path)]
                if parameter["name"] in ids:
                    parameter["schema"] = {"type": "string", "enum": ids[parameter["name"]]}
                if parameter["name"] == "limit":
                    parameter["schema"] = {"type": "integer"}
            for media in operation.get("requestBody", {}).get("content", {}).values():
                _inform(media, ids)
    return document


def _inform(media: dict[str, Any], examples: Mapping[str, list[str]]) -> None:
    """Write what is known into the schema of a body, and into its example."""
    properties, example = media["schema"]["properties"], media["example"]
    for name in UNHELPFUL & properties.keys():
        del properties[name], example[name]
    for name in examples.keys() & properties.keys():
        properties[name], example[name] = (
            {"type": "string", "enum": examples[name]},
            examples[name][0],
        )
    if "answers" in properties:
        properties["answers"], example["answers"] = ANSWERS, {"field_goal": "More time"}
        media["schema"]["required"] = [*media["schema"]["required"], "answers"]


def _known(says: Mapping[str, Any]) -> dict[str, list[str]]:
    """Values that the deployment accepts, by the name of the member or parameter."""
    today = datetime.now(UTC).date()
    days = [today + timedelta(days=number) for number in range(3, 25)]
    hours = [f"{hour}:{minute}:00Z" for hour in range(15, 20) for minute in ("00", "30")]
    starts = [f"{day}T{hour}" for day in days if day.weekday() < 5 for hour in hours]
    return {
        "booking_link_id": [says["booking_links"]["main"]],
        "lead_id": [says["ids"]["lead"]],
        "call_id": [says["ids"]["call"]],
        "start_time": starts,
        "scheduled_at": starts,
        "payment_date": [f"{today - timedelta(days=number)}T10:00:00Z" for number in (1, 40, 400)],
        "start_date": [str(days[0])],
        "end_date": [str(days[-1])],
        "timezone": ["Europe/Berlin", "America/New_York", "Asia/Kolkata"],
    }


def _cursor(says: Mapping[str, Any], path: str) -> str:
    """The cursor of the third row of a list; an unknown one when the deployment does not show
    it.
    """
    headers = {"Authorization": f"Bearer {says['keys']['owner']}"}
    answer = httpx.get(says["base_url"] + path, params={"limit": 2}, headers=headers)
    try:
        return str(answer.json()["pagination"]["next_cursor"])
    except (ValueError, KeyError, TypeError):
        return "unknown"


def _key(server: Embedded) -> str:
    return str(server.description["keys"]["owner"])
