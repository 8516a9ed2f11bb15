"""Writes the page: what a run found, put into the templates with everything escaped, under a policy
that runs nothing else.

The policy names the one style and the one script of the page by their digests. What a deployment
has sent could not run, load or reach anything even if it got past the escaping.
"""

from base64 import b64encode
from collections.abc import Mapping, Sequence
from functools import cache, partial
from hashlib import sha256
from importlib.resources import files
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from plumbline.reports.html import escaped_exchange
from plumbline.reports.html.contract_chapters import chapters, css_name, open_items
from plumbline.reports.html.delivery_timeline import MAX_TIMELINES, Delivery
from plumbline.reports.html.failure_kinds import kinds
from plumbline.reports.html.inline import inline
from plumbline.reports.html.latency import Latency, longest_of, place
from plumbline.reports.html.requirement_history import CHANGES, History
from plumbline.reports.pages.overview import Overview
from plumbline.reports.run_context import again_line, named_in
from plumbline.reports.text import focus_of, plural, printable, shorten
from plumbline.reports.verdict.value_shares import Share, shares, shares_of, totals
from plumbline.reports.verdict.words import RunWord

if TYPE_CHECKING:
    from plumbline.spec import Catalogue

POLICY = (
    "default-src 'none'; style-src '{style}'; script-src '{script}'; base-uri 'none'; form-action"
    " 'none'"
)
FOLLOWING = "; connect-src 'self'"
"""What a page may do too that is served while a run goes on: ask where it came from for more."""


class Live(NamedTuple):
    """A page that is served while a run goes on.

    Attributes:
        state: names what it shows; another one means that there is something new.
        ended: whether the run has ended.
    """

    state: str
    ended: bool


def page(
    document: Mapping[str, Any],
    catalogue: "Catalogue",
    received: Sequence[Delivery] = (),
    measured: Mapping[str, Latency] = MappingProxyType({}),
    live: Live | None = None,
) -> str:
    """The report of a run as one HTML page that needs nothing else.

    Args:
        document: the content of a conformance.json.
        catalogue: the contract; what it does not have is shown by its id alone.
        received: the deliveries of webhooks.
        measured: how long operations took, by their names.
        live: whether the page is served while the run goes on, and renews itself.
    """
    drawn = [delivery for delivery in received if delivery.retried][:MAX_TIMELINES]
    overview = Overview(document, catalogue)
    named = named_in(document["tier"], document["target"], document["reproduce"]["arguments"])
    history = History(document.get("earlier", ()))
    parts = chapters(document["requirements"], catalogue, history)
    changed = {row.change.name for part in parts for row in part.rows}
    scripts = ("report.js", "live.js") if live else ("report.js",)
    style, script = (
        Markup(_file("report.css") + _running_foot(overview)),  # noqa: S704
        Markup("".join(map(_file, scripts))),  # noqa: S704
    )
    sections = {
        "faults": "Faults of the kit" if document["harness_errors"] else "",
        "broken": "What was broken" if overview.broken else "",
        "own": "Own checks" if document["own_checks"] else "",
        "glance": "At a glance",
        "baseline": "Known failures" if document["baseline"] else "",
        "unexercised": overview.gaps_title,
        "never-shown": "Never shown" if document["never_shown"] else "",
        "earlier": "Earlier runs" if history.runs else "",
        "contract": "The contract",
        "deliveries": "Deliveries" if received else "",
        "open": "Left open",
        "requests": "What was sent" if document["requests"] or document.get("values_sent") else "",
    }
    return (
        _environment()
        .get_template("report.html")
        .render(
            run=document,
            again=partial(again_line, folder=document["reproduce"]["report"], named=named),
            overview=overview,
            chapters=parts,
            kinds=kinds(document["requirements"]),
            operations=sorted(
                {name for part in parts for row in part.rows for name in row.operations}
            ),
            rows={row.entry["id"]: row for part in parts for row in part.rows},
            history=history,
            changes={name: title for name, title in CHANGES.items() if name in changed},
            deliveries=received,
            drawn=drawn,
            timelines={
                delivery.url: number for number, delivery in enumerate(drawn, 1) if delivery.url
            },
            broken_on=_broken_on(document),
            measured=measured,
            longest=longest_of(measured),
            size_limit=escaped_exchange.SizeLimit(),
            zip=zip,
            open_items=open_items(document["open_items"], catalogue),
            shares=shares(document.get("values_sent", ())),
            together=totals(shares(document.get("values_sent", ()), together=True)),
            tried=_tried(document),
            sections={anchor: title for anchor, title in sections.items() if title},
            style=style,
            script=script,
            live=live,
            policy=POLICY.format(style=digest(style), script=digest(script))
            + (FOLLOWING if live else ""),
        )
    )


@cache
def _environment() -> Environment:
    """The templates and what they may do with a value; everything that they put on the page is
    escaped.
    """
    environment = Environment(
        loader=FunctionLoader(_file),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals |= {"focus_of": focus_of, "place": place, "totals": totals}
    environment.filters |= {
        "body": escaped_exchange.body,
        "brief": shorten,
        "css_name": css_name,
        "inline": inline,
        "line": printable,
        "plural": plural,
        "request_line": escaped_exchange.request_line,
        "status_line": escaped_exchange.status_line,
        "worst": _worst,
    }
    return environment


def _worst(violations: Sequence[Mapping[str, Any]]) -> tuple[int, Mapping[str, Any]] | None:
    """The violation that was counted most, with its number from 1; None where there is none."""
    return max(enumerate(violations, 1), key=lambda violation: violation[1]["count"], default=None)


def _tried(document: Mapping[str, Any]) -> dict[str, list[Share]]:
    """By requirement that the run has judged, the classes of values of its fields."""
    return {
        entry["id"]: shares_of(entry["id"], document["values_sent"])
        for entry in document["requirements"]
        if "classes" in entry
        and "values_sent" in document
        and {"passed", "failed"} & entry["counts"].keys()
    }


def _broken_on(document: Mapping[str, Any]) -> dict[str, list[str]]:
    """The requirements that were broken by exchanges with an address."""
    operations: dict[str, dict[str, None]] = {}
    for entry in document["requirements"]:
        for sample in (
            sample for operation in entry["violations"] for sample in operation["samples"]
        ):
            if sample.get("exchange"):
                operations.setdefault(sample["exchange"]["url"], {})[entry["id"]] = None
    return {url: list(ids) for url, ids in operations.items()}


def _running_foot(overview: Overview) -> str:
    """Style that repeats the verdict at the foot of every printed page; it is made of words and
    numbers of the kit alone.
    """
    totals, partial = (
        overview.document["totals"],
        (" (partial run)" if overview.document["partial"] else ""),
    )
    text = (
        f"{RunWord(overview.document['verdict']).value}{partial}, {totals['passed']:d} of"
        f" {totals['of']:d} requirements passed"
    )
    return f'@page {{ @bottom-left {{ content: "{text}"; font: 8pt sans-serif; }} }}\n'


def _file(name: str) -> str:
    return files(__package__).joinpath("page", name).read_text(encoding="utf-8")


def digest(text: str) -> str:
    """A style or a script as a policy names it."""
    return "sha256-" + b64encode(sha256(text.encode()).digest()).decode()
