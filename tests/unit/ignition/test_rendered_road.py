"""The bootstrap node's file on the rendered road: what bootkube begins with, and nothing that its stages bring."""

from __future__ import annotations

import json
import shutil

import pytest

from hardway.checks.files.artifacts import Artifacts
from hardway.checks.files.table import TABLE
from hardway.explain.atlas import reasons
from hardway.model.check import run
from tests.support.clusters import install_config
from tests.support.entropy import NOW
from tests.support.ignition.files import files
from tests.support.trees import build_folder, write_folder


@pytest.fixture(scope="module")
def workspace(tmp_path_factory):
    folder = write_folder(tmp_path_factory.mktemp("rendered") / "c", install_config(), road="rendered")
    return build_folder(folder)


@pytest.fixture
def world(workspace, tmp_path):
    shutil.copytree(workspace.store.root, tmp_path / "assets")
    return Artifacts(root=tmp_path / "assets", cluster=workspace.loaded.cluster, now=NOW)


def units(workspace):
    document = json.loads(workspace.store.read("bootstrap.ign"))
    return {unit["name"]: unit.get("enabled") for unit in document["systemd"]["units"]}


def change(world, edit):
    path = world.root / "bootstrap.ign"
    document = json.loads(path.read_text())
    edit(document)
    path.write_text(json.dumps(document))


def test_no_pod_no_secret_and_no_crd_is_there_yet(workspace):
    paths = files(workspace.store.read("bootstrap.ign"))
    for folder in ("/etc/kubernetes/manifests/", "/etc/kubernetes/bootstrap-", "/opt/openshift/crds/"):
        assert [path for path in paths if path.startswith(folder)] == []
    assert "/etc/kubernetes/kubeconfig" not in paths
    assert not any("etcd-" in path for path in paths)


def test_the_kubelet_waits_for_pods_and_bootkube_for_its_stage(workspace):
    assert units(workspace)["kubelet.service"] is True
    assert units(workspace)["bootkube.service"] is False


def test_every_file_and_unit_has_a_reason(workspace):
    known = reasons(workspace)
    document = json.loads(workspace.store.read("bootstrap.ign"))
    addresses = [f"file/bootstrap:{f['path']}" for f in document["storage"]["files"]]
    addresses += [f"unit/bootstrap:{u['name']}" for u in document["systemd"]["units"]]
    assert [address for address in addresses if address not in known] == []


def test_verification_finds_nothing(world):
    assert [f for f in run(TABLE, world).findings if f.severity == "error"] == []


def enable(document):
    next(u for u in document["systemd"]["units"] if u["name"] == "bootkube.service")["enabled"] = True


def add_pod(document):
    entry = {"path": "/etc/kubernetes/manifests/etcd-member-pod.yaml", "mode": 384, "contents": {"source": "data:,"}}
    document["storage"]["files"].append(entry)


def drop_key(document):
    rows = document["storage"]["files"]
    rows[:] = [row for row in rows if row["path"] != "/opt/openshift/tls/kubelet-signer.key"]


@pytest.mark.parametrize("plant", [enable, add_pod, drop_key])
def test_what_is_of_another_road_or_missing_is_found(world, plant):
    change(world, plant)
    found = {f.check for f in run(TABLE, world).findings if f.severity == "error"}
    assert found in ({"ignition.carries"}, {"ignition.pod-files"})
