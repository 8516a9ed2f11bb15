"""The contract as the compiler understands it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from plumbline.spec.catalogue import ConformanceClass, ErrorCase, Limit, OpenItem, Requirement
from plumbline.spec.compiler.reading.reader import Cell


@dataclass(frozen=True)
class Type:
    """The type of a field.

    Attributes:
        kind: `string`, `integer`, `number`, `boolean`, `object`, `any`, `array`, `map`, `enum` or
            `shape`.
        name: the format of a string, the enumeration of an enum, the object of a shape.
        of: the type of the members of an array or a map.
    """

    kind: str
    name: str | None = None
    of: "Type | None" = None


@dataclass(frozen=True)
class Rule:
    """A constraint of a field.

    Attributes:
        word: its name in the grammar, such as `length`.
        keywords: JSON Schema keywords that say the same.
        id: the requirement that it serves when that is not the one of the field.
        type: the narrower type of `sent as`.
    """

    word: str
    keywords: Mapping[str, Any]
    id: str | None = None
    type: Type | None = None


@dataclass(frozen=True)
class Field:
    """A field of an object, or a parameter of a query.

    Attributes:
        requirement: the requirement that the field serves, or None for the one of its table.
        open_item: the open item that limits what may be said about it.
    """

    name: str
    type: Type
    required: bool
    rules: tuple[Rule, ...]
    requirement: str | None
    open_item: str | None
    meaning: str

    @property
    def is_group(self) -> bool:
        """Whether it stands for all fields whose names begin alike, such as `previous_closer_*`."""
        return self.name.endswith("*")

    def rule(self, word: str) -> Rule | None:
        """The rule of this name, if the field has it."""
        return next((rule for rule in self.rules if rule.word == word), None)


@dataclass(frozen=True)
class Shape:
    """A table of fields.

    Attributes:
        role: `resource`, `object` (inside another), `body` or `query`.
        requirement: what its fields serve unless they say otherwise.
        not_empty: the requirement that forbids an empty body, if one does.
        open: whether further keys are expected of it.
        text: what its chapter says under its heading.
    """

    name: str
    role: str
    fields: Mapping[str, Field]
    requirement: str | None = None
    not_empty: str | None = None
    open: bool = False
    text: str = ""


@dataclass(frozen=True)
class Format:
    """What a text looks like in requests and in answers."""

    name: str
    json_format: str
    request_pattern: str | None
    answer_pattern: str | None
    example: str
    meaning: str


@dataclass(frozen=True)
class Enumeration:
    """A set of values; an open one may grow."""

    name: str
    open: bool
    values: tuple[str, ...]
    meanings: tuple[str, ...]


@dataclass(frozen=True)
class Endpoint:
    """An operation as its table gives it."""

    id: str
    method: str
    path: str
    chapter: str
    success: tuple[int, ...] | None
    envelope: str
    data: Type
    conformance_class: str
    writes: bool
    meaning: str

    @property
    def slug(self) -> str:
        """The operation as part of a file name: `PATCH /v1/leads/{id}` is `PATCH-v1-leads-id`."""
        return self.method + self.path.replace("{", "").replace("}", "").replace("/", "-")


@dataclass(frozen=True)
class Guide:
    """What readers of the published document are told about an operation.

    Attributes:
        name: its operation id.
        text: Markdown.
    """

    name: str
    text: str


@dataclass(frozen=True)
class Header:
    """A header of requests, answers or deliveries."""

    name: str
    type: Type
    required: bool
    meaning: str


@dataclass(frozen=True)
class Transition:
    """How one state follows another; `any`, `none`, `open` and `given` stand beside the values of
    the enumeration.
    """

    enumeration: str
    origin: str
    trigger: str
    condition: str
    target: str
    effect: str
    requirements: tuple[str, ...]


@dataclass(frozen=True)
class Derivation:
    """One step in the derivation of a value; the first step that fits decides."""

    enumeration: str
    order: int
    rule: str
    values: tuple[str, ...]
    requirements: tuple[str, ...]


@dataclass(frozen=True)
class EventKind:
    """A kind of event and the object that its `data` holds."""

    name: str
    data: Type
    meaning: str


@dataclass(frozen=True)
class Naming:
    """A limit whose number the sentence of a requirement names.

    Attributes:
        cell: where the number of the limit stands.
    """

    limit: Limit
    requirement: str
    cell: Cell


@dataclass(frozen=True)
class Definition:
    """Something that a table defines, under a name that is unique for its kind."""

    kind: str
    name: str
    value: Any
    cell: Cell


@dataclass(frozen=True)
class Reference:
    """Something that a cell names and that a table has to define."""

    kind: str
    name: str
    cell: Cell


Entries = Iterator[Definition | Reference]
"""What a table yields when it is read."""


@dataclass(frozen=True)
class Heading:
    """A heading that announces a table.

    Attributes:
        chapter: name of the chapter, such as `booking-links`.
        name: what the table is about, such as `POST /v1/leads`; empty where the kind says it all.
        sort: `open` or `closed` for an enumeration, `open` for an object with further keys, `not
            empty` for some bodies.
        ids: the requirement that holds for the whole table, and the one that forbids an empty body.
        text: the prose under it.
    """

    chapter: str
    name: str
    sort: str
    ids: tuple[str, ...]
    cell: Cell
    text: str = ""


@dataclass(frozen=True)
class Contract:
    """The whole contract. Mappings keep the order of the chapters."""

    properties: Mapping[str, str]
    surfaces: Mapping[str, str]
    capabilities: Mapping[str, str]
    formats: Mapping[str, Format]
    enumerations: Mapping[str, Enumeration]
    shapes: Mapping[str, Shape]
    bodies: Mapping[str, Shape]
    queries: Mapping[str, Shape]
    headers: Mapping[str, tuple[Header, ...]]
    endpoints: Mapping[str, Endpoint]
    guides: Mapping[str, Guide]
    introductions: Mapping[str, str]
    transitions: tuple[Transition, ...]
    derivations: tuple[Derivation, ...]
    events: Mapping[str, EventKind]
    event_data: Mapping[str, Shape]
    classes: Mapping[str, ConformanceClass]
    requirements: Mapping[str, Requirement]
    open_items: Mapping[str, OpenItem]
    errors: tuple[ErrorCase, ...]
    limits: Mapping[str, Limit]
    digest: str
