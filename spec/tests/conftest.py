"""What several tests of the contract need."""

import shutil
from pathlib import Path

import pytest

HOME = Path(__file__).parents[1]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A copy of the folders that the command works on."""
    for name in ("contract", "generated", "frozen"):
        shutil.copytree(HOME / name, tmp_path / name)
    shutil.copy(HOME / "examples.json", tmp_path)
    return tmp_path
