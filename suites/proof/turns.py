"""A plugin of pytest for `make test`: what takes longest takes turns.

Of some modules each commit tries a sixth of the tests, and six commits in a row try most of them;
`make prove` tries all. The commit decides, so every machine tries the same of it. Outside of
a checkout with a history all are tried.
"""

import subprocess
from pathlib import Path

import pytest

TURNS = 6
IN_TURNS = frozenset(
    {
        "test_kills.py",
        "test_variants.py",
        "fault_injection/test_endings.py",
        "clients/test_matrix.py",
        "clients/test_watching.py",
    }
)
"""The ends of the paths of the modules."""
FEW = 6
"""Functions with fewer tests are always tried whole."""


def turn() -> int | None:
    """Which sixth the commit tries; None where there is no commit."""
    try:
        done = subprocess.run(
            ["git", "rev-parse", "HEAD"],
            cwd=Path(__file__).parent,
            capture_output=True,
            text=True,
            check=True,
        )
    except (OSError, subprocess.CalledProcessError):
        return None
    return int(done.stdout.strip(), 16) % TURNS


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Hook of pytest: leave out what has its turn at another commit, unless single tests were
    asked for.
    """
    is_whole = not any("::" in str(word) for word in config.args) and not config.option.keyword
    if not is_whole or (this := turn()) is None:
        return
    families: dict[str, list[pytest.Item]] = {}
    for item in items:
        if item.path.as_posix().endswith(tuple(IN_TURNS)):
            families.setdefault(item.nodeid.partition("[")[0], []).append(item)
    others = {
        item
        for family in families.values()
        if len(family) >= FEW
        for place, item in enumerate(family)
        if place % TURNS != this
    }
    if others:
        config.hook.pytest_deselected(items=sorted(others, key=lambda item: item.nodeid))
        items[:] = [item for item in items if item not in others]
