"""The examples that `plumbline explain` shows are what runs show."""

import json
from typing import Any

from plumbline.fixtures.planning.matrix import matrix
from plumbline.fixtures.reference.variations.faults import FAULTS
from plumbline.spec import catalogue

from .examples import FILE, written
from .known import CASCADES

EXAMPLES: dict[str, dict[str, Any]] = json.loads(FILE.read_text(encoding="utf-8"))
MIN_SHARE = 0.9
"""How many of the requirements that a fault of the quick classes breaks have an example at least."""


def test_they_are_about_what_exists() -> None:
    """Each one names a requirement and a fault that breaks it, and differs where it is kept from where it is broken."""
    for name, example in EXAMPLES.items():
        fault = FAULTS[example["fault"]]
        assert name in {*fault.ids, *CASCADES.get(fault.name, ())}, f"record the example of {name} anew"
        assert name in catalogue().requirements
        assert example["kept"] != example["broken"]
        assert example["expected"] != example["received"]
    assert FILE.read_text(encoding="utf-8") == written(EXAMPLES)


def test_most_requirements_have_one() -> None:
    """Nearly every requirement has an example."""
    broken = {name for row in matrix().faults.values() for name in row.red}
    assert len(broken & set(EXAMPLES)) >= MIN_SHARE * len(broken)


def test_no_secret_stands_in_them() -> None:
    """Keys are blacked out before anything is kept."""
    assert "svc_pk_test_" not in FILE.read_text(encoding="utf-8").replace("svc_pk_test_[secret]", "")
