"""For each check of what operators need a planted defect: exactly that check finds it, where there are operators."""

from __future__ import annotations

import json
import random
import shutil
from dataclasses import replace
from functools import cache
from typing import get_args

import pytest
import yaml

from hardway.checks.files.artifacts import Artifacts
from hardway.checks.files.operators.objects import DEMANDS
from hardway.checks.files.operators.release import TYPES
from hardway.checks.files.operators.table import OPERATORS
from hardway.checks.files.table import TABLE
from hardway.model.check import run
from hardway.model.cluster import Capabilities, Road
from tests.property.test_damaged import BYTES, ODD, places, replaced
from tests.support.clusters import install_config, load_cluster, made_by
from tests.support.entropy import NOW
from tests.support.operators.ground import payload_files, version_operator_types
from tests.support.trees import build_folder, built_now, write_folder
from tests.unit.checks.files.test_manifest_defects import edit, path_of
from tests.unit.checks.files.test_whole_defects import ignition, put

CHECKS = [check for check in TABLE if not check.name.startswith(("render.", "release."))]
SECRET = "0000_20_etcd-operator_03_secret.yaml"


def tree(folder, keys="rsa-2048"):
    made = write_folder(folder, install_config(), keys=keys, road="operators", operators=("etcd", "kube-apiserver"))
    return build_folder(made)


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """With the payload of the lab's release beside it, as stage 04 keeps it."""
    workspace = tree(tmp_path_factory.mktemp("operators") / "c")
    folder = workspace.store.root / "release/manifests"
    folder.mkdir()
    for name, content in {**payload_files("operators"), **version_operator_types()}.items():
        (folder / name).write_bytes(content)
    return workspace


@cache
def keyed():
    """A tree with keys that operators cannot sign with."""
    return built_now("default", "ecdsa-p256").store.root


def by_hand(world):
    """The same files of a release without operators."""
    return Artifacts(root=world.root, cluster=replace(made_by(world.cluster), road="hand"), now=NOW)


@pytest.fixture
def world(built, tmp_path):
    shutil.copytree(built.store.root, tmp_path / "assets", symlinks=True)
    return Artifacts(root=tmp_path / "assets", cluster=built.loaded.cluster, now=NOW)


def plant_no_deployment(world):
    (world.root / "release/manifests/0000_20_kube-apiserver-operator_06_deployment.yaml").unlink()


def plant_no_machines(world):
    for file in (world.root / "release/manifests").glob("0000_10_machine-api_01_machines-*"):
        file.unlink()


def plant_no_migrations(world):
    [file] = (world.root / "release/manifests").glob("*storageversionmigrations*")
    file.unlink()


def plant_applied_again(world):
    """As `kubectl apply` has it: nothing says that the placeholder is only for creating."""
    path = world.root / "release/manifests" / SECRET
    path.write_text(path.read_text().replace('release.openshift.io/create-only: "true"', ""))


def plant_no_placeholder(world):
    (world.root / "release/manifests" / SECRET).unlink()


def plant_no_status(world):
    """The notes' form: whatever a network operator would report is left to it."""
    edit(world, "Network", "cluster", lambda d: d.update(status={}), "config.openshift.io")


def plant_other_status(world):
    edit(
        world, "Network", "cluster", lambda d: d["status"].update(serviceNetwork=["10.3.0.0/16"]), "config.openshift.io"
    )


def plant_no_endpoints(world):
    (world.root / path_of(world, "ConfigMap", "etcd-endpoints")).unlink()


def plant_half_bundles(world):
    edit(world, "ConfigMap", "etcd-all-bundles", lambda d: d["data"].pop("metrics-ca-bundle.crt"))


def plant_no_kubelet_ca(world):
    (world.root / path_of(world, "ConfigMap", "csr-controller-ca")).unlink()


def plant_other_key(world):
    def change(document):
        document["data"] = {"ca.crt": document["data"]["ca-bundle.crt"]}

    edit(world, "ConfigMap", "kubelet-bootstrap-kubeconfig", change)


def plant_handmade(world):
    """What a list of all that the operator mounts would suggest to make."""
    document = yaml.safe_load((world.root / path_of(world, "ConfigMap", "csr-controller-ca")).read_text())
    document["metadata"]["name"] = "kubelet-serving-ca"
    (world.root / "manifests/configmap-kubelet-serving-ca.yaml").write_text(yaml.safe_dump(document))


def plant_server_that_stays(world):
    put("bootstrap", "/etc/hardway/bootkube.env", b"MASTERS=m\nMASTERS_NEEDED=2\nTEAR_DOWN=\n")(world)


PLANTED = [
    ("operators.deployed", plant_no_deployment),
    ("operators.types", plant_no_machines),
    ("operators.types", plant_no_migrations),
    ("operators.create-only", plant_applied_again),
    ("operators.create-only", plant_no_placeholder),
    ("operators.network", plant_no_status),
    ("operators.network", plant_other_status),
    ("operators.etcd-needs", plant_no_endpoints),
    ("operators.etcd-needs", plant_half_bundles),
    ("operators.apiserver-needs", plant_no_kubelet_ca),
    ("operators.apiserver-needs", plant_other_key),
    ("operators.handmade", plant_handmade),
    ("operators.tear-down", plant_server_that_stays),
]


