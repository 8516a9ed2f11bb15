"""A browser shows the site of a fleet from files: no page is wider than the screen, and the table can be searched."""

import html
import json
import re
import shutil
from pathlib import Path

import pytest

from plumbline.fixtures.benchmarks.fill_store import filled
from plumbline.fixtures.cli.main import main

from .workshop import run

OPTIONS = ("--headless", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files", "--virtual-time-budget=20000")
PAGES = ("index.html", "requirements.html", "deployment/vendor-0002.html", "requirement/LEAD-02.html")
PROBE = """<!doctype html><title>probe</title><body><pre id="seen"></pre><script>
(async () => {
  const seen = {};
  for (const page of %s) {
    const frame = document.createElement("iframe");
    frame.width = %d;
    frame.src = page;
    document.body.append(frame);
    await new Promise((loaded) => { frame.onload = loaded; });
    const shown = frame.contentDocument;
    const find = shown.getElementById("find");
    if (find) { find.value = "0002"; find.dispatchEvent(new Event("input")); }
    const found = find ? shown.getElementById("found").textContent : "";
    seen[page] = [shown.documentElement.scrollWidth, found, frame.contentWindow.getComputedStyle(shown.body).maxWidth];
    frame.remove();
  }
  document.getElementById("seen").textContent = JSON.stringify(seen);
})();
</script>"""


@pytest.fixture(name="site", scope="module")
def _site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    filled(folder / "fleet.db", 6, 100).close()
    assert main(["fleet", "site", str(folder / "public"), f"--store=sqlite:///{folder / 'fleet.db'}"]) == 0
    return folder / "public"


@pytest.mark.parametrize("width", [390, 1280])
def test_pages_fit_the_screen_and_the_table_is_searched(site: Path, width: int) -> None:
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    assert chromium, "the proof of the site needs Chromium or Chrome"
    (site / "probe.html").write_text(PROBE % (json.dumps(PAGES), width), encoding="utf-8")
    drawn = run(chromium, *OPTIONS, "--dump-dom", f"file://{site}/probe.html")
    found = re.search(r'<pre id="seen">(.*?)</pre>', drawn)
    assert found
    seen = json.loads(html.unescape(found[1]))
    assert {page: shown[0] <= width for page, shown in seen.items()} == dict.fromkeys(PAGES, True)
    assert seen["index.html"][1] == "1 of 6"
    assert {shown[2] for shown in seen.values()} == {"1280px"}, "the style was not loaded"
