"""The lines of the transcripts in a report folder, as far as they can be read."""

import json
import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeGuard

MAX_NUMBER = 1e11
"""Above all times of this age; a drawing could not hold every number."""


def lines_in(folder: Path, pattern: str) -> Iterator[Mapping[str, Any]]:
    """The JSON objects of the transcripts whose names match a pattern; a line that is none is
    passed over.
    """
    for file in sorted((folder / "transcript").glob(pattern)):
        with file.open(encoding="utf-8", errors="replace") as lines:
            for line in lines:
                try:
                    value = json.loads(line)
                except (ValueError, RecursionError):
                    continue
                if isinstance(value, dict):
                    yield value


def is_number(value: Any) -> TypeGuard[float]:
    """Whether it is a number that can be drawn: not negative, and not out of all bounds."""
    return type(value) in {int, float} and math.isfinite(value) and 0 <= value < MAX_NUMBER