@pytest.mark.parametrize(("check", "plant"), PLANTED, ids=[plant.__name__ for _, plant in PLANTED])
def test_a_planted_defect_is_found_by_its_check_and_no_other_and_without_operators_nobody_asks(world, check, plant):
    plant(world)
    world.__dict__.pop("documents", None)
    found = run(CHECKS, world).findings
    assert {f.check for f in found} == {check}, found
    assert all(f.fix and f.message for f in found)
    assert run(OPERATORS, by_hand(world)).findings == ()


def test_the_lab_s_release_and_a_good_tree_have_no_finding(world):
    assert run(CHECKS, world).findings == ()


def test_keys_that_operators_cannot_sign_with_are_found_in_every_signer(tmp_path):
    workspace = tree(tmp_path / "c", "ecdsa-p256")
    world = Artifacts(root=workspace.store.root, cluster=workspace.loaded.cluster, now=NOW)
    found = run([check for check in CHECKS if check.stage != "04"], world).findings
    assert {f.check for f in found} == {"operators.signing-keys"}
    assert len(found) == 9
    assert run(OPERATORS, by_hand(world)).findings == ()


@pytest.mark.parametrize("road", get_args(Road))
@pytest.mark.parametrize("operator", ["etcd", "kube-apiserver", "kube-controller-manager"])
def test_such_keys_are_found_on_every_road_of_a_release_with_an_operator_that_signs(road, operator):
    world = Artifacts(root=keyed(), cluster=replace(made_by(load_cluster().cluster, operator), road=road), now=NOW)
    found = {f.check for f in run(OPERATORS, world).findings}
    assert "operators.signing-keys" in found


def test_a_road_that_asks_for_operators_misses_them_in_a_release_without(world):
    bare = Artifacts(root=world.root, cluster=made_by(world.cluster), now=NOW)
    plant_no_deployment(bare)
    assert {f.check for f in run(OPERATORS, bare).findings} == {"operators.deployed"}
    for road in ("payload", "hand", "rendered"):
        other = Artifacts(root=world.root, cluster=replace(bare.cluster, road=road), now=NOW)
        assert run(OPERATORS, other).findings == ()


def test_where_the_network_operator_reports_nobody_asks_for_a_status(world):
    plant_no_status(world)
    cluster = made_by(world.cluster, "etcd", "kube-apiserver", "network")
    assert run(OPERATORS, Artifacts(root=world.root, cluster=cluster, now=NOW)).findings == ()


def test_a_release_that_was_not_read_is_left_alone(world):
    shutil.rmtree(world.root / "release")
    assert run(OPERATORS, world).findings == ()


@pytest.mark.parametrize("row", DEMANDS, ids=lambda row: row.place[1])
def test_every_object_that_an_operator_waits_for_is_missed(world, row):
    path = path_of(world, row.kind, row.place[1])
    (world.root / path).unlink()
    world.__dict__.pop("documents", None)
    found = run(OPERATORS, world).findings
    assert [(f.check, f.subject) for f in found] == [
        (f"operators.{'etcd' if row.operator == 'etcd' else 'apiserver'}-needs", path)
    ]
    assert row.breaks in found[0].message


@pytest.mark.parametrize("name", TYPES)
def test_every_type_that_an_operator_asks_for_is_missed(world, name):
    for folder in ("release/manifests", "crds"):
        for file in (world.root / folder).glob("*"):
            text = file.read_text()
            if "kind: CustomResourceDefinition" in text and f"name: {name}\n" in text:
                file.unlink()
    [found] = run(OPERATORS, world).findings
    assert (found.check, found.failure) == ("operators.types", "F42")
    assert name in found.message


def test_a_cluster_without_machines_needs_no_type_of_them(world):
    plant_no_machines(world)
    for baseline, additional, found in (("None", (), 0), ("None", ("MachineAPI",), 1), ("v4.11", (), 1)):
        chosen = replace(world.cluster, capabilities=Capabilities(baseline=baseline, additional=additional))
        other = Artifacts(root=world.root, cluster=chosen, now=NOW)
        assert len(run(OPERATORS, other).findings) == found


def test_every_check_has_a_planted_defect():
    assert {check for check, _ in PLANTED} | {"operators.signing-keys"} == {check.name for check in OPERATORS}


def test_whatever_the_files_hold_every_check_runs_to_its_end(world):
    dice = random.Random(7)
    kinds = [world.files("manifests/*.y*ml"), world.files("release/manifests/0000_20_etcd*.yaml"), ["bootstrap.ign"]]
    for names in kinds * 7:
        path = world.root / dice.choice(names)
        before = path.read_bytes()
        if dice.random() < 0.2:
            path.write_bytes(dice.choice(BYTES))
        else:
            document = next(iter(yaml.safe_load_all(before)))
            spot = dice.choice(list(places(document)))
            path.write_text(json.dumps(replaced(document, spot, dice.choice(ODD))))
        run(OPERATORS, Artifacts(root=world.root, cluster=world.cluster, now=NOW))
        path.write_bytes(before)
    assert run(OPERATORS, Artifacts(root=world.root, cluster=world.cluster, now=NOW)).findings == ()


def test_pods_that_stay_are_named(world):
    """In the file that bootkube.sh reads."""

    def change(document):
        found = next(f for f in document["storage"]["files"] if f["path"] == "/etc/hardway/bootkube.env")
        found["contents"] = {"source": "data:,TEAR_DOWN=/etc/kubernetes/manifests/kube-scheduler-pod.yaml%0A"}

    ignition("bootstrap", change)(world)
    [found] = run(OPERATORS, world).findings
    assert "lacks bootstrap-pod.yaml, kube-controller-manager-pod.yaml, kube-apiserver-pod.yaml" in found.message
