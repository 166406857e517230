"""The payload: placeholders, versions, names, and what CVO asks of it."""

from __future__ import annotations

import json
import tarfile

import pytest
import yaml

from hardway.labrelease import deviations
from hardway.labrelease.checkouts.table import BY_NAME
from hardway.labrelease.images import table as images
from hardway.labrelease.operator import table
from hardway.labrelease.payload import assemble
from hardway.labrelease.payload import own as payload_own
from hardway.model.errors import ToolError
from tests.support.lab import programs as lab_programs
from tests.unit.labrelease.images.test_images import files as files_of

OPERATOR = "hardway-lab-operator"
IMAGES = {OPERATOR: "i"}
SPEC = "127.0.0.1:5000/hardway@sha256:"


def read(built):
    layer = json.loads((built.folder / "blobs/sha256" / built.digest.removeprefix("sha256:")).read_bytes())["layers"][
        -1
    ]
    with tarfile.open(built.folder / "blobs/sha256" / layer["digest"].removeprefix("sha256:")) as archive:
        members = [member for member in archive.getmembers() if member.isreg()]
        return {m.name.removeprefix("release-manifests/"): archive.extractfile(m).read().decode() for m in members}


@pytest.mark.parametrize("chosen", images.SETS)
def test_version_is_one_and_the_same_everywhere(tmp_path, chosen):
    files = read(lab_programs.build(tmp_path, chosen))
    wanted = f"4.18.0-lab.{chosen}"
    assert json.loads(files["image-references"])["metadata"]["name"] == wanted
    assert json.loads(files["release-metadata"])["version"] == wanted
    assert not [name for name, text in files.items() if "0.0.1-snapshot" in text]
    config = yaml.safe_load(files["0000_50_file.yaml"])["data"]
    assert (config["version"], config["kubernetes"]) == (wanted, "1.31.3")


def test_placeholders_become_pull_specs_and_longer_names_stay(tmp_path):
    built = lab_programs.build(tmp_path)
    text = read(built)["0000_50_file.yaml"]
    config = yaml.safe_load(text)["data"]
    assert config["proxy"] == f"127.0.0.1:5000/hardway@{built.images['kube-rbac-proxy']}"
    assert config["other"].endswith(":kube-rbac-proxy-and-more")


@pytest.mark.parametrize(
    ("text", "replaced"),
    [
        ("image: quay.io/o/etcd", True),
        ('"quay.io/o/etcd"', True),
        ("--image=quay.io/o/etcd,", True),
        ("see quay.io/o/etcd.", True),
        ("quay.io/o/etcd-operator", False),
        ("quay.io/o/etcd:v4", False),
        ("quay.io/o/etcd@sha256:00", False),
        ("quay.io/o/etcd/more", False),
        ("my.quay.io/o/etcd", False),
    ],
)
def test_only_whole_names_are_replaced(text, replaced):
    replace = assemble.replacer({"quay.io/o/etcd": "etcd"}, {"etcd": "REPLACED"})
    assert ("REPLACED" in replace(text)) is replaced


def test_an_image_that_nobody_has_is_an_error():
    with pytest.raises(ToolError, match="no image for etcd"):
        assemble.replacer({"quay.io/o/etcd": "etcd"}, {})


def test_a_manifest_without_a_number_gets_one():
    assert assemble.file_name("service-ca-operator", "01_ns.yaml") == "0000_50_service-ca-operator_01_ns.yaml"
    assert assemble.file_name("x", "0000_10_y.yaml") == "0000_10_y.yaml"


def test_left_out_manifests_are_not_in_the_payload_and_are_said_to_be(tmp_path):
    built = lab_programs.build(tmp_path)
    said = {row.subject for row in built.deviations if row.kind == "manifest"}
    left_out = {"0000_80_machine-config_04_deployment.yaml", "0000_80_machine-config_06_clusteroperator.yaml"}
    assert left_out <= said
    assert not left_out & set(read(built))


