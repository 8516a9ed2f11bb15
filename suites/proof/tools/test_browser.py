"""A browser shows the pages that the kit writes: the site of `plumbline docs`, the site of a fleet, and the report of a run."""

from pathlib import Path

import pytest

from plumbline.fixtures.benchmarks.fill_store import filled
from plumbline.fixtures.cli.main import main
from plumbline.fixtures.cli.verbs.docs import REFERENCE
from plumbline.reports.evidence.results import document_of
from plumbline.reports.html.page import page
from plumbline.reports.tests.samples import CONTEXT, finding, run_of
from plumbline.spec import catalogue

from .browser import MIN_CONTRAST, SCHEMES, WIDTHS, Views, views

OF_FLEET = ("index.html", "requirements.html", "deployment/vendor-0002.html", "requirement/LEAD-02.html")


def _docs(folder: Path) -> Views:
    assert main(["docs", str(folder)]) == 0
    return views(folder, sorted(each.name for each in folder.glob("*.html")))


def _fleet(folder: Path) -> Views:
    filled(folder / "fleet.db", 6, 100).close()
    assert main(["fleet", "site", str(folder / "public"), f"--store=sqlite:///{folder / 'fleet.db'}"]) == 0
    return views(folder / "public", OF_FLEET)


def _report(folder: Path) -> Views:
    """Reports of runs in which every second requirement fails, or every second is left out."""
    contract = catalogue()
    half = [*contract.requirements][::2]
    for name, outcome, selected in (("broken", "failed", None), ("partial", "passed", half)):
        found = [finding(each, outcome) for each in half]
        run = run_of(*found, catalogue=contract, claimed=contract.classes, selected=selected, partial=selected is not None)
        (folder / f"{name}.html").write_text(page(document_of(run, CONTEXT), contract), encoding="utf-8")
    return views(folder, ("broken.html", "partial.html"))


MAKERS = {"docs": _docs, "fleet": _fleet, "report": _report}


@pytest.fixture(name="seen", scope="module", params=MAKERS)
def _seen(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Views:
    found = MAKERS[request.param](tmp_path_factory.mktemp(request.param))
    assert len(found.views) >= 2 * len(WIDTHS) * len(SCHEMES)
    assert min(view.texts for view in found.views) > 10
    assert min(view.styles for view in found.views) > 0, "the style was not loaded"
    return found


def test_no_page_is_wider_than_the_screen(seen: Views) -> None:
    assert {view.shown: view.overflow for view in seen.views if view.overflow} == {}


def test_text_can_be_read(seen: Views) -> None:
    assert {view.shown: view.faint for view in seen.views if view.faint} == {}, f"contrast below {MIN_CONTRAST}"


def test_all_pages_but_the_reference_can_be_dark(seen: Views) -> None:
    """Redoc draws on white, in colours of its own."""
    wanted = {view.shown for view in seen.views if view.shown.endswith("dark") and not view.shown.startswith(REFERENCE)}
    assert {view.shown for view in seen.views if view.dark} == wanted


def test_console_stays_empty(seen: Views) -> None:
    assert [*seen.said] == []


@pytest.mark.parametrize("seen", ["fleet"], indirect=True, scope="module")
def test_table_of_a_fleet_is_searched(seen: Views) -> None:
    assert {view.found for view in seen.views if view.shown.startswith("index.html")} == {"1 of 6"}
