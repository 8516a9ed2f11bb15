"""A browser draws the reference that `plumbline docs` writes, from a file and without a network."""

from pathlib import Path

from plumbline.fixtures.cli.main import main
from plumbline.fixtures.cli.verbs.docs import REFERENCE
from plumbline.spec import openapi

from .browser import drawn


def test_reference_is_drawn_with_every_operation_and_event(tmp_path: Path) -> None:
    assert main(["docs", str(tmp_path)]) == 0
    text = drawn(tmp_path / REFERENCE)
    operations = [
        operation["summary"] for item in openapi()["paths"].values() for operation in item.values()
    ]
    missing = [name for name in (*operations, *openapi()["webhooks"]) if f">{name}" not in text]
    assert missing == []
