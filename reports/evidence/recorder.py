"""Keeps the report of a run while it goes on, so that one that is killed leaves what was found
until then.

Every record is journalled at once. conformance.json stands from the beginning, stamped as
unfinished, is renewed every few seconds, and is replaced when the run has come to its end. With the
journal alone the run can be judged again.
"""

import time
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, Protocol

from plumbline.reports.evidence.results import instant, write_results
from plumbline.reports.report_errors import ReportError
from plumbline.reports.run_context import OBSERVED, RunContext
from plumbline.reports.verdict.judging import judge_run
from plumbline.reports.verdict.known_failures import Baseline
from plumbline.reports.verdict.ledger import Ledger
from plumbline.reports.verdict.verdicts import RunVerdict
from plumbline.spec.findings import Finding

if TYPE_CHECKING:
    from plumbline.spec import Catalogue

RENEWAL_SECONDS = 5.0


class Journal(Protocol):
    """Where records go as they come."""

    def add(self, entry: Mapping[str, Any]) -> None:
        """Append a JSON object, so that it survives the end of the process."""

    def close(self) -> None:
        """End."""


class Recorder:
    """The report of one run.

    Args:
        catalogue: the contract.
        claimed: the classes that the deployment is measured by.
        context: the circumstances, as far as they are known at the beginning.
        journal: takes what the run is judged by; new and empty.
        partial: whether the run was cut down from the beginning.
        baseline: the failures that are known.
    """

    def __init__(
        self,
        catalogue: "Catalogue",
        claimed: Collection[str],
        context: RunContext,
        journal: Journal,
        *,
        partial: bool,
        baseline: Baseline | None,
    ) -> None:
        self._catalogue = catalogue
        self._claimed = frozenset(claimed)
        self._context = context
        self._journal = journal
        self._partial = partial
        self._baseline = baseline
        self._today = context.started.date() if context.started else date.min
        self._ledger = Ledger()
        self._journal.add({"begin": self._beginning()})
        self._renew()

    @property
    def target(self) -> str:
        """The address that the run is about, as reports show it."""
        return self._context.target

    def enter(self, record: Mapping[str, Any]) -> None:
        """Take a finding, an observation, request counts, or a harness error."""
        self._journal.add(self._ledger.add(record))
        self._stale = True
        self.keep_up()

    def keep_up(self) -> None:
        """Renew conformance.json if it is due; for those who wait a long time for the next
        record.
        """
        if self._stale and time.monotonic() - self._renewed > RENEWAL_SECONDS:
            self._renew()

    def finish(
        self, ended: datetime, *, partial: bool, selected: Collection[str] | None
    ) -> tuple[RunVerdict, RunContext]:
        """Give the verdict and write it down, with the manifest; whatever else the run leaves
        stands in the folder by then.

        Raises:
            OSError: it cannot be written down; what stands in the folder is that of an unfinished
                run then.
        """
        self._journal.add(
            {
                "end": {
                    "partial": partial,
                    "selected": None if selected is None else sorted(selected),
                }
            }
        )
        self._journal.close()
        verdict = self._judge(selected, partial=partial, finished=True)
        context = replace(self._context, ended=ended)
        write_results(verdict, context)
        return verdict, context

    def leave(self, ended: datetime) -> tuple[RunVerdict, RunContext]:
        """Leave the report as that of a run that stopped before all checks had reported, with what
        was found until then.

        Raises:
            OSError: it cannot be written down.
        """
        self._journal.close()
        verdict = self._judge(None, partial=self._partial, finished=False)
        context = replace(self._context, ended=ended)
        write_results(verdict, context, forms=True)
        return verdict, context

    def give_up(self) -> None:
        """Leave the report as it stands, of a run that does not come to its end.

        Raises:
            OSError: it cannot be written down; the last one that could stays.
        """
        self._journal.close()
        self._renew()

    def void(self, sentence: str) -> None:
        """Leave the report of a run whose findings are worth nothing, because of a fault of the
        kit; the journal keeps them.

        Raises:
            OSError: it cannot be written down; the last one that could stays.
        """
        self._journal.close()
        self._ledger = Ledger()
        self._ledger.add({"harness_error": sentence, "test": ""})
        self._renew()

    def _beginning(self) -> dict[str, Any]:
        context = self._context
        return {
            "nonce": context.nonce,
            "suite": context.suite_version,
            "contract": {"revision": self._catalogue.revision, "digest": self._catalogue.digest},
            "target": context.target,
            "claimed": [name for name in self._catalogue.classes if name in self._claimed],
            "tier": context.tier,
            "seed": context.seed,
            "started": instant(context.started),
            "today": self._today.isoformat(),
            "partial": self._partial,
            "baseline": None if self._baseline is None else self._baseline.to_dict(),
        }

    def _renew(self) -> None:
        write_results(self._judge(None, partial=self._partial, finished=False), self._context)
        self._renewed, self._stale = time.monotonic(), False

    def _judge(
        self, selected: Collection[str] | None, *, partial: bool, finished: bool
    ) -> RunVerdict:
        judged = (self._catalogue, self._claimed, selected, self._ledger)
        observed = self._context.tier == OBSERVED
        return judge_run(
            *judged,
            partial=partial,
            finished=finished,
            observed=observed,
            baseline=self._baseline,
            today=self._today,
        )


@dataclass(frozen=True)
class Replay:
    """A run, judged again by its journal.

    Attributes:
        beginning: the circumstances, as they were written at the beginning.
        records: everything that was entered.
        verdict: what this kit says about them.
    """

    beginning: Mapping[str, Any]
    records: tuple[Mapping[str, Any], ...]
    verdict: RunVerdict

    @property
    def findings(self) -> Iterator[Finding]:
        """The findings among the records."""
        return (
            Finding.from_dict(record)
            for record in self.records
            if "requirement" in record and "own" not in record
        )


def replay(entries: Iterable[Mapping[str, Any]], catalogue: "Catalogue") -> Replay:
    """Judge a run again by its journal.

    Raises:
        ReportError: the journal has no beginning, or one of another kit.
    """
    first, *records = [*entries] or [{}]
    end = records.pop()["end"] if records and "end" in records[-1] else None
    try:
        begun = first["begin"]
        baseline = begun["baseline"] and Baseline.from_dict(begun["baseline"])
        partial, selected = (
            (begun["partial"], None) if end is None else (end["partial"], end["selected"])
        )
        ledger = Ledger()
        for record in records:
            ledger.add(record)
        verdict = judge_run(
            catalogue,
            begun["claimed"],
            selected,
            ledger,
            partial=partial,
            finished=end is not None,
            observed=begun["tier"] == OBSERVED,
            baseline=baseline,
            today=date.fromisoformat(begun["today"]),
        )
    except (KeyError, TypeError, ValueError):
        raise ReportError(
            "The journal of the findings does not begin or end as this kit writes it; repeat the"
            " run."
        ) from None
    return Replay(begun, tuple(records), verdict)
