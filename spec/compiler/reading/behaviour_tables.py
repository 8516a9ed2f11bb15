"""Reads the tables that say what happens: endpoints, states, derivations, events, errors,
limits.
"""

import re
from collections.abc import Callable

from plumbline.spec.catalogue import ErrorCase, Limit
from plumbline.spec.compiler.model import (
    Definition,
    Derivation,
    Endpoint,
    Entries,
    EventKind,
    Heading,
    Naming,
    Reference,
    Transition,
)
from plumbline.spec.compiler.reading import cells
from plumbline.spec.compiler.reading.reader import Cell, Row, Table

STATE_WORDS = ("any", "none", "open", "given")
"""What may stand for a state: every state, no record yet, a value that is left open, the value that
the request gives.
"""

GROUPS: dict[str, Callable[[Endpoint], bool]] = {
    "every operation": lambda _: True,
    "every operation with an id": lambda endpoint: "{id}" in endpoint.path,
    "every operation of analytics": lambda endpoint: endpoint.chapter == "analytics",
}
"""Words for several operations."""


def read_pairs(
    kind: str, name_column: str, value_column: str
) -> Callable[[Heading, Table], Entries]:
    """A reader of names with a text for each."""

    def read(_: Heading, table: Table) -> Entries:
        for row in table.rows:
            yield Definition(
                kind,
                cells.parse_text(row[name_column]),
                cells.parse_text(row[value_column]),
                row[name_column],
            )

    return read


def read_endpoints(heading: Heading, table: Table) -> Entries:
    """The operations of a chapter."""
    for row in table.rows:
        method, path = cells.parse_operation(row["Operation"])
        data = cells.parse_type(row["Data"])
        yield from cells.type_references(data, row["Data"])
        yield Reference("class", row["Class"].text, row["Class"])
        value = Endpoint(
            id=f"{method} {path}",
            method=method,
            path=path,
            chapter=heading.chapter,
            success=(200,) if cells.parse_word(row["Success"], ("200", "2xx")) == "200" else None,
            envelope=cells.parse_word(row["Envelope"], ("single", "list", "other")),
            data=data,
            conformance_class=row["Class"].text,
            writes=cells.parse_flag(row["Writes"]),
            meaning=cells.parse_prose(row["Meaning"]),
        )
        yield Definition("operation", value.id, value, row["Operation"])


def read_states(heading: Heading, table: Table) -> Entries:
    """The transitions between the values of an enumeration."""
    yield Reference("enumeration", heading.name, heading.cell)
    for number, row in enumerate(table.rows, 1):
        for column in ("From", "To"):
            if row[column].text not in STATE_WORDS:
                yield _value_of(heading.name, cells.parse_code(row[column]), row[column])
        if row["Trigger"].text.startswith("`"):
            yield Reference("operation", cells.parse_code(row["Trigger"]), row["Trigger"])
        yield from _served(row)
        value = Transition(
            enumeration=heading.name,
            origin=cells.parse_text(row["From"]),
            trigger=cells.parse_text(row["Trigger"]),
            condition=row["Condition"].text.replace("`", ""),
            target=cells.parse_text(row["To"]),
            effect=row["Also"].text.replace("`", ""),
            requirements=cells.parse_ids(row["Requirements"]),
        )
        yield Definition("transition", f"{heading.name} {number}", value, row["From"])


def read_derivation(heading: Heading, table: Table) -> Entries:
    """The steps that derive a value, in order."""
    yield Reference("enumeration", heading.name, heading.cell)
    for number, row in enumerate(table.rows, 1):
        if cells.parse_integer(row["Order"]) != number:
            raise row["Order"].wrong(f"{number}, the next in order")
        values = () if row["Values"].text == "any" else cells.parse_codes(row["Values"])
        for value in values:
            yield _value_of(heading.name, value, row["Values"])
        yield from _served(row)
        step = Derivation(
            heading.name,
            number,
            cells.parse_text(row["Rule"]),
            values,
            cells.parse_ids(row["Requirements"]),
        )
        yield Definition("derivation", f"{heading.name} {number}", step, row["Order"])


def read_events(_: Heading, table: Table) -> Entries:
    """The kinds of events."""
    for row in table.rows:
        name, data = cells.parse_code(row["Event"]), cells.parse_type(row["Data"])
        if data.kind != "shape":
            raise row["Data"].wrong("an object: object NAME")
        yield from cells.type_references(data, row["Data"])
        yield Definition(
            "event", name, EventKind(name, data, cells.parse_prose(row["Fires when"])), row["Event"]
        )


def read_errors(_: Heading, table: Table) -> Entries:
    """The documented errors."""
    for number, row in enumerate(table.rows, 1):
        if not re.fullmatch(r"[45](\d\d|xx)", row["Status"].text):
            raise row["Status"].wrong("a status such as 404, or a class of statuses such as 5xx")
        code = None if row["Code"].text == "open" else cells.parse_code(row["Code"])
        if code:
            yield _value_of("error-code", code, row["Code"])
        group = row["Operations"].text in GROUPS
        operations = (row["Operations"].text,) if group else cells.parse_codes(row["Operations"])
        if not group:
            yield from (
                Reference("operation", operation, row["Operations"]) for operation in operations
            )
        yield from _served(row)
        condition, requirements = (
            cells.parse_text(row["Condition"]),
            cells.parse_ids(row["Requirements"]),
        )
        yield Definition(
            "error",
            str(number),
            ErrorCase(row["Status"].text, code, operations, condition, requirements),
            row["Status"],
        )


def read_limits(_: Heading, table: Table) -> Entries:
    """The numbers that are promised."""
    for row in table.rows:
        (name,) = cells.parse_names(row["Limit"])
        unit, sentence = cells.parse_text(row["Unit"]), cells.parse_text(row["Meaning"])
        limit = Limit(name, cells.parse_integer(row["Value"]), unit, sentence)
        yield Definition("limit", name, limit, row["Limit"])
        for identifier in cells.parse_ids(row["Named in"]):
            yield cells.id_reference(identifier, row["Named in"])
            naming = Naming(limit, identifier, row["Value"])
            yield Definition("naming", f"{name} {identifier}", naming, row["Named in"])


def _value_of(enumeration: str, value: str, cell: Cell) -> Reference:
    return Reference(f"value of {enumeration}", value, cell)


def _served(row: Row) -> Entries:
    for identifier in cells.parse_ids(row["Requirements"]):
        yield cells.id_reference(identifier, row["Requirements"])
