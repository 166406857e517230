"""A difference that nobody meant is found and named."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode

import pytest

from hardway.compare.installer.differences import differences
from hardway.compare.installer.reading import read_ours, read_reference
from tests.support.planting import DNS, MANIFESTS, REFERENCE, SECRETS, edit, entry, good, rewrite, swap, unit

INFRASTRUCTURE = f"{MANIFESTS}cluster-infrastructure-02-config.yml"
VERSION = f"{MANIFESTS}cvo-overrides.yaml"
LOOPBACK = "/opt/openshift/auth/kubeconfig-loopback"
KUBEADMIN = "/opt/openshift/openshift/99_kubeadmin-password-secret.yaml"
USER_DATA = "/opt/openshift/openshift/99_openshift-cluster-api_master-user-data-secret.yaml"
LB, INTERNAL = (f"{SECRETS}kube-apiserver-{part}-server.crt" for part in ("lb", "internal-lb"))
TLS = "/opt/openshift/tls/kube-apiserver-lb-server.crt"
KEY = f"{SECRETS}kube-apiserver-lb-server.key"


def drop_user_data_address(body):
    config = json.loads(b64decode(body["data"]["userData"]))
    config["ignition"]["config"]["merge"][0]["source"] = "https://elsewhere:22623/config/master"
    body["data"]["userData"] = b64encode(json.dumps(config).encode()).decode()


DEFECTS = {
    "a field": (lambda c: edit(c, DNS, lambda b: b["spec"].update(baseDomain="example.com")), DNS, "spec.baseDomain"),
    "a missing field": (
        lambda c: edit(c, INFRASTRUCTURE, lambda b: b["status"].pop("platform")),
        INFRASTRUCTURE,
        "status.platform",
    ),
    "a wrong type": (
        lambda c: edit(
            c,
            f"{MANIFESTS}cluster-network-02-config.yml",
            lambda b: b["spec"]["clusterNetwork"][0].update(hostPrefix="23"),
        ),
        f"{MANIFESTS}cluster-network-02-config.yml",
        "spec.clusterNetwork[0].hostPrefix",
    ),
    "an override too few": (
        lambda c: edit(c, VERSION, lambda b: b["spec"]["overrides"].pop()),
        VERSION,
        "spec.overrides",
    ),
    "an id of the wrong form": (
        lambda c: edit(c, VERSION, lambda b: b["spec"].update(clusterID="none")),
        VERSION,
        "spec.clusterID",
    ),
    "another infrastructure name": (
        lambda c: edit(c, INFRASTRUCTURE, lambda b: b["status"].update(infrastructureName="other-bcdfg")),
        INFRASTRUCTURE,
        "status.infrastructureName",
    ),
    "a weaker hash": (
        lambda c: edit(c, KUBEADMIN, lambda b: b["data"].update(kubeadmin=b64encode(b"$2a$04$" + b"x" * 53).decode())),
        KUBEADMIN,
        "data.kubeadmin",
    ),
    "a longer install-config": (
        lambda c: edit(c, f"{MANIFESTS}cluster-config.yaml", lambda b: b["data"].update({"install-config": "x" * 671})),
        f"{MANIFESTS}cluster-config.yaml",
        "data.install-config",
    ),
    "another server": (
        lambda c: edit(c, LOOPBACK, lambda b: b["clusters"][0]["cluster"].update(server="https://127.0.0.1:6443")),
        LOOPBACK,
        "clusters[0].cluster.server",
    ),
    "a readable key": (
        lambda c: entry(c, f"{SECRETS}kubelet-signer.key").update(mode=0o644),
        "/opt/openshift/tls/kubelet-signer.key",
        "mode",
    ),
    "another owner": (lambda c: entry(c, DNS).update(user={"name": "core"}), DNS, "owner"),
    "a missing file": (lambda c: c["storage"]["files"].remove(entry(c, DNS)), DNS, "file"),
    "a file too many": (
        lambda c: c["storage"]["files"].append(entry(c, DNS) | {"path": "/etc/passwd"}),
        "/etc/passwd",
        "file",
    ),
    "a missing unit": (lambda c: c["systemd"]["units"].remove(unit(c, "kubelet.service")), "kubelet.service", "unit"),
    "a disabled unit": (lambda c: unit(c, "kubelet.service").update(enabled=False), "kubelet.service", "enabled"),
    "a unit too many": (lambda c: c["systemd"]["units"].append({"name": "x.service"}), "x.service", "unit"),
    "a key that fits nothing": (lambda c: swap(c, KEY, f"{SECRETS}kubelet-signer.key"), KEY, "key"),
    "names that are missing": (lambda c: swap(c, LB, f"{SECRETS}kubelet-signer.crt"), TLS, "certificate"),
    "another face": (lambda c: swap(c, LB, INTERNAL), TLS, "certificate[0].sans"),
    "another spec version": (lambda c: c["ignition"].update(version="3.1.0"), "ignition", "version"),
}


@pytest.mark.parametrize("name", DEFECTS)
def test_a_planted_difference_is_unexplained(name):
    plant, path, aspect = DEFECTS[name]
    config = json.loads(good())
    plant(config)
    found = differences(read_reference(REFERENCE), read_ours(json.dumps(config).encode()))
    unfit = [(KEY, "key")] if path == TLS else []  # another certificate is not that of the key beside it
    assert [(d.thing, d.aspect) for d in found if d.row is None] == [(path, aspect), *unfit]


@pytest.mark.parametrize(
    ("path", "change", "aspect"),
    [
        (USER_DATA, drop_user_data_address, "data.userData"),
        (
            f"{MANIFESTS}machine-config-server-tls-secret.yaml",
            lambda b: b["data"].update({"tls.key": b["data"]["tls.crt"]}),
            "data.tls.key",
        ),
        (
            f"{MANIFESTS}cluster-config.yaml",
            lambda b: b["data"].update({"install-config": b["data"]["install-config"].replace("ocp4", "ocp5")}),
            "data.install-config#metadata.name",
        ),
    ],
)
def test_in_a_real_config_more_is_seen(path, change, aspect, tmp_path):
    target = tmp_path / "bootstrap.ign"
    target.write_bytes(good())
    config = json.loads(good())
    edit(config, path, change)
    found = differences(read_reference(target), read_ours(json.dumps(config).encode()))
    unexplained = [(d.thing, d.aspect) for d in found if d.row is None]
    assert (path, aspect) in unexplained
    assert {p for p, _ in unexplained} == {path}


def test_a_list_that_was_never_made_is_an_empty_one():
    ssh = "/opt/openshift/openshift/99_openshift-machineconfig_99-master-ssh.yaml"
    for value, unexplained in (([], []), ({}, ["spec.extensions"]), ("", ["spec.extensions"])):
        config = json.loads(good())
        edit(config, ssh, lambda b, v=value: b["spec"].update(extensions=v))
        found = differences(read_reference(REFERENCE), read_ours(json.dumps(config).encode()))
        assert [d.aspect for d in found if d.row is None] == unexplained


@pytest.mark.parametrize(
    ("path", "text", "same", "other"),
    [
        ("/etc/profile.d/proxy.sh", 'export A="b"', "export A=b\n", "export A=c"),
        (
            "/etc/containers/registries.conf",
            "[[r]]\nlocation = 'a'\n",
            '[[r]]\n\n  location = "a"',
            "[[r]]\nlocation = 'b'",
        ),
        ("/root/.docker/config.json", '{"auths": {}}\n', '{"auths":{}}', '{"auths":{"a":{}}}'),
        ("/etc/systemd/system.conf.d/10-default-env.conf", "[Manager]\n\n", "[Manager]", "[Service]"),
    ],
)
def test_settings_count_by_what_they_mean(path, text, same, other, tmp_path):
    target = tmp_path / "bootstrap.ign"
    for theirs, ours, aspects in ((text, same, []), (text, other, ["content"])):
        reference, changed = json.loads(good()), json.loads(good())
        rewrite(reference, path, lambda _, t=theirs: t)
        rewrite(changed, path, lambda _, t=ours: t)
        target.write_text(json.dumps(reference))
        found = differences(read_reference(target), read_ours(json.dumps(changed).encode()))
        assert [d.aspect for d in found] == aspects
