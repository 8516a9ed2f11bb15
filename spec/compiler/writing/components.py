"""Named schemas of the published OpenAPI document, in plain JSON Schema: nothing but what any tool
reads.

Every object, closed enumeration, request body, envelope and error is a component with a name of its
own. What may be null says so as a list of types; a reference, or an array of references, as one of
itself and null.
"""

from collections.abc import Iterator

from plumbline.spec.compiler.model import Contract, Enumeration, Field, Format, Header, Shape, Type
from plumbline.spec.compiler.writing.common import Schema, value_schema

FORMATS = ("uuid", "email", "date", "date-time")
"""Formats of JSON Schema; the others are names of our own and told in words."""
WIDTHS = {"integer": "int64", "number": "double"}
"""How much generators have to hold: unix seconds do not fit into 32 bits from 2038 on, nor cents of
large sums.
"""
KEPT = ("length", "range", "example")
"""Rules that plain keywords can say."""
IN_WORDS = {
    "const": "Always `{const}`.",
    "default": "`{default}` when left out.",
    "decimals": "At most {x-decimals} decimals.",
    "within": "At most {maximum} days from `{of}`.",
    "clamped": "Values outside are moved to the nearest bound.",
}
"""What other rules say in a description: a constant, because a generator refuses booleans that have
one, and a default, because another one then takes a field of a body for required."""
EARLIEST = {"now": "In the future.", "today": "Today or later."}


class Components:
    """The schemas that a document refers to, collected as they are referred to.

    Attributes:
        schemas: what was collected, by name.
    """

    def __init__(self, contract: Contract) -> None:
        self._contract = contract
        self._answered = set(_inside(contract, [*_answer_types(contract)]))
        self.schemas: dict[str, Schema] = {}

    def named(self, name: str, schema: Schema) -> Schema:
        """A reference to a schema that gets a name here; the same name holds the same schema."""
        if self.schemas.setdefault(name, schema) != schema:
            raise AssertionError(f"two schemas are called {name}")
        return {"$ref": f"#/components/schemas/{name}"}

    def value(self, kind: Type, *, sent: bool) -> Schema:
        """The schema of a value that is not null, as clients send it or as the service does."""

        def leaf(sort: str, name: str) -> Schema:
            match sort:
                case "shape":
                    own = name + ("Input" if sent and name in self._answered else "")
                    return self.object(own, self._contract.shapes[name], sent=sent)
                case "enum":
                    return self._enumeration(name)
            return _text(self._contract.formats[name], sent=sent)

        schema = _wide(value_schema(kind, leaf))
        return schema | {"additionalProperties": True} if schema == {"type": "object"} else schema

    def object(self, name: str, shape: Shape, *, sent: bool) -> Schema:
        """A reference to an object under a name."""
        fields = [field for field in shape.fields.values() if not field.rule("forbidden")]
        # In words, because generators make two index signatures of two patterns.
        groups = [f"`{field.name}`: {field.meaning}." for field in fields if field.is_group]
        text = "\n".join([*filter(None, [shape.text]), *groups])
        schema: Schema = {"type": "object"} | ({"description": text} if text else {})
        if required := [
            field.name
            for field in fields
            if field.required or (sent and field.rule("required in requests"))
        ]:
            schema["required"] = required
        schema |= {"minProperties": 1} if shape.not_empty else {}
        schema["properties"] = {
            field.name: self.field(field, sent=sent) for field in fields if not field.is_group
        }
        if shape.open or not sent:
            # The service may add fields at any time, and some generators refuse what a schema does
            # not name.
            schema["additionalProperties"] = True
        return self.named(name, schema)

    def field(self, field: Field, *, sent: bool) -> Schema:
        """The schema of a field, which is null where that is allowed."""
        schema, text = self.value(_published(field), sent=sent), described(self._contract, field)
        for rule in field.rules:
            if rule.word in KEPT and not (rule.word == "range" and field.rule("clamped")):
                schema |= rule.keywords
            if rule.word == "const":
                schema |= (
                    rule.keywords
                    if field.type.kind == "string"
                    else {"examples": [rule.keywords["const"]]}
                )
        if field.rule("nullable") if sent else not field.required:
            if schema.get("type") == "object":
                schema = self.named(camel(field.name), schema | {"description": text})
            schema = _or_null(schema)
        return schema | {"description": text} if text else schema

    def _enumeration(self, name: str) -> Schema:
        enumeration = self._contract.enumerations[name]
        if enumeration.open:
            return {"type": "string", "examples": list(enumeration.values)}
        schema: Schema = {"type": "string", "enum": list(enumeration.values)}
        if not _has_own_values(self._contract, enumeration):
            return schema
        rows = zip(enumeration.values, enumeration.meanings, strict=True)
        text = "\n".join(f"- `{value}`: {meaning}" for value, meaning in rows)
        return self.named(self._own_name(enumeration), {"description": text} | schema)

    def _own_name(self, enumeration: Enumeration) -> str:
        """The component of an enumeration, under a name that no text field has: generators name
        types of fields, too.
        """
        name, own = camel(enumeration.name), Type("enum", enumeration.name)
        fields = {
            camel(f"{shape.name}-{field.name}"): field.type
            for shape in self._contract.shapes.values()
            for field in shape.fields.values()
        }
        return name if fields.get(name, own) == own else f"{name}Value"


