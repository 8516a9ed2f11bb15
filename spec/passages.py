"""What the contract says around a requirement: the introduction of its chapter, and every place
that names it.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from plumbline.spec.catalogue import OpenItem, Requirement, catalogue
from plumbline.spec.compiler.reading.reader import Row, Section, read

LISTS = ("Requirements", "Open items")
"""Sections that list what the others name."""
IN_BRACKETS = re.compile(r"\s*\[[^\]]*\]")
MARKED = re.compile(r"`([^`]+)`")
ID = re.compile(r"\b[A-Z]+-O?\d+\b")


@dataclass(frozen=True)
class Passage:
    """A place in the contract.

    Attributes:
        place: file and line, such as `03-pagination.md:12`.
        title: heading of the section.
        text: what stands there, as plain text.
    """

    place: str
    title: str
    text: str


def introduction(requirement: Requirement) -> list[Passage]:
    """The paragraphs that the chapter of a requirement begins with."""
    first = _sections(_file(requirement))[0]
    return [
        Passage(paragraph.place, first.heading.text, _plain(paragraph.text))
        for paragraph in first.paragraphs
    ]


def passages(requirement: Requirement) -> list[Passage]:
    """The sections and the rows of tables that name a requirement, in all chapters."""
    return [
        passage
        for section in _sections_with(requirement.id)
        for passage in _naming(section, requirement.id)
    ]


def open_items_near(requirement: Requirement) -> list[OpenItem]:
    """What is left open in the same places, or about the same fields, operations and values."""
    items = catalogue().open_items
    beside = {
        name
        for section in _sections_with(requirement.id)
        for name in _beside(section, requirement.id)
    }
    sentences = _sentences(_file(requirement))
    words = set(MARKED.findall(sentences[requirement.id]))
    for item in items.values():
        if item.chapter == requirement.chapter and words & set(MARKED.findall(sentences[item.id])):
            beside.add(item.id)
    return [item for item in items.values() if item.id in beside]


def _naming(section: Section, name: str) -> Iterator[Passage]:
    if section.heading.text in LISTS:
        return
    title = IN_BRACKETS.sub("", section.heading.text)
    rows = [row for row in _rows(section) if _names(row, name)]
    if rows or _mentions(section.heading.text, name):
        yield from (
            Passage(paragraph.place, title, _plain(paragraph.text))
            for paragraph in section.paragraphs
        )
    yield from (
        Passage(next(iter(row.cells.values())).place, title, _described(row)) for row in rows
    )


def _beside(section: Section, name: str) -> Iterator[str]:
    """Open items that a row names together with a requirement."""
    for row in _rows(section):
        if section.heading.text not in LISTS and _names(row, name):
            text = " ".join(cell.text for cell in row.cells.values())
            yield from (item for item in catalogue().open_items if _mentions(text, item))


def _rows(section: Section) -> Iterator[Row]:
    return (row for table in section.tables for row in table.rows)


def _names(row: Row, name: str) -> bool:
    return any(_mentions(cell.text, name) for cell in row.cells.values())


def _mentions(text: str, name: str) -> bool:
    return name in _ids_in(text)


@cache
def _ids_in(text: str) -> frozenset[str]:
    return frozenset(ID.findall(text))


def _described(row: Row) -> str:
    """A row as text: its first cell, then the others with their columns, without ids."""
    first, *others = row.cells.values()
    parts = [
        (cell.column.lower(), IN_BRACKETS.sub("", cell.text).strip(" ;"))
        for cell in others
        if cell.column != "Requirements"
    ]
    return _plain("; ".join([first.text, *(f"{column}: {text}" for column, text in parts if text)]))


def _plain(text: str) -> str:
    return " ".join(text.replace("**", "").replace("\\|", "|").split())


def _file(requirement: Requirement) -> str:
    """The file of its chapter."""
    return requirement.line.partition(":")[0]


def _sections_with(name: str) -> Iterator[Section]:
    """The sections of the chapters whose text holds an id; the other chapters are not parsed."""
    for file, text in _texts().items():
        if name in text:
            yield from _sections(file)


def _sections(file: str) -> tuple[Section, ...]:
    return read(file, _texts()[file])


@cache
def _texts() -> Mapping[str, str]:
    """The chapters by their files, in order."""
    chapters = sorted(
        (path for path in files("plumbline.spec.contract").iterdir() if path.name.endswith(".md")),
        key=lambda path: path.name,
    )
    return {chapter.name: chapter.read_text(encoding="utf-8") for chapter in chapters}


@cache
def _sentences(file: str) -> Mapping[str, str]:
    """Requirements and open items of a chapter as they are written, with their marks, by id."""
    rows = (
        row
        for section in _sections(file)
        if section.heading.text in LISTS
        for row in _rows(section)
    )
    return {row["Id"].text: " ".join(cell.text for cell in row.cells.values()) for row in rows}
