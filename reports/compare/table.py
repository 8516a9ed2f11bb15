"""The implementation table: several runs beside each other, requirement by requirement, as one page that needs nothing else."""

from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from jinja2 import Environment

from plumbline.reports.compare.difference import JUDGED, Results, headline
from plumbline.reports.text import printable

if TYPE_CHECKING:
    from plumbline.spec import Catalogue

ABSENT = "not in the contract"


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
            classes=[(printable(title), rows) for title, rows in _classes(results, catalogue)],
        )
    )


def _facts(runs: Sequence[Results]) -> Iterator[tuple[str, list[str]]]:
    def row(title: str, cells: list[str]) -> tuple[str, list[str]]:
        return title, [printable(cell) for cell in cells]

    yield row("verdict", [headline(run) for run in runs])
    yield row("classes", [", ".join(run["claimed"]) for run in runs])
    yield row("target", [run["target"] for run in runs])
    yield row("contract", [f"revision {run['contract']['revision']}, {run['contract']['digest'][:16]}" for run in runs])
    yield row("kit and tier", [f"{run['suite']['version']}, {run['tier']}" for run in runs])
    yield row("run", [str(run["started"] or "") for run in runs])


def _notes(runs: Sequence[Results]) -> Iterator[str]:
    if len({run["contract"]["digest"] for run in runs}) > 1:
        yield "The runs were judged by different contracts: a requirement keeps its id, and may have been put in other words."
    if len({tuple(run["claimed"]) for run in runs}) > 1:
        yield "The runs claim different classes: their totals are not of the same requirements."


def _classes(runs: Sequence[Results], catalogue: "Catalogue") -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """The requirements by class, in the order of the contract of this kit, then those that only other contracts have."""
    entries = [{each["id"]: each for each in run["requirements"]} for run in runs]
    by_class: dict[str, list[dict[str, Any]]] = {}
    for name in dict.fromkeys([*catalogue.requirements, *(name for known in entries for name in known)]):
        found = [known.get(name) for known in entries]
        kind = next((each["class"] for each in found if each), None)
        if kind is not None:
            by_class.setdefault(kind, []).append(_row(name, found, catalogue))
    yield from by_class.items()


def _row(name: str, found: Sequence[Mapping[str, Any] | None], catalogue: "Catalogue") -> dict[str, Any]:
    verdicts = [entry["verdict"] if entry else ABSENT for entry in found]
    return {
        "id": printable(name),
        "cells": [
            {
                "verdict": printable(verdict),
                "mark": printable(verdict).replace(" ", "-"),
                "waived": bool(entry and entry["waiver"]),
            }
            for verdict, entry in zip(verdicts, found, strict=True)
        ],
        "differs": len(JUDGED & {*verdicts}) > 1,
        "sentence": catalogue.requirements[name].sentence if name in catalogue.requirements else "",
    }
