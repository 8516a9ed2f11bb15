"""Reads the tables that say what data look like: shapes, headers, enumerations and formats."""

import re
from collections.abc import Callable, Iterator

from plumbline.spec.compiler.model import (
    Definition,
    Entries,
    Enumeration,
    Field,
    Format,
    Header,
    Heading,
    Reference,
    Shape,
)
from plumbline.spec.compiler.reading import cells
from plumbline.spec.compiler.reading.field_rules import other_field
from plumbline.spec.compiler.reading.reader import Cell, Row, Table

HEADER_PLACES = ("429", "every request", "every delivery")


def read_shape(role: str, name_column: str) -> Callable[[Heading, Table], Entries]:
    """A reader of fields.

    Args:
        role: `resource`, `object`, `body` or `query`.
        name_column: header of the column that names the fields.
    """

    def read(heading: Heading, table: Table) -> Entries:
        if role in ("body", "query"):
            yield Reference("operation", heading.name, heading.cell)
        owner = f"field of {role} {heading.name}"
        fields: dict[str, Field] = {}
        for row in table.rows:
            for field in _fields(role, name_column, row):
                yield Definition(owner, field.name, field, row[name_column])
                fields[field.name] = field
            yield from _references(owner, field, row)
        kind = role if role in ("body", "query") else "object"
        requirement, not_empty = (*heading.ids, None, None)[:2]
        shape = Shape(
            heading.name, role, fields, requirement, not_empty, heading.sort == "open", heading.text
        )
        yield Definition(kind, heading.name, shape, heading.cell)

    return read


def read_event_data(heading: Heading, table: Table) -> Entries:
    """What the data of one event carries beside its entity; `NAME_*` stands for all fields that
    begin so.
    """
    yield Reference("event", heading.name, heading.cell)
    for entry in read_shape("object", "Field")(heading, table):
        if isinstance(entry, Definition) and entry.kind == "object":
            yield Definition("event data", heading.name, entry.value, heading.cell)
        else:
            yield entry


def _fields(role: str, name_column: str, row: Row) -> Iterator[Field]:
    kind = cells.parse_type(row["Type"])
    rules = cells.parse_rules(row["Rules"], kind, role)
    if role in ("body", "query"):
        required = cells.parse_flag(row["Required"])
    else:
        required = "required" in [rule.word for rule in rules.rules]
    meaning = row["Meaning"].text
    for name in cells.parse_names(row[name_column]):
        yield Field(name, kind, required, rules.rules, rules.requirement, rules.open_item, meaning)


def _references(owner: str, field: Field, row: Row) -> Entries:
    yield from cells.type_references(field.type, row["Type"])
    for rule in field.rules:
        if rule.type:
            yield from cells.type_references(rule.type, row["Rules"])
        if other := other_field(rule):
            yield Reference(owner, other, row["Rules"])
    for identifier in (field.requirement, field.open_item, *(rule.id for rule in field.rules)):
        if identifier:
            yield cells.id_reference(identifier, row["Rules"])


def read_headers(heading: Heading, table: Table) -> Entries:
    """The headers of an operation, of a 429, of every request or of every delivery."""
    if "/" in heading.name:
        yield Reference("operation", heading.name, heading.cell)
    elif heading.name not in HEADER_PLACES:
        raise heading.cell.wrong(
            f"an operation, {' or '.join(HEADER_PLACES)}", HEADER_PLACES, heading.name
        )
    headers = []
    for row in table.rows:
        (name,) = cells.parse_names(row["Header"])
        kind = cells.parse_type(row["Type"])
        yield from cells.type_references(kind, row["Type"])
        header = Header(
            name, kind, cells.parse_flag(row["Required"]), cells.parse_prose(row["Meaning"])
        )
        yield Definition(f"header of {heading.name}", name, header, row["Header"])
        headers.append(header)
    yield Definition("headers", heading.name, tuple(headers), heading.cell)


def read_enumeration(heading: Heading, table: Table) -> Entries:
    """The values of an enumeration."""
    values = tuple(cells.parse_code(row["Value"]) for row in table.rows)
    for value, row in zip(values, table.rows, strict=True):
        yield Definition(f"value of {heading.name}", value, row["Meaning"].text, row["Value"])
    enumeration = Enumeration(
        heading.name,
        heading.sort == "open",
        values,
        tuple(row["Meaning"].text for row in table.rows),
    )
    yield Definition("enumeration", heading.name, enumeration, heading.cell)


def read_formats(_: Heading, table: Table) -> Entries:
    """The formats of texts; the example of each has to match its patterns."""
    for row in table.rows:
        (name,) = cells.parse_names(row["Format"])
        example = cells.parse_code(row["Example"])
        sent, received = (
            _pattern(row[column], example) for column in ("In requests", "In answers")
        )
        json_format, meaning = (
            cells.parse_code(row["JSON Schema format"]),
            cells.parse_text(row["Meaning"]),
        )
        yield Definition(
            "format",
            name,
            Format(name, json_format, sent, received, example, meaning),
            row["Format"],
        )


def _pattern(cell: Cell, example: str) -> str | None:
    if not cell.text:
        return None
    pattern = cells.parse_code(cell)
    try:
        matches = re.search(pattern, example)
    except re.error as error:
        raise cell.wrong(f"a regular expression ({error})") from None
    if not matches:
        raise cell.wrong(f"a pattern that the example {example!r} matches")
    return pattern
