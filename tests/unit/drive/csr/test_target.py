"""Whose requests are approved: a plan that somebody stated, and a kubeconfig of the same cluster."""

from __future__ import annotations

import shutil

import pytest

from hardway.drive.csr.plan import names
from hardway.drive.csr.target import target
from hardway.model.errors import ConfigError
from tests.support.clusters import install_config
from tests.support.edited import dumped
from tests.support.trees import built

NODES = "hosts: {master-0: {addresses: [192.0.2.11]}}"
HOSTS = "hosts: {master-0: {addresses: [192.168.126.21]}}"


def test_a_folder_that_was_built_has_all(tmp_path):
    folder = _folder(tmp_path, built=True)
    found = target(folder, None, None)
    assert names(found.plan) == ["master-0", "master-1", "master-2", "worker-0", "worker-1"]
    assert found.home == folder / "assets"
    assert found.access.endpoints[0].host == "192.168.126.10", "by the planned address, without DNS"
    assert target(folder, folder / "assets/auth/kubeconfig", None).access.endpoints[0].host == "api.ocp4.example.com"


def test_a_derived_plan_that_nobody_built_is_a_guess(tmp_path):
    folder = _folder(tmp_path, built=False)
    kubeconfig = built().store.root / "auth/kubeconfig"
    (folder / "hosts.yaml").write_text(HOSTS)
    with pytest.raises(ConfigError, match="no addresses of master-1, master-2, worker-0, worker-1"):
        target(folder, kubeconfig, None)


def test_a_plan_in_hosts_yaml_need_not_be_built(tmp_path):
    folder = _folder(tmp_path, built=False)
    rows = [f"  master-{i}: {{addresses: [192.168.126.{21 + i}]}}" for i in range(3)]
    rows += [f"  worker-{i}: {{addresses: [192.168.126.{31 + i}]}}" for i in range(2)]
    (folder / "hosts.yaml").write_text("hosts:\n" + "\n".join(rows))
    found = target(folder, built().store.root / "auth/kubeconfig", None)
    assert found.plan.workers[1].addresses == ("192.168.126.32",)


def test_another_clusters_kubeconfig_is_refused(tmp_path):
    folder = _folder(tmp_path, built=True)
    text = (folder / "assets/auth/kubeconfig").read_text()
    (tmp_path / "other").write_text(text.replace("api.ocp4.example.com", "api.other.example.com"))
    with pytest.raises(
        ConfigError, match=r"server is api\.other\.example\.com, and the plan here is of ocp4\.example\.com"
    ):
        target(folder, tmp_path / "other", None)


def test_a_list_of_nodes_needs_no_folder(tmp_path):
    (tmp_path / "nodes.yaml").write_text(NODES)
    with pytest.raises(ConfigError, match="--kubeconfig is missing"):
        target(tmp_path, None, tmp_path / "nodes.yaml")
    found = target(tmp_path, built().store.root / "auth/kubeconfig", tmp_path / "nodes.yaml")
    assert (names(found.plan), found.home) == (["master-0"], tmp_path)


def test_what_is_not_there_is_named(tmp_path):
    with pytest.raises(ConfigError, match="no plan is here"):
        target(tmp_path, None, None)
    with pytest.raises(ConfigError, match=r"nodes\.yaml: there is no such file"):
        target(tmp_path, None, tmp_path / "nodes.yaml")


def _folder(home, *, built: bool):
    from tests.support.trees import built as tree

    folder = home / "cluster"
    folder.mkdir()
    (folder / "install-config.yaml").write_text(dumped(install_config()))
    if built:
        shutil.copytree(tree().store.root / "auth", folder / "assets/auth")
    return folder
