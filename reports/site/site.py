"""Writes the site: the table, pages of deployments and requirements, badges, feeds, and the reports
that they rest on.

Reports are made by others. Their pages are written anew, by the templates of the kit, from the
conformance.json in an archive, and no page that somebody else has written is published. The archive
stands beside it as it was handed in, to be verified.
"""

import json
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache, cached_property
from importlib.resources import files
from io import BytesIO
from itertools import groupby
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile, ZipFile

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined, TemplateError
from markupsafe import Markup

from plumbline.reports.compare.run_history import LETTERS, WORDS, Deployment, Flip, Run
from plumbline.reports.evidence.manifest import RESULTS
from plumbline.reports.evidence.regular_files import MAX_DOCUMENT_BYTES
from plumbline.reports.evidence.results import results_in
from plumbline.reports.html.page import digest, page
from plumbline.reports.report_errors import ReportError
from plumbline.reports.site.feeds import entries, json_feed
from plumbline.reports.site.overview_table import MARKS, table
from plumbline.reports.site.picture import picture
from plumbline.reports.site.standing import COLOURS, LABEL, Standing, standing_of
from plumbline.reports.text import file_name, plural, printable

if TYPE_CHECKING:
    from plumbline.spec import Catalogue

POLICY = (
    "default-src 'none'; style-src 'self'{style}; script-src 'self'; img-src 'self' data:; base-uri"
    " 'none'; form-action 'none'"
)
MAX_CHANGES, MAX_RUNS, MAX_BROKEN = 12, 60, 12
"""Changes and most broken requirements on the first page; runs on the page of a deployment."""


@dataclass(frozen=True)
class Fleet:
    """What a site is written from.

    Attributes:
        deployments: all of them, by name.
        flips: what has flipped, the latest first.
        runs: gives the runs of a deployment from a moment on.
        archive: gives the archive of a report, or None.
        catalogue: the contract.
        now: when the site is written.
        lapse: how long a verdict says something.
        days: how many of them a picture shows.
        url: where the site is published, with a slash at its end, or empty.
    """

    deployments: Sequence[Deployment]
    flips: Sequence[Flip]
    runs: Callable[[str, datetime], Sequence[Run]]
    archive: Callable[[str, str], bytes | None]
    catalogue: "Catalogue"
    now: datetime
    lapse: timedelta = timedelta(days=14)
    days: int = 91
    url: str = ""

    @cached_property
    def standings(self) -> list[Standing]:
        """How each deployment stands."""
        return [
            standing_of(deployment, self.lapse, self.now, self.flips_of.get(deployment.name, ()))
            for deployment in self.deployments
        ]

    @cached_property
    def flips_of(self) -> Mapping[str, Sequence[Flip]]:
        """The flips of each deployment that has any, the latest first."""
        flips: dict[str, list[Flip]] = {}
        for flip in self.flips:
            flips.setdefault(flip.deployment, []).append(flip)
        return flips


def site(fleet: Fleet) -> Iterator[tuple[str, bytes]]:
    """The files of the site with their names, one after the other."""
    yield "index.html", overview(fleet)
    rows = [*_requirement_rows(fleet)]
    chapters = {name: [*part] for name, part in groupby(rows, key=lambda row: row[0].chapter)}
    broken = sum(failing > 0 for _, failing, _ in rows)
    yield (
        "requirements.html",
        _page("requirements.html", fleet, "", chapters=chapters, broken=broken),
    )
    yield from _requirements(fleet)
    changes = entries(fleet.flips)
    title = "Conformance with the Sales Pipeline Service API"
    yield (
        "feed.json",
        json.dumps(json_feed(title, fleet.url, changes), indent=1, ensure_ascii=False).encode(),
    )
    yield "feed.atom", _page("feed.atom", fleet, "", entries=changes, feed_title=title)
    for standing in fleet.standings:
        yield from _deployment(fleet, standing)
    report = files("plumbline.reports.html").joinpath("page", "report.css").read_bytes()
    own = files(__package__).joinpath("page")
    yield "site.css", report + own.joinpath("site.css").read_bytes()
    yield "site.js", own.joinpath("site.js").read_bytes()


def overview(fleet: Fleet) -> bytes:
    """The table of implementations, with what changed lately and what is broken most."""
    columns, rows = table(fleet.standings, fleet.catalogue)
    groups = Counter(column.kind for column in columns)
    broken = Counter(name for standing in fleet.standings for name in standing.failing).most_common(
        MAX_BROKEN
    )
    counted = Counter(standing.tone for standing in fleet.standings)
    sentences = {
        name: requirement.sentence for name, requirement in fleet.catalogue.requirements.items()
    }
    lately = entries(fleet.flips[: MAX_CHANGES * 20])[:MAX_CHANGES]
    shared = {
        "columns": columns,
        "groups": groups,
        "rows": rows,
        "broken": broken,
        "counted": counted,
    }
    shared |= {"ids": [*fleet.catalogue.requirements], "days": _days(fleet)}
    return _page("index.html", fleet, "", **shared, sentences=sentences, changes=lately)


