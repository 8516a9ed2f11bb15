"""What the proof in virtual time stands on."""

import pytest


def pytest_configure(config: pytest.Config) -> None:
    """Know the mark of checks, which the plugin registers in a run."""
    config.addinivalue_line("markers", "check(*requirements, tier, cost): the requirements that a test judges")
