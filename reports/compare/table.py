"""The implementation table: several runs beside each other, as one page that needs nothing else.

Requirements are rows, runs are columns. Rows in which the runs differ come first; the others are
folded.
"""

from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from jinja2 import Environment

from plumbline.reports.compare.difference import JUDGED, Results, headline
from plumbline.reports.html.page import digest
from plumbline.reports.text import named, printable, shorten

if TYPE_CHECKING:
    from plumbline.spec import Catalogue

ABSENT = "not in the contract"
DIFFER, NOT_ALL, SAME = "Where they differ", "Judged in some runs only", "The same in all runs"
MAX_OPERATIONS, MAX_LENGTH = 2, 120
"""Operations on which a requirement failed, and characters of them, in a cell."""


def table(runs: Mapping[str, Results], catalogue: "Catalogue") -> str:
    """The page.

    Args:
        runs: results by the name of the implementation, at least one.
        catalogue: gives the sentences of requirements that it has.
    """
    template = files(__package__).joinpath("page", "table.html").read_text(encoding="utf-8")
    results = [*runs.values()]
    return (
        Environment(autoescape=True, trim_blocks=True)
        .from_string(template)
        .render(
            names=[printable(name) for name in runs],
            facts=[*_facts(results)],
            notes=[*_notes(results)],
            groups=[*_groups(results, catalogue)],
            open_group=DIFFER,
            style=digest(template.partition("<style>")[2].partition("</style>")[0]),
        )
    )


def _facts(runs: Sequence[Results]) -> Iterator[tuple[str, list[str]]]:
    def row(title: str, cells: list[str]) -> tuple[str, list[str]]:
        return title, [printable(cell) for cell in cells]

    yield row("verdict", [headline(run) for run in runs])
    yield row("classes", [", ".join(run["claimed"]) for run in runs])
    yield row("target", [run["target"] for run in runs])
    yield row(
        "contract",
        [
            f"revision {run['contract']['revision']}, {run['contract']['digest'][:16]}"
            for run in runs
        ],
    )
    yield row("kit and tier", [f"{run['suite']['version']}, {run['tier']}" for run in runs])
    yield row("run", [str(run["started"] or "") for run in runs])


def _notes(runs: Sequence[Results]) -> Iterator[str]:
    if len({run["contract"]["digest"] for run in runs}) > 1:
        yield (
            "The runs were judged by different contracts: a requirement keeps its id, but may be"
            " worded differently."
        )
    if len({tuple(run["claimed"]) for run in runs}) > 1:
        yield "The runs claim different classes: their totals count different requirements."


def _groups(
    runs: Sequence[Results], catalogue: "Catalogue"
) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """The requirements by how the runs differ, in the order of the contract of this kit, then those
    that only others have.
    """
    entries = [
        {requirement["id"]: requirement for requirement in run["requirements"]} for run in runs
    ]
    groups: dict[str, list[dict[str, Any]]] = {title: [] for title in (DIFFER, NOT_ALL, SAME)}
    for name in dict.fromkeys(
        [*catalogue.requirements, *(name for entry in entries for name in entry)]
    ):
        columns = [entry.get(name) for entry in entries]
        if any(columns):
            groups[_group(columns)].append(_row(name, columns, catalogue))
    yield from groups.items()


def _group(entries_of_row: Sequence[Mapping[str, Any] | None]) -> str:
    """Runs that judged a requirement differ by their verdict, or by the operations on which it
    failed.
    """
    outcomes = [
        (entry["verdict"], _broken_on(entry))
        for entry in entries_of_row
        if entry and entry["verdict"] in JUDGED
    ]
    return (
        DIFFER
        if len({*outcomes}) > 1
        else NOT_ALL
        if 0 < len(outcomes) < len(entries_of_row)
        else SAME
    )


def _broken_on(entry: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(sorted(violation["operation"] for violation in entry["violations"]))


def _row(
    name: str, entries_of_row: Sequence[Mapping[str, Any] | None], catalogue: "Catalogue"
) -> dict[str, Any]:
    return {
        "id": printable(name),
        "class": printable(next(entry["class"] for entry in entries_of_row if entry)),
        "sentence": catalogue.requirements[name].sentence if name in catalogue.requirements else "",
        "cells": [
            {
                "verdict": printable(entry["verdict"] if entry else ABSENT),
                "mark": printable(entry["verdict"] if entry else ABSENT).replace(" ", "-"),
                "waived": bool(entry and entry["waiver"]),
                "operations": (
                    shorten(named(_broken_on(entry), MAX_OPERATIONS), MAX_LENGTH) if entry else ""
                ),
            }
            for entry in entries_of_row
        ],
    }
