"""A run as others hear of it: a comment on a change, with what it broke and fixed, and one line for
a chat.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING
from urllib.parse import quote

from plumbline.reports.compare.difference import Change, Difference, Results, difference
from plumbline.reports.pages.markdown import cell_of, code
from plumbline.reports.pages.overview import Overview
from plumbline.reports.text import named, printable

if TYPE_CHECKING:
    from plumbline.spec import Catalogue

TITLES = {
    "new": "New failures",
    "fixed": "Fixed",
    "still": "Still failing",
    "lost": "No longer judged",
}
UNKNOWN = "Failed; there is no report of the base branch to compare with"
SHOWN = (TITLES["new"], UNKNOWN, TITLES["still"])
"""Failures that are shown with their evidence: of the first of these that there are."""
MAX_SHOWN, MAX_LENGTH = 3, 300
"""Failures that are shown with their evidence, and characters of what was expected and received."""
MAX_ROWS = 20
"""Requirements under one title; the report has all."""


def comment(run: Results, base: Results | None, catalogue: "Catalogue", link: str = "") -> str:
    """A page of Markdown for a pull request or merge request; its first line tells it from other
    comments.

    Args:
        run: the results of the change.
        base: those of what it is to be merged into; None when they are not known.
        catalogue: gives the sentences of requirements.
        link: where the report can be had; empty for nowhere.
    """
    return (
        "\n".join(_lines(Overview(run, catalogue), difference(base, run) if base else None, link))
        + "\n"
    )


def link_here(environment: Mapping[str, str]) -> str:
    """The page of the pipeline that this process is part of, with the report among its artifacts;
    empty outside of one.
    """
    server, repository, run = (
        environment.get(f"GITHUB_{name}", "") for name in ("SERVER_URL", "REPOSITORY", "RUN_ID")
    )
    if server and repository and run:
        return f"{server}/{repository}/actions/runs/{run}"
    return environment.get("CI_JOB_URL", "")


def _lines(overview: Overview, difference_found: Difference | None, link: str) -> Iterator[str]:
    run, requirements = overview.document, overview.catalogue.requirements
    yield f"<!-- plumbline {re.sub(r'[^A-Za-z0-9 .:/]', '', overview.name)} -->"
    yield f"### Plumbline: {overview.word}"
    yield ""
    totals = run["totals"]
    yield (
        f"{code(overview.name)}: **{totals['passed']} of {totals['of']}** requirements exercised"
        f" and passed. {run['reason']}"
    )
    yield from (f"\n> **{stamp}**" for stamp in overview.stamps)
    if own := [check["id"] for check in run["own_checks"] if check["verdict"] == "failed"]:
        yield f"\nOwn checks that failed: {named(own, 6)}"
    if difference_found is None:
        failed = tuple(
            Change(
                requirement["id"],
                None,
                "failed",
                tuple(violated["operation"] for violated in requirement["violations"]),
            )
            for requirement in run["requirements"]
            if requirement["verdict"] == "failed"
        )
        groups = {UNKNOWN: failed}
    else:
        groups = {title: getattr(difference_found, name) for name, title in TITLES.items()}
    first = next((groups[title] for title in groups if title in SHOWN and groups[title]), ())
    yield from _evidence(run, [change.requirement for change in first[:MAX_SHOWN]])
    if address := _address(link):
        yield f"\n[Report and evidence of this run]({address})"
    for title, changes in groups.items():
        if changes:
            yield from (
                "",
                f"**{title} ({len(changes)})**",
                "",
                "| requirement | operations | sentence |",
                "|---|---|---|",
            )
            for one in changes[:MAX_ROWS]:
                sentence = (
                    requirements[one.requirement].sentence
                    if one.requirement in requirements
                    else ""
                )
                operations = code(named(one.operations, 3)) if one.operations else ""
                yield (
                    f"| {one.requirement} | {cell_of(operations)} |"
                    f" {cell_of(code(sentence, 200)) if sentence else ''} |"
                )
            if len(changes) > MAX_ROWS:
                yield f"\nand {len(changes) - MAX_ROWS} more in the report"
    if difference_found and not any(groups.values()):
        yield "\nNothing has changed since the base, and nothing fails."
    if difference_found and difference_found.notes:
        yield (
            f"\nNot fully comparable with the base: {code('; '.join(difference_found.notes), 300)}"
        )


def _evidence(run: Results, names: Sequence[str]) -> Iterator[str]:
    """What was expected and received where a requirement failed, in code spans: what a deployment
    sends mentions nobody.
    """
    entries = {entry["id"]: entry for entry in run["requirements"]}
    for name in names:
        violations = entries[name]["violations"] if name in entries else ()
        if worst := max(violations, key=lambda violation: violation["count"], default=None):
            yield (
                f"\n**{name}**"
                f" {code(worst['operation']) if worst['operation'] else 'across operations'}"
            )
            for sample in worst["samples"][:1]:
                yield ""
                yield f"- expected {code(sample['expected'], MAX_LENGTH)}"
                place = f" at {code(sample['where'])}" if sample["where"] else ""
                yield f"- received {code(sample['received'], MAX_LENGTH)}{place}"


def _address(link: str) -> str:
    """A link that Markdown can hold; empty where it leads to no page."""
    safe = quote(link, safe="/:?&=#%@~+,;!$*'-._")
    return safe if re.match(r"https?://[^/]", safe) else ""


def chat(run: Results, base: Results | None, link: str, catalogue: "Catalogue") -> str:
    """One line of JSON with a `text`, as incoming webhooks of Slack, Mattermost and others take it.

    Args:
        run: the results.
        base: those of an earlier run, to say what is new; None for none.
        link: where the report can be read; empty for nowhere.
        catalogue: the contract.
    """
    overview, totals = Overview(run, catalogue), run["totals"]
    failed = [
        requirement["id"]
        for requirement in run["requirements"]
        if requirement["verdict"] == "failed"
    ]
    failed += [check["id"] for check in run["own_checks"] if check["verdict"] == "failed"]
    head = f"Plumbline: {run['verdict']}, {overview.name}"
    parts = [f"{head}, {totals['passed']} of {totals['of']} requirements passed."]
    parts += [f"Failed: {named(failed, 6)}."] if failed else []
    if base is not None:
        difference_found = difference(base, run)
        changes = {"New": difference_found.new, "Fixed": difference_found.fixed}
        parts += [
            f"{title}: {named([change.requirement for change in some], 6)}."
            for title, some in changes.items()
            if some
        ]
    return json.dumps(
        {"text": printable(" ".join([*parts, *([link] if link else [])]))}, ensure_ascii=False
    )