def _has_own_values(contract: Contract, enumeration: Enumeration) -> bool:
    """Whether no earlier enumeration has a value of this one.

    Go has one room for all constants of a package: its generator stops at the second `SHOWN`,
    unless the second enumeration has no name.
    """
    closed = [other for other in contract.enumerations.values() if not other.open]
    taken = {value for other in closed[: closed.index(enumeration)] for value in other.values}
    return not taken & {*enumeration.values}


def described(contract: Contract, field: Field) -> str:
    """What a field means, with the rules that only words can say."""
    parts = [sentence(field.meaning)] if field.meaning else []
    for rule in field.rules:
        words = {**rule.keywords, **rule.keywords.get("x-within-days", {})}
        words |= {"const": str(words.get("const")).lower()}  # true, as JSON has it
        parts += [IN_WORDS[rule.word].format(**words)] if rule.word in IN_WORDS else []
        parts += [EARLIEST[words["x-earliest"]]] if "x-earliest" in words else []
    kind = _published(field)
    if kind.kind == "enum" and kind.name and contract.enumerations[kind.name].open:
        values = ", ".join(f"`{value}`" for value in contract.enumerations[kind.name].values)
        parts.append(f"Known values: {values}. There may be others.")
    if (
        kind.kind == "string"
        and kind.name
        and contract.formats[kind.name].json_format not in FORMATS
    ):
        parts.append(sentence(contract.formats[kind.name].meaning))
    return " ".join(parts)


def header_parameter(header: Header) -> Schema:
    """A header of requests or deliveries, as a parameter."""
    deprecated = {"deprecated": True} if header.meaning.startswith("deprecated") else {}
    return {
        "name": header.name,
        "in": "header",
        "required": header.required,
        **header_object(header),
    } | deprecated


def header_object(header: Header) -> Schema:
    """What a header holds."""
    schema = _wide(value_schema(header.type, lambda _, name: {"type": "string", "format": name}))
    return {"description": sentence(header.meaning), "schema": schema}


def sentence(text: str) -> str:
    """A text with a capital at its beginning and a full stop at its end."""
    return text[:1].upper() + text[1:].rstrip(".") + "."


def camel(name: str) -> str:
    """Words that are joined by dots, dashes or underscores, as the name of a schema."""
    return "".join(
        word[:1].upper() + word[1:] for word in name.replace(".", "-").replace("_", "-").split("-")
    )


def _published(field: Field) -> Type:
    """The type that is published: the one of the table, unless that is open and another one is
    known.
    """
    for word in ("published as", *(["sent as"] if field.type.kind == "any" else [])):
        if (rule := field.rule(word)) and rule.type:
            return rule.type
    return field.type


def _wide(schema: Schema) -> Schema:
    """A schema whose numbers, also those of its members, have a width."""
    width = {"format": WIDTHS[schema["type"]]} if schema.get("type") in WIDTHS else {}
    members = {
        word: _wide(schema[word]) for word in ("items", "additionalProperties") if word in schema
    }
    return schema | width | members


def _or_null(schema: Schema) -> Schema:
    if "$ref" in schema or "$ref" in schema.get("items", {}):
        return {"oneOf": [schema, {"type": "null"}]}
    return schema | {"type": [schema["type"], "null"]} if "type" in schema else schema


def _text(text: Format, *, sent: bool) -> Schema:
    schema: Schema = {"type": "string"} | (
        {"format": text.json_format} if text.json_format in FORMATS else {}
    )
    if text.request_pattern and (sent or text.answer_pattern == text.request_pattern):
        schema["pattern"] = text.request_pattern
    return schema | {"examples": [text.example]}


def _answer_types(contract: Contract) -> Iterator[Type]:
    yield from (endpoint.data for endpoint in contract.endpoints.values())
    yield from (event.data for event in contract.events.values())


def _inside(contract: Contract, kinds: list[Type]) -> Iterator[str]:
    for kind in kinds:
        if kind.of:
            yield from _inside(contract, [kind.of])
        elif kind.kind == "shape" and kind.name:
            yield kind.name
            yield from _inside(
                contract, [field.type for field in contract.shapes[kind.name].fields.values()]
            )
