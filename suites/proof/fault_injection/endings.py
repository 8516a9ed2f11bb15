"""The table of endings: each way in which a command can end, and the exit code that it ends with.

Rows are circumstances, as they are typed in a shell around the command; columns are verbs. Where a
row names no code for a verb, the command ends as when nothing is wrong. 1 is said by a judgement
alone, 0 by a count of what was judged, or by a verb that judges nothing and has done its work.
Signals have a table of their own.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

TYPED = '"$@"'
"""The command, in the circumstances."""
FULL_DISK = "/dev/full"
"""A device that takes nothing; Linux has it."""


@dataclass(frozen=True)
class Verb:
    """A column: a command, and how it ends when nothing is wrong.

    Attributes:
        group: `judges` a deployment or receiver, `observes` traffic, `looks` before a run, `reads`
            reports or the contract, `writes` files, or is plain `pytest`.
        code: its exit code.
        words: after `plumbline`; none for a command of `commands.py`, which has the same name.
        needs: materials that are copied into its folder.
    """

    group: str
    code: int
    words: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()


VERBS: Mapping[str, Verb] = {
    "run, sound deployment": Verb("judges", 0),
    "run, broken deployment": Verb("judges", 1),
    "pytest, sound deployment": Verb("pytest", 0),
    "pytest, broken deployment": Verb("pytest", 1),
    "receiver": Verb("judges", 0),
    "again": Verb("judges", 1),
    "observe, kept recording": Verb("observes", 0),
    "observe, violated recording": Verb("observes", 1),
    "plan": Verb("looks", 0),
    "doctor": Verb("looks", 0),
    "regrade": Verb("reads", 0),
    "verify": Verb("reads", 10),
    "diff": Verb("reads", 1),
    "summary": Verb("reads", 0),
    "history": Verb("reads", 0),
    "explain": Verb("reads", 0, ("explain", "PAG-03")),
    "coverage": Verb("reads", 0, ("coverage",)),
    "contract": Verb("reads", 0, ("contract", "diff", "10", "10")),
    "har": Verb("writes", 0),
    "statement": Verb("writes", 0),
    "baseline": Verb("writes", 0),
    "compare": Verb("writes", 0),
    "history --add": Verb("writes", 0),
    "init": Verb("writes", 0),
    "keygen": Verb("writes", 0),
    "docs": Verb("writes", 0),
    "fleet site": Verb("writes", 0),
}
"""The columns."""


@dataclass(frozen=True)
class Circumstance:
    """A row.

    Attributes:
        typed: for `bash`; `"$@"` stands for the command.
        codes: by group or verb, the verb first; where neither is named, as when nothing is wrong.
            None where pytest ends before it reads anything of the kit.
    """

    typed: str
    codes: Mapping[str, int | None]


def row(typed: str, **codes: int | None) -> Circumstance:
    """A circumstance, with exit codes by group."""
    return Circumstance(typed, codes)


FOLDER = (
    "printf 'raise SystemExit(1)' > secrets.py; mkdir plumbline; "
    "printf 'raise SystemExit(1)' > plumbline/__init__.py; "
)
CIRCUMSTANCES: Mapping[str, Circumstance] = {
    "nothing is wrong": row(TYPED),
    # where it is typed
    "secrets.py and a folder plumbline in the working folder": row(FOLDER + TYPED),
    "modules of the standard library in the working folder": row(
        "for m in json random socket; do echo 1/0 > $m.py; done; " + TYPED
    ),
    "a conftest.py that cannot be imported": row("echo 'import myapp' > conftest.py; " + TYPED),
    "a conftest.py that takes all checks away": row(
        "printf 'def pytest_collection_modifyitems(items):\\n    items.clear()\\n' > conftest.py; "
        + TYPED
    ),
    "a pytest.ini that pytest cannot use": row(
        "printf '[pytest]\\naddopts = --nonsense\\n' > pytest.ini; " + TYPED
    ),
    "a pyproject.toml that is no TOML": row("echo '[[[' > pyproject.toml; " + TYPED),
    "a sitecustomize.py, and an empty entry of PYTHONPATH": row(
        "echo 1/0 > sitecustomize.py; PYTHONPATH=: " + TYPED
    ),
    "a working folder that is gone": row(
        'mkdir gone; cd gone; rmdir ../gone; "$@"',
        **dict.fromkeys(("judges", "observes", "looks", "reads", "writes"), 11),
        pytest=None,
    ),
    "a report folder that is a file": row(
        "touch plumbline-report broken-again; " + TYPED, judges=4, pytest=4, looks=4, observes=11
    ),
    # what it writes to
    "a disk that takes no more": row(
        "ulimit -f 0; " + TYPED, judges=12, pytest=12, observes=12, writes=12
    ),
    "output to a full disk": row(
        f"{TYPED} > {FULL_DISK}",
        **dict.fromkeys(("judges", "observes", "looks", "reads", "writes"), 12),
    ),
    "output that is closed": row(TYPED + " >&-"),
    "a reader that has gone": row(TYPED + " | true; exit ${PIPESTATUS[0]}"),
    "errors and output that are closed": row(TYPED + " <&- >&- 2>&-"),
    "ten file handles": row("ulimit -n 10; " + TYPED, judges=12, doctor=12),
    # how it writes
    "output in cp1252": row("PYTHONIOENCODING=cp1252 " + TYPED),
    "output in ASCII": row("PYTHONIOENCODING=ascii " + TYPED),
    "the locale C without UTF-8": row("LC_ALL=C PYTHONUTF8=0 PYTHONCOERCECLOCALE=0 " + TYPED),
    "no TERM": row("unset TERM; " + TYPED),
    "TERM that nobody knows": row("TERM=nonsense " + TYPED),
    "no columns": row("COLUMNS=0 LINES=0 " + TYPED),
    "columns that are no number": row("COLUMNS=wide " + TYPED),
    "NO_COLOR and FORCE_COLOR": row("NO_COLOR=1 FORCE_COLOR=1 " + TYPED),
    # what else stands in the environment
    "PYTEST_ADDOPTS with an unknown option": row("PYTEST_ADDOPTS=--nonsense " + TYPED, pytest=4),
    "PYTEST_ADDOPTS that leaves out every check": row(
        "PYTEST_ADDOPTS='-k nothing_like_this' " + TYPED, pytest=5
    ),
    "PYTEST_DISABLE_PLUGIN_AUTOLOAD": row("PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 " + TYPED),
    "PYTEST_PLUGINS that is not there": row(
        "PYTEST_PLUGINS=nothing_like_this " + TYPED, pytest=None
    ),
    "warnings that are errors": row("PYTHONWARNINGS=error " + TYPED),
    "assertions switched off": row("PYTHONOPTIMIZE=2 " + TYPED),
    "a zone that is not there": row("TZ=Nowhere/Land " + TYPED),
    "a zone at the other end": row("TZ=Pacific/Kiritimati " + TYPED),
    "no HOME": row("unset HOME; " + TYPED),
    "a TMPDIR that is not there": row("TMPDIR=/nowhere TEMP=/nowhere " + TYPED),
    "a proxy that is not there": row(
        "https_proxy=http://127.0.0.1:1 ALL_PROXY=http://127.0.0.1:1 NO_PROXY=127.0.0.1 " + TYPED
    ),
}
"""The rows."""


def can_be_tried(row: str) -> bool:
    """Whether this system has what a row needs."""
    return FULL_DISK not in CIRCUMSTANCES[row].typed or Path(FULL_DISK).exists()


@dataclass(frozen=True)
class Asked:
    """What is asked of a deployment, or of the kit, and the code that answers it.

    Attributes:
        typed: for `bash`, with address and keys of a sound deployment in the environment.
        code: the exit code.
    """

    typed: str
    code: int


ONE = "suites/leads/test_create.py --requirement=LEAD-01 -n0"
STALE = (
    r"""printf '[LEAD-01]\noperations = ["POST /v1/leads"]\nreason = "old"\n"""
    r"""owner = "ada"\nexpires = 2020-01-31\n' > known.toml"""
)
OWN = (
    "mkdir own; printf 'from plumbline.fixtures.scenarios.mark import"
    ' own_check\\n@own_check("ACME-01", "It MUST.")\\ndef test_own(judge, api):\\n    assert'
    ' api.get("/v1/leads").status == 999\\n\' > own/test_own.py'
)
ASKED: Mapping[str, Asked] = {
    "one requirement": Asked(f"plumbline run {ONE}", 0),
    "one requirement with two workers": Asked(f"plumbline run {ONE} -n2", 0),
    "one requirement of the embedded deployment": Asked(
        f"env -i PATH=$PATH HOME=$HOME TMPDIR=$TMPDIR plumbline run {ONE}", 0
    ),
    "what failed last, where nothing has": Asked(f"plumbline run {ONE} --lf", 0),
    "a plan of what failed last": Asked(f"plumbline plan {ONE} --lf", 0),
    "a requirement that the deployment breaks": Asked(
        "env -i PATH=$PATH HOME=$HOME TMPDIR=$TMPDIR plumbline run --fault=invalid-patch-code"
        " suites/leads/test_change.py -n0",
        1,
    ),
    "an option that is not there": Asked("plumbline run --nonsense", 4),
    "an empty address": Asked("plumbline run --base-url=", 4),
    "a selection that leaves no check": Asked("plumbline run -k nothing_like_this -n0", 5),
    "a class, one key of which is missing": Asked(
        "env -u PLUMBLINE_REVOKED_KEY plumbline run --claim=credentials -n0", 10
    ),
    "an address at which nothing answers": Asked(
        "plumbline run -n0 --base-url http://127.0.0.1:1", 11
    ),
    "a key that the deployment refuses": Asked(
        "PLUMBLINE_API_KEY=svc_pk_test_bm8 plumbline run -n0", 11
    ),
    "a receiver without its URL": Asked("plumbline receiver", 11),
    "a recording that is not there": Asked("plumbline observe none.har", 11),
    "a report that is not there": Asked("plumbline regrade none", 11),
    "a requirement that is not there": Asked("plumbline explain NONE-01", 11),
    "a baseline that is out of date": Asked(
        f"{STALE}; plumbline run -n0 --claim=credentials --baseline=known.toml", 13
    ),
    "an own check that fails": Asked(f"{OWN}; plumbline run own -n0 {ONE}", 14),
    "a report folder on a full disk": Asked(f"ulimit -f 8; plumbline run {ONE}", 12),
}
"""What every exit code says, beside those of signals."""


def expected(circumstance: str, verb: str) -> int | None:
    """The exit code of a cell."""
    codes = CIRCUMSTANCES[circumstance].codes
    return codes.get(verb, codes.get(VERBS[verb].group, VERBS[verb].code))
