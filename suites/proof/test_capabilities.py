"""Whatever a tester offers, a run can judge all that it claims: on paper for every profile, in fact
for the smallest.
"""

import json
from itertools import combinations
from pathlib import Path

import pytest

from plumbline.fixtures.profile.profile import CAPABILITIES, SUITES_EXIST
from plumbline.fixtures.reference.server import Settings, running
from plumbline.fixtures.run.planning.needs import ALWAYS, missing, needs_of
from plumbline.fixtures.run.plugin.collecting import all_items
from plumbline.fixtures.scenarios.mark import declared
from plumbline.fixtures.tests.forks import ended
from plumbline.spec import catalogue

from .test_plans import ROOT, planned

OFFERED = tuple(sorted(CAPABILITIES.keys() - ALWAYS - {"receiver", "observer", "client"}))
"""What a tester of a deployment can offer beside an address and a key."""
OF_OTHERS = ("receiver", "effects", "client")
GUIDES = {
    "an address and a key": (),
    "a second organization": ("keys.other_organization",),
    "a read-only key": ("keys.read_only",),
    "a revoked key": ("keys.revoked",),
    "all keys of its life": ("keys.read_only", "keys.revoked", "keys.expired", "keys.deleted"),
    "keys whose limits may be used up": ("keys.limited",),
    "a connection": ("graphql.leads",),
}
"""Profiles that the guides speak of, with the settings that they hold beside an address and a
key.
"""
QUERY = (
    "query ($first: Int, $after: String) { leads(first: $first, after: $after) { edges { node { id"
    " } } } }"
)


def test_every_claim_can_be_judged() -> None:
    """For each set of capabilities: a class that is claimed has no requirement whose every check
    needs more.
    """
    ways: dict[str, set[frozenset[str]]] = {}
    for item in all_items():
        for name in declared(item):
            ways.setdefault(name, set()).add(needs_of(item))
    judged_by_checks = [
        requirement
        for requirement in catalogue().requirements.values()
        if requirement.unobservable is None and requirement.id in ways
    ]
    assert len(judged_by_checks) > 200
    offers = [
        set(offer) for size in range(len(OFFERED) + 1) for offer in combinations(OFFERED, size)
    ]
    short = {
        (requirement.id, missing(ways[requirement.id], given))
        for given in offers
        for requirement in judged_by_checks
        if requirement.conformance_class not in OF_OTHERS
        and requirement.conformance_class in SUITES_EXIST
        and (given | ALWAYS).issuperset(catalogue().classes[requirement.conformance_class].needs)
        and missing(ways[requirement.id], given)
    }
    assert short == set()


@pytest.mark.parametrize("profile", GUIDES)
def test_a_plan_leaves_nothing_of_its_claim(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, profile: str
) -> None:
    """Every requirement of the claimed classes is planned to be judged in the standard tier."""
    file = tmp_path / "deployment.toml"
    named = [setting.partition(".") for setting in GUIDES[profile]]
    keys = [f'{name} = {{ env = "KEY_{name}" }}' for section, _, name in named if section == "keys"]
    queries = [f"{name} = '{QUERY}'" for section, _, name in named if section == "graphql"]
    for _, _, name in named:
        monkeypatch.setenv(f"KEY_{name}", f"svc_pk_test_{name}00")
    file.write_text("\n".join(["[keys]", *keys, "[graphql]", *queries, ""]), encoding="utf-8")
    words = (
        "--base-url=http://127.0.0.1:9",
        "--api-key=svc_pk_test_plan",
        "--limits=lifted",
        f"--deployment={file}",
    )
    plan = planned(*words)
    assert {row["id"]: row["of"] - row["requirements"] for row in plan["classes"]} == dict.fromkeys(
        [row["id"] for row in plan["classes"]], 0
    )


def test_an_address_and_a_key_are_enough_for_a_verdict(tmp_path: Path) -> None:
    """A conformant deployment, named by its address and a key alone, is conformant, and nothing
    claimed is left.
    """
    with running(Settings()) as deployment:
        described = deployment.description()
        words = (
            f"--base-url={described['base_url']}",
            "--limits=lifted",
            f"--report-dir={tmp_path / 'report'}",
        )
        key = {"PLUMBLINE_API_KEY": described["keys"]["owner"]}
        done = ended("pytest", "-q", "-p", "no:cacheprovider", *words, folder=ROOT, environment=key)
    assert done.code == 0, done.out + done.err
    results = json.loads((tmp_path / "report" / "conformance.json").read_text(encoding="utf-8"))
    assert results["verdict"] == "conformant"
    assert [row["id"] for row in results["requirements"] if row["verdict"] == "not exercised"] == []
