"""bootkube's script with the real operators, on a folder that is laid out as the bootstrap node's root."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

from hardway.bootkube.script import PATH
from hardway.bootkube.table import BY_NAME, chosen
from hardway.model.cluster import Cluster
from hardway.registry import podman
from hardway.registry.choose import access_of
from hardway.render.operators.run import planned_machine
from hardway.workspace.folder import open_workspace
from tests.support.ignition.files import files

RENDERS = chosen(last=BY_NAME["cco-bootstrap"])
MARKED = [row for row in RENDERS if row.marker and "dns" not in row.name]
PODS = {"etcd-member-pod.yaml", "machineconfigoperator-bootstrap-pod.yaml"}
LATER = {
    "bootstrap-pod.yaml",
    "kube-apiserver-pod.yaml",
    "kube-controller-manager-pod.yaml",
    "kube-scheduler-pod.yaml",
}


@dataclass
class Node:
    """The script in the planned machine's network and under its name, with podman as this machine can run it."""

    root: Path
    cluster: Cluster
    environment: dict[str, str]

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        named = ["unshare", "--uts", "sh", "-c", 'hostname "$0" && exec "$@"', self.cluster.bootstrap.name]
        command = [*planned_machine(self.cluster).enter, *named, f"{self.root}{PATH}", *words]
        return subprocess.run(command, capture_output=True, text=True, check=False, env=self.environment)

    def below(self, path: str) -> Path:
        return self.root / path.lstrip("/")

    @property
    def opt(self) -> Path:
        return self.below("/opt/openshift")


def images_here(workspace) -> None:
    """The planned machine's network does not lead to the registry: the images are here before."""
    release = workspace.loaded.cluster.release
    operators = [row.operator for row in RENDERS if row.operator]
    assert operators
    with podman._prepared(access_of(workspace.loaded)) as environment:
        for image in {release.image, *release.images.values()}:
            assert podman._pull(image, environment).ok, image


def laid_out(folder: Path, root: Path) -> Node:
    """The files of bootstrap.ign, without a machine that boots from it."""
    for path, file in files((folder / "assets/bootstrap.ign").read_bytes()).items():
        target = root / path.lstrip("/")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(file.content)
        target.chmod(file.mode)
    settings = root.parent / f"{root.name}-containers.conf"
    settings.write_text(podman.containers_conf())
    environment = {**os.environ, "HARDWAY_ROOT": str(root)}
    if settings.read_text():
        environment["CONTAINERS_CONF"] = str(settings)
    return Node(root=root, cluster=open_workspace(folder).loaded.cluster, environment=environment)


@pytest.fixture(scope="module")
def pulled(operated):
    images_here(open_workspace(operated))
    return operated


@pytest.fixture(scope="module")
def node(pulled, tmp_path_factory):
    """After every render; never change it."""
    found = laid_out(pulled, tmp_path_factory.mktemp("node") / "root")
    done = found.run(*(row.name for row in RENDERS))
    assert done.returncode == 0, done.stdout + done.stderr
    return found, done.stdout


def names(folder):
    return {path.name for path in folder.iterdir()}


def test_every_stage_ran_once_and_left_its_marker(node):
    found, said = node
    told = [line.removeprefix("bootkube: ") for line in said.splitlines()]
    assert [line for line in told if line.endswith((": begins", ": done"))] == [
        f"{row.title}: {what}" for row in RENDERS for what in ("begins", "done")
    ]
    assert [row.name for row in MARKED if not (found.opt / row.marker).exists()] == []


def test_the_kubelet_finds_the_two_pods_that_do_not_wait_for_cluster_bootstrap(node):
    found, _ = node
    assert names(found.below("/etc/kubernetes/manifests")) == PODS
    assert names(found.opt / "bootstrap-manifests") == LATER


def test_the_api_server_has_its_config_and_etcds_bundle(node):
    found, _ = node
    config = yaml.safe_load(found.below("/etc/kubernetes/bootstrap-configs/kube-apiserver-config.yaml").read_text())
    arguments = config["apiServerArguments"]
    assert arguments["etcd-cafile"] == ["/etc/kubernetes/secrets/etcd-ca-bundle.crt"]
    member = found.below("/etc/kubernetes/static-pod-resources/etcd-member/ca.crt")
    assert (found.opt / "tls/etcd-ca-bundle.crt").read_bytes() == member.read_bytes()


