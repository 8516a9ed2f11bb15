"""Shows what is known about a requirement or an open item, before any run."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from plumbline.reports.text import named, printable, wrap

WEIGHT = {
    "must": "a violation fails",
    "should": "a violation warns",
    "may": "never judged as a failure",
}
MAX_SHOWN = 8
"""Entries of a list that are shown; the rest is counted."""


def explanation_lines(explanation: Mapping[str, Any], width: int = 100) -> Iterator[str]:
    """An explanation as lines of text.

    Args:
        explanation: as `plumbline explain --json` gives it.
        width: of running text, in characters.
    """
    lines = (
        _requirement(explanation)
        if explanation["kind"] == "requirement"
        else _open_item(explanation)
    )
    for line in lines:
        indent = line[: len(line) - len(line.lstrip())]
        first, *rest = wrap(printable(line.strip()), width - len(indent)) if line else [""]
        yield f"{indent}{first}"
        yield from (f"{indent}{part}" for part in rest)


def _requirement(explained: Mapping[str, Any]) -> Iterator[str]:
    group = explained["class"]
    decides = WEIGHT[explained["severity"]] if group["decides"] else "reported, never decides"
    yield f"{explained['id']}  {explained['keyword']}: {decides}"
    yield f"  {explained['sentence']}"
    yield ""
    needs = f"; it needs {', '.join(group['needs'])}" if group["needs"] else ""
    lookup = (
        f", and an active booking link: the run looks one up, or takes {group['looks_up'][0]}"
        if group["looks_up"]
        else ""
    )
    yield f"Class {group['id']}: {group['meaning']}{needs}{lookup}"
    yield f"Observed by {explained['observed']['by']}: {explained['observed']['meaning']}"
    yield f"In traffic that you have: {explained['traffic']['meaning']}"
    yield f"Chapter {explained['chapter']}, {explained['place']}"
    yield from (f"  {paragraph['text']}" for paragraph in explained["introduction"])
    yield from _list(
        "Also in the contract",
        (f"{passage['title']}: {passage['text']}" for passage in explained["passages"]),
    )
    yield ""
    yield from _tested(explained)
    values = (
        f"{entry['operation']} `{entry['field']}`: {entry['format']}, {len(entry['classes'])}"
        " classes"
        for entry in explained["values"]
    )
    yield from _list("Classes of values that are sent; a report says which were", values)
    yield ""
    yield from _example(explained)
    faults = (
        f"{fault['name']}: {fault['sentence']} Caught by {_some(fault['caught_by'])}"
        for fault in explained["faults"]
    )
    yield from _list(
        f"Faults of the reference deployment that prove it ({explained['proof']})", faults
    )
    yield from _list(
        "Defects of receivers that prove it, in the tests of the kit", explained["receiver_defects"]
    )
    yield from _list(
        "Defects of clients that prove it, in the tests of the kit", explained["client_defects"]
    )
    nearby = (
        f"{item['id']}: {item['sentence']}; {item['treatment']}" for item in explained["open_items"]
    )
    yield from _list("Related open items", nearby)


def _tested(explained: Mapping[str, Any]) -> Iterator[str]:
    if explained["unobservable"]:
        yield (
            "Not tested, because it cannot be seen from outside the service:"
            f" {explained['unobservable']}"
        )
        return
    if not (explained["checks"] or explained["oracles"] or explained["schemas"]):
        yield "Not tested by this version"
        return
    yield "Tested"
    for kind, how in (("checks", "by"), ("oracles", "on every response, by")):
        for proof in explained[kind]:
            needed = proof.get("needs") and f", which needs {', '.join(proof['needs'])}"
            yield from (f"  {how} {proof['name']}{needed or ''}", f"    {proof['situation']}")
    if explained["schemas"]:
        yield f"  on every response, by the schemas {named(explained['schemas'], MAX_SHOWN)}"


def _example(explained: Mapping[str, Any]) -> Iterator[str]:
    example = explained["example"]
    if example is None:
        why = "" if explained["unobservable"] else ", because no run was recorded that breaks it"
        yield f"No example{why}"
        return
    yield "Kept, for example"
    yield from _exchange(example["kept"])
    yield ""
    yield f"Broken, for example, by the fault {example['fault']}"
    yield from _exchange(example["broken"])
    where = f" at {example['where']}" if example["where"] else ""
    yield f"  expected {example['expected']}, received {example['received']}{where}"


def _exchange(exchange: Mapping[str, Any]) -> Iterator[str]:
    yield f"  {exchange['request']}, by {exchange['by']}"
    yield from _part(exchange, "request_headers", "request_body")
    yield f"  -> {exchange['status'] or 'no answer'}"
    yield from _part(exchange, "answer_headers", "answer")


def _part(exchange: Mapping[str, Any], headers: str, body: str) -> Iterator[str]:
    yield from (f"    {name}: {value}" for name, value in exchange.get(headers, {}).items())
    if body in exchange:
        content = exchange[body]
        shown = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
        yield f"    {shown}"


def _list(title: str, entries: Iterable[str]) -> Iterator[str]:
    """A title and the first of its entries; nothing without an entry."""
    listed = list(entries)
    if listed:
        yield from ("", title, *(f"  {entry}" for entry in listed[:MAX_SHOWN]))
    if len(listed) > MAX_SHOWN:
        yield f"  and {len(listed) - MAX_SHOWN} more, see --json"


def _some(checks: Sequence[str]) -> str:
    """The first of some checks, each set of parameters left out, and how many more there are."""
    return named(list(dict.fromkeys(name.partition("[")[0] for name in checks)), 1)


def _open_item(explained: Mapping[str, Any]) -> Iterator[str]:
    yield f"{explained['id']}  left open, never judged"
    yield f"  {explained['sentence']}"
    yield f"  Treatment: {explained['treatment']}"
    yield f"Chapter {explained['chapter']}, {explained['place']}"
    variants = (f"{variant['name']}: {variant['sentence']}" for variant in explained["variants"])
    yield from _list(
        "Permitted variants of the reference deployment that use it; no check may fail under them",
        variants,
    )
