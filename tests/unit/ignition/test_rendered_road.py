"""The bootstrap node's file on the rendered road: what bootkube begins with, and nothing that its stages bring."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from urllib.parse import quote

import pytest

from hardway.bootkube.script import PATH
from hardway.checks.files.artifacts import Artifacts
from hardway.checks.files.ignition.file import Ign
from hardway.checks.files.table import TABLE
from hardway.explain.atlas import reasons
from hardway.ignition.rendered import STAND_INS
from hardway.model.check import run
from hardway.workspace.release import record_of
from tests.support.clusters import install_config
from tests.support.entropy import NOW
from tests.support.ignition.files import files
from tests.support.lent import lent
from tests.support.trees import build_folder, write_folder

CONTROLLERS = ("cluster-kube-controller-manager-operator", "cluster-kube-scheduler-operator")


@pytest.fixture(scope="module")
def workspace(tmp_path_factory):
    folder = write_folder(tmp_path_factory.mktemp("rendered") / "c", install_config(), road="rendered")
    return build_folder(folder)


@pytest.fixture
def world(workspace):
    return Artifacts(root=lent(workspace.store.root), cluster=workspace.loaded.cluster, now=NOW)


def change(world, edit):
    path = world.root / "bootstrap.ign"
    document = json.loads(path.read_text())
    edit(document)
    path.write_text(json.dumps(document))


def test_no_pod_runs_and_no_secret_is_there_yet(workspace):
    paths = files(workspace.store.read("bootstrap.ign"))
    for folder in ("/etc/kubernetes/", "/opt/openshift/crds/"):
        assert [path for path in paths if path.startswith(folder)] == []
    assert not any("etcd-" in path for path in paths)


def test_the_unit_runs_the_stages(workspace):
    document = json.loads(workspace.store.read("bootstrap.ign"))
    units = {unit["name"]: unit for unit in document["systemd"]["units"]}
    assert units["kubelet.service"]["enabled"] is True
    assert units["bootkube.service"]["enabled"] is True
    assert f"ExecStart={PATH}\n" in units["bootkube.service"]["contents"]
    assert files(workspace.store.read("bootstrap.ign"))[PATH].mode == 0o755


def test_ours_are_in_the_place_of_operators_that_the_release_lacks(tmp_path, workspace):
    folder = write_folder(tmp_path / "c", install_config(), road="rendered")
    release = workspace.loaded.cluster.release
    record = record_of(release.version, replace(release, stands_in=dict.fromkeys(CONTROLLERS, "pod")))
    (folder / "assets/release").mkdir(parents=True)
    (folder / "assets/release/release.json").write_text(json.dumps(record))
    mine = files(build_folder(folder).store.read("bootstrap.ign"))
    more = set(mine) - set(files(workspace.store.read("bootstrap.ign")))
    assert {row.target for row in STAND_INS} <= more
    assert "/opt/openshift/manifests/secret-csr-signer-signer.yaml" in more
    assert b"stands in for cluster-kube-scheduler-operator; in its place: our own pod" in mine[PATH].content


def test_every_file_and_unit_has_a_reason(workspace):
    known = reasons(workspace)
    document = json.loads(workspace.store.read("bootstrap.ign"))
    addresses = [f"file/bootstrap:{f['path']}" for f in document["storage"]["files"]]
    addresses += [f"unit/bootstrap:{u['name']}" for u in document["systemd"]["units"]]
    assert [address for address in addresses if address not in known] == []


def test_verification_finds_nothing(world):
    assert [f for f in run(TABLE, world).findings if f.severity == "error"] == []


def unit_of_another_road(document):
    unit = next(u for u in document["systemd"]["units"] if u["name"] == "bootkube.service")
    unit["contents"] = unit["contents"].replace(PATH, "/usr/local/bin/bootkube.sh")


def edit_script(document, edit):
    entry = next(row for row in document["storage"]["files"] if row["path"] == PATH)
    before = Ign("", {"storage": {"files": [entry]}}).content(entry).decode()
    assert edit(before) != before
    entry["contents"] = {"source": f"data:,{quote(edit(before))}"}


def no_script(document):
    rows = document["storage"]["files"]
    rows[:] = [row for row in rows if row["path"] != PATH]


def no_stage(document):
    edit_script(document, lambda text: re.sub(r" +stage 13 'wait-for-etcd' .*\n", "", text))


def another_marker(document):
    edit_script(document, lambda text: text.replace("cb-bootstrap.done", "done"))


def another_order(document):
    def edit(text):
        lines = text.splitlines(keepends=True)
        etcd = next(i for i, line in enumerate(lines) if line.startswith("    stage 5 "))
        lines[etcd : etcd + 2] = lines[etcd : etcd + 2][::-1]
        return "".join(lines)

    edit_script(document, edit)


def no_function(document):
    edit_script(document, lambda text: text.replace("\netcd_bootstrap()", "\netcd_render()"))


def another_release(document):
    edit_script(document, lambda text: re.sub(r"(render etcd-bootstrap '' \S+@sha256:)\S+", r"\g<1>" + "0" * 64, text))


@pytest.mark.parametrize(
    "plant", [unit_of_another_road, no_stage, another_marker, another_order, no_function, another_release]
)
def test_a_script_that_does_not_fit_is_found(world, plant):
    change(world, plant)
    assert {f.check for f in run(TABLE, world).findings if f.severity == "error"} == {"ignition.stages"}


def test_a_script_that_is_missing_is_found_by_its_unit_too(world):
    change(world, no_script)
    found = {f.check for f in run(TABLE, world).findings if f.severity == "error"}
    assert found == {"ignition.stages", "ignition.units"}


def add_pod(document):
    entry = {"path": "/etc/kubernetes/manifests/etcd-member-pod.yaml", "mode": 384, "contents": {"source": "data:,"}}
    document["storage"]["files"].append(entry)


def drop_key(document):
    rows = document["storage"]["files"]
    rows[:] = [row for row in rows if row["path"] != "/opt/openshift/tls/kubelet-signer.key"]


@pytest.mark.parametrize("plant", [add_pod, drop_key])
def test_what_is_of_another_road_or_missing_is_found(world, plant):
    change(world, plant)
    found = {f.check for f in run(TABLE, world).findings if f.severity == "error"}
    assert found in ({"ignition.carries"}, {"ignition.pod-files"})
