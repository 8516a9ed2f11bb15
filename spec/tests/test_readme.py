"""The README states the whole grammar: every kind of table and every rule is there."""

from pathlib import Path

from plumbline.spec.compiler.reading.behaviour_tables import GROUPS, STATE_WORDS
from plumbline.spec.compiler.reading.cells import TYPES
from plumbline.spec.compiler.reading.field_rules import FORMS
from plumbline.spec.compiler.reading.table_kinds import KINDS

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
LINES = README.splitlines()


def test_readme_states_each_kind_of_table() -> None:
    first = {
        kind: next((line for line in LINES if line.startswith(f"| `{kind}")), "") for kind in KINDS
    }
    assert [
        kind
        for kind, line in first.items()
        if not line.endswith(f"| {', '.join(KINDS[kind].columns)} |")
    ] == []


def test_readme_states_each_rule() -> None:
    samples = [
        str(getattr(form, "sample", "")).replace("`errors`", "X").replace("`has_more`", "X")
        for form in FORMS
    ]
    assert [sample for sample in samples if sample not in README] == []


def test_readme_states_each_type_group_and_state() -> None:
    assert [word for word in (*TYPES, *GROUPS, *STATE_WORDS) if f"`{word}`" not in README] == []
