"""On which classes a variation is tried, and which variations take a minute to show."""

from collections.abc import Iterable, Mapping
from itertools import chain, zip_longest

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
GROUP = 4
"""Variations that are tried at once."""
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


def telling(latitudes: Mapping[str, Variation]) -> list[list[str]]:
    """Latitudes that use every open item between them, as few as the order of declaration finds, in groups to try at once.

    Those of a group are declared in different modules, so they take different decisions. What is held against the other surface
    is tried alone.
    """
    used: set[str] = set()
    alone: list[list[str]] = []
    modules: dict[str, list[str]] = {}
    for name, latitude in latitudes.items():
        if used.issuperset(latitude.ids):
            continue
        used.update(latitude.ids)
        if "relay" in classes(latitude.ids, every=False):
            alone.append([name])
        else:
            modules.setdefault(latitude.rules.__module__, []).append(name)
    return [*alone, *([name for name in group if name] for group in zip_longest(*modules.values()))]


def apart(variations: Mapping[str, Variation]) -> list[list[str]]:
    """All of these variations in groups to try at once; those of a group are declared in different modules."""
    modules: dict[str, list[str]] = {}
    for name, each in variations.items():
        modules.setdefault(each.rules.__module__, []).append(name)
    number = max(-(-len(variations) // GROUP), *map(len, modules.values()))
    dealt = list(chain(*modules.values()))
    return [dealt[first::number] for first in range(number)]


def observable(ids: Iterable[str]) -> set[str]:
    """Those of the requirements that somebody outside can observe; a fault of another one shows nowhere."""
    known = catalogue().requirements
    return {each for each in ids if not known[each].unobservable}


def severe(ids: Iterable[str]) -> bool:
    """Whether any of the requirements is a MUST of a class that decides."""
    known = catalogue()
    required = (known.requirements[each] for each in ids)
    return any(each.severity == "must" and known.classes[each.conformance_class].decides for each in required)
