"""A run as others hear of it: a comment on a change, with what it broke and fixed, and one line for a chat."""

import json
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from plumbline.reports.compare.difference import Change, Difference, Results, difference
from plumbline.reports.pages.markdown import cell_of, code
from plumbline.reports.pages.overview import Overview
from plumbline.reports.text import named, printable

if TYPE_CHECKING:
    from plumbline.spec import Catalogue

TITLES = {"new": "New failures", "fixed": "Fixed", "still": "Still failing", "lost": "No longer judged"}
MAX_ROWS = 20
"""Requirements under one title; the report has all."""


def comment(run: Results, base: Results | None, catalogue: "Catalogue") -> str:
    """A page of Markdown for a pull request or merge request; its first line tells it from other comments.

    Args:
        run: the results of the change.
        base: those of what it is to be merged into; None when they are not known.
        catalogue: gives the sentences of requirements.
    """
    return "\n".join(_lines(Overview(run, catalogue), difference(base, run) if base else None)) + "\n"


def _lines(overview: Overview, found: Difference | None) -> Iterator[str]:
    run, known = overview.document, overview.catalogue.requirements
    yield f"<!-- plumbline {re.sub(r'[^A-Za-z0-9 .:/]', '', overview.name)} -->"
    yield f"### Plumbline: {overview.word}"
    yield ""
    totals = run["totals"]
    yield f"{code(overview.name)}: **{totals['passed']} of {totals['of']}** requirements exercised and passed. {run['reason']}"
    yield from (f"\n> **{stamp}**" for stamp in overview.stamps)
    if own := [each["id"] for each in run["own_checks"] if each["verdict"] == "failed"]:
        yield f"\nOwn checks that failed: {named(own, 6)}"
    if found is None:
        failed = tuple(
            Change(each["id"], None, "failed", tuple(violated["operation"] for violated in each["violations"]))
            for each in run["requirements"]
            if each["verdict"] == "failed"
        )
        groups = {"Failed; nothing is known of the base": failed}
    else:
        groups = {title: getattr(found, name) for name, title in TITLES.items()}
    for title, changes in groups.items():
        if changes:
            yield from ("", f"**{title} ({len(changes)})**", "", "| requirement | operations | sentence |", "|---|---|---|")
            for each in changes[:MAX_ROWS]:
                sentence = known[each.requirement].sentence if each.requirement in known else ""
                operations = code(named(each.operations, 3)) if each.operations else ""
                yield f"| {each.requirement} | {cell_of(operations)} | {cell_of(code(sentence, 200)) if sentence else ''} |"
            if len(changes) > MAX_ROWS:
                yield f"\nand {len(changes) - MAX_ROWS} more in the report"
    if found and not any(groups.values()):
        yield "\nNothing has changed since the base, and nothing fails."
    if found and found.notes:
        yield f"\nNot fully comparable with the base: {code('; '.join(found.notes), 300)}"


def chat(run: Results, base: Results | None, link: str, catalogue: "Catalogue") -> str:
    """One line of JSON with a `text`, as incoming webhooks of Slack, Mattermost and others take it.

    Args:
        run: the results.
        base: those of an earlier run, to say what is new; None for none.
        link: where the report can be read; empty for nowhere.
        catalogue: the contract.
    """
    overview, totals = Overview(run, catalogue), run["totals"]
    failed = [each["id"] for each in run["requirements"] if each["verdict"] == "failed"]
    failed += [each["id"] for each in run["own_checks"] if each["verdict"] == "failed"]
    parts = [f"Plumbline: {run['verdict']}, {overview.name}, {totals['passed']} of {totals['of']} requirements passed."]
    parts += [f"Failed: {named(failed, 6)}."] if failed else []
    if base is not None:
        found = difference(base, run)
        changes = {"New": found.new, "Fixed": found.fixed}
        parts += [f"{title}: {named([each.requirement for each in some], 6)}." for title, some in changes.items() if some]
    return json.dumps({"text": printable(" ".join([*parts, *([link] if link else [])]))}, ensure_ascii=False)
