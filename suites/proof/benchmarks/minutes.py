"""How long a standard run takes at the documented limits, by the number of its organizations:
`python -m plumbline.suites.proof.benchmarks.minutes 2 4 8`.

Each run has a deployment of its own, which enforces its limits; the profile is that of somebody
else's deployment: all keys and links, without a test controller and without an inbox. The runs take
the minutes that they say, on a machine that does nothing else. `--smoke` measures the smoke tier.
"""

import argparse
import json
import os
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from plumbline.fixtures.profile.embedded import Embedded
from plumbline.fixtures.profile.programs import command
from plumbline.fixtures.profile.settings import ORGANIZATIONS, SETTINGS
from plumbline.fixtures.profile.template import toml_value
from plumbline.reports.text import duration

NOT_OF_OTHERS = ("controller.", "inbox.")
"""Beginnings of settings that a profile of somebody else's deployment seldom has."""
LEFT_OUT = ("target.limits", "claim.classes")
CLAIMED = ["core", "credentials", "isolation", "limits", "graphql", "relay", "analytics"]
"""What such a profile can claim."""


@contextmanager
def profile(organizations: int, folder: Path) -> Iterator[tuple[Path, dict[str, str]]]:
    """A profile file of a deployment that enforces its limits while the block lasts, and the
    variables that it names.
    """
    deployment = Embedded.start(organizations=organizations, enforced=True, production=True)
    try:
        file, variables = folder / "deployment.toml", dict[str, str]()

        def reference(secret: str) -> dict[str, str]:
            name = f"SECRET_{len(variables)}"
            variables[name] = secret
            return {"env": name}

        sections: dict[str, dict[str, Any]] = {}
        lines = []
        for key, value in deployment.settings.items():
            section, _, name = key.partition(".")
            if key.startswith(NOT_OF_OTHERS) or key in LEFT_OUT:
                continue
            if key == ORGANIZATIONS:
                entries = [
                    {
                        part: content if part == "booking_link" else reference(content)
                        for part, content in entry.items()
                    }
                    for entry in value.content
                ]
                lines.append(f"{key} = {toml_value(entries)}")
            elif name:
                content = reference(value.content) if SETTINGS[key].secret else value.content
                sections.setdefault(section, {})[name] = content
            else:
                lines.append(f"{key} = {toml_value(value.content)}")
        sections["claim"] = {"classes": CLAIMED}
        lines += [f"{section} = {toml_value(content)}" for section, content in sections.items()]
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")
        yield file, {**os.environ, **variables}
    finally:
        deployment.stop()


def measured(organizations: int, options: Sequence[str], folder: Path) -> dict[str, Any]:
    """Plan a run and carry it out.

    Returns:
        The `plan`, `wall` (seconds of the whole command), `exit_code`, and the `report`.
    """
    report = folder / f"report-{organizations}"
    with profile(organizations, folder) as (file, environment):
        words = ["-p", "no:cacheprovider", f"--deployment={file}", *options]
        plan = json.loads(_ended("plan", *words, "--json", env=environment).stdout)
        begun = time.monotonic()
        done = _ended("run", *words, "-q", f"--report-dir={report}", env=environment)
        wall = time.monotonic() - begun
    said = json.loads((report / "conformance.json").read_text(encoding="utf-8"))
    return {"plan": plan, "wall": wall, "exit_code": done.returncode, "report": said}


def _ended(verb: str, *words: str, env: Mapping[str, str]) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        command("plumbline", verb, *words), env=env, capture_output=True, text=True, check=False
    )


def row(organizations: int, run: Mapping[str, Any]) -> str:
    """A row of the table."""
    plan, wall = run["plan"], run["wall"]
    busiest = max(lane["seconds"] or 0 for lane in plan["lanes"])
    sent = sum(run["report"]["requests"].values())
    return (
        f"| {organizations} | {sent:,} | {duration(plan['seconds'])}"
        f" | {duration(wall)} | {wall / plan['seconds']:.3f} | {wall / max(busiest, 1):.3f}"
        f" | {run['report']['verdict']} |"
    )


def main() -> None:
    """Measure what the command line asks for, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("organizations", type=int, nargs="*", default=[2, 4, 8])
    parser.add_argument("--smoke", action="store_true", help="the smoke tier")
    options = parser.parse_args()
    print("| organizations | requests | planned | measured | of the plan | of the busiest lane | |")
    print("|---|---|---|---|---|---|---|", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for number in options.organizations:
            words = ["--tier=smoke"] if options.smoke else []
            print(row(number, measured(number, words, Path(folder))), flush=True)


if __name__ == "__main__":
    main()
