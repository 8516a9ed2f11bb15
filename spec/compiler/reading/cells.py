"""Understands the cells of the tables: types, rules, names, ids. What is not in the grammar is an
error.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from plumbline.spec.compiler.model import Reference, Rule, Type
from plumbline.spec.compiler.reading.field_rules import SAMPLES, find_form
from plumbline.spec.compiler.reading.reader import Cell

ID = re.compile(r"[A-Z]{3,5}-(O?)\d{2}")
SCALARS = ("string", "integer", "number", "boolean", "object", "any")
TYPES = (
    *SCALARS,
    "string (FORMAT)",
    "timestamp",
    "enum NAME",
    "object NAME",
    "array of TYPE",
    "map of TYPE",
)
CODE = re.compile(r"`([^`]+)`")


@dataclass(frozen=True)
class Rules:
    """What a cell of rules says: the rules themselves and the ids that hold for the whole field."""

    rules: tuple[Rule, ...]
    requirement: str | None
    open_item: str | None


def parse_type(cell: Cell, text: str | None = None) -> Type:
    """The type that a cell, or a part of it, names."""
    word = cell.text if text is None else text
    if word in SCALARS:
        return Type(word)
    if word == "timestamp":
        return Type("string", "timestamp")
    if match := re.fullmatch(r"string \(([\w-]+)\)", word):
        return Type("string", match[1])
    if match := re.fullmatch(r"enum ([\w-]+)", word):
        return Type("enum", match[1])
    if match := re.fullmatch(r"object (\w+)", word):
        return Type("shape", match[1])
    if match := re.fullmatch(r"(array|map) of (.+)", word):
        return Type(match[1], of=parse_type(cell, match[2]))
    raise cell.wrong(f"a type: {', '.join(TYPES)}", TYPES, word)


def type_references(kind: Type, cell: Cell) -> Iterator[Reference]:
    """The format, enumeration and object that a type names."""
    if kind.of:
        yield from type_references(kind.of, cell)
    elif kind.name:
        of = {"string": "format", "enum": "enumeration", "shape": "object"}[kind.kind]
        yield Reference(of, kind.name, cell)


def parse_rules(cell: Cell, kind: Type, role: str) -> Rules:
    """The rules of a field: separated by semicolons, each with the id that it serves in brackets,
    or an id alone.

    Args:
        cell: the cell of rules.
        kind: type of the field, which each rule has to fit.
        role: kind of the table: `resource`, `object`, `body` or `query`.
    """
    rules: list[Rule] = []
    alone: dict[bool, str] = {}
    for part in filter(None, (part.strip() for part in cell.text.split(";"))):
        text, identifier = _split_id(cell, part)
        if text:
            rules.append(_rule(cell, text, identifier, kind, role))
        elif identifier:
            is_open = is_open_id(identifier)
            if is_open in alone:
                raise cell.wrong(
                    f"one {'open item' if is_open else 'requirement'} for the whole field",
                    word=identifier,
                )
            alone[is_open] = identifier
    words = [rule.word for rule in rules]
    if twice := next((word for word in words if words.count(word) > 1), None):
        raise cell.wrong(f"one rule about {twice!r}")
    return Rules(tuple(rules), alone.get(False), alone.get(True))


def is_open_id(identifier: str) -> bool:
    """Whether an id is one of an open item."""
    return "-O" in identifier


def id_reference(identifier: str, cell: Cell) -> Reference:
    """The requirement or open item that an id names."""
    return Reference("open item" if is_open_id(identifier) else "requirement", identifier, cell)


def parse_codes(cell: Cell) -> tuple[str, ...]:
    """Code spans that are separated by commas."""
    codes = tuple(CODE.findall(cell.text))
    if not codes or ", ".join(f"`{code}`" for code in codes) != cell.text:
        raise cell.wrong("values in backticks, separated by a comma and a space")
    return codes


def parse_code(cell: Cell) -> str:
    """One code span."""
    codes = parse_codes(cell)
    if len(codes) != 1:
        raise cell.wrong("one value in backticks")
    return codes[0]


def parse_names(cell: Cell) -> tuple[str, ...]:
    """Plain names that are separated by commas."""
    names = tuple(cell.text.split(", "))
    for name in names:
        if not re.fullmatch(r"[A-Za-z][\w-]*(_\*)?", name):
            raise cell.wrong(
                "names of letters, digits, - and _, separated by a comma and a space", word=name
            )
    return names


def parse_ids(cell: Cell) -> tuple[str, ...]:
    """Ids of requirements that are separated by commas."""
    ids = tuple(cell.text.split(", ")) if cell.text else ()
    for identifier in ids:
        if not ID.fullmatch(identifier):
            raise cell.wrong(
                "ids such as LEAD-05, separated by a comma and a space", word=identifier
            )
    return ids


def parse_word(cell: Cell, choices: tuple[str, ...]) -> str:
    """One of a few words."""
    if cell.text not in choices:
        raise cell.wrong(" or ".join([", ".join(choices[:-1]), choices[-1]]), choices)
    return cell.text


def parse_flag(cell: Cell) -> bool:
    """Yes or no."""
    return parse_word(cell, ("yes", "no")) == "yes"


def parse_integer(cell: Cell) -> int:
    """A whole number."""
    if not re.fullmatch(r"\d+", cell.text):
        raise cell.wrong("a whole number")
    return int(cell.text)


def parse_prose(cell: Cell) -> str:
    """Prose that must not be missing."""
    if not cell.text:
        raise cell.wrong("a few words")
    return cell.text


def parse_text(cell: Cell) -> str:
    """Prose that must not be missing, without its markup."""
    return parse_prose(cell).replace("`", "")


def parse_operation(cell: Cell) -> tuple[str, str]:
    """Method and path of an operation."""
    match = re.fullmatch(
        r"(GET|POST|PATCH|PUT|DELETE) ((?:/[a-z0-9.-]+|/\{id\})+)", parse_code(cell)
    )
    if not match:
        raise cell.wrong("a method and a path in backticks, such as `GET /v1/leads/{id}`")
    return match[1], match[2]


def _split_id(cell: Cell, part: str) -> tuple[str, str | None]:
    match = re.fullmatch(r"(.*?)\s*\[([^\[\]]*)\]", part)
    if not match:
        return part, None
    if not ID.fullmatch(match[2]):
        raise cell.wrong("an id such as LEAD-05 in brackets", word=match[2])
    if match[1] and is_open_id(match[2]):
        raise cell.wrong("the id of an open item alone, after a semicolon", word=part)
    return match[1], match[2]


def _rule(cell: Cell, text: str, identifier: str | None, kind: Type, role: str) -> Rule:
    written = find_form(text)
    if not written:
        raise cell.wrong(f"a rule: {', '.join(SAMPLES)}", SAMPLES, text)
    form, caught = written
    if form.types and kind.kind not in form.types:
        raise cell.wrong(
            f"this rule at the type {' or '.join(sorted(form.types))} only, not at {kind.kind}",
            word=text,
        )
    if role not in form.roles:
        raise cell.wrong(
            f"this rule in a table of kind {' or '.join(sorted(form.roles))} only", word=text
        )
    narrower = parse_type(cell, caught[0]) if form.word in ("sent as", "published as") else None
    keywords = form.keywords(*caught)
    for low, high in (("minLength", "maxLength"), ("minimum", "maximum")):
        if low in keywords and high in keywords and keywords[low] > keywords[high]:
            raise cell.wrong("the lower bound first", word=text)
    return Rule(form.word, keywords, identifier, narrower)
