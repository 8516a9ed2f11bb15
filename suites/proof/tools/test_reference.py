"""A browser draws the reference that `plumbline docs` writes, from a file and without a network."""

import shutil
from pathlib import Path

from plumbline.fixtures.cli.main import main
from plumbline.spec import openapi

from .workshop import run

OPTIONS = ("--headless", "--no-sandbox", "--disable-gpu", "--host-resolver-rules=MAP * ~NOTFOUND", "--virtual-time-budget=20000")


def test_reference_is_drawn_with_every_operation_and_event(tmp_path: Path) -> None:
    assert main(["docs", str(tmp_path)]) == 0
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    assert chromium, "the proof of the contract needs Chromium or Chrome"
    drawn = run(chromium, *OPTIONS, "--dump-dom", f"file://{tmp_path}/reference.html")
    operations = [each["summary"] for item in openapi()["paths"].values() for each in item.values()]
    missing = [name for name in (*operations, *openapi()["webhooks"]) if f">{name}" not in drawn]
    assert missing == []
