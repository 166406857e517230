"""bootkube.sh with a real kubectl on a real API server: its words for many files at once are what the script reads."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

from hardway.drive.client import Client, Trouble, path
from tests.support import crds
from tests.support.apiserver import start_control_plane
from tests.support.bootkube_machine import Machine, thing
from tests.support.netns import inside
from tests.support.node_roots import nodes, program
from tests.support.trees import built_now

WORKSPACE = built_now(keys="ecdsa-p256")
CLUSTER = WORKSPACE.loaded.cluster
ASSETS = WORKSPACE.store.root
CONFIG = "/apis/config.openshift.io/v1"
MAPS = "/api/v1/configmaps"
KINDS = ("Infrastructure", "Ingress", "Network", "Scheduler", "Proxy", "DNS")
FAILING = {
    "zz-broken.yaml": "a: b: c\n",
    "zz-invalid.yaml": thing("ConfigMap", "Not_A_Name", "default"),
    "zz-nowhere.yaml": thing("ConfigMap", "lost", "nowhere"),
    "zz-type-1.yaml": thing("Nothing"),
    "zz-type-2.yaml": thing("NothingElse"),
}
WORDS = {
    "zz-broken.yaml": r"error parsing \S+zz-broken.yaml: error converting YAML to JSON",
    "zz-invalid.yaml": r'Error from server \(Invalid\): ConfigMap "Not_A_Name" is invalid',
    "zz-nowhere.yaml": r'Error from server \(NotFound\): namespaces "nowhere" not found',
    "zz-type-1.yaml": r'resource mapping not found .*: no matches for kind "Nothing" in version',
    "zz-type-2.yaml": r'resource mapping not found .*: no matches for kind "NothingElse" in version',
}


@dataclass
class Real:
    machine: Machine
    space: str
    api: Client

    def folder(self, name: str) -> Path:
        return self.machine.root / "opt/openshift" / name


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Real]:
    """A bootstrap node on which kubectl is oc; the tests here follow one another on it."""
    folder = tmp_path_factory.mktemp("bootkube")
    with nodes(CLUSTER, folder / "nodes") as made, inside(made.hub):
        api = start_control_plane(WORKSPACE, made)
        machine = Machine(folder, {}, {f"manifests/{name}": text for name, text in FAILING.items()})
        (machine.programs / "oc").unlink()
        (machine.programs / "oc").symlink_to(program("kubectl"))
        opened = Real(machine, made[CLUSTER.bootstrap.name].space, api)
        opened.folder("auth").mkdir()
        config = re.sub(r"server: \S+", "server: https://localhost:6443", (ASSETS / "auth/kubeconfig").read_text())
        opened.folder("auth/kubeconfig-loopback").write_text(config)
        opened.folder("crds").mkdir()
        for file in (f for kind in KINDS for f in crds.files(kind) if "config.openshift.io" in f.read_text()):
            shutil.copy(file, opened.folder("crds"))
        for file in (ASSETS / "manifests").glob("cluster-*-0[12]-config.y*ml"):
            shutil.copy(file, opened.folder("manifests"))
        network = opened.folder("manifests/cluster-network-02-config.yml")
        network.write_text(network.read_text().replace("status: {}", "status:\n  networkType: OVNKubernetes"))
        yield opened


def put(real: Real, name: str, text: str, *, live: dict[str, str]) -> None:
    """A manifest whose object somebody has made before, with other data."""
    (real.folder("manifests") / name).write_text(text)
    document = yaml.safe_load(text)
    sent = real.api.create(path(MAPS, namespace="default"), {**document, "data": live})
    assert not isinstance(sent, Trouble), sent


def test_every_failure_in_a_batch_is_attributed_and_the_rest_is_made(real: Real) -> None:
    put(real, "zy-theirs.yaml", thing("ConfigMap", "theirs", "default", "data: {a: ours}\n"), live={"a": "theirs"})
    put(real, "zy-refused.yaml", thing("ConfigMap", "refused", "default", "data: {a b: ''}\n"), live={"a": "theirs"})
    done = real.machine.run(limit=2, space=real.space)
    assert done.returncode == 1
    assert "5 manifests could not be created" in done.stderr, done.stderr + done.stdout
    for name, words in WORDS.items():
        assert re.search(rf"^bootkube: not yet: {name}: {words}", done.stdout, re.M), (name, done.stdout)
        assert re.search(rf"^bootkube: left: /opt/openshift/manifests/{name}: .", done.stdout, re.M)
    assert done.stdout.count("bootkube: not yet: ") == len(WORDS)
    for name in ("theirs", "refused"):
        assert real.api.get(path(MAPS, name, namespace="default"))["data"] == {"a": "theirs"}


def test_every_status_is_there_with_a_subresource_or_without(real: Real) -> None:
    named = {"infrastructures": "apiServerURL", "ingresses": "defaultPlacement", "networks": "networkType"}
    for plural, field in named.items():
        found = real.api.get(path(f"{CONFIG}/{plural}", "cluster"))
        assert field in found["status"], found


def test_a_second_run_finds_everything_and_changes_nothing(real: Real) -> None:
    for name in FAILING:
        (real.folder("manifests") / name).unlink()
    before = real.api.get(path(f"{CONFIG}/infrastructures", "cluster"))["metadata"]["resourceVersion"]
    done = real.machine.run(limit=0, space=real.space)
    assert "not Ready: master-0" in done.stderr, done.stderr + done.stdout
    assert real.machine.marked("manifests")
    assert "created" not in done.stdout
    assert real.api.get(path(f"{CONFIG}/infrastructures", "cluster"))["metadata"]["resourceVersion"] == before
