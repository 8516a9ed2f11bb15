"""The rules of fields: how each is written, what it means in JSON Schema, and for which types and
tables it makes sense.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from plumbline.spec.compiler.model import Rule

NUMBER = r"(-?\d+)"
ANSWERS = frozenset({"resource", "object"})
REQUESTS = frozenset({"body", "query"})
EVERYWHERE = ANSWERS | REQUESTS


@dataclass(frozen=True)
class Form:
    """One form of rule.

    Attributes:
        word: its name.
        pattern: how it is written.
        sample: how it is written, for people.
        keywords: what it means in JSON Schema, from the groups of the pattern.
        types: kinds of types that it fits, or None for all.
        roles: kinds of tables that it may stand in.
    """

    word: str
    pattern: str
    sample: str
    keywords: Callable[..., Mapping[str, Any]] = dict
    types: frozenset[str] | None = None
    roles: frozenset[str] = EVERYWHERE


def _bounds(low_word: str, high_word: str) -> Callable[[str, str], Mapping[str, Any]]:
    return lambda low, high: {low_word: int(low), high_word: int(high)}


TEXT, NUMERIC, LIST = frozenset({"string"}), frozenset({"integer", "number"}), frozenset({"array"})

FORMS = (
    Form("required", "required", "required", roles=ANSWERS),
    Form("required in requests", "required in requests", "required in requests", roles=ANSWERS),
    Form("given in requests", "given in requests", "given in requests", roles=ANSWERS),
    Form("forbidden", "forbidden", "forbidden", lambda: {"not": {}}, frozenset({"any"}), ANSWERS),
    Form("nullable", "nullable", "nullable", roles=REQUESTS),
    Form("rows", "rows", "rows [ID]", types=LIST, roles=ANSWERS),
    Form(
        "const",
        "const (true|false)",
        "const true",
        lambda word: {"const": word == "true"},
        frozenset({"boolean"}),
        ANSWERS,
    ),
    Form(
        "length",
        rf"length {NUMBER}\.\.{NUMBER}",
        "length 8..128",
        _bounds("minLength", "maxLength"),
        TEXT,
    ),
    Form(
        "length",
        rf"length <= {NUMBER}",
        "length <= 255",
        lambda high: {"maxLength": int(high)},
        TEXT,
    ),
    Form(
        "length", rf"length >= {NUMBER}", "length >= 1", lambda low: {"minLength": int(low)}, TEXT
    ),
    Form(
        "length",
        rf"length {NUMBER}",
        "length 3",
        lambda size: {"minLength": int(size), "maxLength": int(size)},
        TEXT,
    ),
    Form("range", rf">= {NUMBER}", ">= 0", lambda low: {"minimum": int(low)}, NUMERIC),
    Form("range", rf"{NUMBER}\.\.{NUMBER}", "1..100", _bounds("minimum", "maximum"), NUMERIC),
    Form(
        "decimals",
        rf"{NUMBER} decimals",
        "2 decimals",
        lambda places: {"x-decimals": int(places)},
        NUMERIC,
    ),
    Form(
        "default",
        "default `([^`]+)`",
        "default `USD`",
        lambda text: {"default": text},
        TEXT,
        REQUESTS,
    ),
    Form(
        "default",
        f"default {NUMBER}",
        "default 20",
        lambda number: {"default": int(number)},
        NUMERIC,
        REQUESTS,
    ),
    Form(
        "example", "example `([^`]+)`", "example `manual`", lambda text: {"examples": [text]}, TEXT
    ),
    Form("earliest", "future", "future", lambda: {"x-earliest": "now"}, TEXT, REQUESTS),
    Form(
        "earliest",
        "today or later",
        "today or later",
        lambda: {"x-earliest": "today"},
        TEXT,
        REQUESTS,
    ),
    Form(
        *("within", rf"within {NUMBER} days of `(\w+)`", "within 31 days of `start_date`"),
        lambda days, of: {"x-within-days": {"of": of, "maximum": int(days)}},
        *(TEXT, REQUESTS),
    ),
    Form(
        "filled",
        r"filled while `(\w+)`",
        "filled while `has_more`",
        lambda flag: {"x-filled-while": flag},
        roles=ANSWERS,
    ),
    Form(
        "unless",
        r"required unless `(\w+)`",
        "required unless `errors`",
        lambda other: {"x-unless": other},
        roles=ANSWERS,
    ),
    Form("clamped", "clamped", "clamped", types=frozenset({"integer"}), roles=REQUESTS),
    Form("sent as", "sent as (.+)", "sent as TYPE", lambda _: {}),
    Form("published as", "published as (.+)", "published as TYPE", lambda _: {}),
    Form("published only", "published only", "published only", roles=REQUESTS),
)
"""Every form of rule. There is no keyword for decimals in JSON Schema: `multipleOf: 0.01` means
19.99 to one validator only.
"""

SAMPLES = tuple(form.sample for form in FORMS)


def find_form(text: str) -> tuple[Form, tuple[str, ...]] | None:
    """The form that a text is written in, and what its pattern caught."""
    for form in FORMS:
        if match := re.fullmatch(form.pattern, text):
            return form, match.groups()
    return None


def other_field(rule: Rule) -> str | None:
    """The field of the same table that a rule speaks about."""
    within: Mapping[str, str] = rule.keywords.get("x-within-days", {})
    return within.get("of") or rule.keywords.get("x-filled-while") or rule.keywords.get("x-unless")
