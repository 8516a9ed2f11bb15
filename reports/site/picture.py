"""The picture of a deployment: its requirements over days, and above them how many failed in each
night.

A requirement that held all the time is a line of one unit; one that ever deviated has more room,
and is thick where it failed.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import groupby
from math import sqrt
from typing import TYPE_CHECKING, NamedTuple

from plumbline.reports.compare.run_history import LETTERS, WORDS, Run
from plumbline.reports.text import plural

if TYPE_CHECKING:
    from plumbline.spec import Catalogue

BARS_HEIGHT, CHAPTER_HEIGHT, GAP, QUIET, LOUD = 44, 15, 5, 1, 5
WORST = "cunspwef"
"""Letters as they worsen; of several runs on a day the worst counts."""
LOUD_LETTERS = frozenset((LETTERS["failed"], LETTERS["warned"]))


class Bar(NamedTuple):
    """A night: its place, the height of its bar, and what it says."""

    day: int
    height: float
    failed: int
    said: str


class Line(NamedTuple):
    """The parts of one requirement with one verdict, as a path."""

    requirement: str
    mark: str
    path: str
    width: int
    said: str


class Band(NamedTuple):
    """A chapter: where it begins, and its height."""

    name: str
    top: int
    height: int


@dataclass(frozen=True)
class Picture:
    """Everything that is drawn; one unit is a day across and a pixel down."""

    days: int
    height: int
    first: date
    last: date
    bars: Sequence[Bar]
    bands: Sequence[Band]
    plain: Mapping[str, str]
    lines: Sequence[Line]
    months: Sequence[tuple[float, str]]
    said: str

    @property
    def style(self) -> str:
        """Where the names of chapters and months stand: a style sheet of numbers alone."""
        bands = [
            f".bands span:nth-child({number}){{top:{band.top:d}px}}"
            for number, band in enumerate(self.bands, 1)
        ]
        months = [
            f".months span:nth-child({number}){{left:{place:.2f}%}}"
            for number, (place, _) in enumerate(self.months, 1)
        ]
        return "".join([*bands, *months])


def picture(runs: Sequence[Run], catalogue: "Catalogue", last: date, days: int) -> Picture:
    """Draw the runs of the last days.

    Args:
        runs: of one deployment, in their order.
        catalogue: gives the chapters; requirements that it does not have are left out.
        last: the day at the right edge.
        days: how many there are.
    """
    first = last - timedelta(days=days - 1)
    nights = _nights(runs, first, last)
    rows = {
        name: row
        for name in catalogue.requirements
        if (row := [nights[day].get(name, "") if day in nights else "" for day in range(days)])
        and set(row) - {"", "c", "u"}
    }
    bands, plain, lines, top = [], dict.fromkeys(("p", "e", "s", "n"), ""), [], BARS_HEIGHT + GAP
    for chapter, names in groupby(rows, key=lambda name: catalogue.requirements[name].chapter):
        begin = top
        for name in names:
            loud = bool(LOUD_LETTERS & set(rows[name]))
            middle = top + (LOUD if loud else QUIET) / 2
            for letter, path in _paths(rows[name], middle):
                if letter in LOUD_LETTERS:
                    mark = WORDS[letter]
                    lines.append(
                        Line(
                            name,
                            mark,
                            path,
                            LOUD - 1 if mark == "failed" else LOUD - 2,
                            _spans(rows[name], letter, first),
                        )
                    )
                elif letter in plain:
                    plain[letter] += path
            top += LOUD if loud else QUIET
        top = max(top, begin + CHAPTER_HEIGHT)
        bands.append(Band(chapter, begin, top - begin))
        top += GAP
    counts = {day: list(night.values()).count(LETTERS["failed"]) for day, night in nights.items()}
    most = max(counts.values(), default=0)
    bars = [_bar(day, counts[day], most, first) for day in sorted(nights)]
    worst = max(counts, key=lambda day: (counts[day], day), default=0)
    said = (
        f"{plural(len(nights), 'night')} with runs from {first} to {last};"
        f" {sum(map(bool, counts.values()))} with failures"
    )
    if most:
        said += f", the worst on {first + timedelta(days=worst)} with {most}"
    return Picture(days, top, first, last, bars, bands, plain, lines, [*_months(first, days)], said)


def _nights(runs: Sequence[Run], first: date, last: date) -> dict[int, dict[str, str]]:
    """The letters of each day with runs."""
    nights: dict[int, dict[str, str]] = {}
    for run in runs:
        day = run.started.date()
        if first <= day <= last:
            night = nights.setdefault((day - first).days, {})
            for name, letter in run.verdicts.items():
                night[name] = max(letter, night.get(name, letter), key=WORST.index)
    return nights


def _paths(row: Sequence[str], middle: float) -> Iterator[tuple[str, str]]:
    """For each letter of a row the path of all its parts."""
    paths: dict[str, str] = {}
    place = 0
    for letter, part in groupby(row):
        length = len([*part])
        if letter:
            paths[letter] = paths.get(letter, "") + f"M{place} {middle:g}h{length}"
        place += length
    yield from paths.items()


def _spans(row: Sequence[str], letter: str, first: date) -> str:
    """On how many days a requirement had a verdict, and on which last."""
    days = [day for day, letter_of_day in enumerate(row) if letter_of_day == letter]
    return f"{WORDS[letter]} in {len(days)} nights, last on {first + timedelta(days=days[-1])}"


def _bar(day: int, failed: int, most: int, first: date) -> Bar:
    height = max(4.0, sqrt(failed / most) * BARS_HEIGHT) if failed else 2.0
    return Bar(day, round(height, 1), failed, f"{first + timedelta(days=day)}: {failed} failed")


def _months(first: date, days: int) -> Iterator[tuple[float, str]]:
    """Names of months at the share of the width where they begin."""
    for day in range(days):
        now = first + timedelta(days=day)
        if now.day == 1:
            yield day / days * 100, f"{now:%b}"
