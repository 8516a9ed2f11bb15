"""What is caught from traffic alone: the exchanges of the trial of each fault, judged by the observer, which sends nothing.

`make prove` writes `observed.json`: by requirement, a fault that turns it red in this way. By hand, with names of faults,
`python -m plumbline.suites.proof.observed FAULT...` shows what is found of each.
"""

import json
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from plumbline.fixtures.http.exchange import Exchange
from plumbline.fixtures.observing.files import of_exchange
from plumbline.fixtures.observing.observer import Observer
from plumbline.fixtures.planning.matrix import Row, matrix
from plumbline.fixtures.reference.variations.faults import FAULTS
from plumbline.spec import catalogue

from .known import observable
from .proving import accepted, focused

FILE = Path(__file__).with_name("observed.json")
CLASSES = ("core", "isolation", "graphql")
WANTED_SHARE = 0.7
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


def watched(trial: Callable[[Callable[[Exchange], object]], object], *, complete: bool = True) -> tuple[set[str], int]:
    """The requirements that the exchanges of a trial show broken, and how many exchanges there were.

    Args:
        trial: takes what is shown each exchange.
        complete: whether the observer may follow records, because it sees every write.
    """
    seen: list[Exchange] = []
    trial(seen.append)
    found: list[Mapping[str, Any]] = []
    recordings = sorted((each for one in seen if (each := of_exchange(one))), key=lambda each: each.at)
    origins = Counter("/".join(each.url.split("/", 3)[:3]) for each in recordings if "://" in each.url)
    if origins:
        observer = Observer(origins.most_common(1)[0][0], found.append)
        observer.begin(complete=complete)
        for each in recordings:
            observer.see(each)
        observer.flush()
    return {each["requirement"] for each in found if each.get("outcome") == "failed"}, len(recordings)


def replayed(fault: str) -> Replayed:
    """Try a fault with its checks, and let the observer judge their exchanges."""
    red: set[str] = set()

    def trial(watch: Callable[[Exchange], object]) -> None:
        red.update(focused(fault, matrix().faults.get(fault, Row()).carriers, watch)[0].red)

    passive, exchanges = watched(trial)
    return Replayed(fault, red & observable(FAULTS[fault].ids), passive, exchanges)


def table(found: Iterable[Replayed]) -> dict[str, str]:
    """By requirement, the fault that turns it red from traffic alone: one that breaks it, and the fewest others."""
    by: dict[str, list[Replayed]] = {}
    for each in found:
        for name in each.passive & accepted(each.fault):
            by.setdefault(name, []).append(each)
    return {
        name: min(by[name], key=lambda one: (name not in FAULTS[one.fault].ids, len(one.passive))).fault for name in sorted(by)
    }


def shares(found: Iterable[Replayed]) -> dict[str, tuple[int, int]]:
    """By class, how many faults traffic alone catches of those that the checks catch."""
    counted: dict[str, tuple[int, int]] = {}
    for each in found:
        for group in {catalogue().requirements[name].conformance_class for name in each.active}:
            caught, of = counted.get(group, (0, 0))
            counted[group] = caught + each.caught, of + 1
    return counted


def main(names: Sequence[str], faults: Collection[str] = FAULTS) -> int:
    """Show what is found of some faults, or measure all of them; returns 1 when too few are caught."""
    if unknown := set(names) - set(faults):
        print(f"There is no fault called {', '.join(sorted(unknown))}; `plumbline serve --list` names them all.", file=sys.stderr)
        return 2
    if names:
        for each in map(replayed, names):
            print(f"{each.fault}: {each.exchanges} exchanges, breaks {', '.join(sorted(each.active)) or 'nothing that shows'}")
            print(f"  traffic alone: {', '.join(sorted(each.passive)) or 'nothing'}{'' if each.caught else '; not caught'}")
        return 0
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        found = list(pool.map(replayed, faults, chunksize=8))
    FILE.write_text(json.dumps(table(found), indent=1) + "\n", encoding="utf-8")
    counted = shares(found)
    for group, (caught, of) in sorted(counted.items()):
        print(f"{group}: {caught} of {of} caught from traffic alone, {caught / of:.0%}")
    missed = [each.fault for each in found if each.active and not each.caught]
    print(f"not caught: {', '.join(missed)}")
    return int(any(counted[each][0] < WANTED_SHARE * counted[each][1] for each in CLASSES if each in counted))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
