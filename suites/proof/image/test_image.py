"""The image of `fixtures/pipeline/Containerfile` is built, starts, and runs the smoke tier.

Needs root, buildah and debootstrap, which Debian has as packages, and mirrors of Debian and PyPI.
No registry of images is asked: the base is a small Debian with Python, under the name of the one
that the file wants.
"""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from plumbline import __version__

ROOT = Path(__file__).parents[3]
WORK = ROOT / "build" / "image"
BASE, IMAGE = "localhost/python:3.11-slim", "localhost/plumbline"
"""A name without a host is looked for on this one first."""
PINNED = re.compile(r"^FROM docker\.io/library/python:3\.11-slim@sha256:[0-9a-f]{64}", re.MULTILINE)
"""The base that the file names, which a registry would have to be asked for."""
SUITE = "bookworm"
"""The release of Debian with Python 3.11."""
PACKAGES = "python3,python3-pip,ca-certificates"
CERTIFICATES = "etc/ssl/certs/ca-certificates.crt"
ALONE = ("--isolation", "chroot")
"""Needs no namespaces or control groups, which a builder inside of a container may not have."""
TIMEOUT_SECONDS = 1_800


def done(*words: str) -> str:
    """Run a program that has to end well; returns what it prints."""
    completed = subprocess.run(
        words, cwd=ROOT, capture_output=True, text=True, timeout=TIMEOUT_SECONDS, check=False
    )
    assert completed.returncode == 0, f"{' '.join(words)}\n{completed.stdout}\n{completed.stderr}"
    return completed.stdout


def buildah(*words: str) -> str:
    """Run buildah, with a storage of its own that any file system can hold."""
    where = (
        "--storage-driver",
        "vfs",
        "--root",
        str(WORK / "storage"),
        "--runroot",
        str(WORK / "run"),
    )
    return done("buildah", *where, *words).strip()


def remove(tree: Path) -> None:
    """Remove what debootstrap has made, also where it was ended before it could unmount what it had
    mounted there.
    """
    for mounted in (tree / "sys", tree / "proc"):
        if mounted.is_mount():
            done("umount", str(mounted))
    shutil.rmtree(tree, ignore_errors=True)


@pytest.fixture(name="base", scope="module")
def _base() -> str:
    """The image that the file begins with; it is made once."""
    for program in ("buildah", "debootstrap"):
        assert shutil.which(program), (
            f"the proof of the image needs {program}, and root: apt-get install buildah debootstrap"
        )
    assert os.geteuid() == 0, "the proof of the image needs root, as debootstrap does"
    WORK.mkdir(parents=True, exist_ok=True)
    if BASE in buildah("images", "--format", "{{.Name}}:{{.Tag}}").split():
        return BASE
    tree = WORK / "tree"
    remove(tree)
    done("debootstrap", "--variant=minbase", f"--include={PACKAGES}", SUITE, str(tree))
    for mark in tree.glob(
        "usr/lib/python3*/EXTERNALLY-MANAGED"
    ):  # the official image lets pip install, too
        mark.unlink()
    shutil.copy(
        Path("/", CERTIFICATES), tree / CERTIFICATES
    )  # of the mirrors, as this machine knows them
    container = buildah("from", "scratch")
    buildah("copy", container, str(tree), "/")
    buildah("config", "--env", f"SSL_CERT_FILE=/{CERTIFICATES}", container)
    buildah("commit", "--rm", container, BASE)
    remove(tree)
    return BASE


@pytest.fixture(name="container", scope="module")
def _container(base: str) -> Iterator[str]:
    """A container of the image that was built from this checkout."""
    text = (ROOT / "fixtures/pipeline/Containerfile").read_text(encoding="utf-8")
    assert len(PINNED.findall(text)) == 2
    file = WORK / "Containerfile"
    file.write_text(PINNED.sub(f"FROM {base}", text), encoding="utf-8")
    buildah(
        "build",
        *ALONE,
        "--pull-never",
        "--layers=false",
        "--force-rm",
        "-t",
        IMAGE,
        "-f",
        str(file),
        ".",
    )
    container = buildah("from", "--pull-never", IMAGE)
    yield container
    buildah("rm", container)
    buildah("rmi", "--prune")


def started(container: str, *words: str) -> str:
    """Start the image with some words, as its user; returns what it prints."""
    settings = json.loads(buildah("inspect", "--type", "container", container))["OCIv1"]["config"]
    assert settings["User"] == "plumbline"
    return buildah("run", *ALONE, container, "--", *settings["Entrypoint"], *words)


def test_image_has_the_kit_with_its_extras_and_no_checkout(container: str) -> None:
    assert started(container, "--version") == f"plumbline {__version__}"
    assert "--cluster" in started(container, "fleet", "run", "--help")
    within = (
        "import distributed, fsspec, psycopg, getpass, os, plumbline; print(getpass.getuser(),"
        " os.getcwd(), plumbline.__file__)"
    )
    user, folder, file = buildah("run", *ALONE, container, "--", "python", "-c", within).split()
    assert (user, folder) == ("plumbline", "/work")
    assert file.startswith("/opt/plumbline/lib/")
    assert buildah("run", *ALONE, container, "--", "ls", "/").find("build") == -1


def test_image_runs_the_smoke_tier(container: str) -> None:
    said = started(container, "run", "--tier=smoke")
    assert "Nothing that was selected failed" in said
    results = json.loads(
        buildah("run", *ALONE, container, "--", "cat", "plumbline-report/conformance.json")
    )
    assert (results["state"], results["verdict"], results["tier"]) == (
        "finished",
        "partial",
        "smoke",
    )
    assert results["totals"]["passed"] > 0
    assert 0 < sum(results["requests"].values()) <= 60
