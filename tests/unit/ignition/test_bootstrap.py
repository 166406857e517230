"""The bootstrap node's file: all that something on the node reads, and nothing more."""

from __future__ import annotations

import json
import re
import tomllib
from base64 import b64decode
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
import yaml
from cryptography.hazmat.primitives.serialization import load_ssh_public_key

from hardway.graph.asset import Given
from hardway.ignition import host
from hardway.ignition.base import read_base
from hardway.lines.default import DEFAULT
from hardway.staticpods.paths import host_files
from hardway.workspace.folder import Workspace, open_workspace
from tests.support.clusters import SSH_KEY, VARIANTS, install_config
from tests.support.ignition.files import Laid, files, units
from tests.support.trees import MCO_BASE, build_folder, built, write_folder

MANIFESTS = "/etc/kubernetes/manifests/"
SECRETS = "/etc/kubernetes/bootstrap-secrets/"
GENERATED = ("/etc/kubernetes/bootstrap-secrets/", "/etc/kubernetes/static-pod-resources/", "/opt/openshift/tls/")


def config(workspace: Workspace) -> bytes:
    content = workspace.store.read("bootstrap.ign")
    assert content is not None
    return content


@cache
def on_node(variant: str = "default") -> dict[str, Laid]:
    """To read; never change it."""
    return files(config(built(variant)))


def read_by_pods(laid: dict[str, Laid]) -> set[str]:
    pods = [yaml.load(f.content, yaml.CSafeLoader) for path, f in laid.items() if path.startswith(MANIFESTS)]
    return {path for pod in pods for path in host_files(pod)}


def read_by_bootkube(laid: dict[str, Laid]) -> set[str]:
    script = laid["/usr/local/bin/bootkube.sh"].content.decode()
    folders = {"$secrets/": SECRETS, "$opt/": "/opt/openshift/", "$root/": "/"}
    found = re.findall(r'"(\$(?:secrets|opt|root)/)([\w./-]+\w)"', script)
    return {folders[folder] + name for folder, name in found}


def read_by_the_journal(config: bytes) -> set[str]:
    dropin = units(config)["systemd-journal-gatewayd.service"]["dropins"][0]["contents"]
    return set(re.findall(r"LoadCredential=\w+:(\S+)", dropin))


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_file_that_something_reads_is_there(variant: str) -> None:
    laid = on_node(variant)
    readers = read_by_pods(laid) | read_by_the_journal(config(built(variant)))
    assert readers <= set(laid)
    assert len(readers) > 30


@pytest.mark.parametrize("variant", VARIANTS)
def test_no_key_or_certificate_is_there_that_nothing_reads(variant: str) -> None:
    laid = on_node(variant)
    readers = read_by_pods(laid) | read_by_the_journal(config(built(variant))) | read_by_bootkube(laid)
    secrets = {path for path in laid if path.startswith(GENERATED) or "kubeconfig" in Path(path).name.split("-")[0]}
    assert len(secrets) > 30
    unread = {path for path in secrets if path not in readers and not path.startswith("/opt/openshift/manifests/")}
    assert unread <= {"/opt/openshift/auth/kubeconfig", "/opt/openshift/auth/kubeconfig-loopback"}
    script = laid["/usr/local/bin/bootkube.sh"].content.decode()
    for path in unread:
        assert f'--kubeconfig="{path.replace("/opt/openshift", "$opt")}"' in script


def test_all_that_bootkube_names_is_there() -> None:
    laid = on_node()
    made_later = {"/opt/openshift/crds"}
    assert read_by_bootkube(laid) - made_later <= set(laid)


