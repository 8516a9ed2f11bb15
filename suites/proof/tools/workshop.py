"""The tools, installed under build/tools from their locks, and what they are run on."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from plumbline.spec import openapi

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
WORK = ROOT / "build" / "tools"
DOCUMENT = ROOT / "spec" / "generated" / "openapi.json"
SCHEMAS = ROOT / "spec" / "generated" / "schemas"
VOCABULARY = ROOT / "spec" / "generated" / "vocabulary.json"
SECONDS = 600
STAMP = WORK / "installed"
PLAIN = {"string": "An example", "integer": 1, "number": 1.5, "boolean": False}
"""A value of each simple type."""
FAR, FAR_SECONDS = "2100-01-01T00:00:00Z", 4_102_444_800
"""A moment beyond 32 bits of unix seconds, in both forms."""
RECORD = "7f1c2d9e-4b58-4c1a-9d3e-2a6f0b8c5e71"
"""The id of a record."""
DEFINED = re.compile(
    r"^(?:export )?(?:class|interface|type|enum|const|def|(?:async )?function) (\w*[A-Za-z]\d+)\b",
    re.MULTILINE,
)
"""A defined name with a number at its end, of which the document has none."""
LOCKS = ("package.json", "package-lock.json", "requirements.txt", "mitmproxy.txt")
ENVIRONMENTS = {"py": "requirements.txt", "mitmproxy": "mitmproxy.txt"}
"""Environments of Python with their locks; mitmproxy wants older libraries than the generators."""


def install() -> None:
    """Install all tools, unless the locks are those of the last time."""
    locks = "".join((HERE / name).read_text(encoding="utf-8") for name in LOCKS)
    if STAMP.is_file() and STAMP.read_text(encoding="utf-8") == locks:
        return
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    for name in (*LOCKS, "tsconfig.json", "strict.mjs", "record.mjs"):
        shutil.copy(HERE / name, WORK)
    for program, package in (
        ("node", "Node.js 20 or later"),
        ("npm", "npm"),
        ("java", "a Java runtime, 11 or later"),
    ):
        assert shutil.which(program), f"the proof of the contract needs {package}"
    run("npm", "ci", "--no-audit", "--no-fund")
    uv = Path(sys.executable).with_name("uv")
    for name, lock in ENVIRONMENTS.items():
        run(str(uv), "venv", "-q", "--python", sys.executable, name)
        run(
            str(uv), "pip", "sync", "-q", "--python", f"{name}/bin/python", "--require-hashes", lock
        )
    STAMP.write_text(locks, encoding="utf-8")


def run(*command: str, folder: Path = WORK, **environment: str) -> str:
    """Run a program that has to end well; returns what it says.

    Raises:
        AssertionError: it ends with another code than 0; the message is what it says.
    """
    done = finished(command, folder, environment)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}\n{done.stderr}"
    return done.stdout + done.stderr


def finished(
    command: Sequence[str], folder: Path, environment: Mapping[str, str]
) -> subprocess.CompletedProcess[str]:
    """Run a program of the tools, whatever code it ends with."""
    own = [str(WORK / "py" / "bin"), str(WORK / "node_modules" / ".bin")]
    paths = os.pathsep.join([*own, os.environ["PATH"]])
    plain = {"PATH": paths, "NO_COLOR": "1", "FORCE_COLOR": "0", "CI": "true"}
    surroundings = {**os.environ, **plain, **environment}
    return subprocess.run(
        command,
        cwd=folder,
        env=surroundings,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )


def fresh(name: str) -> Path:
    """An empty folder for what a tool makes."""
    folder = WORK / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def script(name: str, folder: Path) -> Path:
    """A script of this folder, copied to where it is run."""
    return Path(shutil.copy(HERE / "scripts" / name, folder))


def numbered(folder: Path) -> list[str]:
    """Names with a number at their end in the sources of a folder."""
    files = [*folder.rglob("*.py"), *folder.rglob("*.ts")]
    return [name for file in files for name in DEFINED.findall(file.read_text(encoding="utf-8"))]


@cache
def components() -> dict[str, Any]:
    """The schemas of the document by name."""
    schemas: dict[str, Any] = openapi()["components"]["schemas"]
    return schemas


def sparse(name: str) -> Any:
    """An instance of a component in which everything that may be null is null."""
    return _value({"$ref": f"#/components/schemas/{name}"})


def _value(schema: Mapping[str, Any]) -> Any:
    if "$ref" in schema:
        return _value(components()[schema["$ref"].rpartition("/")[2]])
    if {"type": "null"} in schema.get("oneOf", []) or "null" in schema.get("type", ""):
        return None
    if values := (
        [schema["const"]] if "const" in schema else schema.get("enum") or schema.get("examples")
    ):
        return values[0]
    kind = schema.get("type")
    if kind == "object":
        return {name: _value(part) for name, part in schema.get("properties", {}).items()}
    return [_value(schema["items"])] if kind == "array" else PLAIN.get(str(kind))


def answered() -> dict[str, Any]:
    """Sparse instances of everything that the service sends, by component; requests and bare texts
    are left out.
    """
    return {name: sparse(name) for name in _sent_by_the_service()}


def surprising() -> dict[str, Any]:
    """Instances of the same with every field, what the document allows at any time and generators
    often forget.

    A field that no schema names, values of open enumerations that no schema lists, and moments in
    the year 2100.
    """
    return {
        name: _surprising({"$ref": f"#/components/schemas/{name}"})
        for name in _sent_by_the_service()
    }


def _sent_by_the_service() -> list[str]:
    return [
        name
        for name, schema in components().items()
        if "properties" in schema
        and "additionalProperties" in schema
        and not name.endswith("Input")
    ]


def _surprising(schema: Mapping[str, Any]) -> Any:
    options = [option for option in schema.get("oneOf", ()) if option != {"type": "null"}]
    whole = options[0] if options else schema
    if "$ref" in whole:
        return _surprising(components()[whole["$ref"].rpartition("/")[2]])
    kinds = schema.get("type", "string")
    match kinds if isinstance(kinds, str) else kinds[0]:
        case "object":
            fields = {
                field: _surprising(inner) for field, inner in schema.get("properties", {}).items()
            }
            return fields | {"surprise": 1}
        case "array":
            return [_surprising(schema["items"])]
        case "string":
            return _surprising_text(schema)
        case kind:
            return {"integer": FAR_SECONDS, "number": 1.25, "boolean": True}[kind]


def _surprising_text(schema: Mapping[str, Any]) -> Any:
    if "const" in schema or "enum" in schema:
        return schema.get("const") or schema["enum"][0]
    if "format" in schema:
        return {"date-time": FAR, "uuid": RECORD, "email": "ada@example.com"}[schema["format"]]
    limited = "pattern" in schema or "maxLength" in schema
    return schema["examples"][0] if limited else "unheard-of"


def write_json(path: Path, value: Any) -> Path:
    """Write a JSON file; returns its path."""
    path.write_text(json.dumps(value, indent=1), encoding="utf-8")
    return path
