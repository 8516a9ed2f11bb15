"""Which variations take a minute to try, and which latitudes can be tried together."""

from collections.abc import Iterable

from plumbline.fixtures.reference.rules import Rules
from plumbline.fixtures.reference.variations import Variation
from plumbline.spec import catalogue

QUICK = ("core", "credentials", "isolation", "upstream", "graphql", "analytics")
"""Classes that are tried without waiting."""
WITH_RELAY = (*QUICK, "relay")
"""The same with the class that holds GraphQL against REST: what differs on one surface alone differs from the other one."""
SLOW = {"LIM": "limits", "HOOK": "webhooks"}
"""Chapters that need their own class, by the beginning of their ids."""
WITHOUT_SUITES = frozenset({"webhooks"})
LARGEST = 12
CHAINED = frozenset({"outgoing", "incoming"})
"""Decisions that pass on what they do not change, so that several chapters may take them one after the other."""


def slow_class(variation: Variation) -> str:
    """The class that a variation of a slow chapter needs; empty for all others."""
    return next((SLOW[each.partition("-")[0]] for each in variation.ids if each.partition("-")[0] in SLOW), "")


def is_quick(variation: Variation) -> bool:
    """Whether a variation shows without waiting."""
    return not slow_class(variation)


def is_slow(variation: Variation) -> bool:
    """Whether a variation shows only after a while, in a class that has suites."""
    return slow_class(variation) not in {"", *WITHOUT_SUITES}


def classes(ids: Iterable[str]) -> tuple[str, ...]:
    """The classes to try a quick variation with these ids on."""
    return WITH_RELAY if any(each.startswith(("GQL-", "SVC-")) for each in ids) else QUICK


def together(variations: Iterable[Variation]) -> list[list[str]]:
    """Latitudes in groups whose members take different decisions differently, so that one run tries them all."""
    groups: list[tuple[list[str], set[str]]] = []
    for variation in variations:
        taken = _decisions(variation)
        fitting = (group for group in groups if len(group[0]) < LARGEST and taken.isdisjoint(group[1]))
        names, decisions = next(fitting, ([], set()))
        if not names:
            groups.append((names, decisions))
        names.append(variation.name)
        decisions |= taken
    return [names for names, _ in groups]


def severe(ids: Iterable[str]) -> bool:
    """Whether any of the requirements is a MUST of a class that decides."""
    known = catalogue()
    required = (known.requirements[each] for each in ids)
    return any(each.severity == "must" and known.classes[each.conformance_class].decides for each in required)


def _decisions(variation: Variation) -> set[str]:
    own = [made for made in variation.rules.__mro__ if made not in Rules.__mro__]
    names = {name for made in own for name in vars(made) if not name.startswith("__")}
    return {f"{name} of {variation.rules.__module__}" if name in CHAINED else name for name in names}
