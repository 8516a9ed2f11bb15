"""What earlier runs against the same target said, from the report that a new run replaces.

It is a word of mouth: nobody has held it against evidence, which goes with the old report. So it
stands in the results of the new run as a history to look at, and neither a verdict nor a signature
rests on it.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from plumbline.reports.evidence.manifest import RESULTS
from plumbline.reports.evidence.results import load
from plumbline.reports.report_errors import ReportError
from plumbline.reports.run_context import RunContext

MOST_RUNS = 10
"""Earlier runs that are kept; the oldest one goes first."""
TOLD = ("failed", "warned", "passed", "not exercised")
"""Verdicts that say something about a deployment or a gap; the others follow from contract and
claim.
"""


def earlier_runs(folder: Path, context: RunContext) -> tuple[Mapping[str, Any], ...]:
    """The earlier runs that a report folder knows of, the latest one first.

    Args:
        folder: where the new run is going to write; what stands there is read only if its schema
            holds.
        context: of the new run; a report of another target says nothing about this one.

    Returns:
        JSON values as `earlier` in conformance.json has them; none where no such report can be
        read.
    """
    try:
        results = load(folder / RESULTS)
    except (ReportError, OSError):
        return ()
    name = results["profile"].get("name")
    same = results["target"] == context.target or (
        context.embedded and name == context.profile.get("name")
    )
    if not same or results["nonce"] == context.nonce:
        return ()
    latest = [_told_by(results)] if results["state"] == "finished" and results["started"] else []
    return tuple([*latest, *results.get("earlier", ())][:MOST_RUNS])


def _told_by(results: Mapping[str, Any]) -> dict[str, Any]:
    """What is kept of a run that has finished."""
    verdicts: dict[str, list[str]] = {word: [] for word in TOLD}
    for entry in results["requirements"]:
        if entry["verdict"] in verdicts:
            verdicts[entry["verdict"]].append(entry["id"])
    kept = {word: ids for word, ids in verdicts.items() if ids}
    return {name: results[name] for name in ("nonce", "started", "verdict", "partial", "tier")} | {
        "verdicts": kept
    }
