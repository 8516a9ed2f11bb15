"""What people want to know of a run first: the verdict, what it rests on, what was broken, and what
is not known.

It reads the content of a conformance.json; the HTML report and the Markdown summary begin with it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from plumbline.reports.run_context import is_client
from plumbline.reports.text import duration, plural, shorten
from plumbline.reports.verdict.words import Verdict

if TYPE_CHECKING:
    from plumbline.spec import Catalogue

TONES: Mapping[str, str] = {
    "conformant": "sound",
    "non-conformant": "broken",
    "violated in observed traffic": "broken",
    "stale baseline entries": "broken",
    "invalid run": "void",
}
"""How a verdict looks; all others look unsettled, also words that a later kit may bring."""
ORDER = [
    Verdict.FAILED,
    Verdict.WARNED,
    Verdict.NOT_EXERCISED,
    Verdict.PASSED,
    Verdict.NOT_SELECTED,
    Verdict.NOT_APPLICABLE,
    Verdict.UNOBSERVABLE,
    Verdict.NOT_CLAIMED,
]
"""What deserves attention first."""
WHY_LIMIT = 100
OUTSIDE = {"unobservable", "not applicable"}
"""What is not counted as part of what a run has to show."""


class Totals(NamedTuple):
    """A conformance class in numbers: passed, and those of it that apply and can be observed."""

    id: str
    gloss: str
    claimed: bool
    passed: int
    of: int
    rest: str


class Gap(NamedTuple):
    """Requirements that stay unjudged for one reason, what would have them judged, and whether they
    were left out on purpose.
    """

    reason: str
    remedy: str
    ids: Sequence[str]
    not_selected: bool


@dataclass(frozen=True)
class Overview:
    """A run at a glance.

    Attributes:
        document: the content of a conformance.json.
        catalogue: the contract.
    """

    document: Mapping[str, Any]
    catalogue: "Catalogue"

    @property
    def word(self) -> str:
        """The verdict."""
        word: str = self.document["verdict"]
        return word[:1].upper() + word[1:]

    @property
    def tone(self) -> str:
        """How the verdict looks; sound only if nothing at all speaks against it, whatever the
        verdict says.
        """
        tone = TONES.get(self.document["verdict"], "unsettled")
        return "unsettled" if tone == "sound" and [*self.stamps] else tone

    @property
    def stamps(self) -> Iterator[str]:
        """Sentences that the verdict must not be read without."""
        run, word = self.document, self.document["verdict"]
        if run["state"] != "finished" and word != "unfinished":
            yield (
                "Unfinished: the run was interrupted, so the checks that it had not reached are"
                " missing."
            )
        if run["partial"] and word != "partial":
            yield "Partial run: a selection left checks out, so it cannot show conformance."
        if waived := (run["baseline"] or {}).get("waived"):
            yield (
                f"{plural(len(waived), 'failure')} waived by a baseline: they still count as"
                " failed."
            )
        if run["harness_errors"] and word != "invalid run":
            yield f"{plural(len(run['harness_errors']), 'fault')} of the kit itself."

    @property
    def name(self) -> str:
        """What the deployment is called."""
        return str(self.document["profile"].get("name") or self.document["target"])

    @property
    def facts(self) -> Iterator[tuple[str, str]]:
        """Label and value of each circumstance of the run."""
        run = self.document
        thing, place = (
            ("Client", "Program") if is_client(run["target"]) else ("Deployment", "Address")
        )
        if self.name != run["target"]:
            yield thing, self.name
        yield place, run["target"]
        yield "Claimed classes", ", ".join(run["claimed"]) or "none"
        yield (
            "Contract",
            f"revision {run['contract']['revision']}, digest {run['contract']['digest'][:16]}",
        )
        yield "Kit", f"{run['suite']['name']} {run['suite']['version']}"
        yield (
            "Run",
            (
                f"{run['tier']} tier, seed {run['seed']},"
                f" {plural(sum(run['requests'].values()), 'request')}"
            ),
        )
        if run["started"]:
            began = datetime.fromisoformat(run["started"])
            took = (
                f", {duration((datetime.fromisoformat(run['ended']) - began).total_seconds())}"
                if run["ended"]
                else ""
            )
            yield "When", f"{began:%Y-%m-%d %H:%M} UTC{took}"

    @property
    def traffic(self) -> Iterator[tuple[str, str]]:
        """Label and value of what became of observed traffic; nothing for a run that sends requests
        itself.
        """
        told = self.document["profile"].get("observed")
        if not isinstance(told, dict):
            return
        yield "Traffic", f"{plural(_number(told.get('judged')), 'exchange')} judged"
        for label, name in (("Left out", "left_out"), ("Not judged", "not_judged")):
            counts = told.get(name)
            if parts := [
                f"{_number(number):,} {shorten(str(why), WHY_LIMIT)}"
                for why, number in _items(counts)
            ]:
                yield label, ", ".join(parts)
        if silent := [
            f"{shorten(str(name), WHY_LIMIT)} ({_number(number):,})"
            for name, number in _items(told.get("undated"))
        ]:
            yield (
                "Without a date",
                f"not judged, because the answers have no Date: {', '.join(silent)}",
            )

    @property
    def scope(self) -> str:
        """How much of the contract the verdict speaks about."""
        count = dict(self.counted)
        apart = [
            class_["verdicts"]
            for class_ in self.document["classes"]
            if class_["claimed"] and not class_["decides"]
        ]
        numbers = {
            "in classes that are not claimed": count.get("not claimed", 0),
            "in classes that never decide": sum(
                number for counts in apart for word, number in counts.items() if word not in OUTSIDE
            ),
            "that do not apply": count.get("not applicable", 0),
            "that cannot be observed": count.get("unobservable", 0),
        }
        *most, last = [f"{number} {where}" for where, number in numbers.items() if number] or [""]
        parts = " and ".join([", ".join(most), last] if most else [last] if last else [])
        return (
            f"The contract has {len(self.document['requirements'])} in"
            f" all{', ' if parts else ''}{parts}."
        )

    @cached_property
    def counted(self) -> list[tuple[str, int]]:
        """Verdicts that occur, with how many requirements of the whole contract got each."""
        words = [entry["verdict"] for entry in self.document["requirements"]]
        return [
            (verdict.value, words.count(verdict.value))
            for verdict in ORDER
            if verdict.value in words
        ]

    @property
    def classes(self) -> Iterator[Totals]:
        """Every class, those that are claimed and decide first."""
        for class_ in sorted(
            self.document["classes"],
            key=lambda class_entry: (not class_entry["claimed"], not class_entry["decides"]),
        ):
            verdicts: Mapping[str, int] = class_["verdicts"]
            class_known = self.catalogue.classes.get(class_["id"])
            words = [verdict.value for verdict in ORDER if verdict.value in verdicts]
            others = [
                f"{verdicts[word]} {word}"
                for word in words
                if word not in {"passed", "not claimed"}
            ]
            yield Totals(
                id=class_["id"],
                gloss=class_known.sentence if class_known else "",
                claimed=class_["claimed"],
                passed=verdicts.get("passed", 0),
                of=sum(count for word, count in verdicts.items() if word not in OUTSIDE),
                rest=", ".join(others)
                + ("" if class_["claimed"] else "not claimed")
                + ("" if class_["decides"] else "; never decides"),
            )

    @cached_property
    def broken(self) -> Mapping[str, Sequence[Mapping[str, Any]]]:
        """What was broken, by what that means, the worst first; titles without an entry are left
        out.
        """
        decides = {class_["id"] for class_ in self.document["classes"] if class_["decides"]}
        requirements: dict[str, list[Mapping[str, Any]]] = {
            title: []
            for title in (
                "Failed",
                "Waived",
                "Warned",
                "In a class that never decides",
                "Outside the claim",
            )
        }
        for entry in self.document["requirements"]:
            if title := _where_broken(entry, decides):
                requirements[title].append(entry)
        return {title: entries for title, entries in requirements.items() if entries}

    @property
    def gaps(self) -> Iterator[tuple[str, int, Sequence[Gap]]]:
        """`Not exercised` and `Not selected`, each with how many requirements got that verdict, and
        why; without empty ones.
        """
        for title, not_selected in (("Not exercised", False), ("Not selected", True)):
            if groups := [gap for gap in self.unexercised if gap.not_selected is not_selected]:
                yield title, sum(len(gap.ids) for gap in groups), groups

    @property
    def gaps_title(self) -> str:
        """`Not exercised (1) and not selected (80)`, as far as there are any."""
        text = " and ".join(f"{title.lower()} ({count})" for title, count, _ in self.gaps)
        return text[:1].upper() + text[1:]

    @cached_property
    def unexercised(self) -> Sequence[Gap]:
        """What was not exercised, the most common reason first, and then what was not selected."""
        groups: dict[tuple[bool, str, str], list[str]] = {}
        for entry in self.document["requirements"]:
            if (word := entry["verdict"]) in {"not exercised", "not selected"}:
                reason, remedy = entry["reason"] or "no reason is known", entry["remedy"] or ""
                groups.setdefault((word == "not selected", reason, remedy), []).append(entry["id"])
        ordered = sorted(groups.items(), key=lambda group: (group[0][0], -len(group[1]), group[0]))
        return [
            Gap(reason, remedy, ids, not_selected)
            for (not_selected, reason, remedy), ids in ordered
        ]


def _items(counts: Any) -> list[tuple[object, object]]:
    """The entries of an object that the schema leaves open."""
    return sorted(counts.items()) if isinstance(counts, dict) else []


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0


def _where_broken(entry: Mapping[str, Any], decides: set[str]) -> str:
    if not entry["violations"]:
        return ""
    if entry["verdict"] == "not claimed":
        return "Outside the claim"
    if entry["verdict"] == "failed":
        if entry["waiver"]:
            return "Waived"
        return "Failed" if entry["class"] in decides else "In a class that never decides"
    return "Warned" if entry["verdict"] == "warned" else ""
