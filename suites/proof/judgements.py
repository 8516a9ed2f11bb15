"""Which judgements of the suites are proved: each one that alone turns a check red under some fault."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from plumbline.fixtures.planning.matrix import Row

from .collected import is_by_chance
from .trial import Found


@dataclass
class Judgements:
    """Judgements by name: module, place and requirement, such as `leads/test_create.py test_a_new_lead_is_new#1 LEAD-02`.

    Attributes:
        made: those that judged anything in a trial.
        proved: those without which some fault would leave its check green.
    """

    made: set[str] = field(default_factory=set)
    proved: set[str] = field(default_factory=set)

    def add_made(self, found: Found) -> None:
        """Enter what a trial has judged, but for checks that find by chance."""
        for check, cells in found.judged.items():
            if not is_by_chance(check):
                self.made |= {_name(check, place, requirement) for requirement, places in cells.items() for place in places}

    def add_proved(self, rows: Iterable[Row]) -> None:
        """Enter what faults prove: a judgement that is the only one to find a requirement broken in a check."""
        for row in rows:
            for check, cells in row.checks.items():
                self.proved |= {_name(check, places[0], requirement) for requirement, places in cells.items() if len(places) == 1}

    @property
    def unproved(self) -> list[str]:
        """Judgements that could be deleted without any test failing."""
        return sorted(self.made - self.proved)


def _name(check: str, place: str, requirement: str) -> str:
    return f"{check.partition('::')[0]} {place} {requirement}"
