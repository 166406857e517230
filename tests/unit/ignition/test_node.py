"""Masters' and workers' files: MCO's render, what the machine-config server adds, and the node's own."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml

from hardway.emit import ignition
from hardway.ignition.base import Base, Pool, read_base
from hardway.ignition.node import table
from hardway.ignition.node.file import node_ignition, prepare, shared_rows
from hardway.ignition.ssh import HOST_KEYS
from hardway.lines.default import DEFAULT
from hardway.model.cluster import Node
from hardway.model.errors import ConfigError
from hardway.staticpods.paths import host_files
from hardway.workspace.folder import Workspace
from tests.support.clusters import SSH_KEY, install_config
from tests.support.edited import edit_file
from tests.support.ignition.files import Laid, decode, files, units
from tests.support.trees import MCO_BASE, build_folder, built, write_folder

BASE = read_base(MCO_BASE, DEFAULT)
SERVED = {row.path for row in table.SERVED}


def config(workspace: Workspace, node: Node) -> bytes:
    content = workspace.store.read(f"{node.name}.ign")
    assert content is not None
    return content


def members(workspace: Workspace) -> list[tuple[Node, dict[str, Laid]]]:
    cluster = workspace.loaded.cluster
    return [(n, files(config(workspace, n))) for n in (*cluster.masters, *cluster.workers)]


def pool(node: Node) -> Pool:
    return "master" if node.role == "master" else "worker"


def test_every_node_has_a_file_of_its_own() -> None:
    workspace = built()
    assert [n.name for n, _ in members(workspace)] == ["master-0", "master-1", "master-2", "worker-0", "worker-1"]
    assert len({config(workspace, n) for n, _ in members(workspace)}) == 5


@pytest.mark.parametrize("variant", ["default", "compact", "single", "dual-stack", "proxy"])
def test_the_render_is_there_unchanged(variant: str) -> None:
    for node, laid in members(built(variant)):
        base = BASE[pool(node)]
        for entry in base.section("storage", "files"):
            assert laid[entry["path"]].content == decode(entry["contents"])
            assert laid[entry["path"]].mode == entry["mode"]
        assert list(units(config(built(variant), node)).values()) == base.section("systemd", "units")
        assert json.loads(config(built(variant), node))["ignition"] == {"version": "3.4.0"}


def test_nothing_is_there_that_has_no_row() -> None:
    cluster = built().loaded.cluster
    for node, laid in members(built()):
        rendered = {e["path"] for e in BASE[pool(node)].section("storage", "files")}
        assert set(laid) == rendered | {row.path for row in table.table(pool(node), cluster)}


BROUGHT = [(("network",), "false", False), (("network",), "true", True), ((), "false", True)]


@pytest.mark.parametrize(("operators", "asked", "there"), BROUGHT)
def test_kube_proxy_is_on_masters_where_no_operator_does_its_work_or_where_it_is_asked_for(
    tmp_path: Path, operators: tuple[str, ...], asked: str, there: bool
) -> None:
    folder = write_folder(tmp_path / "c", install_config(), operators=operators, keys="ecdsa-p256")
    with (folder / "hardway.yaml").open("a") as settings:
        settings.write(f"kubeProxy: {asked}\n")
    for node, laid in members(build_folder(folder)):
        pods = [yaml.safe_load(f.content) for p, f in laid.items() if p.startswith("/etc/kubernetes/manifests/")]
        assert [p["metadata"]["name"] for p in pods] == (["kube-proxy"] if there and node.role == "master" else [])
        for pod in pods:
            assert host_files(pod) == {"/etc/kubernetes/static-pod-resources/kube-proxy/kubeconfig"} & set(laid)
        assert any("kube-proxy" in path for path in laid) is (there and node.role == "master")


def test_the_five_files_of_the_machine_config_server() -> None:
    workspace = built()
    for node, laid in members(workspace):
        base = BASE[pool(node)]
        assert laid["/etc/kubernetes/kubelet-ca.crt"].content == workspace.store.read(
            "tls/kube-apiserver-complete-client-ca-bundle.crt"
        )
        assert laid["/etc/kubernetes/kubeconfig"].content == workspace.store.read("auth/kubelet-bootstrap.kubeconfig")
        assert json.loads(laid["/etc/machine-config-daemon/node-annotations.json"].content) == {
            "machineconfiguration.openshift.io/currentConfig": base.name,
            "machineconfiguration.openshift.io/desiredConfig": base.name,
            "machineconfiguration.openshift.io/state": "Done",
        }
        whole = json.loads(laid["/etc/mcs-machine-config-content.json"].content)
        assert whole["spec"] == base.machine_config["spec"]
        rest = json.loads(laid["/etc/ignition-machine-config-encapsulated.json"].content)
        assert rest["metadata"] == whole["metadata"]
        assert rest["spec"] == {**whole["spec"], "config": {"ignition": {"version": "3.4.0"}}}
        assert rest["spec"]["kernelArguments"] == ["systemd.unified_cgroup_hierarchy=1", 'cgroup_no_v1="all"', "psi=0"]


def test_what_holds_a_key_or_the_pull_secret_is_roots_alone() -> None:
    for node, laid in members(built()):
        modes = {path: laid[path].mode for path in SERVED}
        assert modes == {
            "/etc/kubernetes/kubelet-ca.crt": 420,
            "/etc/machine-config-daemon/node-annotations.json": 420,
            "/etc/ignition-machine-config-encapsulated.json": 420,
            "/etc/kubernetes/kubeconfig": 384,
            "/etc/mcs-machine-config-content.json": 384,
        }, node.name
        for path, file in laid.items():
            if b"client-key-data" in file.content or b"PRIVATE KEY" in file.content or path.endswith(".nmconnection"):
                assert file.mode == 384, path


def test_each_node_knows_its_own_name_and_addresses() -> None:
    for node, laid in members(built("dual-stack")):
        assert laid["/etc/hostname"].content.decode() == f"{node.name}\n"
        profile = laid["/etc/NetworkManager/system-connections/machine-network.nmconnection"].content.decode()
        assert all(f"address1={address}/" in profile for address in node.addresses)
        assert f"mac-address={node.mac.upper()}" in profile


@pytest.fixture
def render(tmp_path: Path) -> Path:
    shutil.copytree(MCO_BASE, tmp_path / "mco")
    return tmp_path / "mco"


def changed(folder: Path, edit: Any) -> Base:
    file = next(folder.glob("rendered-master-*.yaml"))
    edit_file(file, lambda document: edit(document["spec"]["config"]))
    return read_base(folder, DEFAULT)["master"]


def encoded(base: Base, ssh_key: str = "") -> bytes:
    workspace = built()
    cluster = workspace.loaded.cluster
    named = [row.source for row in shared_rows(base, cluster) if row.source]
    contents = {source: workspace.store.read(workspace.graph[source].path) for source in named}
    return node_ignition(
        cluster, cluster.masters[0], {row.path: b"a key" for row in HOST_KEYS}, prepare(base, contents, ssh_key)
    )  # type: ignore[arg-type]


REPLACED = [row for row in table.table("master") if row.replaces]
REFUSED = [row for row in table.table("master") if not row.replaces]


@pytest.mark.parametrize("row", REPLACED, ids=lambda row: row.path)
def test_a_path_that_both_have_is_replaced_where_there_is_a_rule(render: Path, row: table.NodeFile) -> None:
    rendered = ignition.file(row.path, b"the pool's", 0o644)
    laid = files(encoded(changed(render, lambda c: c["storage"]["files"].insert(0, rendered))))
    assert laid[row.path].content != b"the pool's"
    assert laid[row.path].mode == row.mode


@pytest.mark.parametrize("row", REFUSED, ids=lambda row: row.path)
def test_a_path_that_both_have_is_refused_where_there_is_none(render: Path, row: table.NodeFile) -> None:
    rendered = ignition.file(row.path, b"the pool's", 0o644)
    base = changed(render, lambda c: c["storage"]["files"].append(rendered))
    with pytest.raises(ConfigError, match=row.path) as caught:
        encoded(base)
    assert caught.value.problems[0].rule == "mco.clash"
    assert caught.value.problems[0].file == base.file


def test_the_pull_secret_of_the_render_is_the_only_one() -> None:
    for _, laid in members(built()):
        assert [p for p in laid if p.endswith("config.json")] == ["/var/lib/kubelet/config.json"]


def users(content: bytes) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(content)["passwd"]["users"]
    return found


def test_keys_of_the_render_are_kept_as_they_are() -> None:
    assert users(encoded(BASE["master"], "ssh-ed25519 OTHER")) == [{"name": "core", "sshAuthorizedKeys": [SSH_KEY]}]


def test_a_render_without_keys_gets_yours(render: Path) -> None:
    base = changed(render, lambda c: c["passwd"]["users"][0].pop("sshAuthorizedKeys"))
    assert users(encoded(base, SSH_KEY)) == [{"name": "core", "sshAuthorizedKeys": [SSH_KEY]}]


def test_a_render_without_users_gets_one(render: Path) -> None:
    base = changed(render, lambda c: c.pop("passwd"))
    assert users(encoded(base, SSH_KEY)) == [{"name": "core", "sshAuthorizedKeys": [SSH_KEY]}]
    assert "passwd" not in json.loads(encoded(base))


def test_other_users_groups_links_and_kernel_arguments_of_the_render_stay(render: Path) -> None:
    def edit(config: dict[str, Any]) -> None:
        config["passwd"]["users"].append({"name": "other", "uid": 2000})
        config["passwd"]["groups"] = [{"name": "others"}]
        config["storage"]["links"] = [{"path": "/etc/link", "target": "/etc/kubernetes"}]
        config["storage"]["directories"] = [{"path": "/var/lib/thing", "mode": 448}]
        config["kernelArguments"] = {"shouldExist": ["quiet"]}

    whole = json.loads(encoded(changed(render, edit)))
    assert whole["passwd"]["users"][1] == {"name": "other", "uid": 2000}
    assert whole["passwd"]["groups"] == [{"name": "others"}]
    assert whole["storage"]["links"] == [{"path": "/etc/link", "target": "/etc/kubernetes"}]
    assert whole["storage"]["directories"] == [{"path": "/var/lib/thing", "mode": 448}]
    assert whole["kernelArguments"] == {"shouldExist": ["quiet"]}


def test_no_file_of_ours_is_written_through_a_link_of_the_render(render: Path) -> None:
    base = changed(
        render, lambda c: c["storage"].update(links=[{"path": "/etc/machine-config-daemon", "target": "/x"}])
    )
    with pytest.raises(ConfigError, match="below the symbolic link /etc/machine-config-daemon"):
        encoded(base)


def test_only_the_node_that_changes_is_made_again(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "c", install_config())
    build_folder(folder)
    before = {p.name: p.stat().st_mtime_ns for p in (folder / "assets").glob("*.ign")}
    (folder / "hosts.yaml").write_text("hosts:\n  worker-1:\n    mac: 52:54:00:aa:bb:cc\n")
    build_folder(folder)
    after = {p.name: p.stat().st_mtime_ns for p in (folder / "assets").glob("*.ign")}
    assert {name for name in after if after[name] != before[name]} == {"worker-1.ign"}


def test_another_render_makes_its_pool_again_and_no_other(tmp_path: Path, render: Path) -> None:
    folder = write_folder(tmp_path / "c", install_config(), mco=False)
    shutil.copytree(render, folder / "assets" / "mco")
    build_folder(folder)
    before = {p.name: p.stat().st_mtime_ns for p in (folder / "assets").glob("*.ign")}
    file = next((folder / "assets" / "mco").glob("rendered-worker-*"))
    file.write_text(file.read_text().replace("psi=0", "psi=1"))
    build_folder(folder)
    after = {p.name: p.stat().st_mtime_ns for p in (folder / "assets").glob("*.ign")}
    assert {name for name in after if after[name] != before[name]} == {"worker-0.ign", "worker-1.ign"}
