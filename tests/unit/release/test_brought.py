"""What a release brings, from manifests of every shape, and what is known of one before it is read."""

from __future__ import annotations

import json

import pytest
import yaml

from hardway.lines.find import known_lines
from hardway.model.cluster import Brought
from hardway.release import brought, catalogue
from hardway.release.crds import GROUP, KIND
from hardway.workspace.release import from_record, record_of

PROFILE = "include.release.openshift.io/self-managed-high-availability"


def manifest(version, kind, name, namespace="", profile="true", **rest):
    about = {"name": name, "annotations": {PROFILE: profile}} | ({"namespace": namespace} if namespace else {})
    return yaml.safe_dump({"apiVersion": version, "kind": kind, "metadata": about, **rest}).encode()


def deployment(name, namespace, **rest):
    return manifest("apps/v1", "Deployment", name, namespace, **rest)


def operator(name, *related):
    return manifest("config.openshift.io/v1", "ClusterOperator", name, status={"relatedObjects": list(related)})


def space(name):
    return {"group": "", "resource": "namespaces", "name": name}


def test_operators_with_their_namespaces_deployments_and_types():
    files = {
        "a.yaml": operator("etcd", space("openshift-etcd"), {"resource": "etcds", "name": "cluster"}, space("a")),
        "b.yaml": deployment("etcd-operator", "openshift-etcd-operator") + b"---\n" + deployment("other", "b"),
        "c.yaml": manifest(f"{GROUP}/v1", KIND, "etcds.operator.openshift.io"),
        "d.yaml": deployment("elsewhere", "openshift-etcd-operator", profile="false"),
        "e.yaml": manifest("extensions/v1", "Deployment", "odd", "b"),
    }
    assert brought.read(files) == Brought(
        operators={"etcd": ("a", "openshift-etcd")},
        deployments=("b/other", "openshift-etcd-operator/etcd-operator"),
        types=("etcds.operator.openshift.io",),
    )


@pytest.mark.parametrize("related", [None, "text", [None, 7, {"resource": "namespaces"}]])
def test_what_an_operator_does_not_say_right_is_no_namespace(related):
    odd = manifest("config.openshift.io/v1", "ClusterOperator", "dns", status={"relatedObjects": related})
    assert brought.read({"a.yaml": odd}).operators == {"dns": ()}


@pytest.mark.parametrize("line", known_lines(), ids=lambda line: line.minor)
def test_every_release_of_a_line_is_taken_to_have_its_operators_until_it_is_read(line):
    found = catalogue.release_of(line).brought
    assert set(found.operators) == {row.name for row in line.operators}
    assert set(found.deployments) == {row.deployment for row in line.operators}
    assert all(row.why and row.deployment.count("/") == 1 for row in line.operators)
    assert all(bool(row.pods) == bool(row.revisions) for row in line.operators)


def test_the_record_keeps_it():
    release = catalogue.release_of(known_lines()[-1])
    record = json.loads(json.dumps(record_of("x", release)))
    assert from_record(record).brought == release.brought
    del record["brought"]
    assert from_record(record).brought.deployments == release.brought.deployments
