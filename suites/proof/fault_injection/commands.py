"""The commands whose operations fail, and what they read: reports, keys, recordings, services."""

import http.client
import json
import os
import re
import secrets
import shutil
import signal
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from plumbline.fixtures.reference.server import Settings
from plumbline.fixtures.tests.deployments import embedded, variables
from plumbline.fixtures.tests.forks import Going, ended
from plumbline.fixtures.tests.observing.test_observe import entry, har, lead
from plumbline.fixtures.tests.scenarios.receivers.good import HOOK, SECRET, Receiver
from plumbline.fixtures.tests.stub import serving

from .trying import REPORT, Command

FAULT = "invalid-patch-code"
"""Of the deployment that breaks the contract: LEAD-17, which the checks below see."""
CHECKS = ("suites/leads/test_change.py", "--requirement=LEAD-17")
QUICK = ("--seed=7", "-n0", "-p", "no:cacheprovider")
ADDRESS = re.compile(r"http://(127\.0\.0\.1:\d+)")
REQUESTS = 3
"""How often each request goes through the proxy, so that one that is lost is not the only one."""


@dataclass(frozen=True)
class Services:
    """What runs meanwhile: the environment of a run against each deployment, and a receiver."""

    sound: Mapping[str, str]
    broken: Mapping[str, str]
    receiver: str


@contextmanager
def services() -> Iterator[Services]:
    """A sound deployment, one with a fault, and a good receiver."""
    with ExitStack() as opened:
        sound = opened.enter_context(embedded())
        broken = opened.enter_context(embedded(Settings(faults=(FAULT,))))
        receiver = opened.enter_context(serving(Receiver()))
        yield Services(variables(sound), variables(broken), receiver.url)


def materials(folder: Path, running: Services) -> Path:
    """Put into a folder what the verbs read: reports of both deployments, keys, recordings."""
    for name in ("sound", "broken"):
        words = ("run", *QUICK, *CHECKS, f"--report-dir={name}")
        assert ended(
            "plumbline", *words, folder=folder, environment=getattr(running, name)
        ).code == (name == "broken")
    assert ended("plumbline", "keygen", "key.pem", folder=folder).code == 0
    shutil.copytree(folder / "sound", folder / "signed")
    assert ended("plumbline", "statement", "signed", "--key", "key.pem", folder=folder).code == 0
    har(folder / "kept.har", *(entry("GET /v1/leads", second=second) for second in range(3)))
    har(
        folder / "violated.har",
        *(entry("GET /v1/leads/{id}", lead(email=7), second=second) for second in range(3)),
    )
    return folder


def commands(running: Services, made: Path) -> dict[str, Command]:
    """The commands by name; the names of those that judge end in what they judge."""
    runs = {
        f"run, {name} deployment": Command(("run", *QUICK, *CHECKS), given(deployment), REPORT)
        for name, deployment in (("sound", running.sound), ("broken", running.broken))
    }
    secret = {"PLUMBLINE_RECEIVER_SECRET": SECRET}
    words = ("receiver", running.receiver + HOOK, *QUICK, "--requirement=RECV-01")
    observed = {
        f"observe, {name} recording": Command(
            ("observe", f"{name}.har"), copied(made, f"{name}.har"), REPORT
        )
        for name in ("kept", "violated")
    }
    proxied = {
        f"observe --proxy, {name} deployment": Command(
            ("observe", "--proxy", deployment["PLUMBLINE_BASE_URL"], "--listen", "127.0.0.1:0"),
            report=REPORT,
            drive=traffic(deployment["PLUMBLINE_API_KEY"]),
        )
        for name, deployment in (("sound", running.sound), ("broken", running.broken))
    }
    slow = {
        "run, embedded deployment": Command(("run", *QUICK, *CHECKS), report=REPORT, most=120),
        "run, two workers": Command(
            ("run", *QUICK, *CHECKS, "-n2"), given(running.sound), REPORT, most=120
        ),
        "fleet run": Command(
            ("fleet", "run", "FLEET.toml"), roster(running.sound), outputs=("fleet.db",), most=60
        ),
    }
    return (
        runs
        | slow
        | {"receiver": Command(words, given(secret), REPORT)}
        | observed
        | proxied
        | verbs(running, made)
    )


