"""What the pages for API readers show is carried out: the collection by its own runner, samples in
four languages, and the verification of a delivery in all that show one.
"""

import json
import os
import shutil
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from plumbline.fixtures.cli.reference_pages.collection import collection, environment
from plumbline.fixtures.cli.reference_pages.files import sampled
from plumbline.fixtures.cli.reference_pages.pages import VERIFIERS
from plumbline.fixtures.cli.reference_pages.samples import BASE
from plumbline.fixtures.webhooks.signatures import sign_v1

from .workshop import ROOT, fresh, run, write_json

CARRIED_OUT = ("createLead", "listLeads", "listPayments", "getDashboard", "runGraphQL")
"""Operations whose samples name no record; those of the others are only compiled."""
RUNNERS = {
    "bash": ("bash", "sample.sh"),
    "python": (sys.executable, "sample.py"),
    "typescript": ("node", "sample.mjs"),
    "go": ("go", "run", "sample.go"),
}
SECRET, BODY = "a secret", b'{"event":"lead.created","data":{"name":"Zo\xc3\xab"}}'
VERIFYING = {
    "python": """import sys
from verify import verify
print(verify(sys.argv[1], sys.argv[2], open("body", "rb").read()))
""",
    "typescript": """import { readFileSync } from "node:fs";
import { verify } from "./verify.mjs";
console.log(verify(process.argv[2], process.argv[3], readFileSync("body")));
""",
    "go": """package main

import (
	"fmt"
	"os"
)

func main() {
	body, _ := os.ReadFile("body")
	fmt.Println(Verify(os.Args[1], os.Args[2], body))
}
""",
}
"""Programs around the function of each language, called with a secret and a header."""
CALLED = {
    "python": (sys.executable, "main.py"),
    "typescript": ("node", "main.mjs"),
    "go": ("go", "run", "main.go", "verify.go"),
}


def test_collection_is_carried_out_by_its_own_runner(service: dict[str, str]) -> None:
    folder = fresh("postman")
    file = write_json(folder / "collection.json", collection())
    surroundings = write_json(folder / "environment.json", environment())
    names = {"base_url": "BASE_URL", "api_key": "API_KEY", "booking_link": "BOOKING_LINK"}
    values = [f"--env-var={name}={service[variable]}" for name, variable in names.items()]
    run("newman", "run", str(file), "-e", str(surroundings), *values, "--color", "off")


def samples() -> dict[str, Mapping[str, str]]:
    """The samples of each operation by language."""
    return {
        operation["operationId"]: {
            entry["lang"]: entry["source"] for entry in operation["x-codeSamples"]
        }
        for item in sampled()["paths"].values()
        for operation in item.values()
    }


@pytest.mark.parametrize("language", RUNNERS)
def test_samples_are_carried_out(service: dict[str, str], language: str) -> None:
    folder = fresh(f"samples-{language}")
    command = RUNNERS[language]
    for name in CARRIED_OUT:
        text = samples()[name][language].replace(BASE, service["BASE_URL"])
        text = text.replace("ada@example.com", f"sample.{language}@example.com")
        (folder / command[-1]).write_text(text, encoding="utf-8")
        said = run(*command, folder=folder, **service)
        assert "data" in said, said


def test_samples_in_typescript_and_go_compile() -> None:
    folder = fresh("samples")
    shutil.copy(ROOT / "suites" / "proof" / "tools" / "tsconfig.json", folder)
    for name, texts in samples().items():
        (folder / f"{name}.ts").write_text(f"{texts['typescript']}export {{}};\n", "utf-8")
        (folder / f"{name}.go").write_text(texts["go"], encoding="utf-8")
    settings = json.loads((folder / "tsconfig.json").read_text(encoding="utf-8"))
    write_json(folder / "tsconfig.json", settings | {"include": ["*.ts"]})
    run("tsc", "-p", ".", folder=folder)
    for name in samples():
        run("go", "vet", f"{name}.go", folder=folder)


@pytest.mark.parametrize("language", VERIFIERS)
def test_verification_takes_what_is_signed_and_nothing_else(language: str) -> None:
    folder = fresh(f"verify-{language}")
    page, main = ROOT / "fixtures" / "cli" / "page", CALLED[language][-1 if language != "go" else 2]
    text = (page / VERIFIERS[language]).read_text(encoding="utf-8")
    packaged = text.replace("package receiver", "package main")
    (folder / VERIFIERS[language]).write_text(packaged, encoding="utf-8")
    (folder / main).write_text(VERIFYING[language], encoding="utf-8")
    (folder / "body").write_bytes(BODY)
    assert _says(language, folder, _header()) == "true"
    right = _header().partition("v1=")[2]
    rotated = f"{_header().partition(',')[0]},v1={'0' * 64},v1={right}"
    assert _says(language, folder, rotated) == "true"
    wrong = (_header(key="another"), _header(late=301), _header(late=-301), "t=1", "v1=00", "")
    for header in wrong:
        assert _says(language, folder, header) == "false", header
    (folder / "body").write_bytes(BODY + b"\n")
    assert _says(language, folder, _header()) == "false"


def _header(key: str = SECRET, late: int = 0) -> str:
    return sign_v1([key.encode()], int((time.time() + late) * 1000), BODY)


def _says(language: str, folder: Path, header: str) -> str:
    surroundings = {"PYTHONPATH": str(folder), "GOFLAGS": os.environ.get("GOFLAGS", "")}
    said = run(*CALLED[language], SECRET, header, folder=folder, **surroundings)
    return said.strip().lower()
