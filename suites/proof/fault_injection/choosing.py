"""Which operations fail in which ways: all in the long proof, a spread in every test."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import zip_longest

from .injector import BY_KIND, Point

PER_PLACE = 6
"""Operations of one kind at one place that fail in the long proof, among them first and last."""


def injections(points: Iterable[Point], limit: int | None) -> list[tuple[Point, str]]:
    """Points with the failures to try at each, in a stable order.

    Args:
        points: what a run without a fault has done.
        limit: at most this many, from as many places as possible; None for all.
    """
    places: defaultdict[tuple[str, str], set[Point]] = defaultdict(set)
    for point in points:
        places[point.kind, point.place].add(point)
    rounds = [
        [*_at_a_place(_spread(sorted(choices)), shift=number if limit is not None else 0)]
        for number, (_, choices) in enumerate(sorted(places.items()))
    ]
    if limit is None:
        return [injection for at_a_place in rounds for injection in at_a_place]
    dealt = [
        injection
        for round_ in zip_longest(*rounds)
        for injection in round_
        if injection is not None
    ]
    first = [*_strided(dealt[: len(rounds)], limit)]
    return first if len(first) >= limit else dealt[:limit]


def _at_a_place(points: list[Point], *, shift: int) -> Iterator[tuple[Point, str]]:
    """The failures of some points of one kind at one place, at the last point first."""
    kinds = BY_KIND.get(points[0].kind, ())
    turned = kinds[shift % len(kinds) :] + kinds[: shift % len(kinds)] if kinds else ()
    for point in reversed(points):
        yield from ((point, failure) for failure in turned)


def _spread(points: list[Point]) -> list[Point]:
    """At most so many, among them the first and the last."""
    if len(points) <= PER_PLACE:
        return points
    return [points[number * (len(points) - 1) // (PER_PLACE - 1)] for number in range(PER_PLACE)]


def _strided(dealt: list[tuple[Point, str]], limit: int) -> Iterator[tuple[Point, str]]:
    """So many of a list, evenly."""
    number = min(limit, len(dealt))
    yield from (dealt[position * len(dealt) // number] for position in range(number))
