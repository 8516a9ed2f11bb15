"""The contract as the report shows it: its chapters as they are written, each requirement beside
what a run says about it.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from itertools import groupby
from typing import TYPE_CHECKING, Any

from markdown_it import MarkdownIt
from markupsafe import Markup, escape

from plumbline.reports.html.failure_kinds import kinds_of
from plumbline.reports.html.requirement_history import UNCHANGED, Change, History, Said
from plumbline.reports.text import printable

if TYPE_CHECKING:
    from plumbline.spec import Catalogue

SENTENCE = {"requirement": 2, "open item": 1}
"""Column of the sentence in the tables of the contract."""


@dataclass(frozen=True)
class Row:
    """A requirement in the report.

    Attributes:
        entry: what conformance.json says about it.
        sentence: with its code marked up; empty when this contract does not have the requirement.
        place: file and line in the contract.
        mark: the verdict as a name for styles, such as `not-exercised`.
        operations: the operations that its sentence names, and those on which it was broken.
        earlier: what earlier runs said about it.
        change: how it compares to the last one of them that judged it.
    """

    entry: Mapping[str, Any]
    sentence: Markup
    place: str
    mark: str
    operations: Sequence[str] = ()
    earlier: Sequence[Said] = ()
    change: Change = UNCHANGED

    @property
    def kinds(self) -> list[str]:
        """Names of the kinds of its violations."""
        return [kind.name for kind in kinds_of(self.entry)]


@dataclass
class Chapter:
    """A chapter of the contract.

    Attributes:
        name: as the catalogue calls it, such as `booking-links`; an address within the report.
        title: its heading.
        introduction: what stands above its first table.
        rows: its requirements, in order.
    """

    name: str
    title: str
    introduction: Markup
    rows: list[Row] = field(default_factory=list)

    @property
    def parts(self) -> list[tuple[bool, list[Row]]]:
        """The rows in their order, in parts that are folded (their class was not claimed) or
        not.
        """
        return [
            (folded, [*rows])
            for folded, rows in groupby(self.rows, key=lambda row: row.mark == "not-claimed")
        ]

    @property
    def measured(self) -> int:
        """Requirements that a run could have judged, as in the verdict: observable ones of claimed
        classes that apply.
        """
        return len(self.rows) - sum(
            map(self.count, ("unobservable", "not-claimed", "not-applicable"))
        )

    @property
    def sum(self) -> str:
        """The chapter in a few words."""
        return (
            f"{self.count('passed')} of {self.measured} passed" if self.measured else "not measured"
        )

    def count(self, mark: str) -> int:
        """Requirements with this verdict."""
        return sum(row.mark == mark for row in self.rows)


@dataclass(frozen=True)
class OpenItem:
    """Something that the contract leaves open, and what was seen of it.

    Attributes:
        choices: what the deployment chose, part by part, as conformance.json has it.
        count: observations, also of what was not kept.
    """

    id: str
    chapter: str
    sentence: Markup
    treatment: Markup
    choices: Sequence[Mapping[str, Any]]
    count: int


def chapters(
    entries: Sequence[Mapping[str, Any]], catalogue: "Catalogue", history: History | None = None
) -> list[Chapter]:
    """The chapters with all requirements of a run, in its order; those that this contract does not
    have come last.
    """
    chapters_by_name: dict[str, Chapter] = {}
    for entry in entries:
        requirement = catalogue.requirements.get(entry["id"])
        name = requirement.chapter if requirement else "elsewhere"
        if name not in chapters_by_name:
            file = requirement.line.partition(":")[0] if requirement else ""
            chapters_by_name[name] = Chapter(
                name, *_opening(file, name if requirement else "Not in this contract")
            )
        sentence = (
            _sentence(requirement.line, requirement.sentence, "requirement")
            if requirement
            else Markup("")
        )
        operations = _operations(entry, requirement.sentence if requirement else "", catalogue)
        told = history or History(())
        chapters_by_name[name].rows.append(
            Row(
                entry,
                sentence,
                requirement.line if requirement else "",
                css_name(entry["verdict"]),
                operations,
                told.of(entry["id"]),
                told.change(entry["id"], entry["verdict"]),
            )
        )
    elsewhere = [chapters_by_name.pop("elsewhere")] if "elsewhere" in chapters_by_name else []
    return [*chapters_by_name.values(), *elsewhere]


def open_items(observations: Sequence[Mapping[str, Any]], catalogue: "Catalogue") -> list[OpenItem]:
    """All open items of the contract in its order, then those of another one that the run
    observed.
    """
    by_id = {item["id"]: item for item in observations}
    nothing: Mapping[str, Any] = {"choices": (), "count": 0}

    def items() -> Iterator[OpenItem]:
        for item in catalogue.open_items.values():
            listed = by_id.pop(item.id, nothing)
            sentence, treatment = (
                _sentence(item.line, text, "open item") for text in (item.sentence, item.treatment)
            )
            yield OpenItem(
                item.id, item.chapter, sentence, treatment, listed["choices"], listed["count"]
            )
        for name, listed in by_id.items():
            yield OpenItem(name, "", Markup(""), Markup(""), listed["choices"], listed["count"])

    return list(items())


def css_name(words: str) -> str:
    """Words as one name: `not exercised` is `not-exercised`."""
    return words.replace(" ", "-")


def _operations(entry: Mapping[str, Any], sentence: str, catalogue: "Catalogue") -> list[str]:
    """The operations that a sentence names, and those on which it was broken, fit to stand in one
    attribute.
    """
    named = [
        name
        for name in catalogue.operations
        if re.search(rf"{re.escape(name)}(?![\w/{{])", sentence)
    ]
    broken = (
        printable(violation["operation"]).replace("|", "/") for violation in entry["violations"]
    )
    return [*dict.fromkeys([*named, *filter(None, broken)])]


def _sentence(line: str, plain: str, kind: str) -> Markup:
    """A sentence as it stands in the contract, with its code; plain where the contract cannot be
    looked into.
    """
    file, _, number = line.partition(":")
    lines = _lines(file)
    cells = (
        lines[int(number) - 1].strip().strip("|").split("|")
        if number.isdecimal() and int(number) <= len(lines)
        else []
    )
    for cell in cells[SENTENCE[kind] :]:
        if cell.strip().replace("`", "") == plain:
            parts = cell.strip().split("`")
            return Markup("").join(
                Markup("<code>{}</code>").format(part) if odd % 2 else escape(part)
                for odd, part in enumerate(parts)
            )
    return escape(plain)


@cache
def _opening(file: str, name: str) -> tuple[str, Markup]:
    """Title and introduction of a chapter; made from its name where there is no such file."""
    lines = _lines(file)
    if not lines:
        return name.replace("-", " ").capitalize(), Markup("")
    end = next((place for place, line in enumerate(lines) if line.startswith("## ")), len(lines))
    # The contract is our own text, and HTML in it would be shown, not obeyed.
    html = MarkdownIt("commonmark", {"html": False}).enable("table").render("\n".join(lines[1:end]))
    # rendered from our own text with HTML switched off
    return lines[0].removeprefix("# "), Markup(html)  # noqa: S704


@cache
def _lines(file: str) -> tuple[str, ...]:
    chapter = files("plumbline.spec.contract").joinpath(file) if file else None
    return (
        tuple(chapter.read_text(encoding="utf-8").splitlines())
        if chapter and chapter.is_file()
        else ()
    )