def _days(fleet: Fleet) -> list[str]:
    """The days on which deployments were last run, the latest first."""
    return sorted(
        {f"{standing.deployment.latest.started:%Y-%m-%d}" for standing in fleet.standings},
        reverse=True,
    )


def _deployment(fleet: Fleet, standing: Standing) -> Iterator[tuple[str, bytes]]:
    """The page of a deployment, its badge, and the report of the run that says how it stands."""
    name, run = standing.deployment.name, standing.deployment.standing
    runs = fleet.runs(name, fleet.now - timedelta(days=fleet.days + 1))
    kept = f"evidence/{standing.slug}/{file_name(run.attempt)}"
    packed = fleet.archive(name, run.attempt) if run.evidence else None
    report = _report(packed, fleet) if packed else None
    if packed and report:
        yield f"{kept}.zip", packed
        yield f"{kept}.html", report
    drawn = picture(runs, fleet.catalogue, fleet.now.date(), fleet.days)
    yield (
        f"deployment/{standing.slug}.html",
        _page(
            "deployment.html",
            fleet,
            "../",
            standing=standing,
            run=run,
            picture=drawn,
            style=Markup(drawn.style),  # noqa: S704  our own words and numbers
            changes=entries(fleet.flips_of.get(name, ())),
            runs=runs[: -MAX_RUNS - 1 : -1],
            report=f"../{kept}.html" if report else "",
            archive=f"../{kept}.zip" if packed and report else "",
            sentences={
                key: requirement.sentence
                for key, requirement in fleet.catalogue.requirements.items()
            },
        ),
    )
    yield (
        f"badge/{standing.slug}.svg",
        _page(
            "badge.svg", fleet, "../", standing=standing, label=LABEL, colour=COLOURS[standing.tone]
        ),
    )
    yield f"badge/{standing.slug}.json", json.dumps(standing.shields).encode()


def _requirements(fleet: Fleet) -> Iterator[tuple[str, bytes]]:
    """The page of each requirement."""
    flips: dict[str, list[Flip]] = {}
    for flip in fleet.flips:
        flips.setdefault(flip.requirement, []).append(flip)
    for name, requirement in fleet.catalogue.requirements.items():
        failing = [
            standing
            for standing in fleet.standings
            if standing.deployment.known.get(name) == LETTERS["failed"]
        ]
        others = Counter(
            WORDS[standing.deployment.known.get(name, "c")] for standing in fleet.standings
        )
        yield (
            f"requirement/{name}.html",
            _page(
                "requirement.html",
                fleet,
                "../",
                requirement=requirement,
                failing=sorted(failing, key=lambda standing: standing.since[name].started),
                others=others.most_common(),
                flips=flips.get(name, [])[:MAX_RUNS],
            ),
        )


def _requirement_rows(fleet: Fleet) -> Iterator[tuple[Any, int, int]]:
    """Each requirement, with how many deployments fail it of how many in which it was judged."""
    for name, requirement in fleet.catalogue.requirements.items():
        letters = Counter(standing.deployment.known.get(name, "") for standing in fleet.standings)
        yield (
            requirement,
            letters[LETTERS["failed"]],
            sum(letters[LETTERS[word]] for word in ("failed", "passed", "warned")),
        )


def _page(template: str, fleet: Fleet, up: str, **values: Any) -> bytes:
    """A page; `up` leads from it to the first one."""
    style = values.setdefault("style", "")
    policy = POLICY.format(style=f" '{digest(style)}'" if style else "")
    shared = {
        "fleet": fleet,
        "up": up,
        "slug": file_name,
        "marks": MARKS,
        "policy": Markup(policy),  # noqa: S704
    }
    return _environment().get_template(template).render(values, **shared).encode()


@cache
def _environment() -> Environment:
    loader = ChoiceLoader(
        [
            PackageLoader("plumbline.reports.site", "page"),
            PackageLoader("plumbline.reports.html", "page"),
        ]
    )
    environment = Environment(
        loader=loader,
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"line": printable, "plural": plural}
    return environment


def _report(packed: bytes, fleet: Fleet) -> bytes | None:
    """The page of the report in an archive, written anew; None where it holds no results that this
    kit can show.
    """
    try:
        with ZipFile(BytesIO(packed)) as archive, archive.open(RESULTS) as member:
            content = member.read(MAX_DOCUMENT_BYTES + 1)
        document = results_in(content, RESULTS) if len(content) <= MAX_DOCUMENT_BYTES else None
        return None if document is None else page(document, fleet.catalogue).encode()
    except (BadZipFile, KeyError, NotImplementedError, RuntimeError, zlib.error, ReportError):
        return None  # no archive that this kit has written
    except (TemplateError, LookupError, ValueError, TypeError, ArithmeticError):
        return None  # results that fit the schema and lack what the page shows
