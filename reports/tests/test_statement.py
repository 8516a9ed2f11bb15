"""Envelopes and statements: what is signed, and what is stated about a run."""

import json
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from plumbline.reports.evidence.envelope import encoded, opened, signed
from plumbline.reports.evidence.manifest import seal
from plumbline.reports.evidence.results import document_of
from plumbline.reports.evidence.signed_statement import (
    contradictions,
    predicate,
    result_of,
    statement_of,
)
from plumbline.reports.report_errors import ReportError
from plumbline.reports.tests.samples import CONTEXT, GREEN, finding, run_of
from plumbline.reports.verdict.words import RunWord
from plumbline.spec.strict_json import MAX_INTEGER

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
STORABLE = st.text(st.characters(exclude_categories=["Cs"]))
TARGET = {"origin": "https://staging.example.com", "base_url": "https://staging.example.com/api"}


class TestEnvelope:
    def test_encoding_is_that_of_dsse(self) -> None:
        expected = b"DSSEv1 29 http://example.com/HelloWorld 11 hello world"
        assert encoded("http://example.com/HelloWorld", b"hello world") == expected
        assert encoded("\u00fc", "\u00fc".encode()) == b"DSSEv1 2 \xc3\xbc 2 \xc3\xbc"

    @given(st.dictionaries(STORABLE, st.integers(-MAX_INTEGER, MAX_INTEGER) | STORABLE))
    def test_signed_document_opens_with_its_key_only(self, document: dict[str, Any]) -> None:
        envelope = json.loads(json.dumps(signed(document, KEY)))
        assert opened(envelope, KEY.public_key()) == document
        with pytest.raises(ReportError, match="is not signed by the key"):
            opened(envelope, Ed25519PrivateKey.generate().public_key())

    def test_url_safe_base64_is_accepted(self) -> None:
        envelope = signed({"text": "\u00ff\u00fe?>"}, KEY)
        envelope["payload"] = envelope["payload"].replace("+", "-").replace("/", "_")
        assert opened(envelope, KEY.public_key()) == {"text": "\u00ff\u00fe?>"}

    def test_one_matching_signature_suffices(self) -> None:
        ours, others = signed({"a": 1}, KEY), signed({"a": 1}, Ed25519PrivateKey.generate())
        signatures = [
            *others["signatures"],
            {"sig": ours["signatures"][0]["sig"], "keyid": "of somebody else"},
        ]
        assert opened(ours | {"signatures": signatures}, KEY.public_key()) == {"a": 1}

    @given(st.integers(0, 19))
    def test_changed_payload_is_refused(self, place: int) -> None:
        envelope = signed({"number": 1}, KEY)
        payload = envelope["payload"]
        changed = payload[:place] + ("A" if payload[place] != "A" else "B") + payload[place + 1 :]
        with pytest.raises(ReportError):
            opened(envelope | {"payload": changed}, KEY.public_key())


class TestResult:
    @pytest.mark.parametrize(
        ("records", "options", "result"),
        [
            (GREEN, {}, "PASSED"),
            ([*GREEN, finding("CORE-03", "failed")], {}, "WARNED"),
            ([*GREEN, finding("CORE-01", "failed")], {}, "FAILED"),
            (GREEN, {"partial": True}, "FAILED"),
        ],
    )
    def test_only_conformant_run_passes(
        self, records: list[dict[str, Any]], options: dict[str, Any], result: str
    ) -> None:
        assert result_of(document_of(run_of(*records, **options), CONTEXT)) == result

    def test_predicate_lists_requirements_by_verdict(self) -> None:
        records = [*GREEN, finding("CORE-01", "failed"), finding("CORE-03", "failed")]
        stated = predicate(document_of(run_of(*records), CONTEXT), TARGET)
        lists = [stated[f"{word}Tests"] for word in ("passed", "warned", "failed")]
        assert lists == [["CORE-02", "CORE-04"], ["CORE-03"], ["CORE-01"]]
        run = next(entry for entry in stated["configuration"] if entry["name"] == "run")
        assert (run["uri"], run["annotations"]["verdict"]) == (
            "urn:plumbline:run:" + "5c" * 16,
            "non-conformant",
        )
        assert all({"uri", "digest"} & entry.keys() for entry in stated["configuration"])

    def test_only_conformant_verdict_passes(self) -> None:
        results = {word: result_of({"verdict": word.value, "requirements": []}) for word in RunWord}
        assert {word for word, result in results.items() if result != "FAILED"} == {
            RunWord.CONFORMANT
        }


class TestFolder:
    @pytest.fixture(name="folder")
    def _folder(self, tmp_path: Path) -> Path:
        results = document_of(run_of(*GREEN), CONTEXT)
        (tmp_path / "conformance.json").write_text(json.dumps(results), encoding="utf-8")
        (tmp_path / "target.json").write_text(json.dumps(TARGET), encoding="utf-8")
        seal(tmp_path, CONTEXT.nonce)
        return tmp_path

    def test_statement_of_own_folder_has_no_contradictions(self, folder: Path) -> None:
        results = document_of(run_of(*GREEN), CONTEXT)
        statement = statement_of(folder, results)
        assert [subject["name"] for subject in statement["subject"]] == [
            "target.json",
            "conformance.json",
            "evidence.json",
        ]
        assert [*contradictions(statement, folder, results)] == []

    @pytest.mark.parametrize(
        ("change", "sentence"),
        [
            ({"_type": "https://in-toto.io/Statement/v2"}, "no in-toto statement of a test result"),
            (
                {"predicateType": "https://in-toto.io/attestation/vsa/v1"},
                "no in-toto statement of a test result",
            ),
            ({"subject": []}, "does not speak of target.json"),
            ({"subject": None}, "subjects of the statement are not files with a SHA-256"),
            ({"predicate": None}, "says otherwise of the result"),
            (
                {"predicate": {"result": "PASSED", "configuration": "none"}},
                "says otherwise of the contract",
            ),
        ],
    )
    def test_foreign_statement_is_contradicted(
        self, folder: Path, change: dict[str, Any], sentence: str
    ) -> None:
        results = document_of(run_of(*GREEN), CONTEXT)
        faults_named = [*contradictions(statement_of(folder, results) | change, folder, results)]
        assert any(sentence in fault for fault in faults_named)

    def test_unfinished_run_has_no_statement(self, folder: Path) -> None:
        with pytest.raises(ReportError, match="did not come to its end"):
            statement_of(folder, document_of(run_of(*GREEN, finished=False), CONTEXT))
