"""Corrections to what the notes say of static pods."""

from __future__ import annotations

import json
from base64 import b64decode
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote

import yaml

from hardway.staticpods.controller_manager import policy
from tests.docs import notes
from tests.support.trees import built, copy_of

ETCD = "bootstrap-manifests/etcd-member-pod.yaml"
API = "bootstrap-manifests/kube-apiserver-pod.yaml"
SECRETS = "/etc/kubernetes/secrets"


def test_the_member_called_etcd_0_would_never_be_removed(tmp_path: Path):
    world = copy_of("default", tmp_path)
    notes.replace_flag(world, ETCD, "--name=etcd-bootstrap", "--name=etcd-0")
    assert set(notes.found_by(world)) == {"pod.etcd-name"}


def test_no_list_of_initial_members_is_given():
    """Three names would make etcd wait for two members that do not exist yet."""
    text = (built().store.root / ETCD).read_text()
    flags = [w for c in yaml.safe_load(text)["spec"]["containers"] for w in c["args"]]
    assert not [f for f in flags if f.startswith("--initial-cluster")]


def test_etcd_is_reached_on_localhost_and_not_by_a_name_under_the_domain(tmp_path: Path):
    """The notes' URL is a name that no certificate of etcd has; the notes' CA file is one that nobody makes."""
    world = copy_of("default", tmp_path)
    name = ("-verify_hostname", "etcd.ocp4.example.com")
    assert not notes.openssl_accepts(world, "etcd-serving-bootstrap", trust="etcd-ca-bundle", options=name)
    local = ("-verify_hostname", "localhost")
    assert notes.openssl_accepts(world, "etcd-serving-bootstrap", trust="etcd-ca-bundle", options=local)
    notes.replace_flag(world, API, f"{SECRETS}/etcd-ca-bundle.crt", f"{SECRETS}/etcd-ca.crt")
    assert any("etcd-ca.crt, which is not in the file" in line for line in notes.found_by(world)["ignition.pod-files"])


def test_the_host_folders_of_the_notes_are_empty(tmp_path: Path):
    world = copy_of("default", tmp_path)
    theirs = "/etc/kubernetes/static-pod-resources/kube-apiserver-certs"
    notes.replace_flag(world, API, "path: /etc/kubernetes/bootstrap-secrets", f"path: {theirs}")
    missing = notes.found_by(world)["ignition.pod-files"]
    assert len(missing) > 15
    assert all(theirs in line for line in missing)


def test_etcds_certificates_do_not_lie_in_a_folder_called_secrets():
    """The etcd operator's render has no secrets folder; the member's files are below static-pod-resources."""
    pod = yaml.safe_load((built().store.root / ETCD).read_text())
    paths = {v["hostPath"]["path"] for v in pod["spec"]["volumes"]}
    assert paths == {"/etc/kubernetes/static-pod-resources/etcd-member", "/var/lib/etcd"}


def test_etcds_file_is_not_called_etcd_pod(tmp_path: Path):
    world = copy_of("default", tmp_path)
    (world.root / ETCD).rename(world.root / "bootstrap-manifests/etcd-pod.yaml")
    assert "pod.present" in notes.found_by(world)


def test_five_pods_and_the_policy_controller(tmp_path: Path):
    """Seven run in a real installation; the sixth and seventh serve machines and clouds that we do without."""
    pods = sorted(p.name for p in (built().store.root / "bootstrap-manifests").iterdir())
    assert len(pods) == 5
    assert "--openshift-config=" in (built().store.root / API).read_text()
    world = copy_of("default", tmp_path)
    images = {**world.cluster.release.images, policy.IMAGE: "known"}
    world.cluster = replace(world.cluster, release=replace(world.cluster.release, images=images))
    assert "pod.policy-controller" in notes.found_by(world)


def test_the_default_prefix_would_empty_the_cluster_at_the_pivot(tmp_path: Path):
    world = copy_of("default", tmp_path)
    notes.replace_flag(world, API, "--etcd-prefix=kubernetes.io", "--etcd-prefix=/registry")
    assert set(notes.found_by(world)) == {"pod.etcd-prefix"}


def test_csrs_signed_by_another_ca_are_refused(tmp_path: Path):
    world = copy_of("default", tmp_path)
    manager = "bootstrap-manifests/kube-controller-manager-pod.yaml"
    notes.replace_flag(world, manager, f"{SECRETS}/kubelet-signer.crt", f"{SECRETS}/root-ca.crt")
    assert len(notes.found_by(world)["pod.csr-signer"]) == 2


def test_one_token_key_is_not_enough(tmp_path: Path):
    """The notes have one key pair; the API server signs with a second one, and must verify both."""
    world = copy_of("default", tmp_path)
    old, new = "bound-service-account-signing-key", "service-account"
    notes.replace_flag(world, API, old, new)
    assert "pod.service-account" in notes.found_by(world)


def test_masters_find_the_api_without_kube_proxy(tmp_path: Path):
    """MCO's render brings the file by which the network operator finds api-int, and masters have no kube-proxy."""
    world = copy_of("default", tmp_path)
    files = json.loads((world.root / "master-0.ign").read_text())["storage"]["files"]
    source = next(f["contents"]["source"] for f in files if f["path"] == "/etc/kubernetes/apiserver-url.env")
    head, _, body = source.partition(",")
    text = b64decode(body).decode() if head.endswith("base64") else unquote(body)
    assert f"KUBERNETES_SERVICE_HOST='{world.cluster.api_int_host}'" in text
    assert not any("kube-proxy" in f["path"] for f in files)
