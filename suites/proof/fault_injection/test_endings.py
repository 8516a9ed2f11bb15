"""Each cell of the table of endings, as it is typed; `make test` tries one of each row."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from plumbline.fixtures.tests.forks import KEPT_OUT
from plumbline.reports.verdict.words import ExitCode

from .commands import CHECKS, QUICK, Services
from .endings import ASKED, CIRCUMSTANCES, VERBS, can_be_tried, expected
from .signals import SIGNALS
from .truth import UNWELCOME
from .trying import REPORT, Command, Sandbox, sandbox

ROOT = Path(__file__).parents[3]
PROGRAMS = Path(sys.executable).parent
TIMEOUT_SECONDS = 300
CELLS = [(row, verb) for row in CIRCUMSTANCES for verb in VERBS if expected(row, verb) is not None]
CODES_OF_THE_README = re.compile(r"^\| (\d+) \|", re.MULTILINE)
QUICK_ASKED = (
    *(
        "an option that is not there",
        "a selection that leaves no check",
        "an address at which nothing answers",
    ),
    *("a plan of what failed last", "an own check that fails"),
)
LIGHT = [
    verb
    for verb, column in VERBS.items()
    if column.group in {"reads", "writes"} and verb != "docs"  # takes as long as a run
]
HEAVY = [verb for verb, column in VERBS.items() if column.group not in {"reads", "writes"}]
SOME = [
    (row, columns[number // 2 % len(columns)])
    for number, row in enumerate(CIRCUMSTANCES)
    if (columns := [verb for verb in (LIGHT, HEAVY)[number % 2] if (row, verb) in CELLS])
]
"""What `make test` tries: one cell of each row, some with a deployment."""


@pytest.fixture(name="commands_by_name", scope="module")
def _with_pytest(commands_by_name: dict[str, Command], running: Services) -> dict[str, Command]:
    return commands_by_name | plain_pytest(running)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Hook of pytest: all cells of the table, or some of each row."""
    thorough = metafunc.config.getoption("--thorough", default=False)
    if "asked" in metafunc.fixturenames:
        metafunc.parametrize("asked", ASKED if thorough else QUICK_ASKED)
    if "circumstance" in metafunc.fixturenames:
        cells = [cell for cell in (CELLS if thorough else SOME) if can_be_tried(cell[0])]
        metafunc.parametrize(
            ("circumstance", "verb"), cells, ids=[f"{row}: {verb}" for row, verb in cells]
        )


def test_ends_as_the_table_says(
    circumstance: str, verb: str, commands_by_name: dict[str, Command]
) -> None:
    command = commands_by_name.get(verb) or Command(VERBS[verb].words)
    with sandbox(command) as place:
        program = "pytest" if verb.startswith("pytest") else "plumbline"
        code, shown = typed(CIRCUMSTANCES[circumstance].typed, place, program, *command.words)
    assert (code, [text for text in UNWELCOME if text in shown]) == (
        expected(circumstance, verb),
        [],
    ), shown[-1500:]


def test_ends_as_asked(asked: str, running: Services) -> None:
    with sandbox(Command((), lambda _: running.sound)) as place:
        code, shown = typed(ASKED[asked].typed, place)
    assert (code, [text for text in UNWELCOME if text in shown]) == (ASKED[asked].code, []), shown[
        -1500:
    ]


def test_readme_and_the_tables_know_the_same_exit_codes() -> None:
    """Each code of the README is in a table, and the tables have no other; a signal is none."""
    readme = {
        int(code)
        for code in CODES_OF_THE_README.findall((ROOT / "README.md").read_text(encoding="utf-8"))
    }
    tables = {expected(*cell) for cell in CELLS if not cell[1].startswith("pytest")} | {
        asked.code for asked in ASKED.values()
    }
    assert readme == tables | {told.code for told in SIGNALS.values() if told.code >= 0}
    assert readme >= set(ExitCode)


def test_a_verdict_is_said_by_a_judgement_alone() -> None:
    """No circumstance and no signal turns another end into 1 or 0."""
    changed = {cell: expected(*cell) for cell in CELLS if expected(*cell) != VERBS[cell[1]].code}
    assert {cell: code for cell, code in changed.items() if code in {0, 1}} == {}
    judged = {told.command for told in SIGNALS.values() if told.code in {0, 1}}
    assert judged == {"observe --proxy", "serve"}


def typed(line: str, place: Sandbox, *words: str) -> tuple[int, str]:
    """Type a line, in which `"$@"` stands for a program; returns its exit code and output."""
    program = [str(PROGRAMS / words[0]), *words[1:]] if words else []
    own = {
        "HOME": str(place.root / "home"),
        "TMPDIR": str(place.root / "tmp"),
        "PATH": f"{PROGRAMS}:{os.environ['PATH']}",
    }
    done = subprocess.run(
        ["bash", "-c", line, "bash", *program],
        cwd=place.folder,
        env=variables() | own | dict(place.environment),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=TIMEOUT_SECONDS,
        check=False,
    )
    return done.returncode, (done.stdout + done.stderr).decode(errors="replace")


def variables() -> dict[str, str]:
    """The environment without what belongs to the test."""
    return {
        name: value
        for name, value in os.environ.items()
        if not name.startswith((*KEPT_OUT, "PYTHON"))
    }


def plain_pytest(running: Services) -> dict[str, Command]:
    """Pytest in a checkout, against both deployments."""
    place, *options = CHECKS
    words = (
        "-c",
        str(ROOT / "pyproject.toml"),
        f"--rootdir={ROOT}",
        str(ROOT / place),
        *options,
        *QUICK,
    )
    return {
        f"pytest, {name} deployment": Command(
            (*words, f"--report-dir={REPORT}"),
            lambda _, environment=environment: environment,  # type: ignore[misc]
        )
        for name, environment in (("sound", running.sound), ("broken", running.broken))
    }
