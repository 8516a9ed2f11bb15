"""The Go client of openapi-generator with its default options: it compiles, reads every surprise,
and works.
"""

import shutil

from .workshop import DOCUMENT, HERE, answered, fresh, run, surprising, write_json

TYPES = """package openapi

var types = map[string]func() any{{
{rows}
}}
"""


def test_go(service: dict[str, str]) -> None:
    """Null everywhere, unknown fields, unknown values of open enumerations, the year 2100; then ten
    calls.
    """
    assert shutil.which("go"), "The tools need Go, as they need Node and Java; install it."
    folder = fresh("go")
    run("openapi-generator-cli", "generate", "-g", "go", "-i", str(DOCUMENT), "-o", str(folder))
    shutil.rmtree(folder / "test")
    names = [*answered()]
    rows = "\n".join(f'\t"{name}": func() any {{ return new({name}) }},' for name in names)
    (folder / "types_test.go").write_text(TYPES.format(rows=rows), encoding="utf-8")
    shutil.copy(HERE / "scripts" / "calls_test.go", folder)
    write_json(folder / "nulls.json", answered())
    write_json(folder / "surprises.json", surprising())
    said = run("go", "test", "-count=1", "-v", ".", folder=folder, **service)
    assert "10 calls" in said
