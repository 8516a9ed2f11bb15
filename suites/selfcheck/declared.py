"""A pytest plugin that writes down what collected checks declare to cost, into the file that DECLARED_COSTS names."""

import json
import os
from pathlib import Path

import pytest

from plumbline.fixtures.checks import cost_of, declared, name_of


def pytest_collection_finish(session: pytest.Session) -> None:
    """Write one number for each check."""
    found = {name_of(item): cost_of(item) for item in session.items if declared(item)}
    Path(os.environ["DECLARED_COSTS"]).write_text(json.dumps(found), encoding="utf-8")
