"""The kinds of tables: what heading announces each, which columns it has, and what its rows define and refer to."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import PurePath

from plumbline.spec.catalogue import ConformanceClass, ErrorCase, Limit, OpenItem, Requirement
from plumbline.spec.compiler import cells
from plumbline.spec.compiler.cells import id_reference, type_references
from plumbline.spec.compiler.errors import ContractError, hint
from plumbline.spec.compiler.model import (
    Definition,
    Derivation,
    Endpoint,
    Enumeration,
    EventKind,
    Field,
    Format,
    Header,
    Headers,
    Reference,
    Shape,
    Transition,
)
from plumbline.spec.compiler.reader import Cell, Row, Section, Table

Entries = Iterator[Definition | Reference]
HEADING = re.compile(r"(?P<kind>[^:\[]+?)(?:: (?P<name>[^\[]+?))?(?:, (?P<sort>open|closed))?(?: \[(?P<id>[^\]]+)\])?")
KEYWORDS = re.compile(r"\b(MUST NOT|SHOULD NOT|SHALL NOT|MUST|SHOULD|SHALL|MAY|REQUIRED|RECOMMENDED|OPTIONAL)\b")
OBSERVERS = ("traffic", "check", "operator")
STATE_WORDS = ("any", "none", "open", "given")
EVERY = ("every operation", "every operation with an id", "every operation of analytics")


@dataclass(frozen=True)
class Heading:
    """A heading that announces a table: its kind, the thing it is about, and the id that holds for the whole table."""

    chapter: str
    name: str
    sort: str
    id: str | None
    cell: Cell


@dataclass(frozen=True)
class Kind:
    """A kind of table."""

    columns: tuple[str, ...]
    read: Callable[[Heading, Table], Entries]
    named: bool = False


def entries(section: Section) -> Entries:
    """What the table of a section defines and refers to; nothing for a section of prose.

    Raises:
        ContractError: a table without a known kind, a kind without a table, wrong columns, or a cell out of the grammar.
    """
    found = HEADING.fullmatch(section.heading.text)
    kind = KINDS.get(found["kind"]) if found else None
    if not found or not kind:
        if section.tables or ":" in section.heading.text:
            word = found["kind"] if found else section.heading.text
            raise section.heading.wrong(f"a kind of table: {', '.join(KINDS)}", KINDS, word)
        return
    heading = _heading(section, found, kind)
    table = _only_table(section, kind)
    if heading.id:
        yield id_reference(heading.id, heading.cell)
    yield from kind.read(heading, table)


def _heading(section: Section, found: re.Match[str], kind: Kind) -> Heading:
    cell = section.heading
    if kind.named != bool(found["name"]):
        raise cell.wrong(f"{found['kind']!r} {'with a name after a colon' if kind.named else 'alone'}")
    if (found["kind"] == "Enumeration") != bool(found["sort"]):
        raise cell.wrong("', open' or ', closed' after the name of an enumeration, and only there")
    if found["id"] and (not cells.ID.fullmatch(found["id"]) or cells.is_open_id(found["id"])):
        raise cell.wrong("the id of a requirement in brackets", word=found["id"])
    chapter = PurePath(cell.file).stem.partition("-")[2]
    return Heading(chapter, found["name"] or "", found["sort"] or "", found["id"], cell)


def _only_table(section: Section, kind: Kind) -> Table:
    if len(section.tables) != 1:
        raise section.heading.wrong(f"one table under this heading, not {len(section.tables)}")
    table = section.tables[0]
    if table.columns != kind.columns:
        near = "".join(hint(column, kind.columns) for column in table.columns if column not in kind.columns)
        wanted = " | ".join(kind.columns)
        raise ContractError(f"{section.heading.file}:{table.line}: columns {table.columns} found, expected {wanted}.{near}")
    if not table.rows:
        raise section.heading.wrong("a table with at least one row")
    return table


def _shape(role: str, name_column: str) -> Callable[[Heading, Table], Entries]:
    def read(heading: Heading, table: Table) -> Entries:
        fields: dict[str, Field] = {}
        if role in ("body", "query"):
            yield Reference("operation", heading.name, heading.cell)
        for row in table.rows:
            for field in _fields(role, name_column, row):
                yield Definition(f"field of {heading.name}", field.name, field, row[name_column])
                fields[field.name] = field
            yield from type_references(field.type, row["Type"])
            for rule in field.rules:
                if rule.type:
                    yield from type_references(rule.type, row["Rules"])
                for other in ("x-days", "x-filled-while"):
                    if other in rule.keywords:
                        target = rule.keywords[other]
                        yield Reference(f"field of {heading.name}", target["of"] if other == "x-days" else target, row["Rules"])
            for identifier in (field.requirement, field.open_item, *(rule.id for rule in field.rules)):
                if identifier:
                    yield id_reference(identifier, row["Rules"])
        kind = "object" if role in ("resource", "object") else role
        yield Definition(kind, heading.name, Shape(heading.name, role, heading.id, fields), heading.cell)

    return read


def _fields(role: str, name_column: str, row: Row) -> Iterator[Field]:
    kind = cells.parse_type(row["Type"])
    rules = cells.parse_rules(row["Rules"])
    words = [rule.word for rule in rules.rules]
    if role in ("body", "query"):
        required = cells.parse_flag(row["Required"])
        if misplaced := {"required", "required in requests", "forbidden"} & set(words):
            raise row["Rules"].wrong("the column Required to say so", word=min(misplaced))
    else:
        required = "required" in words
    for name in cells.parse_names(row[name_column]):
        meaning = row["Meaning"].text.replace("`", "")
        yield Field(name, kind, required, rules.rules, rules.requirement, rules.open_item, meaning)


def _requirements(heading: Heading, table: Table) -> Entries:
    for row in table.rows:
        sentence = row["Requirement"]
        keywords = KEYWORDS.findall(sentence.text)
        if len(keywords) != 1 or not sentence.text.endswith("."):
            raise sentence.wrong(f"a sentence with one RFC 2119 keyword and a full stop, not {len(keywords)} keywords")
        observer, _, reason = row["Observed by"].text.partition(": ")
        if observer != "not observable" or not reason:
            cells.parse_word(row["Observed by"], (*OBSERVERS, "not observable: REASON"))
        identifier = _identifier(row["Id"], "requirement")
        yield Reference("class", row["Class"].text, row["Class"])
        value = Requirement(
            id=identifier,
            keyword=keywords[0],
            conformance_class=row["Class"].text,
            chapter=heading.chapter,
            sentence=cells.parse_text(sentence),
            observed_by="none" if reason else observer,
            unobservable=reason.replace("`", "") or None,
            line=row["Id"].place,
        )
        yield Definition("requirement", identifier, value, row["Id"])


def _open_items(heading: Heading, table: Table) -> Entries:
    for row in table.rows:
        identifier = _identifier(row["Id"], "open item")
        sentence, treatment = cells.parse_text(row["Left open"]), cells.parse_text(row["Treatment"])
        value = OpenItem(identifier, heading.chapter, sentence, treatment, row["Id"].place)
        yield Definition("open item", identifier, value, row["Id"])


def _identifier(cell: Cell, kind: str) -> str:
    example = "LEAD-O05" if kind == "open item" else "LEAD-05"
    if not cells.ID.fullmatch(cell.text) or cells.is_open_id(cell.text) != (kind == "open item"):
        raise cell.wrong(f"the id of a {kind}, such as {example}")
    return cell.text


def _classes(_: Heading, table: Table) -> Entries:
    for row in table.rows:
        needs = cells.parse_codes(row["Needs"])
        for need in needs:
            yield Reference("capability", need, row["Needs"])
        (name,) = cells.parse_names(row["Class"])
        value = ConformanceClass(name, cells.parse_text(row["Meaning"]), needs, cells.parse_flag(row["Decides"]))
        yield Definition("class", name, value, row["Class"])


def _pairs(kind: str, name_column: str, value_column: str) -> Callable[[Heading, Table], Entries]:
    def read(_: Heading, table: Table) -> Entries:
        for row in table.rows:
            yield Definition(kind, cells.parse_text(row[name_column]), cells.parse_text(row[value_column]), row[name_column])

    return read


def _formats(_: Heading, table: Table) -> Entries:
    for row in table.rows:
        patterns = [cells.parse_code(row[column]) if row[column].text else None for column in ("In requests", "In answers")]
        for pattern, column in zip(patterns, ("In requests", "In answers"), strict=True):
            _check_pattern(pattern, row[column])
        (name,) = cells.parse_names(row["Format"])
        json_format, example = cells.parse_code(row["JSON Schema format"]), cells.parse_code(row["Example"])
        for pattern, column in zip(patterns, ("In requests", "In answers"), strict=True):
            if pattern and not re.search(pattern, example):
                raise row[column].wrong(f"a pattern that the example {example!r} matches")
        value = Format(name, json_format, patterns[0], patterns[1], example, cells.parse_text(row["Meaning"]))
        yield Definition("format", name, value, row["Format"])


def _check_pattern(pattern: str | None, cell: Cell) -> None:
    try:
        re.compile(pattern or "")
    except re.error as error:
        raise cell.wrong(f"a regular expression ({error})") from None


def _enumeration(heading: Heading, table: Table) -> Entries:
    values = []
    for row in table.rows:
        value = cells.parse_code(row["Value"])
        values.append(value)
        yield Definition(f"value of {heading.name}", value, row["Meaning"].text, row["Value"])
    yield Definition("enumeration", heading.name, Enumeration(heading.name, heading.sort == "open", tuple(values)), heading.cell)


def _endpoints(heading: Heading, table: Table) -> Entries:
    for row in table.rows:
        method, path = cells.parse_operation(row["Operation"])
        data = cells.parse_type(row["Data"])
        yield from type_references(data, row["Data"])
        yield Reference("class", row["Class"].text, row["Class"])
        success = cells.parse_word(row["Success"], ("200", "2xx"))
        value = Endpoint(
            id=f"{method} {path}",
            method=method,
            path=path,
            chapter=heading.chapter,
            success=(200,) if success == "200" else None,
            envelope=cells.parse_word(row["Envelope"], ("single", "list", "other")),
            data=data,
            conformance_class=row["Class"].text,
            writes=cells.parse_flag(row["Writes"]),
            meaning=cells.parse_text(row["Meaning"]),
        )
        yield Definition("operation", value.id, value, row["Operation"])


def _headers(heading: Heading, table: Table) -> Entries:
    if heading.name not in ("429", "every request", "every delivery"):
        yield Reference("operation", heading.name, heading.cell)
    headers = []
    for row in table.rows:
        (name,) = cells.parse_names(row["Header"])
        kind = cells.parse_type(row["Type"])
        yield from type_references(kind, row["Type"])
        headers.append(Header(name, kind, cells.parse_flag(row["Required"]), cells.parse_text(row["Meaning"])))
        yield Definition(f"header of {heading.name}", name, headers[-1], row["Header"])
    yield Definition("headers", heading.name, Headers(heading.name, tuple(headers)), heading.cell)


def _states(heading: Heading, table: Table) -> Entries:
    yield Reference("enumeration", heading.name, heading.cell)
    for number, row in enumerate(table.rows, 1):
        for column in ("From", "To"):
            if row[column].text not in STATE_WORDS:
                yield Reference(f"value of {heading.name}", cells.parse_code(row[column]), row[column])
        requirements = cells.parse_ids(row["Requirements"])
        for identifier in requirements:
            yield id_reference(identifier, row["Requirements"])
        trigger = row["Trigger"]
        if trigger.text.startswith("`"):
            yield Reference("operation", cells.parse_code(trigger), trigger)
        words = [row[column].text.replace("`", "") for column in ("From", "Trigger", "Condition", "To", "Also")]
        yield Definition("transition", f"{heading.name} {number}", Transition(heading.name, *words, requirements), trigger)


def _derivation(heading: Heading, table: Table) -> Entries:
    yield Reference("enumeration", heading.name, heading.cell)
    for number, row in enumerate(table.rows, 1):
        if cells.parse_integer(row["Order"]) != number:
            raise row["Order"].wrong(str(number))
        values = () if row["Values"].text == "any" else cells.parse_codes(row["Values"])
        for value in values:
            yield Reference(f"value of {heading.name}", value, row["Values"])
        requirements = cells.parse_ids(row["Requirements"])
        for identifier in requirements:
            yield id_reference(identifier, row["Requirements"])
        step = Derivation(heading.name, number, cells.parse_text(row["Rule"]), values, requirements)
        yield Definition("derivation", f"{heading.name} {number}", step, row["Order"])


def _events(_: Heading, table: Table) -> Entries:
    for row in table.rows:
        name, data = cells.parse_code(row["Event"]), cells.parse_type(row["Data"])
        if data.kind != "shape":
            raise row["Data"].wrong("an object: object NAME")
        yield from type_references(data, row["Data"])
        yield Definition("event", name, EventKind(name, data, cells.parse_text(row["Fires when"])), row["Event"])


def _errors(_: Heading, table: Table) -> Entries:
    for number, row in enumerate(table.rows, 1):
        if not re.fullmatch(r"[45](\d\d|xx)", row["Status"].text):
            raise row["Status"].wrong("a status such as 404, or a class such as 5xx")
        code = None if row["Code"].text == "open" else cells.parse_code(row["Code"])
        if code:
            yield Reference("value of error-code", code, row["Code"])
        if row["Operations"].text in EVERY:
            operations: tuple[str, ...] = (row["Operations"].text,)
        else:
            operations = cells.parse_codes(row["Operations"])
            for operation in operations:
                yield Reference("operation", operation, row["Operations"])
        requirements = cells.parse_ids(row["Requirements"])
        for identifier in requirements:
            yield id_reference(identifier, row["Requirements"])
        case = ErrorCase(row["Status"].text, code, operations, cells.parse_text(row["Condition"]), requirements)
        yield Definition("error", str(number), case, row["Status"])


def _limits(_: Heading, table: Table) -> Entries:
    for row in table.rows:
        (name,) = cells.parse_names(row["Limit"])
        unit, sentence = cells.parse_text(row["Unit"]), cells.parse_text(row["Meaning"])
        value = Limit(name, cells.parse_integer(row["Value"]), unit, sentence)
        yield Definition("limit", name, value, row["Limit"])


FIELD_COLUMNS = ("Field", "Type", "Rules", "Meaning")
KINDS: dict[str, Kind] = {
    "Contract": Kind(("Property", "Value"), _pairs("property", "Property", "Value")),
    "Surfaces": Kind(("Surface", "Address", "Meaning"), _pairs("surface", "Surface", "Address")),
    "Capabilities": Kind(("Capability", "Meaning"), _pairs("capability", "Capability", "Meaning")),
    "Conformance classes": Kind(("Class", "Needs", "Decides", "Meaning"), _classes),
    "Formats": Kind(("Format", "JSON Schema format", "In requests", "In answers", "Example", "Meaning"), _formats),
    "Endpoints": Kind(("Operation", "Success", "Envelope", "Data", "Class", "Writes", "Meaning"), _endpoints),
    "Body": Kind(("Field", "Type", "Required", "Rules", "Meaning"), _shape("body", "Field"), named=True),
    "Query": Kind(("Parameter", "Type", "Required", "Rules", "Meaning"), _shape("query", "Parameter"), named=True),
    "Headers": Kind(("Header", "Type", "Required", "Meaning"), _headers, named=True),
    "Resource": Kind(FIELD_COLUMNS, _shape("resource", "Field"), named=True),
    "Object": Kind(FIELD_COLUMNS, _shape("object", "Field"), named=True),
    "Enumeration": Kind(("Value", "Meaning"), _enumeration, named=True),
    "States": Kind(("From", "Trigger", "Condition", "To", "Also", "Requirements"), _states, named=True),
    "Derivation": Kind(("Order", "Rule", "Values", "Requirements"), _derivation, named=True),
    "Events": Kind(("Event", "Data", "Fires when"), _events),
    "Errors": Kind(("Status", "Code", "Operations", "Condition", "Requirements"), _errors),
    "Limits": Kind(("Limit", "Value", "Unit", "Meaning"), _limits),
    "Requirements": Kind(("Id", "Class", "Requirement", "Observed by"), _requirements),
    "Open items": Kind(("Id", "Left open", "Treatment"), _open_items),
}
"""Every kind of table by the word that its heading begins with."""
