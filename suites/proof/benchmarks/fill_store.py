"""Fills a store with made-up nights and measures it: `python -m
plumbline.suites.proof.benchmarks.fill_store build/store`.

Deployments fail a few requirements for weeks, some flip now and then, and on a broken night most of
one fail. Runs come in the order of days, through the same code that adds a real run; only the
evidence is left out.
"""

import argparse
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from random import Random
from statistics import median

from plumbline.fixtures.fleet.store import Store
from plumbline.reports.compare.run_history import Flip, Run
from plumbline.reports.site.site import Fleet, overview
from plumbline.spec import catalogue

BATCH, TIMES = 2000, 5
CLASSES = ("core", "credentials", "isolation", "limits", "graphql", "webhooks")


def nights(deployments: int, days: int) -> Iterator[Run]:
    """The runs of all deployments, day by day."""
    requirements = catalogue().requirements
    ids = tuple(requirements)
    claimed = [
        number
        for number, requirement in enumerate(requirements.values())
        if requirement.conformance_class in CLASSES and not requirement.unobservable
    ]
    plain = "".join("p" if number in set(claimed) else "c" for number in range(len(ids)))
    made = Random(18)
    beginning = datetime.now(UTC).replace(hour=1, minute=0, second=0, microsecond=0) - timedelta(
        days=days - 1
    )
    failing: list[set[int]] = [
        set(made.sample(claimed, made.choice((0, 0, 0, 1, 4, 12)))) for _ in range(deployments)
    ]
    for day in range(days):
        for number in range(deployments):
            broken = failing[number]
            if made.random() < 0.04:  # a release repairs something, or breaks something
                repaired = made.random() < 0.6
                changed = (
                    made.sample(sorted(broken), min(len(broken), 2))
                    if repaired
                    else made.sample(claimed, made.randint(1, 2))
                )
                broken.symmetric_difference_update(changed)
            night = set(made.sample(claimed, 150)) | broken if made.random() < 0.003 else broken
            flaky = {made.choice(claimed)} if number % 10 == 0 and made.random() < 0.1 else set()
            letters = list(plain)
            for place in night | flaky:
                letters[place] = "f"
            failed = letters.count("f")
            begun = beginning + timedelta(days=day, seconds=number)
            yield Run(
                deployment=f"vendor-{number:04}",
                attempt=f"{number}-{day}",
                started=begun,
                ended=begun + timedelta(minutes=8),
                verdict="non-conformant" if failed else "conformant",
                partial=False,
                tier="standard",
                passed=len(claimed) - failed,
                of=len(claimed),
                requests=480,
                revision=catalogue().revision,
                kit="0.1.0",
                ids=ids,
                packed="".join(letters),
            )


def filled(database: Path, deployments: int, days: int) -> Store:
    """A store with all nights."""
    store = Store.open(f"sqlite:///{database}", "")
    begun, count = time.perf_counter(), 0
    coming = nights(deployments, days)
    while batch := list(islice(coming, BATCH)):
        store.add_runs(batch, catalogue().digest)
        count += len(batch)
    seconds = time.perf_counter() - begun
    print(f"{count:,} runs added in {seconds:.0f} s, {count / seconds:.0f} a second")
    return store


def measured(store: Store, folder: Path) -> Iterator[tuple[str, float]]:
    """What is asked of a store, with the median of the seconds that it takes."""
    month = datetime.now(UTC) - timedelta(days=30)
    questions: dict[str, Callable[[], object]] = {
        "how all deployments stand": store.deployments,
        "one requirement, all deployments": lambda: store.flips(requirement="PAG-03"),
        "one requirement, one deployment": lambda: store.flips("vendor-0007", "PAG-03"),
        "runs of one deployment": lambda: store.runs("vendor-0007"),
        "flips of the last 30 days": lambda: store.flips(since=month),
        "table page": (
            lambda: (folder / "index.html").write_bytes(
                overview(fleet_of(store, store.flips(since=month)))
            )
        ),
    }
    for name, question in questions.items():
        times = []
        for _ in range(TIMES):
            begun = time.perf_counter()
            question()
            times.append(time.perf_counter() - begun)
        yield name, median(times)


def fleet_of(store: Store, flips: Sequence[Flip]) -> Fleet:
    """What a site is written from."""
    archive = store.evidence.archive
    return Fleet(store.deployments(), flips, store.runs, archive, catalogue(), datetime.now(UTC))


def main() -> None:
    """Fill a store unless it is there, then measure it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--deployments", type=int, default=2000)
    parser.add_argument("--days", type=int, default=365)
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    database = arguments.folder / "fleet.db"
    if database.exists():
        store = Store.open(f"sqlite:///{database}", "")
    else:
        store = filled(database, arguments.deployments, arguments.days)
    for name, seconds in measured(store, arguments.folder):
        print(f"{name}: {seconds * 1000:.0f} ms")
    store.close()
    print(f"{database.stat().st_size / 1e6:.0f} MB")


if __name__ == "__main__":
    main()
