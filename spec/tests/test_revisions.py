"""A revision that was frozen stays what it was, costs one small file, and lets no id go."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from plumbline.spec import catalogue
from plumbline.spec.__main__ import main
from plumbline.spec.merge_patch import patch_of, patched
from plumbline.spec.revisions import (
    NEWEST,
    FrozenError,
    delta_of,
    digest_of,
    document_of,
    revision,
    revisions,
)

HOME = Path(__file__).parents[1]
NOW = catalogue().revision
MAX_LINES = 60_000
"""Of all JSON below `spec`, so that a change can be read in what it generates."""
DELTAS = sorted((HOME / "frozen").glob("[0-9]*.json"), key=lambda path: int(path.stem))


def count_up(service: Path) -> None:
    """Begin the next revision."""
    text = service.read_text(encoding="utf-8").replace(
        f"| revision | {NOW} |", f"| revision | {NOW + 1} |"
    )
    service.write_text(text, encoding="utf-8")


def reworded(home: Path) -> Path:
    """Change the sentence of LEAD-02, and return the file that holds the number of the revision."""
    chapter = home / "contract/04-leads.md"
    text = chapter.read_text(encoding="utf-8")
    assert "A new lead MUST have the `status` `new`." in text
    chapter.write_text(
        text.replace("A new lead MUST have the `status` `new`.", "A new lead MUST be `new`."),
        encoding="utf-8",
    )
    return home / "contract/01-service.md"


def test_every_revision_is_kept() -> None:
    """Their numbers have no gap; `revisions` holds each against the digest that was recorded."""
    assert [number for number, _ in revisions(HOME / "frozen")] == list(range(NOW, 0, -1))


@pytest.mark.parametrize("path", DELTAS, ids=lambda path: path.stem)
def test_revision_is_rebuilt_as_it_was_frozen(path: Path) -> None:
    recorded = json.loads(path.read_text(encoding="utf-8"))["sha256"]
    rebuilt = revision(int(path.stem))
    assert (rebuilt["revision"], digest_of(rebuilt)) == (int(path.stem), recorded)
    assert set(rebuilt["requirements"]) <= set(catalogue().requirements)


def test_current_revision_is_the_newest() -> None:
    newest = document_of((HOME / "frozen" / NEWEST).read_text(encoding="utf-8"))
    assert (newest, newest["revision"]) == (revision(NOW), NOW)
    assert set(newest["requirements"]) == set(catalogue().requirements)


def test_generated_json_stays_readable() -> None:
    assert (
        sum(path.read_text(encoding="utf-8").count("\n") for path in HOME.rglob("*.json"))
        <= MAX_LINES
    )


def test_new_revision_adds_one_small_file(home: Path) -> None:
    """Earlier files stay byte for byte; schemas that say the same do, too."""
    before = {path: path.read_bytes() for path in home.rglob("*.json")}
    kept = dict(revisions(home / "frozen"))
    count_up(reworded(home))
    assert main(["--check"], home) == 1
    assert main([], home) == 0
    assert main(["--check"], home) == 0
    after = {path: path.read_bytes() for path in home.rglob("*.json")}
    assert {path.name for path in after if before.get(path) != after[path]} == {
        *(f"{NOW}.json", NEWEST),
        *("catalogue.json", "openapi.json", "kit.openapi.json"),
    }
    delta = json.loads(after[home / f"frozen/{NOW}.json"])
    assert set(delta["changes"]) == {"revision", "requirements", "facts"}
    assert {
        number: document for number, document in revisions(home / "frozen") if number <= NOW
    } == kept


def test_changed_sentence_needs_a_new_revision(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    service = reworded(home)
    assert main([], home) == 1
    assert (
        capsys.readouterr().err
        == f"LEAD-02 is not what revision {NOW} froze; count up the revision in 01-service.md, or"
        " put the sentence back.\n"
    )
    count_up(service)
    assert main([], home) == 0


def test_dropped_id_is_refused(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    chapter, service = home / "contract/15-versioning.md", home / "contract/01-service.md"
    lines = chapter.read_text(encoding="utf-8").splitlines(keepends=True)
    chapter.write_text(
        "".join(line for line in lines if not line.startswith("| VER-06 ")), encoding="utf-8"
    )
    count_up(service)
    assert main([], home) == 1
    assert (
        capsys.readouterr().err
        == "VER-06 of revision 1 is gone; an id stays, even when nothing observes it any more.\n"
    )


def test_revision_is_not_counted_down(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    service = home / "contract/01-service.md"
    text = service.read_text(encoding="utf-8")
    service.write_text(
        text.replace(f"| revision | {NOW} |", f"| revision | {NOW - 1} |"), encoding="utf-8"
    )
    assert main([], home) == 1
    assert (
        capsys.readouterr().err
        == f"revision {NOW} is frozen, and the contract says that it is revision {NOW - 1}; "
        "count up the revision in 01-service.md.\n"
    )


def edited(name: str, change: Callable[[dict[str, Any]], object]) -> Callable[[Path], object]:
    """An edit of a frozen file."""

    def edit(frozen: Path) -> None:
        document = json.loads((frozen / name).read_text(encoding="utf-8"))
        change(document)
        (frozen / name).write_text(json.dumps(document), encoding="utf-8")

    return edit


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda frozen: (frozen / NEWEST).unlink(), f"spec/frozen/{NEWEST} is missing; "),
        (
            edited("5.json", lambda delta: delta.pop("changes")),
            "spec/frozen/5.json does not say how revision 5 differs ",
        ),
        (
            lambda frozen: (frozen / "4.json").rename(frozen / "99.json"),
            "spec/frozen/99.json does not say how ",
        ),
        (
            edited("5.json", lambda delta: delta["changes"]["facts"].popitem()),
            "spec/frozen/5.json does not lead from revision 6 to the revision 5 that was frozen; ",
        ),
        (
            edited(NEWEST, lambda newest: newest["requirements"].update({"SVC-01": "other"})),
            f"spec/frozen/{NOW - 1}.json does not lead from revision {NOW} ",
        ),
    ],
)
def test_spoilt_history_is_refused_in_a_sentence(
    home: Path, capsys: pytest.CaptureFixture[str], spoil: Callable[[Path], object], message: str
) -> None:
    spoil(home / "frozen")
    assert main(["--check"], home) == 1
    assert capsys.readouterr().err.startswith(message)


@pytest.mark.parametrize(
    ("before", "patch", "after"),
    [
        ({"a": "b"}, {"a": "c"}, {"a": "c"}),
        ({"a": "b"}, {"b": "c"}, {"a": "b", "b": "c"}),
        ({"a": "b", "b": "c"}, {"a": None}, {"b": "c"}),
        ({"a": ["b"]}, {"a": "c"}, {"a": "c"}),
        ({"a": {"b": "c"}}, {"a": {"b": "d", "c": None}}, {"a": {"b": "d"}}),
        ({"a": [{"b": "c"}]}, {"a": [1]}, {"a": [1]}),
        (["a", "b"], ["c", "d"], ["c", "d"]),
        ({"a": "foo"}, "bar", "bar"),
        ({"e": None}, {"a": 1}, {"e": None, "a": 1}),
        ([1, 2], {"a": "b", "c": None}, {"a": "b"}),
        ({}, {"a": {"bb": {"ccc": None}}}, {"a": {"bb": {}}}),
    ],
)
def test_patch_is_applied_as_the_rfc_shows(before: Any, patch: Any, after: Any) -> None:
    """The examples of appendix A of RFC 7396."""
    assert patched(before, patch) == after


def test_patch_leads_from_one_object_to_another() -> None:
    before = {"stays": 1, "goes": {"a": 1}, "grows": {"a": [1]}, "turns": {"a": 1}}
    after = {"stays": 1, "comes": {"b": {}}, "grows": {"a": [1, 2], "b": 3}, "turns": [1]}
    patch = patch_of(before, after)
    assert patch == {"goes": None, "grows": {"a": [1, 2], "b": 3}, "turns": [1], "comes": {"b": {}}}
    assert (patched(before, patch), patch_of(after, after)) == (after, {})


def test_revision_that_holds_null_cannot_be_a_patch() -> None:
    """There it would say that a member goes."""
    with pytest.raises(FrozenError, match="revision 1 holds null"):
        delta_of(
            {"revision": 1, "facts": {"a": {"default": None}}}, {"revision": 2, "facts": {"a": {}}}
        )
