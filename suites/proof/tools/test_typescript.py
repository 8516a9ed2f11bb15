"""Generators make clients in TypeScript that type-check, have plain names, read null and every
surprise, and work against the reference deployment.
"""

import json
import shutil
from pathlib import Path

import pytest

from .workshop import (
    DOCUMENT,
    HERE,
    WORK,
    answered,
    fresh,
    numbered,
    run,
    surprising,
    write_json,
)

SCRIPTS = HERE / "scripts" / "typescript"
CLIENTS = ("axios", "fetch", "hey", "kubb", "orval")
"""Each is the name of a folder that a generator fills, and of a script that uses it."""
PLAIN_TYPES = {
    "axios": "./axios/index",
    "hey": "./hey/index",
    "kubb": "./kubb/index",
    "orval": "./orval/model",
}
"""Clients whose types are those of JSON, with the module that exports them."""
ORVAL = {
    "api": {
        "input": str(DOCUMENT),
        "output": {"target": "orval/api.ts", "schemas": "orval/model", "client": "fetch"},
    }
}


@pytest.fixture(name="folder", scope="module")
def _folder() -> Path:
    """All clients, made with default options, and the scripts beside them; it type-checks."""
    folder = fresh("ts")
    for file in SCRIPTS.iterdir():
        shutil.copy(file, folder)
    for name in ("fetch", "axios"):
        command = ("openapi-generator-cli", "generate", "-g", f"typescript-{name}")
        run(*command, "-i", str(DOCUMENT), "-o", name, folder=folder)
    run("openapi-ts", "-i", str(DOCUMENT), "-o", "hey", folder=folder)
    run("openapi-typescript", str(DOCUMENT), "-o", "schema.d.ts", folder=folder)
    configuration = f"export default {json.dumps(ORVAL)}\n"
    (folder / "orval.config.mjs").write_text(configuration, encoding="utf-8")
    run("orval", folder=folder)
    run("kubb", "generate", folder=folder, DOCUMENT=str(DOCUMENT))
    write_json(folder / "nulls.json", answered())
    write_json(folder / "surprises.json", surprising())
    for name, module in PLAIN_TYPES.items():
        text = _samples(module)
        # The one generator that takes an abbreviation for a word.
        text = text.replace("types.GraphQL", "types.GraphQl") if name == "hey" else text
        (folder / f"{name}_samples.ts").write_text(text, encoding="utf-8")
    shutil.copy(HERE / "tsconfig.json", WORK)
    run("tsc", "-p", ".")
    return folder


def _samples(module: str) -> str:
    """Constants of every type that the service sends; what a type does not admit does not
    compile.
    """
    lines = [f'import type * as types from "{module}";']
    for kind, samples in (("null", answered()), ("surprise", surprising())):
        lines += [
            f"export const {kind}Of{name}: types.{name} = {json.dumps(sample)};"
            for name, sample in samples.items()
        ]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("name", ["axios", "fetch", "hey"])
def test_names_of_generated_code_have_no_numbers(folder: Path, name: str) -> None:
    """Kubb and Orval name types of answers after their statuses."""
    assert numbered(folder / name) == []


@pytest.mark.parametrize("name", CLIENTS)
def test_client_works_and_reads_null_and_every_surprise(
    folder: Path, service: dict[str, str], name: str
) -> None:
    said = run("node", bundled(folder, name), folder=folder, **service)
    assert f"{name}: 10 calls, nulls and surprises read" in said


def test_openapi_fetch_works(folder: Path, service: dict[str, str]) -> None:
    """On the types of openapi-typescript."""
    assert "10 calls" in run("node", bundled(folder, "calls"), folder=folder, **service)


def bundled(folder: Path, name: str) -> str:
    """A script with all that it imports, as one file that Node.js runs; returns its name."""
    options = ("--bundle", "--platform=node", "--format=esm", "--log-level=error")
    # Axios requires modules of Node.js, which a bundle of this format has no other way to do.
    require = (
        "import {createRequire} from 'module'; const require = createRequire(import.meta.url);"
    )
    output = f"{name}.mjs"
    run(
        "esbuild",
        f"{name}.ts",
        *options,
        f"--banner:js={require}",
        f"--outfile={output}",
        folder=folder,
    )
    return output
