"""Writes the vocabulary of the kit's schemas: every keyword and format beside those of JSON Schema
2020-12, as a meta-schema that says what each holds.

To a validator that does not know it, its keywords are annotations. One that refuses unknown
keywords, such as Ajv in strict mode, is given the names of `properties` and of `format` here.
"""

from plumbline.spec.compiler.model import Contract
from plumbline.spec.compiler.writing.common import Schema
from plumbline.spec.compiler.writing.schemas import DIALECT, PREFIX

ID = {"type": "string", "pattern": "^[A-Z]+-[0-9]{2}$"}
OPEN_ID = {"type": "string", "pattern": "^[A-Z]+-O[0-9]{2}$"}
KEYWORDS: dict[str, Schema] = {
    "x-generated": {
        "type": "string",
        "description": "Who wrote the file, at its beginning.",
    },
    "x-requirement": ID
    | {"description": "The requirement that this part serves; the innermost one counts."},
    "x-requirements": {
        "type": "object",
        "additionalProperties": ID,
        "description": "The requirements that single keywords serve, where they differ.",
    },
    "x-open": OPEN_ID
    | {"description": "The open item that limits this part: what else may be allowed."},
    "x-decimals": {
        "type": "integer",
        "minimum": 0,
        "description": "The most decimals of a number, read as decimal.",
    },
    "x-earliest": {
        "enum": ["now", "today"],
        "description": "The earliest time that may be sent.",
    },
    "x-within-days": {
        "type": "object",
        "required": ["of", "maximum"],
        "properties": {"of": {"type": "string"}, "maximum": {"type": "integer", "minimum": 1}},
        "additionalProperties": False,
        "description": "The most days between the date in the property `of` and this one.",
    },
}
"""What each keyword of our own holds."""


def vocabulary(contract: Contract) -> Schema:
    """The meta-schema of the keywords and formats that the kit's schemas use."""
    formats = [text.json_format for text in contract.formats.values()]
    return {
        "$schema": DIALECT,
        "$id": f"{PREFIX}:vocabulary",
        "$vocabulary": {
            "https://json-schema.org/draft/2020-12/vocab/core": True,
            f"{PREFIX}:vocabulary": False,
        },
        "$dynamicAnchor": "meta",
        "title": "Vocabulary of the schemas of this contract",
        "type": ["object", "boolean"],
        "properties": KEYWORDS
        | {
            "format": {
                "enum": formats,
                "description": "Formats of JSON Schema, and further ones that a pattern or nothing"
                " says.",
            },
            "x-format": {
                "enum": formats,
                "description": "The format of an answer, which its pattern says already.",
            },
        },
    }
