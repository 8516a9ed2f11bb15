"""A browser shows the pages that the kit writes: the site of `plumbline docs`, the site of a fleet,
and the report of a run.
"""

import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from justhtml import JustHTML

from plumbline.fixtures.benchmarks.fill_store import filled
from plumbline.fixtures.cli.main import main
from plumbline.fixtures.plugin import live
from plumbline.fixtures.tests.plugin.test_live import following_has_begun, results
from plumbline.reports.compare.table import table
from plumbline.reports.evidence.results import document_of
from plumbline.reports.html.page import page
from plumbline.reports.tests.samples import CONTEXT, FAILED, finding, run_of
from plumbline.spec import catalogue
from plumbline.spec.values import FIELDS

from .browser import (
    CONSOLE,
    FRAMES,
    MIN_CONTRAST,
    OPTIONS,
    SCHEMES,
    WIDTHS,
    Views,
    chromium,
    drawn,
    views,
)
from .workshop import run

HERE_ONLY = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
"""There is no network for a browser but this machine."""
OF_FLEET = (
    "index.html",
    "requirements.html",
    "deployment/vendor-0002.html",
    "requirement/LEAD-02.html",
)


def _docs(folder: Path) -> Views:
    assert main(["docs", str(folder)]) == 0
    return views(folder, sorted(path.name for path in folder.glob("*.html")))


def _fleet(folder: Path) -> Views:
    filled(folder / "fleet.db", 6, 100).close()
    assert (
        main(["fleet", "site", str(folder / "public"), f"--store=sqlite:///{folder / 'fleet.db'}"])
        == 0
    )
    return views(folder / "public", OF_FLEET)


def _report(folder: Path) -> Views:
    """Reports of runs in which every second requirement fails, or every second is left out."""
    contract = catalogue()
    half = [*contract.requirements][::2]
    sent = {
        "values": {
            field.operation: {
                field.path: {
                    "format": field.format.name,
                    "requirements": [field.requirement],
                    "classes": {member.name: "a" in member.name for member in field.format.classes},
                }
            }
            for field in FIELDS
        }
    }
    for name, outcome, selected in (("broken", "failed", None), ("partial", "passed", half)):
        requirement = [*(finding(records, outcome) for records in half), sent]
        judged = run_of(
            *requirement,
            catalogue=contract,
            claimed=contract.classes,
            selected=selected,
            partial=selected is not None,
        )
        (folder / f"{name}.html").write_text(
            page(document_of(judged, CONTEXT), contract), encoding="utf-8"
        )
    return views(folder, ("broken.html", "partial.html"))


def _compared(folder: Path) -> Views:
    """Two runs side by side, of which one broke every second requirement."""
    contract = catalogue()
    runs = {
        name: document_of(
            run_of(
                *(finding(broken, outcome) for broken in [*contract.requirements][::2]),
                catalogue=contract,
            ),
            CONTEXT,
        )
        for name, outcome in (("broken", "failed"), ("sound", "passed"))
    }
    (folder / "table.html").write_text(table(runs, contract), encoding="utf-8")
    (folder / "alone.html").write_text(
        table({"broken": runs["broken"]}, contract), encoding="utf-8"
    )
    return views(folder, ("table.html", "alone.html"))


MAKERS = {"docs": _docs, "fleet": _fleet, "report": _report, "compare": _compared}