def verbs(running: Services, made: Path) -> dict[str, Command]:
    """Commands that read reports, or nothing, and write files."""
    sound, broken, signed = (copied(made, name) for name in ("sound", "broken", "signed"))
    both, key = copied(made, "sound", "broken"), copied(made, "sound", "key.pem")
    with_key = copied(made, "signed", "key.pem.pub")
    return {
        "again": Command(
            ("again", "LEAD-17", "broken", *QUICK[1:]),
            copied(made, "broken", **running.broken),
            "broken-again",
        ),
        "har": Command(("har", "sound", "run.har"), sound, outputs=("run.har",)),
        "regrade": Command(("regrade", "sound"), sound),
        "statement": Command(
            ("statement", "sound", "--key", "key.pem"), key, outputs=("sound/statement.json",)
        ),
        "verify": Command(("verify", "signed", "--public-key", "key.pem.pub"), with_key),
        "baseline": Command(
            ("baseline", "write", "broken", "known.toml", *WAIVED), broken, outputs=("known.toml",)
        ),
        "diff": Command(("diff", "sound", "broken"), both),
        "summary": Command(("summary", "sound"), sound),
        "compare": Command(
            ("compare", "a=sound", "b=broken", "-o", "page.html"), both, outputs=("page.html",)
        ),
        "history --add": Command(
            ("history", "--add", "--deployment", "acme", "signed"),
            signed,
            outputs=("fleet-evidence",),
        ),
        "history": Command(("history", "sound", "broken"), both),
        "init": Command(
            ("init", "acme.toml", "--base-url", "https://acme.example.com"), outputs=("acme.toml",)
        ),
        "keygen": Command(("keygen", "new.pem"), outputs=("new.pem", "new.pem.pub")),
        "docs": Command(("docs", "site"), outputs=("site",)),
        "fleet site": Command(
            ("fleet", "site", "page", "--roster", "FLEET.toml"), stored(made), outputs=("page",)
        ),
        "doctor": Command(("doctor",), given(running.sound)),
        "plan": Command(("plan", *QUICK, *CHECKS), given(running.sound)),
    }


PROFILE = 'base_url = "https://acme.example.com"\n[keys]\napi = { env = "THE_KEY" }\n'
WAIVED = ("--reason", "a ticket", "--owner", "ada", "--expires", "2999-12-31")
Prepare = Callable[[Path], Mapping[str, str]]


def given(environment: Mapping[str, str]) -> Prepare:
    """Nothing but an environment."""
    return lambda _: environment


def copied(made: Path, *names: str, **environment: str) -> Prepare:
    """Copies of materials, in the folder of the command."""

    def prepare(folder: Path) -> Mapping[str, str]:
        for name in names:
            if (made / name).is_dir():
                shutil.copytree(made / name, folder / name)
            else:
                shutil.copy(made / name, folder / name)
        return environment

    return prepare


def stored(made: Path) -> Prepare:
    """A fleet of one deployment with one run in its store."""

    def prepare(folder: Path) -> Mapping[str, str]:
        copied(made, "sound")(folder)
        (folder / "acme.toml").write_text(PROFILE, encoding="utf-8")
        (folder / "FLEET.toml").write_text(
            '[[deployments]]\nprofile = "acme.toml"\n', encoding="utf-8"
        )
        assert (
            ended(
                "plumbline", "history", "--add", "--deployment", "acme", "sound", folder=folder
            ).code
            == 0
        )
        return {}

    return prepare


def roster(environment: Mapping[str, str]) -> Prepare:
    """A fleet of one deployment, which is run with a small budget."""

    def prepare(folder: Path) -> Mapping[str, str]:
        profile = PROFILE.replace("https://acme.example.com", environment["PLUMBLINE_BASE_URL"])
        (folder / "acme.toml").write_text(
            f'{profile}[target]\nlimits = "lifted"\n', encoding="utf-8"
        )
        entry = '[[deployments]]\nprofile = "acme.toml"\nbudget = "8"\n'
        (folder / "FLEET.toml").write_text(entry, encoding="utf-8")
        return {"THE_KEY": environment["PLUMBLINE_API_KEY"]}

    return prepare


def traffic(key: str) -> Callable[[Going, Path], None]:
    """Sends through a proxy what shows the fault, and ends the proxy."""

    def drive(going: Going, _folder: Path) -> None:
        while not (address := ADDRESS.search(going.shown)) and going.lives:
            time.sleep(0.01)
        if address:
            for _ in range(REQUESTS):
                with suppress(OSError, http.client.HTTPException, ValueError, KeyError):
                    lead = {"email": f"{secrets.token_hex(6)}@example.com"}
                    made = _sent(address[1], key, "POST /v1/leads", lead)["data"]["id"]
                    _sent(address[1], key, f"PATCH /v1/leads/{made}", {"phone": "none"})
        with suppress(ProcessLookupError):
            os.kill(going.pid, signal.SIGTERM)

    return drive


def _sent(address: str, key: str, line: str, body: Mapping[str, str]) -> dict[str, dict[str, str]]:
    connection = http.client.HTTPConnection(address, timeout=30)
    method, _, path = line.partition(" ")
    try:
        headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
        connection.request(method, path, json.dumps(body), headers)
        return dict(json.loads(connection.getresponse().read()))
    finally:
        connection.close()


def names() -> Sequence[str]:
    """The names of all commands, for the parameters of tests."""
    nothing = {"PLUMBLINE_BASE_URL": "", "PLUMBLINE_API_KEY": ""}
    return [*commands(Services(nothing, nothing, ""), Path())]
