"""Generators make clients that compile, type-check, have plain names, read null, and work against
the reference deployment.
"""

import json
import re
import shutil
from pathlib import Path

from .workshop import DOCUMENT, HERE, WORK, answered, components, fresh, run, surprising, write_json

DEFINED = re.compile(
    r"^(?:export )?(?:class|interface|type|enum|const|def|(?:async )?function) (\w*[A-Za-z]\d+)\b",
    re.MULTILINE,
)
"""A defined name with a number at its end, of which the document has none."""


INLINE = "Status"
"""What datamodel-code-generator calls the one enumeration without a name, the outcome of a call."""


def numbered(folder: Path) -> list[str]:
    """Names with a number at their end in the sources of a folder."""
    files = [*folder.rglob("*.py"), *folder.rglob("*.ts")]
    return [name for file in files for name in DEFINED.findall(file.read_text(encoding="utf-8"))]


def script(name: str, folder: Path) -> Path:
    """A script of this folder, copied to where it is run."""
    return Path(shutil.copy(HERE / "scripts" / name, folder))


def test_openapi_python_client(service: dict[str, str]) -> None:
    folder = fresh("openapi-python-client")
    command = (
        "openapi-python-client",
        "generate",
        "--path",
        str(DOCUMENT),
        "--meta",
        "none",
        "--fail-on-warning",
    )
    run(*command, "--output-path", str(folder / "sales"), "--overwrite")
    calls = script("calls_openapi_python_client.py", folder)
    script("mypy.ini", folder)
    run("mypy", "sales", calls.name, folder=folder)
    assert numbered(folder) == []
    nulls = write_json(folder / "nulls.json", answered())
    surprises = write_json(folder / "surprises.json", surprising())
    read = (str(nulls), str(surprises))
    assert "13 calls" in run("python", calls.name, *read, folder=folder, **service)


def test_openapi_generator_python(service: dict[str, str]) -> None:
    folder = fresh("openapi-generator-python")
    run(
        "openapi-generator-cli",
        "generate",
        "-g",
        "python",
        "-i",
        str(DOCUMENT),
        "-o",
        str(folder),
        "--package-name",
        "sales",
    )
    calls = script("calls_openapi_generator.py", folder)
    run("mypy", "--config-file=", "sales", calls.name, folder=folder)
    assert numbered(folder / "sales") == []
    nulls = write_json(folder / "nulls.json", answered())
    surprises = write_json(folder / "surprises.json", surprising())
    read = (str(nulls), str(surprises))
    assert "13 calls" in run("python", calls.name, *read, folder=folder, **service)


def test_datamodel_code_generator() -> None:
    folder = fresh("datamodel-code-generator")
    command = (
        "datamodel-codegen",
        "--input",
        str(DOCUMENT),
        "--input-file-type",
        "openapi",
        "--target-python-version",
        "3.11",
    )
    run(
        *command,
        "--output-model-type",
        "pydantic_v2.BaseModel",
        "--use-annotated",
        "--output",
        "sales.py",
        folder=folder,
    )
    run("mypy", "--strict", "sales.py", folder=folder)
    assert numbered(folder) == []
    text = (folder / "sales.py").read_text(encoding="utf-8")
    assert set(re.findall(r"^class (\w+)\(", text, re.MULTILINE)) == {*components(), INLINE}
    for file, values in (("nulls.json", answered()), ("surprises.json", surprising())):
        write_json(folder / file, values)
        read = (
            f"for name, value in json.load(open('{file}')).items(): getattr(sales,"
            " name).model_validate(value)"
        )
        run("python", "-c", f"import json, sales\n{read}", folder=folder)


def test_typescript_clients(service: dict[str, str]) -> None:
    folder = fresh("ts")
    run("openapi-typescript", str(DOCUMENT), "-o", "ts/schema.d.ts")
    run("openapi-ts", "-i", str(DOCUMENT), "-o", "ts/hey")
    run(
        "openapi-generator-cli",
        "generate",
        "-g",
        "typescript-fetch",
        "-i",
        str(DOCUMENT),
        "-o",
        "ts/fetch",
    )
    script("calls.ts", folder)
    run("tsc", "-p", ".")
    assert numbered(folder) == []
    assert "10 calls" in run("node", "js/calls.js", folder=WORK, **service)


def test_more_typescript_generators_compile() -> None:
    """Orval, Kubb and the axios client of openapi-generator with default options."""
    folder = fresh("more")
    orval = {
        "api": {
            "input": str(DOCUMENT),
            "output": {"target": "orval/api.ts", "schemas": "orval/model", "client": "fetch"},
        }
    }
    (folder / "orval.config.mjs").write_text(
        f"export default {json.dumps(orval)}\n", encoding="utf-8"
    )
    run("orval", folder=folder)
    script("kubb.config.mjs", folder)
    run("kubb", "generate", folder=folder, DOCUMENT=str(DOCUMENT))
    run(
        "openapi-generator-cli",
        "generate",
        "-g",
        "typescript-axios",
        "-i",
        str(DOCUMENT),
        "-o",
        "axios",
        folder=folder,
    )
    settings = json.loads((HERE / "tsconfig.json").read_text(encoding="utf-8"))
    options = settings["compilerOptions"] | {
        "noEmit": True,
        "skipLibCheck": True,
        "allowImportingTsExtensions": True,
    }
    write_json(folder / "tsconfig.json", {"compilerOptions": options, "include": ["**/*.ts"]})
    run("tsc", "-p", ".", folder=folder)