def test_what_cannot_be_had_is_said_and_ours_stands_in(node):
    found, said = node
    assert "stands in for cluster-kube-controller-manager-operator; in its place: our own pod" in said
    assert "has no image cloud-credential-operator; in its place: nothing" in said
    assert "without --operand-kubernetes-version, which this release's program does not know" in said
    assert "secret-csr-signer-signer.yaml" in names(found.opt / "manifests")
    assert {"controller-manager.kubeconfig", "scheduler.kubeconfig"} <= names(found.opt / "tls")
    policy = found.below("/etc/kubernetes/bootstrap-configs/cluster-policy-controller-config.yaml")
    assert "kind: OpenShiftControllerManagerConfig" in policy.read_text()


def test_keys_stay_private_and_no_file_is_left_half(node):
    found, _ = node
    for path in found.root.rglob("*"):
        assert not path.name.endswith(".part"), path
        if path.suffix == ".key":
            assert path.stat().st_mode & 0o077 == 0, path


def test_names_without_an_address_stop_nobody(node):
    found, said = node
    assert f"{found.cluster.api_int_host} has no address; continuing" in said
    assert not (found.opt / BY_NAME["api-int-dns-resolved"].marker).exists()


def test_a_second_run_does_nothing(node):
    found, _ = node
    before = {p: p.stat().st_mtime_ns for p in found.root.rglob("*")}
    done = found.run(*(row.name for row in MARKED))
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [f"bootkube: {row.title}: done by an earlier run" for row in MARKED]
    assert {p: p.stat().st_mtime_ns for p in found.root.rglob("*")} == before


def test_a_stage_that_failed_is_run_again_and_none_after_it_ran(pulled, tmp_path):
    found = laid_out(pulled, tmp_path / "root")
    network = found.opt / "manifests/cluster-network-02-config.yml"
    good = network.read_text()
    network.write_text(good.replace("172.30.0.0/16", "172.30.0.0/99"))
    stages = ("release-info", "openshift-manifests", "etcd-bootstrap", "mco-bootstrap")
    done = found.run(*stages)
    assert done.returncode == 1
    assert "FAILED: the render into" in done.stderr
    assert "172.30.0.0/99" in done.stderr
    assert "mco-bootstrap" not in done.stdout
    assert not (found.opt / "etcd-bootstrap.done").exists()
    network.write_text(good)
    done = found.run(*stages)
    assert done.returncode == 0, done.stderr
    assert "1 openshift-manifests: done by an earlier run" in done.stdout
    assert done.stdout.endswith("bootkube: 11 mco-bootstrap: done\n")


def test_again_runs_what_is_done(pulled, tmp_path):
    found = laid_out(pulled, tmp_path / "root")
    said = [found.run(*words, "openshift-manifests").stdout for words in ([], [], ["--again"])]
    assert ["begins" in text for text in said] == [True, False, True]


def test_secrets_and_pods_are_placed_together_and_private(node, tmp_path):
    """What the stage cb-bootstrap begins with; the rest of it needs a kubelet, and is the lab's."""
    found, _ = node
    copy = tmp_path / "root"
    shutil.copytree(found.root, copy)
    done = subprocess.run(
        ["bash", "-c", f". {copy}{PATH}; place"],
        capture_output=True,
        text=True,
        check=False,
        env=found.environment | {"HARDWAY_ROOT": str(copy)},
    )
    assert done.returncode == 0, done.stderr
    assert names(copy / "etc/kubernetes/manifests") == PODS | LATER
    secrets = copy / "etc/kubernetes/bootstrap-secrets"
    assert secrets.stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o777 for path in secrets.iterdir()} == {0o600}
    assert names(found.opt / "tls") | {"kubeconfig"} == names(secrets)


def test_the_script_is_clean(pulled, tmp_path):
    found = laid_out(pulled, tmp_path / "root")
    shellcheck = [str(Path(sys.executable).parent / "shellcheck"), "--external-sources"]
    words = [*shellcheck, f"--source-path={found.below('/usr/local/bin')}", str(found.below(PATH))]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