def test_what_is_on_the_node_is_what_was_built() -> None:
    workspace, laid = built(), on_node()
    for path, asset in {
        f"{SECRETS}kube-apiserver-lb-server.key": "tls/kube-apiserver-lb-server.key",
        f"{SECRETS}kube-apiserver-complete-client-ca-bundle.crt": "tls/kube-apiserver-complete-client-ca-bundle.crt",
        f"{SECRETS}scheduler.kubeconfig": "auth/scheduler.kubeconfig",
        "/opt/openshift/auth/kubeconfig": "auth/lb-int.kubeconfig",
        "/opt/openshift/auth/kubeconfig-loopback": "auth/localhost.kubeconfig",
        "/etc/kubernetes/kubeconfig": "auth/localhost.kubeconfig",
        "/opt/openshift/original_cvo_overrides.patch": "original_cvo_overrides.patch",
        "/etc/kubernetes/bootstrap-configs/audit-policy.yaml": "bootstrap-configs/audit-policy.yaml",
    }.items():
        assert laid[path].content == workspace.store.read(asset), path


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_static_pod_and_every_manifest_is_there_under_its_name(variant: str) -> None:
    workspace, laid = built(variant), on_node(variant)
    stage = [workspace.graph[a] for a in workspace.of_stage("07") if a != "pod/kube-proxy"]
    assert sum(a.address.startswith("pod/") for a in stage) == 5
    for asset in stage:
        folder, _, name = asset.path.rpartition("/")
        places = {"bootstrap-manifests": MANIFESTS + name, "bootstrap-configs": f"/etc/kubernetes/{asset.path}"}
        place = places.get(folder, f"/opt/openshift/{asset.path}")
        assert laid[place].content == workspace.store.read(asset.path), asset.path


def test_kube_proxy_is_for_masters_only() -> None:
    assert not any("kube-proxy" in path for path in on_node() if path.startswith(("/etc", MANIFESTS)))


@pytest.mark.parametrize("variant", VARIANTS)
def test_secrets_are_roots_alone_and_scripts_can_be_run(variant: str) -> None:
    laid = on_node(variant)
    assert {f.mode for f in laid.values()} == {0o600, 0o644, 0o755}
    for path, file in laid.items():
        if b"PRIVATE KEY" in file.content or b"client-key-data" in file.content or "secret" in path:
            assert file.mode == 384, path
        if path.startswith("/usr/local/bin/"):
            assert file.mode == 493
            assert file.content.startswith(b"#!/usr/bin/env bash\n")
            assert b"\r" not in file.content
    assert laid["/etc/NetworkManager/system-connections/machine-network.nmconnection"].mode == 384
    assert laid["/root/.docker/config.json"].mode == 384


def test_every_program_and_environment_that_a_unit_names_is_there() -> None:
    laid = on_node()
    for unit in units(config(built())).values():
        text = unit.get("contents", "")
        scripts = re.findall(r"ExecStart=(/usr/local/\S+)", text)
        required = re.findall(r"EnvironmentFile=(/\S+)", text)
        assert set(scripts + required) <= set(laid)


def test_what_is_enabled_can_be() -> None:
    for name, unit in units(config(built())).items():
        if unit.get("enabled") and "contents" in unit:
            assert "[Install]\nWantedBy=" in unit["contents"], name


def test_the_kubelet_stands_alone() -> None:
    script = on_node()["/usr/local/bin/kubelet.sh"].content.decode()
    command = script.partition("exec /usr/bin/kubelet")[2]
    assert "--pod-manifest-path=/etc/kubernetes/manifests" in command
    assert "kubeconfig" not in command
    assert "--anonymous-auth=false" in command
    assert "--read-only-port=0" in command


def environment(laid: dict[str, Laid], path: str) -> dict[str, str]:
    lines = laid[path].content.decode().splitlines()
    return {name: value.strip("'") for name, _, value in (line.partition("=") for line in lines)}


@pytest.mark.parametrize(("variant", "masters", "needed"), [("default", 3, "2"), ("single", 1, "1"), ("five", 5, "2")])
def test_bootkube_knows_the_masters_and_how_many_must_serve(variant: str, masters: int, needed: str) -> None:
    told = environment(on_node(variant), "/etc/hardway/bootkube.env")
    assert told["MASTERS"].split(" ") == [n.name for n in built(variant).loaded.cluster.masters]
    assert len(told["MASTERS"].split(" ")) == masters
    assert told["MASTERS_NEEDED"] == needed


def test_bootkube_waits_for_what_the_release_s_operators_make() -> None:
    """Before a release is read, those of every release of the line."""
    told = environment(on_node(), "/etc/hardway/bootkube.env")
    assert told["MADE_BY_HAND"] == ""
    assert told["MADE_BY_OPERATORS"].split(" ") == [
        f"{name}.operator.openshift.io"
        for name in ("etcds", "kubeapiservers", "kubecontrollermanagers", "kubeschedulers")
    ]
    assert told["TEAR_DOWN"].split(" ")[-1] == "/etc/kubernetes/manifests/kube-apiserver-pod.yaml"


