"""What a class of values is: its name, why such a value is valid, how one is drawn, and how one is
recognised.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from uuid import NAMESPACE_OID, uuid5

from plumbline.spec.reserved import MAIL_DOMAINS

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

Draw = Callable[[], "SearchStrategy[Any]"]


@dataclass(frozen=True)
class ValueClass:
    """Values of one format that are alike in what an implementation may do wrong with them.

    Attributes:
        name: in a few words; unique within its format.
        reason: why the document, or the standard that it names, permits such a value.
        draw: makes a strategy of Hypothesis for them, which is imported by then.
        holds: whether a value of the format belongs to the class; a value may belong to several.
        is_whole: whether a text of the class stands alone; else it may be a part of a longer one.
    """

    name: str
    reason: str
    draw: Draw
    holds: Callable[[Any], bool]
    is_whole: bool = True


@dataclass(frozen=True)
class Format:
    """One kind of value that the document has inputs of.

    Attributes:
        name: such as `date-time`.
        classes: all classes that are valid.
        kind: the JSON types that its values have, in Python.
        is_unique: whether a drawn value has places for `unique` to fill.
    """

    name: str
    classes: tuple[ValueClass, ...]
    kind: type | tuple[type, ...] = str
    is_unique: bool = False

    def __post_init__(self) -> None:
        names = [member.name for member in self.classes]
        if len(names) != len(set(names)):
            raise ValueError(f"{self.name} has two classes of one name")

    def of(self, value: Any) -> Iterator[str]:
        """The names of the classes to which a value belongs; none for a value of another type."""
        if isinstance(value, bool) or not isinstance(value, self.kind):
            return
        for member in self.classes:
            if member.holds(value):
                yield member.name

    def __getitem__(self, name: str) -> ValueClass:
        """The class with a name."""
        return next(member for member in self.classes if member.name == name)


def matches(pattern: str) -> Callable[[Any], bool]:
    """Whether a whole text matches a pattern."""
    compiled = re.compile(pattern, re.DOTALL)
    return lambda text: compiled.fullmatch(text) is not None


def contains(pattern: str) -> Callable[[Any], bool]:
    """Whether a pattern is found somewhere in a text."""
    compiled = re.compile(pattern)
    return lambda text: compiled.search(text) is not None


def one_of(*values: Any) -> Draw:
    """A strategy for one of some values."""

    def draw() -> "SearchStrategy[Any]":
        from hypothesis import strategies as st  # noqa: PLC0415  heavy, and only drawing needs it

        return st.sampled_from(values)

    return draw


def forms(*texts: str) -> Draw:
    """A strategy for texts with places that `unique` fills; at the end, a domain for examples."""

    def draw() -> "SearchStrategy[str]":
        from hypothesis import strategies as st  # noqa: PLC0415

        domains = st.sampled_from(MAIL_DOMAINS)
        return st.builds(
            lambda form, domain: form + domain * form.endswith(("@", ".")),
            st.sampled_from(texts),
            domains,
        )

    return draw


def unique(drawn: str, tag: str) -> str:
    """A drawn text with its places filled, so that no other run has sent it.

    Args:
        drawn: holds `{tag}`, `{TAG}`, `{uuid}`, `{UUID}` or `{digits}`, with a width where it needs
            one.
        tag: letters and digits that nothing else has.
    """
    named = uuid5(NAMESPACE_OID, tag)
    return drawn.format(
        tag=tag,
        TAG=tag.upper(),
        uuid=named,
        UUID=str(named).upper(),
        digits=str(named.int).zfill(39)[-30:],
    )


def pattern(text: str) -> Draw:
    """A strategy for texts that match a regular expression of ASCII characters."""

    def draw() -> "SearchStrategy[str]":
        from hypothesis import strategies as st  # noqa: PLC0415

        return st.from_regex(re.compile(text, re.ASCII), fullmatch=True)

    return draw
