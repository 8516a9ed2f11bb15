"""Writes the table of faults and what they turn red: `python -m plumbline.suites.selfcheck.table > suites/KILLS.md`."""

from collections.abc import Iterator
from itertools import chain

from plumbline.fixtures.reference.faults import FAULTS
from plumbline.fixtures.reference.latitudes import LATITUDES

from .claims import observable
from .known import CASCADES, SAMPLE, TOGETHER

HEAD = """# What turns red

Generated from the reference deployment and `suites/selfcheck/known.py`; do not edit. Faults with a dot are tried on every
change, the others with `pytest suites/selfcheck --every-variation`. Latitudes that use every open item between them are tried
on every change, the others with the same option; nothing may turn red under any of them.
"""


def lines() -> Iterator[str]:
    """The lines of the table."""
    yield HEAD
    yield "| fault | on every change | breaks | turns red beside that | cannot be observed |"
    yield "|---|---|---|---|---|"
    often = {*SAMPLE, *chain(*TOGETHER)}
    for name, fault in FAULTS.items():
        hidden = {*fault.ids} - observable(fault.ids)
        beside, unseen = (", ".join(sorted(ids)) for ids in (CASCADES.get(name, ()), hidden))
        yield f"| `{name}` | {'●' if name in often else ''} | {', '.join(fault.ids)} | {beside} | {unseen} |"
    yield "\n| latitude | uses |\n|---|---|"
    for name, latitude in LATITUDES.items():
        yield f"| `{name}` | {', '.join(latitude.ids)} |"


if __name__ == "__main__":
    print("\n".join(lines()))
