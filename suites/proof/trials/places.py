"""Where suites judge: every call of a judge in the source, each with a name that survives changes
around it.

A place is called `test_name#2`, the second judgement of a function; `#2.1` is the first of several
matchers of one call. Matchers that a call unpacks from one expression share a name, because none of
them can be switched off alone.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

PROOF = Path(__file__).parents[1]
SUITES = PROOF.parent
JUDGE = "judge"
"""What every check calls its judge."""
METHODS = frozenset({"that", "each", "traffic", "delivery"})
BEFORE_MATCHERS = 2
"""Arguments of a judgement in front of its matchers: the requirement and the exchange."""


@dataclass(frozen=True)
class Place:
    """One call of a judge.

    Attributes:
        name: such as `test_a_new_lead_is_new#1`.
        first, last: its lines.
        matchers: the names of its matchers, where it has more than one.
        unpacked: the position of the matcher that stands for a number of them; None where every one
            is written out.
    """

    name: str
    first: int
    last: int
    matchers: tuple[str, ...]
    unpacked: int | None

    def of_matcher(self, index: int, number: int) -> str:
        """The name of one of the matchers that a call got, of so many."""
        if not self.matchers:
            return self.name
        if self.unpacked is not None and index >= self.unpacked:
            behind = len(self.matchers) - 1 - self.unpacked
            index = (
                max(self.unpacked, index - (number - len(self.matchers)))
                if index >= number - behind
                else self.unpacked
            )
        return self.matchers[index]


@cache
def places(file: Path) -> tuple[Place, ...]:
    """The places of a module, in their order."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return tuple(
        place
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef)
        for place in _of_function(function)
    )


@cache
def read_suites() -> None:
    """Find the places of all suites now, before a deployment runs.

    The parser of Python 3.11 must not be used in two threads at once, and any thread that formats a
    traceback uses it.
    """
    for file in sorted(SUITES.rglob("*.py")):
        if PROOF not in file.parents:
            places(file)


def place_at(file: Path, line: int) -> Place | None:
    """The place that holds a line; of nested ones the innermost."""
    enclosing = [place for place in places(file) if place.first <= line <= place.last]
    return min(enclosing, key=lambda place: place.last - place.first, default=None)


def _of_function(function: ast.FunctionDef) -> Iterator[Place]:
    calls = sorted(_calls(function), key=lambda call: (call.lineno, call.col_offset))
    for number, call in enumerate(calls, 1):
        name = f"{function.name}#{number}"
        matchers = call.args[BEFORE_MATCHERS:] if isinstance(call.func, ast.Name) else []
        unpacked = next(
            (index for index, matcher in enumerate(matchers) if isinstance(matcher, ast.Starred)),
            None,
        )
        names = (
            tuple(f"{name}.{index}" for index in range(1, len(matchers) + 1))
            if len(matchers) > 1
            else ()
        )
        yield Place(name, call.lineno, call.end_lineno or call.lineno, names, unpacked)


def _calls(node: ast.AST) -> Iterator[ast.Call]:
    """The calls of a judge in a function, without those of functions inside it."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef):
            continue
        if isinstance(child, ast.Call) and _is_judgement(child.func):
            yield child
        yield from _calls(child)


def _is_judgement(function: ast.expr) -> bool:
    if isinstance(function, ast.Attribute):
        return (
            function.attr in METHODS
            and isinstance(function.value, ast.Name)
            and function.value.id == JUDGE
        )
    return isinstance(function, ast.Name) and function.id == JUDGE
