"""Work that the workers of a session of pytest share: the first that needs it does it, the others
read what came of it.
"""

import os
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from filelock import FileLock

T = TypeVar("T")

FOLDER = Path(__file__).parents[2] / "build" / "once"
SESSION = "PYTEST_XDIST_TESTRUNUID"
"""Variable of the environment that pytest-xdist sets to one value in all workers of a session."""


def once(name: str, work: Callable[[], T], folder: Path = FOLDER) -> T:
    """What some work returns, from the first worker of this session that asks; outside a worker,
    from here.

    Args:
        name: of the work, unique in a session.
        work: returns something that can be pickled.
        folder: where the workers meet. What earlier sessions left there goes.
    """
    if (session := os.environ.get(SESSION)) is None:
        return work()
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{name}-{session}.pickle"
    with FileLock(folder / f"{name}.lock"):
        if not file.exists():
            for earlier in folder.glob(f"{name}-*.pickle"):
                earlier.unlink()
            file.write_bytes(pickle.dumps(work()))
        result: T = pickle.loads(file.read_bytes())
    return result
