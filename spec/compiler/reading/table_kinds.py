"""The kinds of tables: the word that announces each, its columns, and the function that reads
it.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePath

from plumbline.spec.compiler.model import Definition, Entries, Guide, Heading, Reference
from plumbline.spec.compiler.reading import behaviour_tables, cells, data_tables, statements
from plumbline.spec.compiler.reading.reader import ContractError, Section, Table, hint

HEADING = re.compile(
    r"(?P<kind>[^:\[]+?)(?:: (?P<name>[^\[]+?))?(?:, (?P<sort>open|closed|not empty))?(?:"
    r" \[(?P<ids>[^\]]+)\])?"
)
"""KIND, or KIND: NAME, or KIND: NAME, SORT, each with ids in brackets at the end where they serve
the whole table.
"""

SORTS = {"Enumeration": ("open", "closed"), "Object": ("", "open"), "Body": ("", "not empty")}
"""What may stand after the name of a kind."""

GUIDE = re.compile(r"Operation: (?P<operation>[A-Z]+ /\S+), (?P<name>[a-z][A-Za-z]+)")
"""Announces what readers are told about an operation, and its operation id."""


@dataclass(frozen=True)
class Kind:
    """A kind of table.

    Attributes:
        columns: headers of its columns, in order.
        read: yields what its rows define and refer to.
        named: whether its heading names a thing after a colon.
    """

    columns: tuple[str, ...]
    read: Callable[[Heading, Table], Entries]
    named: bool = False


ANSWER_FIELDS = ("Field", "Type", "Rules", "Meaning")

KINDS = {
    "Contract": Kind(
        ("Property", "Value"), behaviour_tables.read_pairs("property", "Property", "Value")
    ),
    "Surfaces": Kind(
        ("Surface", "Address", "Meaning"),
        behaviour_tables.read_pairs("surface", "Surface", "Address"),
    ),
    "Capabilities": Kind(
        ("Capability", "Meaning"),
        behaviour_tables.read_pairs("capability", "Capability", "Meaning"),
    ),
    "Conformance classes": Kind(("Class", "Needs", "Decides", "Meaning"), statements.read_classes),
    "Formats": Kind(
        ("Format", "JSON Schema format", "In requests", "In answers", "Example", "Meaning"),
        data_tables.read_formats,
    ),
    "Endpoints": Kind(
        ("Operation", "Success", "Envelope", "Data", "Class", "Writes", "Meaning"),
        behaviour_tables.read_endpoints,
    ),
    "Body": Kind(
        ("Field", "Type", "Required", "Rules", "Meaning"),
        data_tables.read_shape("body", "Field"),
        named=True,
    ),
    "Query": Kind(
        ("Parameter", "Type", "Required", "Rules", "Meaning"),
        data_tables.read_shape("query", "Parameter"),
        named=True,
    ),
    "Headers": Kind(
        ("Header", "Type", "Required", "Meaning"), data_tables.read_headers, named=True
    ),
    "Resource": Kind(ANSWER_FIELDS, data_tables.read_shape("resource", "Field"), named=True),
    "Object": Kind(ANSWER_FIELDS, data_tables.read_shape("object", "Field"), named=True),
    "Event data": Kind(ANSWER_FIELDS, data_tables.read_event_data, named=True),
    "Enumeration": Kind(("Value", "Meaning"), data_tables.read_enumeration, named=True),
    "States": Kind(
        ("From", "Trigger", "Condition", "To", "Also", "Requirements"),
        behaviour_tables.read_states,
        named=True,
    ),
    "Derivation": Kind(
        ("Order", "Rule", "Values", "Requirements"), behaviour_tables.read_derivation, named=True
    ),
    "Events": Kind(("Event", "Data", "Fires when"), behaviour_tables.read_events),
    "Errors": Kind(
        ("Status", "Code", "Operations", "Condition", "Requirements"), behaviour_tables.read_errors
    ),
    "Limits": Kind(("Limit", "Value", "Unit", "Named in", "Meaning"), behaviour_tables.read_limits),
    "Requirements": Kind(
        ("Id", "Class", "Requirement", "Observed by"), statements.read_requirements
    ),
    "Open items": Kind(("Id", "Left open", "Treatment"), statements.read_open_items),
}
"""Every kind of table by the word that its heading begins with."""


def entries(section: Section) -> Entries:
    """What the table of a section defines and refers to; nothing for a section of prose.

    Raises:
        ContractError: a table without a known kind, a kind without a table, wrong columns, or a
            cell out of the grammar.
    """
    if section.level == 1 or GUIDE.fullmatch(section.heading.text):
        yield from _prose(section)
        return
    match = HEADING.fullmatch(section.heading.text)
    kind = KINDS.get(match["kind"]) if match else None
    if not match or not kind:
        if section.tables or ":" in section.heading.text:
            word = match["kind"] if match else section.heading.text
            raise section.heading.wrong(f"a kind of table: {', '.join(KINDS)}", KINDS, word)
        return
    heading = _heading(section, match, kind)
    table = _only_table(section, kind)
    yield from (cells.id_reference(identifier, heading.cell) for identifier in heading.ids)
    yield from kind.read(heading, table)


def _prose(section: Section) -> Entries:
    """The introduction of a chapter, or the guide to an operation."""
    text = _text(section)
    guide = GUIDE.fullmatch(section.heading.text)
    if guide and (section.tables or not text):
        raise section.heading.wrong("prose under this heading, and no table")
    if guide:
        yield Reference("operation", guide["operation"], section.heading)
        yield Definition("guide", guide["operation"], Guide(guide["name"], text), section.heading)
    else:
        yield Definition(
            "introduction",
            PurePath(section.heading.file).stem.partition("-")[2],
            text,
            section.heading,
        )


def _text(section: Section) -> str:
    """The paragraphs of a section as Markdown, each in one line."""
    return "\n\n".join(" ".join(paragraph.text.split()) for paragraph in section.paragraphs)


def _heading(section: Section, match: re.Match[str], kind: Kind) -> Heading:
    cell, sort = section.heading, match["sort"] or ""
    if kind.named != bool(match["name"]):
        raise cell.wrong(
            f"'{match['kind']}: NAME'" if kind.named else f"{match['kind']!r} without a name"
        )
    if sort not in (sorts := SORTS.get(match["kind"], ("",))):
        raise cell.wrong(
            f"{' or '.join(repr(f', {sort}') if sort else 'nothing more' for sort in sorts)} after"
            " the name"
        )
    ids = match["ids"].split(", ") if match["ids"] else []
    if wrong := next(
        (
            identifier
            for identifier in ids
            if not cells.ID.fullmatch(identifier) or cells.is_open_id(identifier)
        ),
        None,
    ):
        raise cell.wrong("the id of a requirement in brackets", word=wrong)
    if sort == "not empty" and len(ids) != 2:
        raise cell.wrong("two ids in brackets: for the table, and for ', not empty'")
    if sort != "not empty" and len(ids) > 1:
        raise cell.wrong("one id in brackets")
    chapter = PurePath(cell.file).stem.partition("-")[2]
    return Heading(chapter, match["name"] or "", sort, tuple(ids), cell, _text(section))


def _only_table(section: Section, kind: Kind) -> Table:
    if len(section.tables) != 1:
        raise section.heading.wrong(f"one table under this heading, not {len(section.tables)}")
    table = section.tables[0]
    if table.columns != kind.columns:
        near = "".join(
            hint(column, kind.columns) for column in table.columns if column not in kind.columns
        )
        columns, wanted = " | ".join(table.columns), " | ".join(kind.columns)
        raise ContractError(
            f"{section.heading.file}:{table.line}: columns {columns} found, expected"
            f" {wanted}.{near}"
        )
    if not table.rows:
        raise section.heading.wrong("a table with at least one row")
    return table
