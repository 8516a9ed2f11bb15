"""The table of implementations: a row for each deployment, its verdict, and a column for each class
and chapter.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from markupsafe import Markup, escape

from plumbline.reports.compare.run_history import LETTERS
from plumbline.reports.site.standing import Standing

if TYPE_CHECKING:
    from plumbline.spec import Catalogue

MARKS: Mapping[str, str] = {
    "sound": "passed",
    "broken": "failed",
    "void": "unobservable",
    "unsettled": "not-exercised",
    "lapsed": "not-selected",
}
"""The sign of each tone."""


NOTHING = "\N{EN DASH}"


class Column(NamedTuple):
    """A class or a chapter, with how its letters are picked out of those of a deployment."""

    kind: str
    name: str
    pick: Callable[[Sequence[str]], Sequence[str]]


class Row(NamedTuple):
    """A deployment, its cells, which are made, and the letter of each requirement, in the order of
    the contract.
    """

    standing: Standing
    mark: str
    cells: Markup
    known: str


def table(standings: Sequence[Standing], catalogue: "Catalogue") -> tuple[list[Column], list[Row]]:
    """The columns in which anything was measured, and the rows, those that are broken first."""
    every = [
        [
            standing.deployment.known.get(name, LETTERS["not claimed"])
            for name in catalogue.requirements
        ]
        for standing in standings
    ]
    columns = [
        column
        for column in _columns(catalogue)
        if any(_counts("".join(column.pick(letters)))[0] for letters in every)
    ]
    rows = [
        Row(
            standing,
            MARKS[standing.tone],
            Markup("").join(_cell("".join(column.pick(letters))) for column in columns),
            "".join(letters),
        )
        for standing, letters in zip(standings, every, strict=True)
    ]
    return columns, sorted(
        rows, key=lambda row: (row.standing.tone != "broken", row.standing.name.lower())
    )


def _columns(catalogue: "Catalogue") -> Iterator[Column]:
    requirements = list(catalogue.requirements.values())
    for kind, field in (("class", "conformance_class"), ("chapter", "chapter")):
        for name in dict.fromkeys(getattr(requirement, field) for requirement in requirements):
            places = [
                place
                for place, requirement in enumerate(requirements)
                if getattr(requirement, field) == name
            ]
            # A single place would be picked as a letter, which is a sequence too.
            yield Column(kind, name, itemgetter(*places))


@cache
def _counts(letters: str) -> tuple[int, int, int, int]:
    """Measured requirements, and of them failed, warned, and not reached."""
    failed, warned, passed, missing = (
        sum(letters.count(LETTERS[word]) for word in words)
        for words in (("failed",), ("warned",), ("passed",), ("not exercised", "not selected"))
    )
    return failed + warned + passed + missing, failed, warned, missing


@cache
def _cell(letters: str) -> Markup:
    """A cell: what fails, else how many are missing, else how many hold; each with a sign beside
    its colour.
    """
    measured, failed, warned, missing = _counts(letters)
    if not measured:
        kind, text, said = "none", NOTHING, "not claimed"
    elif failed:
        kind, text, said = "failed", f"✗{failed}", f"{failed} of {measured} failed"
    elif missing == measured:
        kind, text, said = "missing", "○", f"none of {measured} exercised"
    elif missing:
        reached = measured - missing
        kind, text, said = (
            "missing",
            f"{reached}/{measured}",
            f"{reached} of {measured} exercised, none failed",
        )
    elif warned:
        kind, text, said = "warned", f"△{warned}", f"{warned} of {measured} warned, none failed"
    else:
        kind, text, said = "passed", f"{measured}", f"all {measured} passed"
    return Markup('<td class="{}" title="{}">{}</td>').format(kind, escape(said), text)
