"""The Java client of openapi-generator with its default options: it compiles, reads every surprise,
and works.
"""

import os
import shutil
from pathlib import Path

from .workshop import (
    DOCUMENT,
    HERE,
    answered,
    finished,
    fresh,
    run,
    surprising,
    write_json,
)

SCRIPTS = HERE / "scripts" / "java"
LOCAL = Path.home() / ".m2" / "repository"
"""What Maven has fetched on this machine at some time."""
JARS = (
    "com/squareup/okhttp3/okhttp",
    "com/squareup/okio/okio-jvm",
    "com/google/code/gson/gson",
    "com/google/code/findbugs/jsr305",
    "javax/annotation/javax.annotation-api",
    "org/jetbrains/kotlin/kotlin-stdlib",
)
"""Libraries without which the client does nothing, in the repository of Maven."""


def test_java(service: dict[str, str]) -> None:
    """Null everywhere, unknown fields, unknown values of open enumerations, the year 2100; then ten
    calls.
    """
    assert shutil.which("javac"), "The tools need a Java development kit, 11 or later; install it."
    folder = fresh("java")
    run("openapi-generator-cli", "generate", "-g", "java", "-i", str(DOCUMENT), "-o", str(folder))
    classes, stubs = _class_path(folder)
    sources = [*(folder / "src/main/java").rglob("*.java"), *stubs, SCRIPTS / "Calls.java"]
    names = folder / "sources.txt"
    names.write_text("\n".join(map(str, sources)), encoding="utf-8")
    run("javac", "-nowarn", "-cp", classes, "-d", "built", f"@{names}", folder=folder)
    write_json(folder / "nulls.json", answered())
    write_json(folder / "surprises.json", surprising())
    paths = f"built{os.pathsep}{classes}"
    assert "10 calls" in run("java", "-cp", paths, "Calls", folder=folder, **service)


def _class_path(folder: Path) -> tuple[str, list[Path]]:
    """The libraries of the client, and sources that stand in for missing ones.

    Maven fetches all that the client asks for where it reaches a registry. Elsewhere what is on the
    machine has to do, and `scripts/java` has the few classes beside it that the client names.
    """
    listed = "dependency:build-classpath"
    command = ("mvn", "-q", "-B", listed, "-Dmdep.outputFile=classes.txt")
    if shutil.which("mvn") and finished(command, folder, {}).returncode == 0:
        return (folder / "classes.txt").read_text(encoding="utf-8").strip(), []
    jars = [next(iter(sorted((LOCAL / name).rglob("*.jar"), reverse=True)), None) for name in JARS]
    missing = [name for name, jar in zip(JARS, jars, strict=True) if jar is None]
    assert missing == [], f"Maven reaches no registry, and {LOCAL} lacks {', '.join(missing)}."
    stubs = [path for path in SCRIPTS.rglob("*.java") if path.parent != SCRIPTS]
    return os.pathsep.join(map(str, jars)), stubs