def test_what_has_no_program_is_the_pause_image_and_is_said_to_be(tmp_path):
    built = lab_programs.build(tmp_path)
    said = {row.subject for row in built.deviations if row.kind == "image" and row not in deviations.RELEASE}
    assert {"something-new", "oauth-proxy", "haproxy-router", "cluster-etcd-operator"} <= said
    assert {name for name, digest in built.images.items() if digest == built.images["pod"]} == said | {"pod"}
    tags = json.loads(read(built)["image-references"])["spec"]["tags"]
    assert {tag["name"] for tag in tags if tag["annotations"].get("hardway.lab/stands-in")} == said
    assert {tag["name"]: tag["from"]["name"] for tag in tags}["etcd"] == f"{SPEC[:-7]}{built.images['etcd']}"


@pytest.mark.parametrize("chosen", images.SETS)
def test_the_lab_operator_reports_what_no_real_operator_does(chosen):
    own = payload_own.manifests(chosen, images=IMAGES, version="v")
    bodies = [yaml.safe_load(text) for text in own.values()]
    reported = {body["metadata"]["name"] for body in bodies if body["kind"] == "ClusterOperator"}
    [deployment] = [body for body in bodies if (body["kind"], body["metadata"]["name"]) == ("Deployment", OPERATOR)]
    stands_in = {"service-ca"} if chosen == "core" else set()
    assert set(deployment["spec"]["template"]["spec"]["containers"][0]["args"]) == reported | stands_in
    [role] = [body for body in bodies if (body["kind"], body["metadata"]["name"]) == ("ClusterRole", OPERATOR)]
    assert ("secrets" in str(role["rules"])) == (chosen == "core")
    real = {"etcd", "kube-apiserver"} if chosen == "operators" else set()
    assert reported == set(table.names()) - real


@pytest.mark.parametrize("chosen", images.SETS)
def test_cvo_takes_every_manifest_of_ours(chosen):
    for name, text in payload_own.manifests(chosen, images=IMAGES, version="v").items():
        body = yaml.safe_load(text)
        assert body["metadata"]["annotations"]["include.release.openshift.io/self-managed-high-availability"] == "true"
        assert name.startswith("0000_")
        if body["kind"] == "ClusterOperator":
            assert body["status"]["versions"] == [{"name": "operator", "version": "v"}]


def test_the_payload_is_alone_in_the_newest_layer(tmp_path):
    built = lab_programs.build(tmp_path)
    assert {"image-references", "release-metadata"} <= set(read(built))
    assert "usr/bin/cluster-version-operator" in files_of(built, "release")
    assert not any(name.startswith("usr/") for name in read(built))


TYPE = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: credentialsrequests.cloudcredential.openshift.io
spec: {real: true}
---
apiVersion: v1
kind: Namespace
metadata:
  annotations: {about: "name: openshift-etcd"}
  name: openshift-cloud-credential-operator
"""


@pytest.mark.parametrize("brought", [False, True])
def test_a_namespace_or_a_type_that_a_component_brings_is_not_brought_by_the_lab_too(tmp_path, brought):
    """Another that is only mentioned stays."""
    made = lab_programs.made(tmp_path, BY_NAME["cluster-ingress-operator"])
    if brought:
        (made.folder / "data/manifests/0000_03_type.yaml").write_text(TYPE)
    files = read(lab_programs.build(tmp_path, "operators", made=[made]))
    bodies = [body for name, text in files.items() if name.endswith(".yaml") for body in yaml.safe_load_all(text)]
    names = [(body["kind"], body["metadata"]["name"]) for body in bodies if body and "metadata" in body]
    assert names.count(("CustomResourceDefinition", "credentialsrequests.cloudcredential.openshift.io")) == 1
    assert names.count(("Namespace", "openshift-cloud-credential-operator")) == 1
    assert names.count(("Namespace", "openshift-etcd")) == 1
    assert ("0000_00_hardway-lab_01_credentialsrequests.crd.yaml" in files) != brought
