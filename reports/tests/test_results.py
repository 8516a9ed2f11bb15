"""conformance.json: true to its schema, complete, in a stable order, whole or not there."""

import json
import os
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plumbline.reports.evidence.results import document_of, load, write_results
from plumbline.reports.report_errors import ReportError
from plumbline.reports.report_schemas import document, results_validator
from plumbline.reports.tests.samples import (
    CONTEXT,
    GREEN,
    RECORDS,
    Record,
    assert_golden,
    choice,
    finding,
    run_of,
    values,
    violation,
)
from plumbline.spec import catalogue

HOSTILE = "\x1b[2J\u202e\x00\ud800</script>"
FOUND: list[Record] = [
    *GREEN,
    finding("CORE-01", "failed", count=4),
    finding("CORE-03", "unmet", reason="no test controller", remedy="set controller.url"),
    finding("KEYS-01", "failed", source="traffic", violation=None),
    {"requests": {"GET /v1/leads": 3, "POST /v1/leads": 1}},
    choice("scheduled"),
    choice("null"),
    choice("201", "ENV-O01", "POST /v1/leads"),
    values("name", markup=True, empty=False),
    values("note", "CORE-03", empty=True, markup=True),
    {"harness_error": "KeyError: 'data'", "test": "suites/leads/test_read.py::test_read"},
]


def test_document_matches_golden() -> None:
    text = json.dumps(document_of(run_of(*FOUND), CONTEXT), indent=2, ensure_ascii=False) + "\n"
    assert_golden("conformance.json", text)


def test_written_results_are_read_back_and_valid(tmp_path: Path) -> None:
    path = write_results(run_of(*FOUND), replace(CONTEXT, report_dir=tmp_path / "new" / "folder"))
    assert path == tmp_path / "new" / "folder" / "conformance.json"
    (tmp_path / "ordinary").touch()
    assert path.stat().st_mode == (tmp_path / "ordinary").stat().st_mode
    assert load(path) == document_of(run_of(*FOUND), CONTEXT)
    for name in ("conformance.schema.json", "record.schema.json"):
        jsonschema.Draft202012Validator.check_schema(document(name))
    jsonschema.Draft202012Validator(document("conformance.schema.json")).validate(
        json.loads(path.read_text("utf-8"))
    )


@given(RECORDS, st.randoms())
def test_document_is_valid_and_independent_of_record_order(
    records: list[Record], chance: Random
) -> None:
    first = document_of(run_of(*records), CONTEXT)
    assert results_validator().is_valid(first)
    shuffled = document_of(run_of(*chance.sample(records, len(records))), CONTEXT)
    assert json.dumps(first) == json.dumps(shuffled)


def test_every_requirement_of_contract_is_listed_in_order(tmp_path: Path) -> None:
    real = catalogue()
    path = write_results(
        run_of(catalogue=real, claimed=real.classes), replace(CONTEXT, report_dir=tmp_path)
    )
    assert [entry["id"] for entry in load(path)["requirements"]] == list(real.requirements)


def test_document_has_no_credentials_and_the_repeat_command() -> None:
    context = replace(
        CONTEXT, base_url="https://ada:secret@staging.example.com/api", selection=("-k", "a lead")
    )
    written = document_of(run_of(*FOUND, partial=True), context)
    assert written["target"] == "https://staging.example.com/api"
    assert "secret@" not in json.dumps(written)
    address = ["--base-url", "https://staging.example.com/api"]
    assert written["reproduce"] == {
        "command": "plumbline run --base-url https://staging.example.com/api --seed 42 -k 'a lead'",
        "arguments": [*address, "--seed", "42"],
        "report": "plumbline-report",
        "seed": 42,
    }
    assert (written["verdict"], written["exit_code"], written["partial"]) == (
        "non-conformant",
        1,
        True,
    )


def test_hostile_text_stays_readable_json(tmp_path: Path) -> None:
    record = finding(
        "CORE-01", "failed", violation=violation(HOSTILE, HOSTILE, HOSTILE, response_body=HOSTILE)
    )
    path = write_results(run_of(record), replace(CONTEXT, report_dir=tmp_path))
    (violation_written,) = load(path)["requirements"][0]["violations"]
    assert violation_written["samples"][0]["received"] == "\x1b[2J\u202e\x00\\ud800</script>"
    assert "\x1b" not in path.read_text("utf-8")


def test_file_is_replaced_as_a_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    context = replace(CONTEXT, report_dir=tmp_path)
    write_results(run_of(*FOUND), context)
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}

    def full_disk(_: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full_disk)
        with pytest.raises(OSError, match="No space left"):
            write_results(run_of(), context)
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before
    with (tmp_path / "conformance.json").open(encoding="utf-8") as opened_before:
        write_results(run_of(), context)
        assert json.load(opened_before) == document_of(run_of(*FOUND), CONTEXT)


GOOD = document_of(run_of(*FOUND), CONTEXT)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (None, "cannot be read (No such file or directory)"),
        (b"\xff", "is not JSON"),
        (b"{", "is not JSON"),
        (b"[" * 100_000, "is nested more than 100 levels deep"),
        (b"[]", "is no conformance.json of this kit"),
        (GOOD | {"schema_version": "2"}, "has the schema_version 2, this kit reads 1"),
        (GOOD | {"verdict": "fine"}, "at /verdict: "),
        (GOOD | {"started": "yesterday"}, "at /started: "),
        (
            GOOD | {"extra": 1},
            "at the whole: Additional properties are not allowed ('extra' was unexpected)",
        ),
        (
            {key: value for key, value in GOOD.items() if key != "seed"},
            'at the whole: "seed" is a required property',
        ),
    ],
)
def test_unusable_file_is_refused(
    content: bytes | dict[str, Any] | None, sentence: str, tmp_path: Path
) -> None:
    path = tmp_path / "conformance.json"
    if content is not None:
        path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    with pytest.raises(ReportError) as refused:
        load(path)
    assert str(refused.value).startswith(f"{path}: ")
    assert sentence in str(refused.value)
    assert "\n" not in str(refused.value)
