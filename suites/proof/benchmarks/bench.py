"""Compares the suites with Schemathesis on the same deployments: `make bench`, which writes
`suites/PEERS.md`.

A run of all takes hours. Measurements are kept in `build/bench.jsonl`, so that an interrupted run
can be continued; delete the file to start again. `--only 6` measures six faults and six variants,
`--tool smoke` one tool; neither writes the table.
"""

import argparse
import json
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path

from plumbline.suites.proof.benchmarks.bench_table import lines
from plumbline.suites.proof.benchmarks.peers import (
    Deployment,
    Ours,
    Run,
    Schemathesis,
    Tool,
    measured,
)

ROOT = Path(__file__).parents[3]
KEPT = ROOT / "build" / "bench.jsonl"
TABLE = ROOT / "suites" / "PEERS.md"
SEEDS = range(20, 32)
"""The first one for every deployment, all of them for the plain one, to know what a tool complains
about by chance.

Some complaints of Schemathesis come in one run of three or four. Few seeds may all miss one, which
then counts as a finding.
"""
SETTINGS: Mapping[str, tuple[str, ...]] = {
    "lean": ("--phases=examples,fuzzing,stateful", "--max-examples=5"),
    "tuned": ("--phases=examples,coverage,fuzzing,stateful", "--max-examples=20"),
}
TOOLS: Mapping[str, Tool] = {
    "smoke": Ours("smoke"),
    "standard": Ours("standard"),
    **{name: Schemathesis(*options) for name, options in SETTINGS.items()},
}
FAULTS_SHOWN = (
    *("scheme-is-optional", "fields-custom-only", "slots-in-asked-zone", "booked-slots-offered"),
    *("utm-cut", "fresh-summary-empty", "guest-name-lost", "key-books-again"),
    *("upcoming-truthy", "analysis-never", "outcome-without-status", "revived-stays-cancelled"),
    *("reference-missing", "resource-unwrapped", "error-object", "company-stays"),
    *("notes-append", "notes-bare", "zone-unchecked", "company-lost"),
    *("cursor-number", "limit-one-refused", "opportunity-lead-full-name", "unknown-stage-all"),
    *(
        "unfit-is-disqualified",
        "patch-amount-rounded",
        "external-id-number",
        "refunded-not-recorded",
    ),
    *("verify-unlinked", "no-json-401", "list-hides-cancelled"),
)
"""Faults of every chapter of class `core`, each with few requirements."""
VARIANTS_SHOWN = (
    *("created-200", "oldest-first", "foreign-cursor-begins-anew", "call-times-open"),
    *(
        "outcome-clears-notes",
        "analysis-409",
        "unknown-closer-ignored",
        "times-without-offset-read",
    ),
    *("known-statuses-only", "leads-name-their-link", "source-hidden", "notes-stamped"),
    *("key-codes", "other-field-words", "slot-for-each-host", "currencies-in-capitals"),
    *("empty-payment-patch-refused", "rescheduled-stage", "opportunity-ids", "refusals-422"),
    *("other-types-415", "description-short"),
)
"""Permitted variants, spread over the chapters of class `core`."""


def deployments(number: int | None) -> Iterator[Deployment]:
    """What every tool looks at.

    Args:
        number: of faults and of variants; all when None.
    """
    yield from (Deployment("plain", "", seed) for seed in SEEDS)
    yield from (Deployment("fault", name, SEEDS[0]) for name in FAULTS_SHOWN[:number])
    yield from (Deployment("variant", name, SEEDS[0]) for name in VARIANTS_SHOWN[:number])


def kept(file: Path) -> dict[tuple[str, Deployment], Run]:
    """What was measured before."""
    measurements = {}
    for line in file.read_text(encoding="utf-8").splitlines() if file.exists() else ():
        entry = json.loads(line)
        run = entry["run"] | {"signs": tuple(entry["run"]["signs"])}
        measurements[entry["tool"], Deployment(**entry["deployment"])] = Run(**run)
    return measurements


def main() -> None:
    """Measure what was not measured yet, and write the table when nothing is missing."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tool", action="append", choices=TOOLS, help="only this one; repeatable")
    parser.add_argument(
        "--only", type=int, metavar="NUMBER", help="only so many faults and variants"
    )
    options = parser.parse_args()
    KEPT.parent.mkdir(exist_ok=True)
    runs = kept(KEPT)
    for tool in options.tool or TOOLS:
        for deployment in deployments(options.only):
            if (tool, deployment) not in runs:
                runs[tool, deployment] = run = _looked_at(tool, deployment)
                _keep(tool, deployment, run)
    asked = {(tool, deployment): None for deployment in deployments(None) for tool in TOOLS}
    if runs.keys() >= asked.keys():
        text = lines(
            {key: runs[key] for key in asked},
            {name: " ".join(words) for name, words in SETTINGS.items()},
        )
        TABLE.write_text("\n".join(text) + "\n", encoding="utf-8")


def _looked_at(tool: str, deployment: Deployment) -> Run:
    with tempfile.TemporaryDirectory() as folder:
        run = measured(TOOLS[tool], deployment, Path(folder))
    name = deployment.name or f"seed {deployment.seed}"
    figures = f"{run.exit_code:3}{run.requests:6}{run.seconds:7.1f} s"
    print(f"{tool:9}{deployment.kind:9}{name:31}{figures}", flush=True)
    return run


def _keep(tool: str, deployment: Deployment, run: Run) -> None:
    with KEPT.open("a", encoding="utf-8") as file:
        file.write(
            json.dumps({"tool": tool, "deployment": asdict(deployment), "run": asdict(run)}) + "\n"
        )


if __name__ == "__main__":
    main()
