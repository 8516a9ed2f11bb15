"""On which classes a variation is tried, and which variations take a minute to show."""

from collections.abc import Iterable, Mapping

from plumbline.fixtures.reference.variations import Variation
from plumbline.spec import catalogue

QUICK = ("core", "credentials", "isolation", "upstream", "graphql", "analytics")
"""Classes that are tried without waiting."""
WITH_RELAY = (*QUICK, "relay")
"""The same with the class that holds GraphQL against REST: what differs on one surface alone differs from the other one."""
BESIDE: Mapping[str, tuple[str, ...]] = {
    "ANA": ("analytics",),
    "AUTH": ("credentials", "isolation", "upstream", "graphql"),
    "CALL": ("upstream",),
    "ERR": ("credentials",),
    "GQL": ("graphql", "relay"),
    "LINK": ("upstream",),
    "OPP": ("upstream",),
    "SVC": ("graphql", "relay"),
    "VER": ("graphql",),
}
"""Classes beside `core` that a chapter has to do with."""
SLOW = {"LIM": "limits", "HOOK": "webhooks"}
"""Chapters that need their own class, by the beginning of their ids."""
FAULTS_AT_ONCE = 4
"""More get in each other's way too often."""
LATITUDES_AT_ONCE = 8
"""More than of faults, because none of them may show."""
AT_ONCE = {"limits": 6, "webhooks": 6}
"""Runs of a slow class that wait side by side; those of webhooks have more to do while they wait."""


def slow_class(variation: Variation) -> str:
    """The class that a variation of a slow chapter needs; empty for all others."""
    return next((SLOW[each.partition("-")[0]] for each in variation.ids if each.partition("-")[0] in SLOW), "")


def is_quick(variation: Variation) -> bool:
    """Whether a variation shows without waiting."""
    return not slow_class(variation)


def classes(ids: Iterable[str], *, every: bool) -> tuple[str, ...]:
    """The classes to try a quick variation with these ids on.

    Args:
        ids: of requirements or open items.
        every: all classes that show without waiting, instead of `core` and those that the chapters have to do with.

    What is of GraphQL alone is tried without `core`.
    """
    chapters = {each.partition("-")[0] for each in ids}
    if every:
        return WITH_RELAY if chapters & {"GQL", "SVC"} else QUICK
    core = () if chapters == {"GQL"} else ("core",)
    return (*core, *sorted({each for chapter in chapters for each in BESIDE.get(chapter, ())}))


def telling(latitudes: Mapping[str, Variation]) -> dict[str, Variation]:
    """Latitudes that use every open item between them, as few as the order of declaration finds."""
    used: set[str] = set()
    found = {}
    for name, latitude in latitudes.items():
        if not used.issuperset(latitude.ids):
            used.update(latitude.ids)
            found[name] = latitude
    return found


def apart(variations: Mapping[str, Variation], at_once: int) -> list[list[str]]:
    """All of these variations in groups to try at once; those that are declared together are dealt to different groups."""
    by_module = sorted(variations, key=lambda name: variations[name].rules.__module__)
    number = -(-len(variations) // at_once)
    return [by_module[first::number] for first in range(number)]


def observable(ids: Iterable[str]) -> set[str]:
    """Those of the requirements that somebody outside can observe; a fault of another one shows nowhere."""
    known = catalogue().requirements
    return {each for each in ids if not known[each].unobservable}


def severe(ids: Iterable[str]) -> bool:
    """Whether any of the requirements is a MUST of a class that decides."""
    known = catalogue()
    required = (known.requirements[each] for each in ids)
    return any(each.severity == "must" and known.classes[each.conformance_class].decides for each in required)
