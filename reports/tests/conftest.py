"""How examples are drawn: the same in each run, unless `--hypothesis-seed` asks for others; none
fails for time.
"""

import pytest
from hypothesis import settings


def pytest_configure(config: pytest.Config) -> None:
    """Set how examples are drawn."""
    is_fixed = config.getoption("hypothesis_seed", None) is None
    settings.register_profile("unhurried", deadline=None, derandomize=is_fixed)
    settings.load_profile("unhurried")
