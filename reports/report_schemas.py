"""The two schemas of this room: of the records that come in, and of the results that go out."""

import json
from functools import cache
from importlib.resources import files
from typing import Any

import jsonschema_rs

from plumbline.reports.text import shorten

SCHEMA_VERSION = "1"
"""Of conformance.json; a new one whenever a reader of the old could misread the new."""


def document(name: str) -> dict[str, Any]:
    """A schema file of this package: `conformance.schema.json` or `record.schema.json`."""
    schema: dict[str, Any] = json.loads(
        files(__package__).joinpath(name).read_text(encoding="utf-8")
    )
    return schema


@cache
def results_validator() -> jsonschema_rs.Draft202012Validator:
    """Judges a conformance.json."""
    return jsonschema_rs.Draft202012Validator(
        document("conformance.schema.json"), validate_formats=True
    )


@cache
def record_validator() -> jsonschema_rs.Draft202012Validator:
    """Judges a record for the ledger; a violation has the same shape there as in
    conformance.json.
    """
    results = document("conformance.schema.json")
    registry = jsonschema_rs.Registry([(results["$id"], results)])
    return jsonschema_rs.Draft202012Validator(document("record.schema.json"), registry=registry)


def fault_of(validator: jsonschema_rs.Draft202012Validator, value: Any) -> str | None:
    """What is wrong with a value first, as a place and a sentence; None if nothing is."""
    try:
        json.dumps(value, allow_nan=False)
        error = next(iter(validator.iter_errors(value)), None)
    except (TypeError, ValueError) as not_json:
        return f"it is not JSON ({shorten(str(not_json), 200)})"
    if error is None:
        return None
    pointer = "".join(f"/{part}" for part in error.instance_path)
    return f"{pointer or 'the whole'}: {shorten(error.message, 200)}"
