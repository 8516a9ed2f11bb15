"""The ledger: everything that the checks of a run have found, merged record by record.

It lives in the process that collects the run (the controller under pytest-xdist) and takes plain
dicts, so it does not matter which process made a record, or in which order the records arrive.
"""

import json
import sys
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

from plumbline.reports.report_schemas import fault_of, record_validator
from plumbline.reports.text import shorten, storable
from plumbline.spec.findings import Finding

MAX_SAMPLES = 3
"""Violations kept in full for each requirement and operation; the others are counted."""
MAX_PARTS, MAX_VALUES = 60, 20
"""Parts kept of each open item, and different values of each part, which a deployment can make as
many of as it likes.
"""
MAX_VALUE_LENGTH = 200


class Reason(NamedTuple):
    """Why something was not judged, and what the tester can do about it."""

    reason: str | None
    remedy: str | None


@dataclass
class Tally:
    """The judgements of one requirement on one operation with the same outcome.

    Attributes:
        count: judgements.
        tests: node ids of the checks that judged it, sorted; judgements of passing traffic are only
            counted.
        samples: the first violations, each with its `test` and `source`.
        reasons: of what could not be judged, sorted.
    """

    count: int = 0
    tests: list[str] = field(default_factory=list)
    samples: list[dict[str, Any]] = field(default_factory=list)
    reasons: list[Reason] = field(default_factory=list)


@dataclass
class Observed:
    """What a deployment chose where the contract leaves something open.

    Attributes:
        count: observations, also of what was not kept.
        parts: part of the item (empty for the whole) -> choice -> how often it was seen, and a
            request that showed it.
    """

    count: int = 0
    parts: dict[str, dict[str, tuple[int, str]]] = field(default_factory=dict)

    def add(self, part: str, value: str, count: int, example: str) -> None:
        """Count a choice."""
        self.count += count
        values = self.parts.setdefault(shorten(part, MAX_VALUE_LENGTH), {})
        before = values.get(value := shorten(value, MAX_VALUE_LENGTH), (0, example))
        values[value] = before[0] + count, min(before[1], example)
        # The greatest one goes: once dropped it stays dropped, so the counts of those that stay do
        # not depend on order.
        if len(values) > MAX_VALUES:
            del values[max(values)]
        if len(self.parts) > MAX_PARTS:
            del self.parts[max(self.parts)]


@dataclass
class ValuesSent:
    """The classes of values that a field takes.

    Attributes:
        requirements: those that speak of the field.
        classes: by name, whether any accepted request gave such a value to the field.
    """

    requirements: set[str] = field(default_factory=set)
    classes: dict[str, bool] = field(default_factory=dict)

    def add(self, requirements: Iterable[str], classes: Mapping[str, bool]) -> None:
        """Add what a process has sent."""
        self.requirements.update(requirements)
        for name, is_sent in classes.items():
            self.classes[name] = self.classes.get(name, False) or is_sent


