"""What the proof writes: the table that people read of the matrix (`suites/KILLS.md`), and JSON of
one line for each entry.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from plumbline.fixtures.planning.matrix import Matrix, Row
from plumbline.fixtures.reference.variations.faults import FAULTS
from plumbline.fixtures.reference.variations.variants import VARIANTS

from ..expected import observable
from .curve import curve, table

HEAD = """# What turns red

Measured by `make prove` on commit `{commit:.10}`, {date}, contract revision {revision}; do not
edit. `make test` tries every fault with the checks that declare what it breaks, and holds the
result against the matrix that this table shows (`matrix.json`). {judgements} judgements stand in
the suites; each of {proved} is the only one in its check to catch some fault.
"""


def json_lines(entries: Mapping[str, Any], indent: str = "") -> str:
    """A JSON object with one line for each member, so that a change of a member is a change of a
    line.
    """
    members = (
        f"{indent} {json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}"
        for name, value in entries.items()
    )
    return "{\n" + ",\n".join(members) + f"\n{indent}}}"


def lines(matrix: Matrix) -> Iterator[str]:
    """The lines of the table."""
    proved = matrix.judgements - len(matrix.unproved)
    yield HEAD.format(**matrix.measured, judgements=matrix.judgements, proved=proved)
    yield "![The share of faults caught, by requests](curve.svg)\n"
    yield from table(curve(matrix))
    yield "\n| fault | breaks | caught by | turns red as well | cannot be observed |"
    yield "|---|---|---|---|---|"
    for name, row in matrix.faults.items():
        broken = observable(FAULTS[name].ids)
        more, hidden = (
            ", ".join(sorted(row.red - broken)),
            ", ".join(sorted(set(FAULTS[name].ids) - broken)),
        )
        yield f"| `{name}` | {', '.join(FAULTS[name].ids)} | {_caught(row)} | {more} | {hidden} |"
    yield "\n| permitted variant | uses |\n|---|---|"
    for name in matrix.variants:
        yield f"| `{name}` | {', '.join(VARIANTS[name].ids)} |"


def _caught(row: Row) -> str:
    """The checks that catch a fault, those with several sets of parameters once, and the
    oracles.
    """
    checks = dict.fromkeys(name.partition("[")[0] for name in row.checks)
    oracles = dict.fromkeys(
        oracles_of_row for oracle in row.traffic.values() for oracles_of_row in oracle
    )
    return ", ".join(f"`{name}`" for name in (*checks, *oracles))
