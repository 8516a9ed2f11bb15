"""Shows what is known about a requirement or an open item, before any run."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from plumbline.reports.text import printable, wrap

WEIGHT = {"must": "a violation fails", "should": "a violation warns", "may": "never judged as a failure"}
LIMITS = 8
"""Entries of a list that are shown; the rest is counted."""


def explanation_lines(explanation: Mapping[str, Any], width: int = 100) -> Iterator[str]:
    """An explanation as lines of text.

    Args:
        explanation: as `plumbline explain --json` gives it.
        width: of running text, in characters.
    """
    lines = _requirement(explanation) if explanation["kind"] == "requirement" else _open_item(explanation)
    for line in lines:
        indent = line[: len(line) - len(line.lstrip())]
        first, *rest = wrap(printable(line.strip()), width - len(indent)) if line else [""]
        yield f"{indent}{first}"
        yield from (f"{indent}{part}" for part in rest)


def _requirement(told: Mapping[str, Any]) -> Iterator[str]:
    group = told["class"]
    decides = WEIGHT[told["severity"]] if group["decides"] else "reported, never decides"
    yield f"{told['id']}  {told['keyword']}: {decides}"
    yield f"  {told['sentence']}"
    yield ""
    needs = f"; it needs {', '.join(group['needs'])}" if group["needs"] else ""
    yield f"Class {group['id']}: {group['meaning']}{needs}"
    yield f"Chapter {told['chapter']}, {told['place']}"
    yield from (f"  {each['text']}" for each in told["introduction"])
    if told["passages"]:
        yield ""
        yield "Also there"
        yield from _most(f"  {each['title']}: {each['text']}" for each in told["passages"])
    yield ""
    yield from _tested(told)
    yield ""
    yield from _example(told)
    if told["faults"]:
        yield ""
        yield f"Faults of the reference deployment that prove it ({told['proof']})"
        yield from _most(f"  {each['name']}: {each['sentence']} Caught by {_some(each['caught_by'])}" for each in told["faults"])
    if told["open_items"]:
        yield ""
        yield "Left open nearby"
        yield from _most(f"  {each['id']}: {each['sentence']}; {each['treatment']}" for each in told["open_items"])


def _tested(told: Mapping[str, Any]) -> Iterator[str]:
    if told["unobservable"]:
        yield f"Not tested, because nobody outside the service can see it: {told['unobservable']}"
        return
    if not (told["checks"] or told["oracles"] or told["schemas"]):
        yield "Not tested by this version"
        return
    yield "Tested"
    for each in told["checks"]:
        yield f"  by {each['name']}"
        yield f"    {each['story']}"
    for each in told["oracles"]:
        yield f"  on every answer, by {each['name']}"
        yield f"    {each['story']}"
    if told["schemas"]:
        others = f" and {len(told['schemas']) - LIMITS} more" if len(told["schemas"]) > LIMITS else ""
        yield f"  on every answer, by the schemas {', '.join(told['schemas'][:LIMITS])}{others}"


def _example(told: Mapping[str, Any]) -> Iterator[str]:
    example = told["example"]
    if example is None:
        why = "" if told["unobservable"] else ", because no run was recorded that breaks it"
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
        yield f"    {content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)}"


def _most(lines: Iterable[str]) -> Iterator[str]:
    listed = list(lines)
    yield from listed[:LIMITS]
    if len(listed) > LIMITS:
        yield f"  and {len(listed) - LIMITS} more, see --json"


def _some(checks: Sequence[str]) -> str:
    """The first of some checks, each set of parameters left out, and how many more there are."""
    names = list(dict.fromkeys(name.partition("[")[0] for name in checks))
    return names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1} more"


def _open_item(told: Mapping[str, Any]) -> Iterator[str]:
    yield f"{told['id']}  left open, never judged"
    yield f"  {told['sentence']}"
    yield f"  How it is treated: {told['treatment']}"
    yield f"Chapter {told['chapter']}, {told['place']}"
    if told["variants"]:
        yield ""
        yield "Variants of the reference deployment that use it, under which everything stays green"
        yield from _most(f"  {each['name']}: {each['sentence']}" for each in told["variants"])
