"""Here because `pyproject.toml` can find packages, but not put `plumbline.` before their names.

The folders at the top are packages of `plumbline`, each new one as well; a list of them all would
miss one without a word. Everything else about the project stands in `pyproject.toml`.
"""

from setuptools import find_packages, setup

ROOMS = ("spec", "fixtures", "suites", "reports")
PARTS = [part for room in ROOMS for part in (room, f"{room}.*")]

setup(
    packages=[
        "plumbline",
        *(
            f"plumbline.{name}"
            for name in find_packages(
                include=PARTS,
                exclude=[
                    "fixtures.plumbline",
                    "*.tests",
                    "*.tests.*",
                    "suites.proof*",
                ],
            )
        ),
    ]
)
