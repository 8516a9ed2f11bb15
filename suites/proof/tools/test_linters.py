"""Linters and validators have nothing to say about the published document."""

from .workshop import DOCUMENT, SCHEMAS, VOCABULARY, WORK, run


def test_redocly_recommended_finds_nothing() -> None:
    said = run("redocly", "lint", "--extends=recommended", str(DOCUMENT))
    assert "Your API description is valid" in said
    assert "warning" not in said.replace("Deprecation warning", "")


def test_spectral_oas_finds_nothing() -> None:
    (WORK / ".spectral.yaml").write_text('extends: ["spectral:oas"]\n', encoding="utf-8")
    said = run("spectral", "lint", "--fail-severity=hint", str(DOCUMENT))
    assert "No results with a severity of 'hint' or higher found!" in said


def test_openapi_spec_validator_and_check_jsonschema_find_nothing() -> None:
    assert ": OK" in run("openapi-spec-validator", str(DOCUMENT))
    assert "ok" in run(
        "check-jsonschema", "--check-metaschema", *map(str, sorted(SCHEMAS.glob("*.json")))
    )


def test_ajv_compiles_every_schema_in_strict_mode() -> None:
    assert "0 do not compile" in run(
        "node", "strict.mjs", str(DOCUMENT), str(SCHEMAS), str(VOCABULARY)
    )
