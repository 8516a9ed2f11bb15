"""Reads the tables that say what is judged: requirements, open items and conformance classes."""

import re

from plumbline.spec.catalogue import ConformanceClass, OpenItem, Requirement
from plumbline.spec.compiler.model import Definition, Entries, Heading, Reference
from plumbline.spec.compiler.reading import cells
from plumbline.spec.compiler.reading.reader import Cell, Table

KEYWORDS = re.compile(
    r"\b(MUST NOT|SHOULD NOT|SHALL NOT|MUST|SHOULD|SHALL|MAY|REQUIRED|RECOMMENDED|OPTIONAL)\b"
)
USED = ("MUST", "MUST NOT", "SHOULD", "SHOULD NOT", "MAY")
OBSERVERS = ("traffic", "check", "controller", "not observable: REASON")


def read_requirements(heading: Heading, table: Table) -> Entries:
    """The requirements of a chapter."""
    for row in table.rows:
        observer, reason = _observer(row["Observed by"])
        yield Reference("class", row["Class"].text, row["Class"])
        value = Requirement(
            id=_identifier(row["Id"], "requirement"),
            keyword=_keyword(row["Requirement"]),
            conformance_class=row["Class"].text,
            chapter=heading.chapter,
            sentence=cells.parse_text(row["Requirement"]),
            observed_by=observer,
            unobservable=reason,
            line=row["Id"].place,
        )
        yield Definition("requirement", value.id, value, row["Id"])


def read_open_items(heading: Heading, table: Table) -> Entries:
    """The open items of a chapter."""
    for row in table.rows:
        identifier = _identifier(row["Id"], "open item")
        sentence, treatment = cells.parse_text(row["Left open"]), cells.parse_text(row["Treatment"])
        yield Definition(
            "open item",
            identifier,
            OpenItem(identifier, heading.chapter, sentence, treatment, row["Id"].place),
            row["Id"],
        )


def read_classes(_: Heading, table: Table) -> Entries:
    """The conformance classes and the capabilities that each needs."""
    for row in table.rows:
        (name,) = cells.parse_names(row["Class"])
        needs = cells.parse_codes(row["Needs"])
        yield from (Reference("capability", need, row["Needs"]) for need in needs)
        value = ConformanceClass(
            name, cells.parse_text(row["Meaning"]), needs, cells.parse_flag(row["Decides"])
        )
        yield Definition("class", name, value, row["Class"])


def _keyword(cell: Cell) -> str:
    words = [str(word) for word in KEYWORDS.findall(cell.text)]
    if len(words) != 1 or words[0] not in USED:
        raise cell.wrong(f"one keyword of {', '.join(USED)}, not {' and '.join(words) or 'none'}")
    if not cell.text.endswith("."):
        raise cell.wrong("a sentence that ends with a full stop")
    return words[0]


def _observer(cell: Cell) -> tuple[str, str | None]:
    observer, _, reason = cell.text.partition(": ")
    if observer == "not observable" and reason:
        return "none", reason.replace("`", "")
    return cells.parse_word(cell, OBSERVERS), None


def _identifier(cell: Cell, kind: str) -> str:
    is_open = kind == "open item"
    if not cells.ID.fullmatch(cell.text) or cells.is_open_id(cell.text) != is_open:
        raise cell.wrong(
            "the id of"
            f" {'an open item, such as LEAD-O05' if is_open else 'a requirement, such as LEAD-05'}"
        )
    return cell.text
