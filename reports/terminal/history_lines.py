"""What runs say over time, as lines of text: of all deployments, of one, of a requirement."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from plumbline.reports.compare.run_history import WORDS, Flip, Run
from plumbline.reports.text import duration, plural

MAX_FLIPS = 40
"""Flips shown; the others are counted."""


def deployment_lines(standing: Iterable[tuple[Run, Run]]) -> Iterator[str]:
    """A line for each deployment.

    Args:
        standing: for each the run that says how it stands, and the last one.
    """
    rows = [
        (
            run.deployment,
            run.headline,
            str(run.failed),
            f"{run.passed} of {run.of}",
            f"{run.started:%Y-%m-%d}",
            f"{last.started:%Y-%m-%d %H:%M}",
        )
        for run, last in standing
    ]
    yield from _columns(("deployment", "verdict", "failed", "passed", "shown on", "last run"), rows)


def run_lines(runs: Sequence[Run]) -> Iterator[str]:
    """A line for each run, in their order."""
    rows = [
        (
            f"{run.started:%Y-%m-%d %H:%M}",
            run.headline,
            run.tier,
            str(run.failed),
            f"{run.passed} of {run.of}",
            str(run.requests),
            duration(run.seconds),
            ("verified" if not run.fault else "not believed") if run.signer else "none",
            run.attempt,
        )
        for run in runs
    ]
    yield from _columns(
        ("started", "verdict", "tier", "failed", "passed", "requests", "time", "statement", "run"),
        rows,
    )


def flip_lines(flips: Sequence[Flip]) -> Iterator[str]:
    """What has flipped, the latest first, and what does so most often."""
    yield f"flipped: {len(flips)}"
    yield from (
        f"  {flip.deployment}: {flip.sentence}  [{flip.attempt}]" for flip in flips[:MAX_FLIPS]
    )
    if len(flips) > MAX_FLIPS:
        yield f"  and {len(flips) - MAX_FLIPS} earlier; see --since and --json"
    often = [
        (flip_key, count)
        for flip_key, count in Counter(
            (flip.deployment, flip.requirement) for flip in flips
        ).most_common(5)
        if count > 2
    ]
    if often:
        yield "most often: " + ", ".join(
            f"{requirement} at {name} ({plural(count, 'time')})"
            for (name, requirement), count in often
        )


def requirement_lines(
    requirement: str, standings: Mapping[str, str], last: Mapping[str, Flip]
) -> Iterator[str]:
    """Which deployments fail a requirement.

    Args:
        requirement: its id.
        standings: the letter of what was last found, by deployment.
        last: the last flip, by deployment.
    """
    counted = Counter(WORDS[letter] for letter in standings.values())
    failing = [name for name, letter in standings.items() if WORDS[letter] == "failed"]
    rest = ", ".join(
        f"{word} in {count}" for word, count in counted.most_common() if word != "failed"
    )
    yield f"{requirement} fails in {len(failing)} of {plural(len(standings), 'deployment')}" + (
        f"; {rest}" if rest else ""
    )
    yield from (f"  {name}: {last[name].sentence}  [{last[name].attempt}]" for name in failing)


def _columns(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    lines = [head, *rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    yield from (
        "  ".join(f"{cell:{width}}" for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    )
