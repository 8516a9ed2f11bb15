"""Generators make clients in Python that compile, type-check, have plain names, read null, and work
against the reference deployment.
"""

import re

from .workshop import (
    DOCUMENT,
    answered,
    components,
    fresh,
    numbered,
    run,
    script,
    surprising,
    write_json,
)

INLINE = "Status"
"""What datamodel-code-generator calls the one enumeration without a name, the outcome of a call."""


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
