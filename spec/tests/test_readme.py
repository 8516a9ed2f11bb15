"""The README states the whole grammar: whoever writes a chapter finds every kind of table and every rule there."""

from pathlib import Path

import pytest

from plumbline.spec.compiler.cells import TYPES
from plumbline.spec.compiler.facts import GROUPS, STATE_WORDS
from plumbline.spec.compiler.kinds import KINDS
from plumbline.spec.compiler.rules import FORMS

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("kind", KINDS)
def test_kinds(kind: str) -> None:
    """Each kind of table stands in the README with its columns."""
    lines = [line for line in README.splitlines() if line.startswith(f"| `{kind}")]
    assert lines
    assert lines[0].endswith(f"| {', '.join(KINDS[kind].columns)} |")


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.sample)
def test_rules(form: object) -> None:
    """Each rule stands in the README, in the way in which it is written."""
    sample = str(getattr(form, "sample", "")).replace("`errors`", "X").replace("`has_more`", "X")
    assert sample in README


@pytest.mark.parametrize("word", [*TYPES, *GROUPS, *STATE_WORDS])
def test_words(word: str) -> None:
    """Each type, group of operations and word for a state stands in the README."""
    assert f"`{word}`" in README