@pytest.mark.parametrize(
    ("operators", "by_hand", "by_operators", "leaves"),
    [
        ((), 4, "", False),
        (("kube-apiserver",), 3, "kubeapiservers.operator.openshift.io", False),
        (("etcd",), 3, "etcds.operator.openshift.io", True),
    ],
)
def test_what_has_no_operator_is_waited_for_as_pods(
    tmp_path: Path, operators: tuple[str, ...], by_hand: int, by_operators: str, leaves: bool
) -> None:
    """The etcd operator alone removes the bootstrap member as soon as the end is recorded."""
    workspace = open_workspace(write_folder(tmp_path / "c", install_config(), operators=operators, keys="ecdsa-p256"))
    told = host.bootkube_environment(cast(Given, SimpleNamespace(cluster=workspace.loaded.cluster)))
    said = dict(line.partition("=")[::2] for line in told.splitlines())
    assert len(said["MADE_BY_HAND"].strip("'").split()) == by_hand
    assert said["MADE_BY_OPERATORS"].strip("'") == by_operators
    assert ("kube-apiserver-pod.yaml" in said["TEAR_DOWN"]) is leaves


def test_the_kubelet_knows_its_address_in_every_family() -> None:
    cluster = built("dual-stack").loaded.cluster
    told = environment(on_node("dual-stack"), "/etc/hardway/kubelet.env")
    assert told["NODE_IP"].split(",") == list(cluster.bootstrap.addresses)
    assert told["PAUSE_IMAGE"] == cluster.release.image_for("pod")


def test_the_pause_image_comes_with_its_program() -> None:
    runtime = tomllib.loads(on_node()["/etc/crio/crio.conf.d/50-bootstrap-override.conf"].content.decode())
    assert runtime["crio"]["image"] == {
        "pause_image": built().loaded.cluster.release.image_for("pod"),
        "pause_command": "/usr/bin/pod",
        "global_auth_file": "/root/.docker/config.json",
    }


def test_the_words_of_the_day_are_added_and_not_replaced() -> None:
    assert [path for path, file in on_node().items() if file.append] == ["/etc/motd"]


def test_core_has_your_key_and_the_generated_one() -> None:
    user = json.loads(config(built()))["passwd"]["users"]
    assert [u["name"] for u in user] == ["core"]
    yours, generated = user[0]["sshAuthorizedKeys"]
    assert yours == SSH_KEY
    load_ssh_public_key(generated.encode())


def test_without_a_key_of_yours_one_is_made_for_the_cluster() -> None:
    (user,) = json.loads(config(built("fips")))["passwd"]["users"]
    login = (built("fips").store.root / "ssh/login.pub").read_text().strip()
    assert user["sshAuthorizedKeys"][0] == login
    assert len(user["sshAuthorizedKeys"]) == 2
    assert not (built().store.root / "ssh/login").exists()


def test_crds_of_stage_04_come_along_and_are_remade_when_they_change(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "c", install_config(), mco=False)
    crds = folder / "assets" / "crds"
    crds.mkdir(parents=True)
    (crds / "b.yaml").write_text("kind: CustomResourceDefinition\n")
    laid = files(config(build_folder(folder)))
    assert laid["/opt/openshift/crds/b.yaml"].content == b"kind: CustomResourceDefinition\n"
    (crds / "b.yaml").write_text("kind: CustomResourceDefinition # another\n")
    assert files(config(build_folder(folder)))["/opt/openshift/crds/b.yaml"].content.endswith(b"another\n")


def test_it_fetches_nothing() -> None:
    whole = json.loads(config(built()))
    assert whole["ignition"] == {"version": "3.2.0"}
    sources = re.findall(r'"source":"([a-z]+):', config(built()).decode())
    assert set(sources) == {"data"}


def test_the_bases_of_this_folder_are_not_on_the_bootstrap_node() -> None:
    names = {base.name for base in read_base(MCO_BASE, DEFAULT).values()}
    assert not any(name.encode() in file.content for name in names for file in on_node().values())


def test_the_pull_secret_is_written_as_it_was_given() -> None:
    secret = json.loads(on_node()["/root/.docker/config.json"].content)
    assert b64decode(secret["auths"]["quay.io"]["auth"]) == b"example:example"
