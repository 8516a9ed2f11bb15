"""How the compiler says what is wrong with a contract."""

from collections.abc import Iterable
from difflib import get_close_matches


class ContractError(Exception):
    """A contract that cannot be understood: one sentence that begins with its file and line."""


def hint(word: str, choices: Iterable[str]) -> str:
    """A question that names the nearest right word, or nothing when no word is near."""
    near = get_close_matches(word, list(choices), n=1, cutoff=0.6)
    return f" Did you mean {near[0]!r}?" if near else ""