@dataclass
class Ledger:
    """Merges the records of a run; equal sets of records give equal ledgers, whatever their order.

    Attributes:
        findings: requirement id -> operation id -> outcome -> tally.
        choices: open item id -> what the deployment chose.
        harness_errors: sentence about a fault of the kit -> node ids of the tests that met it,
            sorted.
        requests: operation id -> requests sent.
        own: id of an own check of the tester -> what was found of it, as in `findings`; nothing of
            it is judged by the contract.
        own_sentences: id of an own check -> its sentence.
        carried: the earlier run that vouches for verdicts (`from`), and each verdict by requirement
            id; empty for none.
        stopped: why the run stopped sending before its end; empty if it did not.
        values: what was sent to each field, by operation, field and format.
        fields: by name, such as `Lead.company`, whether any answer showed a documented field of an
            object that came up.
    """

    findings: dict[str, dict[str, dict[str, Tally]]] = field(default_factory=dict)
    choices: dict[str, Observed] = field(default_factory=dict)
    harness_errors: dict[str, list[str]] = field(default_factory=dict)
    requests: Counter[str] = field(default_factory=Counter)
    own: dict[str, dict[str, dict[str, Tally]]] = field(default_factory=dict)
    own_sentences: dict[str, str] = field(default_factory=dict)
    fields: dict[str, bool] = field(default_factory=dict)
    values: dict[tuple[str, str, str], ValuesSent] = field(default_factory=dict)
    carried: dict[str, Any] = field(default_factory=dict)
    stopped: str = ""

    def add(self, record: Mapping[str, Any]) -> dict[str, Any]:
        """Merge one record: a finding, choices, request counts, values, or a harness error.

        A record that is none of these never stops the run; it is entered as a harness error, which
        makes the run invalid.

        Returns:
            The record as it was entered, in JSON values; a ledger with all of these records is
            equal to this one.
        """
        entered: dict[str, Any] = storable(dict(record))
        if fault := fault_of(record_validator(), entered):
            sentence = f"The ledger got a record that it cannot read: {fault}"
            entered = {"harness_error": sentence, "test": str(entered.get("test") or "")}
        self._enter(entered)
        return entered

    def _enter(self, record: Mapping[str, Any]) -> None:
        add_by_key: dict[str, Callable[[Mapping[str, Any]], None]] = {
            "harness_error": self._add_harness_error,
            "choices": self._add_choices,
            "requests": lambda record: self.requests.update(record["requests"]),
            "fields": self._add_fields,
            "values": self._add_values,
            "carried": self._add_carried,
            "stopped": self._add_stop,
            "own": self._add_own,
        }
        key = next((key for key in add_by_key if key in record), None)
        if key is None:
            self._add_finding(Finding.from_dict(record), self.findings)
        else:
            add_by_key[key](record)

    def _add_harness_error(self, record: Mapping[str, Any]) -> None:
        tests = self.harness_errors.setdefault(record["harness_error"], [])
        if test := record.get("test"):
            _insert(tests, test)

    def _add_choices(self, record: Mapping[str, Any]) -> None:
        for item, parts in record["choices"].items():
            observed = self.choices.setdefault(item, Observed())
            for part, values in parts.items():
                for value, observation in values.items():
                    observed.add(part, value, observation["count"], observation["example"])

    def _add_carried(self, record: Mapping[str, Any]) -> None:
        self.carried = record["carried"]

    def _add_stop(self, record: Mapping[str, Any]) -> None:
        # Of several workers, the same one whatever the order.
        self.stopped = min(filter(None, (self.stopped, record["stopped"])))

    def _add_own(self, record: Mapping[str, Any]) -> None:
        self.own_sentences.setdefault(record["requirement"], record["own"])
        self._add_finding(Finding.from_dict(record), self.own)

    def _add_fields(self, record: Mapping[str, Any]) -> None:
        for name, of in record["fields"].items():
            for documented in of["documented"]:
                key = f"{name}.{documented}"
                self.fields[key] = self.fields.get(key, False) or documented in of["shown"]

    def _add_values(self, record: Mapping[str, Any]) -> None:
        for operation, inputs in record["values"].items():
            for name, sent in inputs.items():
                tally = self.values.setdefault((operation, name, sent["format"]), ValuesSent())
                tally.add(sent["requirements"], sent["classes"])

    def _add_finding(self, finding: Finding, into: dict[str, dict[str, dict[str, Tally]]]) -> None:
        outcomes = into.setdefault(finding.requirement, {}).setdefault(finding.operation, {})
        tally = outcomes.setdefault(finding.outcome, Tally())
        tally.count += finding.count
        if finding.source == "check":
            _insert(tally.tests, finding.test)
        if finding.violation:
            sample = {"source": finding.source, "test": finding.test, **asdict(finding.violation)}
            _insert(tally.samples, sample, key=_sample_key, limit=MAX_SAMPLES)
        if finding.reason:
            reason = Reason(finding.reason, finding.remedy)
            _insert(
                tally.reasons,
                reason,
                key=lambda reason_held: _canonical(reason_held._asdict()),
                limit=MAX_SAMPLES,
            )


def _insert(
    kept: list[Any],
    item: Any,
    key: Callable[[Any], Any] = lambda item: item,
    limit: int = sys.maxsize,
) -> None:
    """Put an item into a sorted list, once; beyond the limit the greatest is dropped, whatever the
    order.
    """
    place = bisect_left(kept, key(item), key=key)
    if place == len(kept) or key(kept[place]) != key(item):
        kept.insert(place, item)
        del kept[limit:]


def _sample_key(sample: Mapping[str, Any]) -> tuple[str, str, int, str]:
    exchange = sample.get("exchange") or {}
    return sample["source"], sample["test"], exchange.get("id") or 0, _canonical(sample)


def _canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True)
