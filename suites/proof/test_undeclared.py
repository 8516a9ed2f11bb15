"""A fault that a check finds has to declare what it breaks there."""

import pytest

from . import undeclared
from .undeclared import checks_called, not_declared

CHECK = "test_a_new_lead_is_new"
FAULTS = ["new-lead-open", "name-required", "company-lost"]
"""Only the first one shows in this check."""


def test_declared_fault_is_none() -> None:
    assert not_declared(FAULTS, CHECK) == {}


def test_undeclared_fault_is_told_from_its_neighbours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(undeclared, "accepted", lambda _: set())
    assert not_declared(FAULTS, CHECK) == {"new-lead-open": ["LEAD-02"]}


def test_checks_are_named_by_a_word() -> None:
    names = [check.name.partition("::")[2] for check in checks_called(CHECK)]
    assert names == [CHECK, f"{CHECK}_whatever_it_says"]
    assert checks_called("test_of_nothing") == []