@pytest.fixture(name="pages", scope="module", params=MAKERS)
def _seen(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Views:
    pages = MAKERS[request.param](tmp_path_factory.mktemp(request.param))
    assert len(pages.views) >= 2 * len(WIDTHS) * len(SCHEMES)
    assert min(view.texts for view in pages.views) > 10
    assert min(view.styles for view in pages.views) > 0, "the style was not loaded"
    return pages


def test_no_page_is_wider_than_the_screen(pages: Views) -> None:
    assert {view.shown: view.overflow for view in pages.views if view.overflow} == {}


def test_text_can_be_read(pages: Views) -> None:
    assert {view.shown: view.faint for view in pages.views if view.faint} == {}, (
        f"contrast below {MIN_CONTRAST}"
    )


def test_all_pages_can_be_dark(pages: Views) -> None:
    wanted = {view.shown for view in pages.views if view.shown.endswith("dark")}
    assert {view.shown for view in pages.views if view.dark} == wanted


def test_console_stays_empty(pages: Views) -> None:
    assert [*pages.said] == []


@pytest.mark.parametrize("pages", ["fleet"], indirect=True, scope="module")
def test_table_of_a_fleet_is_searched(pages: Views) -> None:
    assert {view.found for view in pages.views if view.shown.startswith("index.html")} == {"1 of 6"}


EARLIER = {
    "nonce": "1" * 32,
    "started": "2026-05-01T00:00:00Z",
    "verdict": "non-conformant",
    "partial": False,
    "tier": "standard",
    "verdicts": {"failed": ["LEAD-02", "LEAD-01"], "passed": ["LEAD-08"]},
}
"""What the report said that this one has replaced."""


@pytest.fixture(name="broken", scope="module")
def _broken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of a run in which three requirements of two classes failed, and other classes were
    not claimed.
    """
    contract = catalogue()
    failed = [
        finding("LEAD-02", "failed", operation=name) for name in ("POST /v1/leads", "GET /v1/leads")
    ]
    judged = run_of(
        *failed,
        finding("LEAD-08", "failed"),
        finding("GQL-01", "failed"),
        catalogue=contract,
        claimed=("core", "graphql"),
    )
    file = tmp_path_factory.mktemp("broken") / "report.html"
    context = replace(CONTEXT, earlier=(EARLIER,))
    file.write_text(page(document_of(judged, context), contract), encoding="utf-8")
    return file


def _shown(page: Path, fragment: str) -> JustHTML:
    return JustHTML(drawn(page, fragment), sanitize=False)


@pytest.mark.parametrize(
    ("fragment", "ids"),
    [
        ("#verdict=failed", ["LEAD-02", "LEAD-08", "GQL-01"]),
        ("#verdict=failed&class=graphql", ["GQL-01"]),
        ("#verdict=failed&chapter=leads", ["LEAD-02", "LEAD-08"]),
        ("#verdict=failed&operation=POST%20/v1/leads", ["LEAD-02"]),
        ("#verdict=failed&kind=status&q=lead-08", ["LEAD-08"]),
        ("#change=new", ["LEAD-08"]),
        ("#change=still&verdict=failed", ["LEAD-02"]),
        ("#q=hook-01", ["HOOK-01"]),
        ("#class=of-no-contract&q=lead-02", ["LEAD-02"]),
    ],
)
def test_address_of_a_report_shows_a_filtered_view(
    broken: Path, fragment: str, ids: list[str]
) -> None:
    read = _shown(broken, fragment)
    shown = [
        node.attrs["id"] for node in read.query("article.requirement:not([hidden])") if node.attrs
    ]
    assert shown == ids
    (told,) = read.query("#filter output")
    assert told.to_text() == f"{len(ids)} of {len(catalogue().requirements)} requirements"
    assert all(
        "open" in (node.attrs or {}) for node in read.query("details.not-measured:not([hidden])")
    )


@pytest.mark.parametrize("fragment", ["#LEAD-02.2", "#HOOK-01", "#LEAD-02.1"])
def test_address_of_a_violation_or_requirement_unfolds_it(broken: Path, fragment: str) -> None:
    read = _shown(broken, fragment)
    node: Any = next(
        node for node in read.query("[id]") if node.attrs and node.attrs["id"] == fragment[1:]
    )
    while node.parent is not None:
        assert node.name != "details" or "open" in (node.attrs or {})
        node = node.parent


def test_links_lead_below_the_filters(broken: Path) -> None:
    """The height of the bar that stays in sight is measured, however many rows it takes."""
    (root,) = _shown(broken, "#LEAD-02").query("html")
    match = re.search(r"--bar: ?(\d+)px", str((root.attrs or {}).get("style")))
    assert match
    assert int(match[1]) > 100


def test_folded_classes_stay_folded_where_nothing_is_filtered(broken: Path) -> None:
    read = _shown(broken, "#100%")
    assert [*read.query("details.not-measured")]
    assert not [*read.query("details.not-measured[open]")]
    assert not [*read.query("article.requirement[hidden]")]


def test_docs_are_searched(tmp_path: Path) -> None:
    assert main(["docs", str(tmp_path / "site")]) == 0
    read = _shown(tmp_path / "site" / "index.html", "#q=lead-02")
    first = next(iter(read.query("#hits li a")))
    assert (first.attrs or {})["href"] == "04-leads.html#LEAD-02"


@pytest.mark.parametrize(
    ("fragment", "rows"),
    [
        ("", 6),
        ("#requirement=lead-02", 6),
        ("#requirement=NONE-01", 0),
        ("#find=0002&class=core", 1),
        ("#day=1999-01-01", 6),
    ],
)
def test_address_narrows_the_table_of_a_fleet(tmp_path: Path, fragment: str, rows: int) -> None:
    _fleet(tmp_path)
    read = _shown(tmp_path / "public" / "index.html", fragment)
    (told,) = read.query("#found")
    assert told.to_text() == f"{rows} of 6"
    assert len([*read.query(".matrix tbody tr:not([hidden])")]) == rows
    if "requirement=lead" in fragment:
        counted = {
            row.query("th small")[1].to_text().partition(": ")[2]
            for row in read.query(".matrix tbody tr")
        }
        assert counted <= {"failed", "warned", "passed", "not judged"}
    if "class=" in fragment:
        assert [head.to_text() for head in read.query("thead .turned:not([hidden])")] == ["core"]


def test_live_page_follows_a_run_to_its_end(tmp_path: Path) -> None:
    results(tmp_path)
    served = live.start(tmp_path)
    assert served
    with ThreadPoolExecutor(1) as pool:
        shown = pool.submit(
            run,
            chromium(),
            *OPTIONS,
            *FRAMES,
            HERE_ONLY,
            "--dump-dom",
            f"{served.address}#verdict=failed",
        )
        following_has_begun(served)
        results(tmp_path, FAILED, finished=True)
        live.end(served)
        text = shown.result()
    read = JustHTML(text, sanitize=False)
    assert [node.to_text() for node in read.query("h1")] == ["Non-conformant"]
    assert "The run has ended" in read.query("#live")[0].to_text()
    assert [
        (node.attrs or {})["id"] for node in read.query("article.requirement:not([hidden])")
    ] == ["CORE-01"]
    assert CONSOLE.findall(text) == []
