"""The facts of a revision: what a client may send, what it has to expect, and what is required,
each under a name of its own.

A fact of a field is named after its operation and place, such as `POST /v1/leads body.email`, and
holds JSON Schema keywords.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

Facts = Mapping[str, Mapping[str, Any]]
Kind = Literal["new", "gone", "stricter", "laxer", "changed"]
Sides = tuple[str, ...]

CLIENTS, SERVICES, BOTH = ("clients",), ("services",), ("clients", "services")
LOWER, UPPER = ("minLength", "minimum", "minProperties"), ("maxLength", "maximum")
EXACT = ("format", "pattern", "sentence")
ALLOWED = ("type", "enum", "status")
"""Keywords with a list of what is allowed."""
LISTS = (*ALLOWED, "scopes")
"""Keywords with a list; of scopes, it is a list of what is demanded."""
WIDTHS = ("int64", "double")
"""Formats that tell generators how much to hold, and forbid nothing."""
LATER_KEYWORDS = ("operationId", "scopes", "stability", "default")
LATER_FACTS = ("limit ", "server", "header of ")
"""Keywords, and beginnings of names of facts, that are frozen since revision 12 only."""
FAILURE = "failure"
"""The envelope of every failure over REST; frozen since revision 13 only."""
LESS_IS_STRICTER, MORE_IS_STRICTER = (CLIENTS, SERVICES), (SERVICES, CLIENTS)
"""Who breaks when a limit falls, and when it rises."""
LIMITS = {
    "page-size-minimum": MORE_IS_STRICTER,
    "visitor-id-minimum": MORE_IS_STRICTER,
    "team-days-minimum": MORE_IS_STRICTER,
    "delivery-concurrency": MORE_IS_STRICTER,
    "delivery-error-length": MORE_IS_STRICTER,
    "opportunities-page-size": (BOTH, BOTH),
    "team-days-default": (BOTH, BOTH),
    "secret-size": (BOTH, BOTH),
    "key-rotation-advice": ((), ()),
}
"""The limits that differ from `LESS_IS_STRICTER`. Most limits say how much the service gives to its
clients, so that they break when one falls.
"""
SENT = ("body", "path", "query", "header")
"""Places of what clients send; everything else comes from the service."""
KEPT_BY_CLIENTS = ("requirement CLI-", "requirement RECV-")
"""Requirements of the chapters about clients and about receivers of webhooks, which are clients
too; services keep all others.
"""


@dataclass(frozen=True)
class Change:
    """A difference between two revisions.

    Attributes:
        fact: its name.
        kind: `changed` is stricter in one way and laxer in another.
        what: the difference in words.
        breaks: who kept the earlier revision and breaks under the later one: `clients`, `services`,
            both or none.
    """

    fact: str
    kind: Kind
    what: str
    breaks: Sides


def facts_of(
    document: Mapping[str, Any], sentences: Mapping[str, str]
) -> dict[str, dict[str, Any]]:
    """The facts of an OpenAPI document and of requirements.

    Args:
        document: the published one.
        sentences: of the requirements, by id.
    """
    facts: dict[str, dict[str, Any]] = {
        f"requirement {name}": {"sentence": text} for name, text in sentences.items()
    }
    facts["server"] = {"url": document["servers"][0]["url"]}
    facts |= _fields(document, document["components"]["schemas"]["ErrorResponse"], FAILURE)
    for path, item in document["paths"].items():
        for method, operation in item.items():
            facts |= _operation(document, f"{method.upper()} {path}", operation)
    for name, item in document["webhooks"].items():
        body = _resolved(document, item)["post"]["requestBody"]["content"]["application/json"][
            "schema"
        ]
        facts |= {f"event {name}": {}, **dict(_fields(document, body, f"event {name} data"))}
    return facts


def changes(before: Facts, after: Facts) -> list[Change]:
    """What differs between the facts of two revisions; parts of something that is new or gone are
    not listed again.
    """
    if ("server" in before) != ("server" in after):
        before, after = _without_later(before), _without_later(after)
    if (FAILURE in before) != (FAILURE in after):
        before, after = _without_failure(before), _without_failure(after)
    edits = []
    for name in sorted({*before, *after}):
        old, new = before.get(name), after.get(name)
        if (old is None or new is None) and not _part_of(
            name, before if old is None else after, after if old is None else before
        ):
            edits.append(_alone(name, new if old is None else old, is_new=old is None))
        elif old is not None and new is not None and (change := _compared(name, old, new)):
            edits.append(change)
    return edits


def _operation(
    document: Mapping[str, Any], name: str, operation: Mapping[str, Any]
) -> Iterator[tuple[str, dict[str, Any]]]:
    alpha = operation.get("x-stability-level")
    named = {"operationId": operation["operationId"], "scopes": operation.get("x-scopes", [])}
    yield name, named | ({"stability": alpha} if alpha else {})
    for parameter in operation.get("parameters", []):
        about = dict(
            _fields(document, parameter["schema"], f"{name} {parameter['in']} {parameter['name']}")
        )
        yield from about.items()
        yield (
            f"{name} {parameter['in']} {parameter['name']}",
            about[f"{name} {parameter['in']} {parameter['name']}"]
            | ({"required": True} if parameter["required"] else {}),
        )
    if body := operation.get("requestBody"):
        yield from _fields(document, body["content"]["application/json"]["schema"], f"{name} body")
    for status, answer in operation["responses"].items():
        content = _resolved(document, answer)["content"]["application/json"]["schema"]
        if status == "200":
            yield from _fields(document, content, f"{name} answer")
        elif not status.startswith("2"):
            code = _resolved(
                document, _resolved(document, content).get("properties", {}).get("code", {})
            )
            yield f"{name} status {status}", _kept(code)


def _fields(
    document: Mapping[str, Any], schema: Mapping[str, Any], name: str
) -> Iterator[tuple[str, dict[str, Any]]]:
    """A value and everything inside it."""
    options = [option for option in schema.get("oneOf", ()) if option != {"type": "null"}]
    whole = _resolved(document, options[0] if options else schema)
    about = _kept(whole)
    yield name, about | ({"type": [*about["type"], "null"]} if options else {})
    for field, inner in whole.get("properties", {}).items():
        for path, part in _fields(document, inner, f"{name}.{field}"):
            required = path == f"{name}.{field}" and field in whole.get("required", [])
            yield path, part | ({"required": True} if required else {})
    if "items" in whole:
        yield from _fields(document, whole["items"], f"{name}[]")


def _kept(schema: Mapping[str, Any]) -> dict[str, Any]:
    kind = schema.get("type", [])
    bounds = {word: schema[word] for word in (*LOWER, *UPPER, *EXACT, "enum") if word in schema}
    if bounds.get("format") in WIDTHS:
        del bounds["format"]
    bounds |= {"enum": [schema["const"]]} if "const" in schema else {}
    return {"type": [kind] if isinstance(kind, str) else list(kind)} | bounds


def _resolved(document: Mapping[str, Any], part: Mapping[str, Any]) -> Any:
    while "$ref" in part:
        resolved: Any = document
        for step in part["$ref"].removeprefix("#/").split("/"):
            resolved = resolved[step]
        part = resolved
    return part


def _part_of(name: str, missing: Facts, there: Facts) -> bool:
    """Whether a fact is part of another one that the same revision lacks."""
    parents = [name[:end] for end in range(1, len(name)) if name[end] in " .["]
    return any(parent in there and parent not in missing for parent in parents)


def _without_later(facts: Facts) -> Facts:
    """Facts as they were frozen before revision 12."""
    return {
        name: {word: value for word, value in fact.items() if word not in LATER_KEYWORDS}
        for name, fact in facts.items()
        if not name.startswith(LATER_FACTS) and not name.endswith(" success")
    }


def _without_failure(facts: Facts) -> Facts:
    """Facts as they were frozen before revision 13."""
    return {name: fact for name, fact in facts.items() if name.partition(".")[0] != FAILURE}


def _alone(name: str, fact: Mapping[str, Any] | None, *, is_new: bool) -> Change:
    """A fact that one revision lacks."""
    fact = fact or {}
    if _is_status(name) or (
        name.startswith("requirement ") and "MUST" not in str(fact["sentence"])
    ):
        breaks: Sides = ()
    elif name.startswith("requirement "):
        breaks = _who_keeps(name) if is_new else ()
    elif name.startswith("limit "):
        breaks = (CLIENTS if is_new else SERVICES) if any(_sides_of_limit(name)) else ()
    elif not is_new:
        breaks = CLIENTS
    elif _is_sent(name):
        breaks = BOTH if fact.get("required") else SERVICES
    else:
        breaks = SERVICES if fact.get("required") or _is_whole(name) else ()
    return Change(name, "new" if is_new else "gone", str(fact.get("sentence", "")), breaks)


def _compared(name: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> Change | None:
    """How the limits of a fact have moved."""
    stricter, laxer, words = False, False, []
    breaks: set[str] = set()
    tight, loose = (CLIENTS, SERVICES) if _is_sent(name) else (SERVICES, CLIENTS)
    for word in sorted({*old, *new}):
        one, other = old.get(word), new.get(word)
        if one == other:
            continue
        tighter, looser = _moved(word, one, other)
        stricter, laxer = stricter or tighter, laxer or looser
        breaks |= {*(tight if tighter else ()), *(loose if looser else ())}
        breaks |= {*_broken_by(name, word, one, other)}
        words.append(_in_words(word, one, other))
    if not words:
        return None
    kind: Kind = "changed" if stricter == laxer else "stricter" if stricter else "laxer"
    if name.startswith("requirement "):
        breaks = {*_who_keeps(name)}
    return Change(name, kind, "; ".join(words), tuple(sorted(breaks)))


def _who_keeps(name: str) -> Sides:
    """Who has to do what a requirement says."""
    return CLIENTS if name.startswith(KEPT_BY_CLIENTS) else SERVICES


def _broken_by(name: str, word: str, one: Any, other: Any) -> Sides:
    """Who breaks by a keyword that neither allows nor forbids a value."""
    match word:
        case "operationId" | "url":
            return CLIENTS  # the names of methods of generated clients, and where they send
        case "default":
            return SERVICES if one is None else CLIENTS if other is None else BOTH
        case "stability":
            return SERVICES if other is None else CLIENTS
        case "scopes":
            more, less = {*other} - {*one}, {*one} - {*other}
            return (*(CLIENTS if more else ()), *(SERVICES if less else ()))
        case "value":
            below, above = _sides_of_limit(name)
            return below if other < one else above
    return ()


def _sides_of_limit(name: str) -> tuple[Sides, Sides]:
    """Who breaks when the limit of a fact falls, and when it rises."""
    return LIMITS.get(name.removeprefix("limit "), LESS_IS_STRICTER)


def _moved(word: str, one: Any, other: Any) -> tuple[bool, bool]:
    """Whether a keyword has become stricter, and whether laxer; neither for one that allows and
    forbids no value.
    """
    if word in LOWER or word in UPPER:
        if one is None or other is None:
            return one is None, other is None
        return ((other > one), (other < one)) if word in LOWER else ((other < one), (other > one))
    if word in ALLOWED:
        # Nothing said means that everything goes.
        if not one or not other:
            return not one, not other
        before, after = _widened(one), _widened(other)
        return bool(before - after), bool(after - before)
    if word in (*EXACT, "required"):
        return other is not None, one is not None
    return False, False


def _in_words(word: str, one: Any, other: Any) -> str:
    """What has moved; of two lists, what one adds and what it removes."""
    if word in LISTS and one and other:
        edits = {
            "adds": [f"`{value}`" for value in other if value not in one],
            "removes": [f"`{value}`" for value in one if value not in other],
        }
        parts = (f"{verb} {_said(values)}" for verb, values in edits.items() if values)
        return f"{word} {' and '.join(parts)}"
    return f"{word} {_said(one)} becomes {_said(other)}"


def _widened(values: list[Any]) -> set[Any]:
    """Types, values or statuses; a number may be an integer, and a class of statuses is any of
    them.
    """
    return {
        *values,
        *(["integer"] if "number" in values else []),
        *(["200"] if "2xx" in values else []),
    }


def _is_sent(name: str) -> bool:
    """Whether clients send it; everything else comes from the service."""
    if name.startswith("header of "):
        return name.startswith("header of every request")
    words = name.split(" ")  # method, path, and the place within the operation
    return len(words) > 2 and words[2].partition(".")[0].partition("[")[0] in SENT


def _is_whole(name: str) -> bool:
    """Whether it is an operation or an event, and not a part of one."""
    return name.count(" ") == 1 and not name.startswith(("limit ", "requirement "))


def _is_status(name: str) -> bool:
    return " status " in name


def _said(value: Any) -> str:
    return (
        "unset"
        if value in (None, [])
        else " or ".join(map(str, value))
        if isinstance(value, list)
        else str(value)
    )
