"""What is caught from the traffic of a fuzzer that knows nothing of the kit: Schemathesis with the
published OpenAPI document.

A reference deployment with one fault answers, and `plumbline observe --complete` reads the HAR
file. All faults would take hours, so a sample is tried: `python -m
plumbline.suites.proof.pages.fuzzed`, which writes `suites/shares.json`. Recordings are kept in
`build/fuzzed`, so that an interrupted run can be continued and judged anew; delete the folder to
start again. With names of faults it shows what is found of each, and writes nothing.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path

from plumbline.fixtures.cli.measured.traffic import CLASSES
from plumbline.fixtures.observing.seen import likeliest_base
from plumbline.fixtures.observing.sources.recordings import Recording
from plumbline.fixtures.reference.server import Deployment, Settings
from plumbline.fixtures.reference.variations.faults import FAULTS
from plumbline.fixtures.run.planning.matrix import matrix
from plumbline.fixtures.tests.cli.tools.workshop import DOCUMENT, ROOT
from plumbline.fixtures.tests.deployments import started
from plumbline.suites.proof.benchmarks.peers import GENERATED, informed

from ..expected import observable
from .observed import Replayed, classes_of, findings, publish, report

SETTINGS = (
    "--phases=examples,fuzzing,stateful",
    "--max-examples=5",
    "--generation-database=none",
    "--seed=20",
    "--no-color",
)
KEPT = ROOT / "build" / "fuzzed"
SAMPLE, SEED = 60, 20
"""Faults of each class that are tried, where there are more, and what draws them."""
AT_ONCE = 2
"""Deployments, each with a fuzzer."""


def record(deployment: Deployment, file: Path, *, told: bool = False) -> None:
    """Write a HAR file of what Schemathesis sends to a deployment, with the key of its owner.

    Args:
        deployment: that runs.
        file: the HAR file; its folder is made.
        told: whether the document names what exists in this deployment, as in `make bench`.

    Raises:
        AssertionError: Schemathesis did not come to an end; the message is what it says.
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=file.parent) as folder:
        document, written = Path(folder) / "openapi.json", Path(folder) / file.name
        text = (
            json.dumps(informed(GENERATED, deployment.description()))
            if told
            else DOCUMENT.read_text(encoding="utf-8")
        )
        document.write_text(text, encoding="utf-8")
        command = [
            str(Path(sys.executable).with_name("schemathesis")),
            "run",
            str(document),
            *SETTINGS,
        ]
        command += [
            "--url",
            deployment.base_url,
            "-H",
            f"Authorization: Bearer {deployment.keys['owner']}",
        ]
        command += ["--output-sanitize=false", "--report=har", "--report-har-path", str(written)]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode in (0, 1), done.stdout + done.stderr
        written.rename(file)


def overheard(fault: str, *, told: bool = False) -> Replayed:
    """What the observer finds in the recording of a fault, which is made unless it is kept."""
    file = KEPT / ("told" if told else "untold") / f"{fault}.har"
    if not file.exists():
        with started(Settings(faults=(fault,))) as deployment:
            record(deployment, file, told=told)
    recorded = list(Recording(file))
    base_url = likeliest_base((exchange.method, exchange.url) for exchange in recorded)
    return Replayed(
        fault, _active(fault), findings(recorded, base_url) if base_url else set(), len(recorded)
    )


def sample(size: int = SAMPLE) -> list[str]:
    """Faults of each class that the checks catch, at most so many, drawn at random."""
    active = [name for name in FAULTS if _active(name)]
    chosen: dict[str, None] = {}
    for class_ in CLASSES:
        members = [name for name in active if class_ in classes_of(_active(name))]
        chosen |= dict.fromkeys(random.Random(SEED).sample(members, min(size, len(members))))
    return [*chosen]


def _active(fault: str) -> set[str]:
    """What the checks show broken, as the matrix has it."""
    row = matrix().faults.get(fault)
    return set(row.red & observable(FAULTS[fault].ids)) if row else set()


def main(words: Sequence[str]) -> int:
    """Show what is found of some faults, or measure a sample and publish it; returns the exit
    code.
    """
    parser = argparse.ArgumentParser(
        prog="python -m plumbline.suites.proof.pages.fuzzed", description=__doc__
    )
    parser.add_argument("faults", nargs="*", metavar="FAULT", help="only these")
    parser.add_argument(
        "--told", action="store_true", help="let the document name what exists in the deployment"
    )
    options = parser.parse_args(words)
    if unknown := set(options.faults) - FAULTS.keys():
        parser.error(
            f"there is no fault called {', '.join(sorted(unknown))}; `plumbline serve --list` names"
            " them all"
        )
    replays: list[Replayed] = []
    with ProcessPoolExecutor(AT_ONCE, mp_context=get_context("spawn")) as pool:
        for replay in pool.map(partial(overheard, told=options.told), options.faults or sample()):
            print("\n".join(report(replay)), flush=True)
            replays.append(replay)
    if not options.faults:
        publish("schemathesis, told" if options.told else "schemathesis", replays)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
