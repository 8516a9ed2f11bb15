"""What is caught from traffic alone: the exchanges of the trial of each fault, judged by the
observer, which sends nothing.

`make prove` writes `observed.json`, by requirement a fault that turns it red in this way, and
`suites/shares.json`, how many are caught; `plumbline docs` makes a page of it. By hand,
`python -m plumbline.suites.proof.pages.observed FAULT...` shows what is found of some faults.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from plumbline.fixtures.cli.measured.traffic import CLASSES, TABLE
from plumbline.fixtures.http.exchange import Exchange
from plumbline.fixtures.observing.observer import Observer
from plumbline.fixtures.observing.seen import Recorded
from plumbline.fixtures.observing.sources.recordings import of_exchange
from plumbline.fixtures.reference.variations.faults import FAULTS
from plumbline.fixtures.run.planning.matrix import Row
from plumbline.spec import catalogue
from plumbline.spec.rows import rows

from ..expected import accepted, observable
from ..proving import measured

FILE = Path(__file__).parents[1] / "observed.json"
SHARES = Path(__file__).parents[2] / TABLE
MISSED = Path(__file__).parents[3] / "build" / "prove" / "not-caught-from-traffic.txt"
"""The faults that traffic alone does not show."""
WANTED_SHARE = 0.65
"""Of the faults of these classes that the active run catches."""


@dataclass
class Replayed:
    """One fault, as the trial and as the observer saw it.

    Attributes:
        fault: its name.
        active: the requirements that the checks found broken.
        passive: those that the exchanges of the same checks show broken without a request.
        exchanges: how many there were.
    """

    fault: str
    active: set[str] = field(default_factory=set)
    passive: set[str] = field(default_factory=set)
    exchanges: int = 0

    @property
    def caught(self) -> bool:
        """Whether traffic alone shows what the fault breaks, or what is known to fall with that."""
        return bool(self.passive & (accepted(self.fault) | self.active))


def observed(exchanges: Iterable[Exchange], *, complete: bool = True) -> tuple[set[str], int]:
    """The requirements that the exchanges of a trial show broken, and how many exchanges can be
    read.

    Args:
        exchanges: in any order.
        complete: whether the observer may follow records, because it sees every write.
    """
    recorded = sorted(
        (exchange for one in exchanges if (exchange := of_exchange(one))),
        key=lambda exchange: exchange.at,
    )
    origins = Counter(
        "/".join(exchange.url.split("/", 3)[:3]) for exchange in recorded if "://" in exchange.url
    )
    if not origins:
        return set(), len(recorded)
    return findings(recorded, origins.most_common(1)[0][0], complete=complete), len(recorded)


def findings(recorded: Iterable[Recorded], base_url: str, *, complete: bool = True) -> set[str]:
    """The requirements that a recording shows broken.

    Args:
        recorded: in the order of time.
        base_url: of the deployment.
        complete: see `observed`.
    """
    records: list[Mapping[str, Any]] = []
    observer = Observer(base_url, records.append)
    observer.begin(complete=complete)
    for exchange in recorded:
        observer.see(exchange)
    observer.flush()
    return {entry["requirement"] for entry in records if entry.get("outcome") == "failed"}


def replayed(fault: str) -> tuple[Row, Replayed]:
    """Try a fault with its checks, and let the observer judge their exchanges; the row of the
    fault, and what was observed.
    """
    sent: list[Exchange] = []
    row = measured(fault, sent)
    passive, exchanges = observed(sent)
    return row, Replayed(fault, observable(FAULTS[fault].ids) & row.red, passive, exchanges)


def table(replays: Iterable[Replayed]) -> dict[str, str]:
    """By requirement, the fault that turns it red from traffic alone: one that breaks it, and the
    fewest others.
    """
    by: dict[str, list[Replayed]] = {}
    for replay in replays:
        for name in replay.passive & accepted(replay.fault):
            by.setdefault(name, []).append(replay)
    return {
        name: (
            min(
                by[name], key=lambda one: (name not in FAULTS[one.fault].ids, len(one.passive))
            ).fault
        )
        for name in sorted(by)
    }


def shares(replays: Iterable[Replayed]) -> dict[str, tuple[int, int]]:
    """By class, how many faults traffic alone catches of those that the checks catch."""
    counted: dict[str, tuple[int, int]] = {}
    for replay in replays:
        for group in classes_of(replay.active):
            caught, of = counted.get(group, (0, 0))
            counted[group] = caught + replay.caught, of + 1
    return counted


def classes_of(requirements: Iterable[str]) -> set[str]:
    """The conformance classes of some requirements."""
    return {catalogue().requirements[name].conformance_class for name in requirements}


def publish(source: str, replays: Sequence[Replayed]) -> None:
    """Write how many faults are caught from the traffic of a source, beside those of the others.

    Args:
        source: one of `traffic.SOURCES`.
        found: the faults that were tried.
    """
    shares_by_source = json.loads(SHARES.read_text(encoding="utf-8")) if SHARES.exists() else {}
    counted = shares(replays)
    shares_by_source[source] = {"exchanges": round(median(replay.exchanges for replay in replays))}
    shares_by_source[source] |= {class_: counted[class_] for class_ in CLASSES if class_ in counted}
    SHARES.write_text(rows(shares_by_source, levels=1), encoding="utf-8")


def report(replay: Replayed) -> Iterator[str]:
    """What is found of a fault."""
    yield (
        f"{replay.fault}: {replay.exchanges} exchanges, breaks"
        f" {', '.join(sorted(replay.active)) or 'nothing that shows'}"
    )
    shown = ", ".join(sorted(replay.passive)) or "nothing"
    yield f"  traffic alone: {shown}{'' if replay.caught else '; not caught'}"


def publish_checks(replays: Sequence[Replayed]) -> list[str]:
    """Write what is caught from the traffic of the checks, by requirement and by class; the classes
    with too few.

    Args:
        found: all faults.
    """
    FILE.write_text(rows(table(replays), levels=1), encoding="utf-8")
    publish("checks", replays)
    counted = shares(replays)
    for group, (caught, of) in sorted(counted.items()):
        print(f"{group}: {caught} of {of} caught from traffic alone, {caught / of:.0%}")
    missed = [replay.fault for replay in replays if replay.active and not replay.caught]
    MISSED.parent.mkdir(parents=True, exist_ok=True)
    MISSED.write_text("".join(f"{name}\n" for name in missed), encoding="utf-8")
    print(f"{len(missed)} faults are not caught from traffic alone; {MISSED} lists them")
    return [
        f"{group}: less than {WANTED_SHARE:.0%} caught from traffic alone"
        for group, (caught, of) in sorted(counted.items())
        if group in CLASSES and caught < WANTED_SHARE * of
    ]


def main(names: Sequence[str]) -> int:
    """Show what is found of some faults; returns 2 when one of them is unknown."""
    if unknown := set(names) - set(FAULTS):
        print(
            f"There is no fault called {', '.join(sorted(unknown))}; `plumbline serve --list` names"
            " them all.",
            file=sys.stderr,
        )
        return 2
    for _, replay in map(replayed, names):
        print("\n".join(report(replay)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
