"""Linters and validators have nothing to say about the published document that is not explained."""

import json

from .workshop import DOCUMENT, SCHEMAS, VOCABULARY, WORK, finished, run

AS_DOCUMENTED = "the service document names no such bound, and a schema may not be stricter"
OTHERWISE = "the answer `default` stands for every status that no row of the document names"
EXPLAINED = {
    "owasp:api4:2023-string-limit": AS_DOCUMENTED,
    "owasp:api4:2023-string-restricted": AS_DOCUMENTED,
    "owasp:api4:2023-array-limit": AS_DOCUMENTED,
    "owasp:api4:2023-integer-limit": AS_DOCUMENTED,
    "owasp:api4:2023-rate-limit": "the headers are promised on a 429 alone, which has them",
    "owasp:api8:2023-define-error-validation": OTHERWISE,
    "owasp:api8:2023-define-error-responses-500": OTHERWISE,
    "owasp:api8:2023-define-cors-origin": "no word of CORS; keys belong to servers, not to pages",
}
"""Rules of the OWASP ruleset that cannot be met, each with the reason."""


def test_redocly_recommended_finds_nothing() -> None:
    said = run("redocly", "lint", "--extends=recommended", str(DOCUMENT))
    assert "Your API description is valid" in said
    assert "warning" not in said.replace("Deprecation warning", "")


def test_spectral_oas_finds_nothing() -> None:
    (WORK / ".spectral.yaml").write_text('extends: ["spectral:oas"]\n', encoding="utf-8")
    said = run("spectral", "lint", "--fail-severity=hint", str(DOCUMENT))
    assert "No results with a severity of 'hint' or higher found!" in said


def test_owasp_ruleset_finds_what_is_explained_and_nothing_else() -> None:
    (WORK / "owasp.mjs").write_text(
        'import owasp from "@stoplight/spectral-owasp-ruleset";\n'
        "export default { extends: [owasp] };\n",
        encoding="utf-8",
    )
    command = ("spectral", "lint", "--ruleset", "owasp.mjs", "--format", "json")
    done = finished([*command, "--output", "owasp.json", "--quiet", str(DOCUMENT)], WORK, {})
    assert "owasp" in (WORK / "owasp.json").read_text(encoding="utf-8"), done.stdout + done.stderr
    findings = json.loads((WORK / "owasp.json").read_text(encoding="utf-8"))
    assert {finding["code"] for finding in findings} == EXPLAINED.keys()


def test_openapi_spec_validator_and_check_jsonschema_find_nothing() -> None:
    assert ": OK" in run("openapi-spec-validator", str(DOCUMENT))
    assert "ok" in run(
        "check-jsonschema", "--check-metaschema", *map(str, sorted(SCHEMAS.glob("*.json")))
    )


def test_ajv_compiles_every_schema_in_strict_mode() -> None:
    assert "0 do not compile" in run(
        "node", "strict.mjs", str(DOCUMENT), str(SCHEMAS), str(VOCABULARY)
    )
