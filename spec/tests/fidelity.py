"""The service document and the contract, read by the same compiler, and the tables of
`fidelity.toml`.
"""

import tomllib
from pathlib import Path

from plumbline.spec.compiler.reading.linking import compile_contract
from plumbline.spec.compiler.reading.reader import Section, read

HERE = Path(__file__).parent
TABLES = tomllib.loads((HERE / "fidelity.toml").read_text(encoding="utf-8"))
TEXT = (HERE / "service-document.md").read_text(encoding="utf-8")
DOCUMENT = read("service-document.md", TEXT)
CHAPTERS = {
    path.name: path.read_text(encoding="utf-8")
    for path in sorted((HERE.parent / "contract").glob("*.md"))
}
CONTRACT = compile_contract(CHAPTERS)


def section(heading: str) -> Section:
    """A section of the service document."""
    return next(section_ for section_ in DOCUMENT if section_.heading.text == heading)
