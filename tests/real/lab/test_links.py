"""What a hostile node plants in its own root: no link of it leads this machine's hands out of that root."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest

from hardway.lab import node
from hardway.lab.machines import LabMachines
from hardway.lab.paths import lab_paths
from hardway.lab.prepared import Prepared
from hardway.lab.rendered import keep_access
from hardway.model.errors import ToolError
from tests.support.clusters import install_config, load_cluster
from tests.support.trees import write_folder

NODE = "master-0"


@pytest.fixture
def secret(tmp_path):
    """This machine's own: it is neither shown nor changed, and nothing appears beside it."""
    folder = tmp_path / "machine"
    folder.mkdir(mode=0o750)
    file = folder / "shadow"
    file.write_text("precious")
    file.chmod(0o640)
    before = (file.stat().st_mode, folder.stat().st_mode)
    yield file
    assert [p.name for p in folder.iterdir()] == ["shadow"]
    assert file.read_text() == "precious"
    assert (file.stat().st_mode, folder.stat().st_mode) == before


@pytest.fixture
def pod(tmp_path):
    """A path that is also one of an empty folder of this machine: what misses the node's root ends there."""
    folder = tmp_path / "etc"
    folder.mkdir()
    yield f"{folder}/kubernetes/manifests/etcd-pod.yaml"
    assert list(folder.iterdir()) == []


@pytest.fixture
def lab(tmp_path):
    paths = lab_paths("demo", tmp_path / "lab")
    for name in ("root", "upper"):
        (paths.node(NODE) / name / "etc").mkdir(parents=True)
    return LabMachines(paths=paths, cluster=load_cluster().cluster, assets=tmp_path, materials=None)


def root(lab):
    return lab.paths.node(NODE) / "root"


def test_files_are_not_put_into_a_folder_of_this_machine(lab, secret, pod):
    kubernetes = (root(lab) / pod.lstrip("/")).parents[1]
    kubernetes.parent.mkdir(parents=True)
    kubernetes.symlink_to(secret.parent)
    with pytest.raises(ToolError, match=f"{NODE}: {pod}: "):
        lab.put_files(NODE, {pod: (0o600, b"a pod")})


def test_a_file_of_this_machine_is_not_written_through_a_link(lab, secret, pod):
    file = root(lab) / pod.lstrip("/")
    file.parent.mkdir(parents=True)
    file.symlink_to(secret)
    lab.put_files(NODE, {pod: (0o600, b"a pod")})
    assert file.read_bytes() == b"a pod"


def test_a_nodes_journal_is_below_what_the_node_has_written(lab, secret):
    upper = lab.paths.node(NODE) / "upper"
    (upper / "var").mkdir()
    (upper / "var/log").symlink_to(secret.parent)
    with pytest.raises(ToolError, match=f"{NODE}: .*/var/log: is a link that leads nowhere"):
        node.journal_folder(lab.paths, NODE)
    (upper / str(secret.parent).lstrip("/")).mkdir(parents=True)
    assert node.journal_folder(lab.paths, NODE).is_relative_to(upper.resolve())


@pytest.mark.parametrize("name", ["system.journal", "0123456789abcdef0123456789abcdef/system.journal"])
def test_a_journal_that_is_a_link_is_not_read_in_place_of_the_nodes(lab, secret, name):
    planted = lab.paths.node(NODE) / "upper/var/log/journal" / name
    planted.parent.mkdir(parents=True)
    planted.symlink_to(secret)
    with pytest.raises(ToolError, match=f"{NODE}: .*system.journal: is a symbolic link to {secret}"):
        node.journal(lab.paths, NODE)


def test_data_of_etcd_is_a_folder_and_no_link(lab, secret):
    (lab.paths.node(NODE) / "etcd").mkdir()
    (lab.paths.node(NODE) / "etcd/member").symlink_to(secret.parent)
    assert not lab.keeps_data(NODE)


def test_the_keys_that_are_taken_from_the_node_are_the_nodes(lab, secret, tmp_path):
    """Else a file of this machine would become the administrator's client key of etcd."""
    folder, node = write_folder(tmp_path / "c", install_config(), road="rendered"), lab.cluster.bootstrap.name
    tls = lab.paths.node(node) / "root/opt/openshift/tls"
    tls.mkdir(parents=True)
    (tls / "etcd-ca-bundle.crt").symlink_to(secret)
    with pytest.raises(ToolError, match=r"etcd-ca-bundle\.crt: No such file"):
        keep_access(cast(Prepared, SimpleNamespace(folder=folder, paths=lab.paths, cluster=lab.cluster)))
