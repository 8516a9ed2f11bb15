"""Understands the cells of the tables: types, rules, names, ids. Whatever is not in the grammar is an error."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from plumbline.spec.compiler.model import Reference, Rule, Type
from plumbline.spec.compiler.reader import Cell

ID = re.compile(r"[A-Z]{3,5}-(O?)\d{2}")
SCALARS = ("string", "integer", "number", "boolean", "object", "any")
TYPES = (*SCALARS, "string (FORMAT)", "timestamp", "enum NAME", "object NAME", "array of TYPE", "map of TYPE")
CODE = re.compile(r"`([^`]+)`")
NUMBER = r"(-?\d+)"

RULES: dict[str, tuple[str, Callable[..., dict[str, Any]]]] = {
    "required": (r"required", dict),
    "required in requests": (r"required in requests", dict),
    "nullable": (r"nullable", dict),
    "forbidden": (r"forbidden", lambda: {"not": {}}),
    "rows": (r"rows", dict),
    "const": (r"const (true|false)", lambda word: {"const": word == "true"}),
    "length": (rf"length {NUMBER}\.\.{NUMBER}", lambda low, high: {"minLength": int(low), "maxLength": int(high)}),
    "length <=": (rf"length <= {NUMBER}", lambda high: {"maxLength": int(high)}),
    "length >=": (rf"length >= {NUMBER}", lambda low: {"minLength": int(low)}),
    "length =": (rf"length {NUMBER}", lambda size: {"minLength": int(size), "maxLength": int(size)}),
    ">=": (rf">= {NUMBER}", lambda low: {"minimum": int(low)}),
    "range": (rf"{NUMBER}\.\.{NUMBER}", lambda low, high: {"minimum": int(low), "maximum": int(high)}),
    "decimals": (rf"{NUMBER} decimals", lambda places: {"x-decimals": int(places)}),
    "default": (r"default `([^`]+)`", lambda text: {"default": text}),
    "default number": (rf"default {NUMBER}", lambda number: {"default": int(number)}),
    "example": (r"example `([^`]+)`", lambda text: {"examples": [text]}),
    "future": (r"future", lambda: {"x-earliest": "now"}),
    "today": (r"today or later", lambda: {"x-earliest": "today"}),
    "within": (rf"within {NUMBER} days of `(\w+)`", lambda days, of: {"x-days": {"of": of, "maximum": int(days)}}),
    "filled while": (r"filled while `(\w+)`", lambda flag: {"x-filled-while": flag}),
}
"""Rules by name: how each is written, and the JSON Schema keywords that it stands for."""

EXAMPLES = (
    *("required", "required in requests", "nullable", "forbidden", "rows [ID]", "const true", "length 8..128", "length <= 255"),
    *("length >= 1", "length 3", ">= 0", "1..100", "2 decimals", "default `USD`", "default 20", "example `manual`", "future"),
    *("today or later", "within 31 days of `start_date`", "filled while `has_more`", "sent as TYPE"),
)


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
    if found := re.fullmatch(r"string \(([\w-]+)\)", word):
        return Type("string", found[1])
    if found := re.fullmatch(r"enum ([\w-]+)", word):
        return Type("enum", found[1])
    if found := re.fullmatch(r"object (\w+)", word):
        return Type("shape", found[1])
    if found := re.fullmatch(r"(array|map) of (.+)", word):
        return Type(found[1], of=parse_type(cell, found[2]))
    raise cell.wrong(f"a type: {', '.join(TYPES)}", TYPES, word)


def type_references(kind: Type, cell: Cell) -> Iterator[Reference]:
    """The format, enumeration and object that a type names."""
    if kind.of:
        yield from type_references(kind.of, cell)
    elif kind.name:
        of = {"string": "format", "enum": "enumeration", "shape": "object"}[kind.kind]
        yield Reference(of, kind.name, cell)


def parse_rules(cell: Cell) -> Rules:
    """The rules of a field: separated by semicolons, each with the id that it serves in brackets, or an id alone."""
    rules: list[Rule] = []
    alone: dict[bool, str] = {}
    for part in filter(None, (part.strip() for part in cell.text.split(";"))):
        text, identifier = _split_id(cell, part)
        if text:
            rules.append(_rule(cell, text, identifier))
        elif identifier:
            is_open = is_open_id(identifier)
            if is_open in alone:
                raise cell.wrong(f"one {'open item' if is_open else 'requirement'} for the whole field", word=identifier)
            alone[is_open] = identifier
    words = [rule.word for rule in rules]
    if twice := next((word for word in words if words.count(word) > 1), None):
        raise cell.wrong(f"the rule {twice!r} once")
    return Rules(tuple(rules), alone.get(False), alone.get(True))


def is_open_id(identifier: str) -> bool:
    """Whether an id is one of an open item."""
    return "-O" in identifier


def id_reference(identifier: str, cell: Cell) -> Reference:
    """The requirement or open item that an id names."""
    return Reference("open item" if is_open_id(identifier) else "requirement", identifier, cell)


def parse_codes(cell: Cell) -> tuple[str, ...]:
    """Code spans that are separated by commas."""
    found = tuple(CODE.findall(cell.text))
    if not found or ", ".join(f"`{code}`" for code in found) != cell.text:
        raise cell.wrong("values in backticks, separated by a comma and a space")
    return found


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
        if not re.fullmatch(r"[A-Za-z][\w-]*", name):
            raise cell.wrong("names of letters, digits, - and _, separated by a comma and a space", word=name)
    return names


def parse_ids(cell: Cell) -> tuple[str, ...]:
    """Ids of requirements that are separated by commas."""
    found = tuple(cell.text.split(", ")) if cell.text else ()
    for identifier in found:
        if not ID.fullmatch(identifier):
            raise cell.wrong("ids such as LEAD-05, separated by a comma and a space", word=identifier)
    return found


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


def parse_text(cell: Cell) -> str:
    """Prose that must not be missing, without its markup."""
    if not cell.text:
        raise cell.wrong("a few words")
    return cell.text.replace("`", "")


def parse_operation(cell: Cell) -> tuple[str, str]:
    """Method and path of an operation."""
    found = re.fullmatch(r"(GET|POST|PATCH|PUT|DELETE) (/\S*)", parse_code(cell))
    if not found:
        raise cell.wrong("a method and a path in backticks, such as `GET /v1/leads`")
    return found[1], found[2]


def _split_id(cell: Cell, part: str) -> tuple[str, str | None]:
    found = re.fullmatch(r"(.*?)\s*\[([^\[\]]*)\]", part)
    if not found:
        return part, None
    if not ID.fullmatch(found[2]):
        raise cell.wrong("an id such as LEAD-05 in brackets", word=found[2])
    return found[1], found[2]


def _rule(cell: Cell, text: str, identifier: str | None) -> Rule:
    if found := re.fullmatch(r"sent as (.+)", text):
        return Rule("sent as", {}, identifier, parse_type(cell, found[1]))
    for word, (pattern, keywords) in RULES.items():
        if found := re.fullmatch(pattern, text):
            return Rule(word, keywords(*found.groups()), identifier)
    raise cell.wrong(f"a rule: {', '.join(EXAMPLES)}", EXAMPLES, text)
