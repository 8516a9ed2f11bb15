"""Generated clients, each with a small program around it, are certified by `plumbline client`.

The programs add what no generator makes: loops over pages, notes that are sent along, ranges of at
most 31 days, and a look at the errors of GraphQL. Everything else is as it comes.
"""

import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from .workshop import DOCUMENT, HERE, fresh, run, write_json

PLUMBLINE = Path(sys.executable).with_name("plumbline")
BROKEN: dict[str, set[str]] = {
    "openapi-python-client": set(),
    "openapi-generator python": set(),
    "hey-api": set(),
}
"""The requirements that each client breaks, by its generator."""


def openapi_python_client() -> tuple[str, ...]:
    """The command of a client of openapi-python-client."""
    folder = fresh("certified-openapi-python-client")
    run(
        *("openapi-python-client", "generate", "--path", str(DOCUMENT), "--meta", "none"),
        *("--output-path", str(folder / "sales"), "--overwrite"),
    )
    return _python(folder, "client_openapi_python_client.py")


def openapi_generator() -> tuple[str, ...]:
    """The command of a Python client of openapi-generator."""
    folder = fresh("certified-openapi-generator")
    run(
        *("openapi-generator-cli", "generate", "-g", "python", "-i", str(DOCUMENT)),
        *("-o", str(folder), "--package-name", "sales"),
    )
    return _python(folder, "client_openapi_generator.py")


def hey_api() -> tuple[str, ...]:
    """The command of a TypeScript client of hey-api, with `fetch` of Node."""
    folder = fresh("certified-hey-api")
    run("openapi-ts", "-i", str(DOCUMENT), "-o", str(folder / "hey"))
    shutil.copy(HERE / "scripts" / "client_hey.ts", folder)
    settings = json.loads((HERE / "tsconfig.json").read_text(encoding="utf-8"))
    # what hey-api writes imports folders, which Node finds for modules of this kind alone
    kind = {"module": "CommonJS", "moduleResolution": "Node10"}
    written = {"noEmit": False, "allowImportingTsExtensions": False, "outDir": "js", "types": []}
    options = settings["compilerOptions"] | kind | written
    write_json(folder / "tsconfig.json", {"compilerOptions": options, "include": ["**/*.ts"]})
    write_json(folder / "package.json", {"type": "commonjs"})
    run("tsc", "-p", str(folder))
    return "node", str(folder / "js" / "client_hey.js")


def _python(folder: Path, name: str) -> tuple[str, ...]:
    for script in (name, "speaking.py"):
        shutil.copy(HERE / "scripts" / script, folder)
    return str(folder.parent / "py" / "bin" / "python"), str(folder / name)


CLIENTS: dict[str, Callable[[], tuple[str, ...]]] = {
    "openapi-python-client": openapi_python_client,
    "openapi-generator python": openapi_generator,
    "hey-api": hey_api,
}


@pytest.mark.parametrize("generator", CLIENTS)
def test_generated_client_breaks_what_it_is_known_to_break(generator: str, tmp_path: Path) -> None:
    command = CLIENTS[generator]()
    run(str(PLUMBLINE), "client", "--one-process", "-q", "--", *command, folder=tmp_path)
    results = json.loads((tmp_path / "plumbline-report/conformance.json").read_text("utf-8"))
    of_clients = {
        row["id"]: row["verdict"] for row in results["requirements"] if row["class"] == "client"
    }
    assert {name for name, verdict in of_clients.items() if verdict == "failed"} == BROKEN[
        generator
    ]
    assert {*of_clients.values()} <= {"passed", "failed", "unobservable"}
