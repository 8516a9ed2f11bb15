"""Joins what the chapters define into one contract, and checks that they fit together."""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from plumbline.spec.compiler.model import Contract, Definition, Reference, Shape, Type
from plumbline.spec.compiler.reading.reader import ContractError, Section, read
from plumbline.spec.compiler.reading.table_kinds import entries

SECONDS_PER_MINUTE = 60
NEEDED = {
    "property": ("title", "revision", "version"),
    "object": ("Single", "List", "Error", "Delivery", "Attribution"),
    "field of object Single": ("data",),
    "field of object List": ("data",),
    "field of object Delivery": ("event", "data"),
    "format": ("uuid",),
    "headers": ("every delivery",),
}
"""What every contract defines: the wrappings of answers and deliveries, and what stands on every
path and delivery.
"""


def compile_contract(chapters: Mapping[str, str]) -> Contract:
    """The contract that the chapters make up.

    Args:
        chapters: text by file name, such as `04-leads.md`.

    Raises:
        ContractError: one sentence about the first thing that is not understood.
    """
    read_chapters = [_chapter(name, chapters[name]) for name in sorted(chapters)]
    defined = [
        entry for sections in read_chapters for section in sections for entry in entries(section)
    ]
    definitions = [entry for entry in defined if isinstance(entry, Definition)]
    tables = _tables(definitions)
    _check_ids(definitions)
    for entry in defined:
        if isinstance(entry, Reference):
            _check_reference(entry, tables)
    _check_needed(tables)
    _check_numbers(tables)
    _check_nesting(tables["object"])
    _check_use(defined)
    return _contract(tables, _digest(chapters))


def _chapter(name: str, text: str) -> tuple[Section, ...]:
    if not re.fullmatch(r"\d\d-[a-z]+(-[a-z]+)*\.md", name):
        raise ContractError(f"{name}: expected a file name such as 04-leads.md.")
    sections = read(name, text)
    if [section.level for section in sections].count(1) != 1 or sections[0].level != 1:
        raise ContractError(f"{name}:1: expected one heading of the first level, at the top.")
    if sections[0].tables:
        raise sections[0].heading.wrong(
            "the table under a heading of its own, not under the title of the chapter"
        )
    return sections


def _tables(definitions: Iterable[Definition]) -> dict[str, dict[str, Any]]:
    tables: dict[str, dict[str, Any]] = {}
    places: dict[tuple[str, str], str] = {}
    for definition in definitions:
        key = definition.kind, definition.name
        if key in places:
            raise definition.cell.wrong(
                f"a new {definition.kind}; this one stands in {places[key]}", word=definition.name
            )
        places[key] = definition.cell.place
        tables.setdefault(definition.kind, {})[definition.name] = definition.value
    return tables


def _check_reference(reference: Reference, tables: Mapping[str, Mapping[str, Any]]) -> None:
    names = tables.get(reference.kind, {})
    if reference.name not in names:
        raise reference.cell.wrong(f"the name of a known {reference.kind}", names, reference.name)


def _check_ids(definitions: Iterable[Definition]) -> None:
    """Ids of a chapter share a prefix that no other chapter has, and count up from 01 without a
    gap.
    """
    files: dict[str, str] = {}
    prefixes: dict[str, str] = {}
    counts: Counter[str] = Counter()
    for definition in definitions:
        if definition.kind not in ("requirement", "open item"):
            continue
        cell, (prefix, number) = definition.cell, definition.name.split("-")
        if files.setdefault(prefix, cell.file) != cell.file:
            raise cell.wrong(f"another prefix, because {prefix}- belongs to {files[prefix]}")
        if prefixes.setdefault(cell.file, prefix) != prefix:
            raise cell.wrong(f"the prefix of this chapter, {prefixes[cell.file]}-")
        series = prefix + "-" + "O" * number.startswith("O")
        counts[series] += 1
        if definition.name != (due := f"{series}{counts[series]:02}"):
            raise cell.wrong(f"the next id in sequence, {due}")


def _check_needed(tables: Mapping[str, Mapping[str, Any]]) -> None:
    for kind, names in NEEDED.items():
        for name in names:
            if name not in tables.get(kind, {}):
                raise ContractError(
                    f"the contract has no {kind} {name!r}, which every contract needs."
                )
    if not tables["property"]["revision"].isdigit():
        raise ContractError("the table 'Contract' has a revision that is not a whole number.")


def _check_numbers(tables: Mapping[str, Mapping[str, Any]]) -> None:
    """The sentences that name a limit name its number; else one of the two was changed alone."""
    for naming in tables.get("naming", {}).values():
        value, sentence = naming.limit.value, tables["requirement"][naming.requirement].sentence
        numbers = {value}
        if naming.limit.unit == "seconds" and value % SECONDS_PER_MINUTE == 0:
            numbers.add(value // SECONDS_PER_MINUTE)
        if not any(re.search(rf"\b{number}\b", sentence) for number in numbers):
            raise naming.cell.wrong(f"a number that {naming.requirement} names: {sentence!r}")


def _check_nesting(shapes: Mapping[str, Shape]) -> None:
    """No object holds itself, at whatever depth."""

    def walk(name: str, path: tuple[str, ...]) -> None:
        if name in path:
            raise ContractError(f"the object {name} holds itself: {' -> '.join([*path, name])}.")
        for field in shapes[name].fields.values():
            for inner in _shape_names(field.type):
                walk(inner, (*path, name))

    for name in shapes:
        walk(name, ())


def _check_use(definitions: Iterable[Definition | Reference]) -> None:
    """An object stands in something; one that stands alone is a resource."""
    definitions = tuple(definitions)
    named = {
        entry.name
        for entry in definitions
        if isinstance(entry, Reference) and entry.kind == "object"
    } | {*NEEDED["object"]}
    objects = [
        entry
        for entry in definitions
        if isinstance(entry, Definition) and entry.kind == "object" and entry.value.role == "object"
    ]
    for alone in (entry for entry in objects if entry.name not in named):
        raise alone.cell.wrong(
            "an object that a field, an endpoint or an event names, or else 'Resource' in its place"
        )


def _shape_names(kind: Type) -> Iterator[str]:
    if kind.of:
        yield from _shape_names(kind.of)
    elif kind.kind == "shape" and kind.name:
        yield kind.name


def _digest(chapters: Mapping[str, str]) -> str:
    """SHA-256 of the names and texts of the chapters, whatever the line ends on this machine."""
    digest = hashlib.sha256()
    for name in sorted(chapters):
        digest.update("\n".join([name, *chapters[name].splitlines(), ""]).encode())
    return digest.hexdigest()


def _contract(tables: Mapping[str, Mapping[str, Any]], digest: str) -> Contract:
    def of(kind: str) -> dict[str, Any]:
        return dict(tables.get(kind, {}))

    return Contract(
        properties=of("property"),
        surfaces=of("surface"),
        capabilities=of("capability"),
        formats=of("format"),
        enumerations=of("enumeration"),
        shapes=of("object"),
        bodies=of("body"),
        queries=of("query"),
        headers=of("headers"),
        endpoints=of("operation"),
        guides=of("guide"),
        introductions=of("introduction"),
        transitions=tuple(of("transition").values()),
        derivations=tuple(of("derivation").values()),
        events=of("event"),
        event_data=of("event data"),
        classes=of("class"),
        requirements=of("requirement"),
        open_items=of("open item"),
        errors=tuple(of("error").values()),
        limits=of("limit"),
        digest=digest,
    )
