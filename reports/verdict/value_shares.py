"""What the values that were sent amount to, by field, by format and by requirement.

A class counts for an operation when any of its fields of that format took such a value: an
operation has several names and notes, and one run does not send everything to each of them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from plumbline.reports.verdict.ledger import ValuesSent

Rows = Iterable[Mapping[str, Any]]
"""Entries of `values_sent` in one conformance.json, or in several."""
ANY_OPERATION = ""


class Share(NamedTuple):
    """The classes of one format at one operation.

    Attributes:
        operation: empty for all of them together.
        format: such as `date-time`.
        sent: names of classes that some field took.
        missing: names of classes that none did.
    """

    operation: str
    format: str
    sent: Sequence[str]
    missing: Sequence[str]

    @property
    def of(self) -> int:
        """How many classes there are."""
        return len(self.sent) + len(self.missing)


def rows_of(values: Mapping[tuple[str, str, str], ValuesSent]) -> Iterator[Mapping[str, Any]]:
    """The entries of conformance.json, in a stable order."""
    for (operation, field, kind), tally in sorted(values.items()):
        yield {
            "operation": operation,
            "field": field,
            "format": kind,
            "requirements": sorted(tally.requirements),
            "sent": sorted(name for name, is_sent in tally.classes.items() if is_sent),
            "missing": sorted(name for name, is_sent in tally.classes.items() if not is_sent),
        }


def shares(rows: Rows, *, together: bool = False) -> list[Share]:
    """The classes of each format at each operation, in a stable order.

    Args:
        rows: of any number of reports.
        together: whether all operations count as one.
    """
    sent: dict[tuple[str, str], set[str]] = {}
    classes: dict[tuple[str, str], set[str]] = {}
    for row in rows:
        place = ANY_OPERATION if together else row["operation"], row["format"]
        sent.setdefault(place, set()).update(row["sent"])
        classes.setdefault(place, set()).update(row["sent"], row["missing"])
    return [
        Share(*place, sorted(sent[place]), sorted(classes[place] - sent[place]))
        for place in sorted(classes)
    ]


def totals(parts: Iterable[Share]) -> tuple[int, int]:
    """How many classes of some shares were sent, and how many there are."""
    listed = list(parts)
    return sum(len(share.sent) for share in listed), sum(share.of for share in listed)


def shares_of(requirement: str, rows: Rows) -> list[Share]:
    """The classes of the fields that a requirement speaks of."""
    return shares(row for row in rows if requirement in row["requirements"])


def class_counts(requirement: str, rows: Rows) -> dict[str, int]:
    """How many of these were sent, as conformance.json has it; empty for a requirement of no
    field.
    """
    sent, of = totals(shares_of(requirement, rows))
    return {"sent": sent, "of": of} if of else {}
