"""The manifest of a fleet keeps the published schemas of Kubernetes and of the operator of Dask."""

from collections.abc import Mapping
from typing import Any

from ruamel.yaml import YAML

from .workshop import ROOT, WORK, fresh, run, write_json

MANIFEST = ROOT / "fixtures" / "pipeline" / "fleet.yaml"
OPERATOR = (
    "lib/python*/site-packages/dask_kubernetes/operator/deployment/helm"
    "/dask-kubernetes-operator/crds/daskcluster.yaml"
)


def test_manifest_keeps_the_schemas_of_kubernetes() -> None:
    said = run("kubernetes-validate", "--strict", str(MANIFEST))
    assert [line.split()[-4] for line in said.splitlines() if line.startswith("INFO")] == [
        "networkpolicy/plumbline-cluster",
        "persistentvolumeclaim/plumbline-results",
        "cronjob/plumbline-fleet",
    ]


def test_cluster_keeps_the_schema_of_the_operator() -> None:
    folder = fresh("kubernetes")
    (published,) = (WORK / "py").glob(OPERATOR)
    (version,) = YAML(typ="safe").load(published.read_text(encoding="utf-8"))["spec"]["versions"]
    # What every object has, such as `metadata`, is not in it.
    published_schema = {
        **closed(version["schema"]["openAPIV3Schema"]),
        "additionalProperties": True,
    }
    schema = write_json(folder / "schema.json", published_schema)
    (cluster,) = (
        document
        for document in YAML(typ="safe").load_all(MANIFEST.read_text(encoding="utf-8"))
        if document["kind"] == "DaskCluster"
    )
    run(
        "check-jsonschema",
        "--schemafile",
        str(schema),
        str(write_json(folder / "cluster.json", cluster)),
    )
    cluster["spec"]["worker"]["replica"] = 3
    done = write_json(folder / "wrong.json", cluster)
    try:
        run("check-jsonschema", "--schemafile", str(schema), str(done))
    except AssertionError as error:
        assert "replica" in str(error)  # noqa: PT017  the program says it
    else:
        raise AssertionError("a key that the operator does not know was let through")


def closed(schema: Any) -> Any:
    """A schema that knows all keys, as the server of Kubernetes holds objects against it when it is
    asked to be strict.
    """
    if isinstance(schema, Mapping):
        members = {name: closed(member) for name, member in schema.items()}
        is_open = "additionalProperties" in members or members.get(
            "x-kubernetes-preserve-unknown-fields"
        )
        if (
            isinstance(members.get("properties"), dict)
            and members.get("type") == "object"
            and not is_open
        ):
            members["additionalProperties"] = False
        return members
    return [closed(member) for member in schema] if isinstance(schema, list) else schema
