"""What is wrong in the installer's own file is a difference too: nothing of it is passed over."""

from __future__ import annotations

import json
from base64 import b64encode

import pytest

from hardway.compare.contents import content
from hardway.compare.installer.differences import differences
from hardway.compare.installer.reading import read_reference
from tests.support.installer_like import BOOTKUBE, KUBELET, installer_like, put
from tests.support.planting import DNS, MANIFESTS, edit, entry, good_snapshot, swap, unit
from tests.support.reissue import reissued

TLS = "/opt/openshift/tls/"
KUBELET_SH, BOOTKUBE_SH = "/usr/local/bin/kubelet.sh", "/usr/local/bin/bootkube.sh"
ADMIN, LOOPBACK = "/opt/openshift/auth/kubeconfig", "/opt/openshift/auth/kubeconfig-loopback"
SERVICE_NETWORK, LOCALHOST, MCS = (
    f"{TLS}{name}.crt"
    for name in ("kube-apiserver-service-network-server", "kube-apiserver-localhost-server", "machine-config-server")
)
GATEWAY, ZINCATI = "systemd-journal-gatewayd.service", "zincati.service"


def reissue(path, **changes):
    return lambda c: put(c, path, reissued(content(entry(c, path)), **changes))


def drop_in(name, text):
    return lambda c: unit(c, name)["dropins"][0].update(contents=text)


def section(name, **values):
    return lambda c: c.setdefault(name, {}).update(values)


def replaced(path, text, old, new):
    assert old in text
    return lambda c: put(c, path, text.replace(old, new))


def file_field(path, **values):
    return lambda c: entry(c, path).update(values)


def kernel_arguments(config):
    config["kernelArguments"] = {"shouldExist": ["selinux=0"]}


DEFECTS = {
    "an emptied unit": (lambda c: unit(c, "bootkube.service").update(contents=""), "bootkube.service", "settings."),
    "another command": (
        lambda c: unit(c, "kubelet.service").update(contents="[Service]\nExecStart=/bin/true\n"),
        "kubelet.service",
        "settings.Service.ExecStart",
    ),
    "a masked unit": (lambda c: unit(c, "kubelet.service").update(mask=True), "kubelet.service", "mask"),
    "another drop-in": (drop_in(GATEWAY, "[Service]\nExecStart=\n"), GATEWAY, "overrides.Service.ExecStart"),
    "an emptied drop-in": (drop_in(ZINCATI, ""), ZINCATI, "overrides.Unit"),
    "an unknown unit field": (lambda c: unit(c, "kubelet.service").update(x=1), "kubelet.service", "x"),
    "a readable kubeconfig": (file_field(ADMIN, mode=0o644), ADMIN, "mode"),
    "a readable key": (file_field(f"{TLS}kubelet-signer.key", mode=0o644), f"{TLS}kubelet-signer.key", "mode"),
    "a service name too few": (
        reissue(SERVICE_NETWORK, drop="kubernetes.default"),
        SERVICE_NETWORK,
        "certificate[0].sans",
    ),
    "no service address": (reissue(SERVICE_NETWORK, drop="172.30.0.1"), SERVICE_NETWORK, "certificate[0].sans"),
    "no localhost": (reissue(LOCALHOST, drop="localhost"), LOCALHOST, "certificate[0].sans"),
    "no loopback address": (reissue(LOCALHOST, drop="127.0.0.1"), LOCALHOST, "certificate[0].sans"),
    "no api-int": (reissue(MCS, drop="api-int.ocp4.example.com"), MCS, "certificate[0].sans"),
    "an address as a name": (reissue(SERVICE_NETWORK, as_dns="172.30.0.1"), SERVICE_NETWORK, "certificate[0].sans"),
    "no constraints": (reissue(LOCALHOST, constraints=False), LOCALHOST, "certificate[0].extensions"),
    "another digest": (reissue(LOCALHOST, digest="sha512"), LOCALHOST, "certificate[0].signature"),
    "signed by nobody": (reissue(LOCALHOST), LOCALHOST, "certificate[0].signed"),
    "a key that is none": (
        lambda c: put(c, f"{TLS}kubelet-signer.key", "garbage"),
        f"{TLS}kubelet-signer.key",
        "key",
    ),
    "a certificate that is none": (
        lambda c: put(c, f"{TLS}kubelet-signer.crt", "garbage"),
        f"{TLS}kubelet-signer.crt",
        "certificate",
    ),
    "a broken certificate": (
        lambda c: put(c, f"{TLS}kubelet-signer.crt", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"),
        f"{TLS}kubelet-signer.crt",
        "certificate",
    ),
    "a swapped key": (
        lambda c: swap(c, f"{TLS}kubelet-signer.key", f"{TLS}aggregator-client.key"),
        f"{TLS}kubelet-signer.key",
        "key",
    ),
    "a key that nobody here needs": (
        lambda c: put(c, f"{TLS}aggregator-ca.key", "garbage"),
        f"{TLS}aggregator-ca.key",
        "key",
    ),
    "a broken public key": (
        lambda c: put(c, f"{TLS}service-account.pub", "-----BEGIN PUBLIC KEY-----\nAA\n-----END PUBLIC KEY-----\n"),
        f"{TLS}service-account.pub",
        "key",
    ),
    "another public key": (
        lambda c: swap(c, f"{TLS}service-account.key", f"{TLS}kubelet-signer.key"),
        f"{TLS}service-account.key",
        "key",
    ),
    "no key": (lambda c: c["storage"]["files"].remove(entry(c, f"{TLS}kubelet-signer.key")), "", "file"),
    "no signer": (
        lambda c: c["storage"]["files"].remove(entry(c, f"{TLS}aggregator-signer.key")),
        f"{TLS}aggregator-signer.key",
        "file",
    ),
    "a folder": (section("storage", directories=[{"path": "/etc/x"}]), "ignition", "storage.directories"),
    "a link": (section("storage", links=[{"path": "/etc/x", "target": "/"}]), "ignition", "storage.links"),
    "kernel arguments": (kernel_arguments, "ignition", "kernelArguments"),
    "a merged config": (section("ignition", config={"merge": [{"source": "x"}]}), "ignition", "ignition.config"),
    "a proxy": (section("ignition", proxy={"httpProxy": "http://x"}), "ignition", "ignition.proxy"),
    "a group": (section("passwd", groups=[{"name": "x"}]), "ignition", "passwd.groups"),
    "a file twice": (
        lambda c: c["storage"]["files"].append(entry(c, DNS)),
        "ignition",
        f"storage.files: {DNS}",
    ),
    "a user too many": (lambda c: c["passwd"]["users"].append({"name": "x"}), "passwd", "x"),
    "a file's group": (file_field(DNS, group={"name": "core"}), DNS, "group"),
    "an open file that is left out here": (
        lambda c: (put(c, f"{TLS}aggregator-ca.key", ""), entry(c, f"{TLS}aggregator-ca.key").update(mode=0o644)),
        f"{TLS}aggregator-ca.key",
        "mode",
    ),
    "no plain yes": (file_field(DNS, overwrite=7), DNS, "overwrite"),
    "a compression": (lambda c: entry(c, DNS)["contents"].update(compression="gzip"), DNS, "contents.compression"),
    "a file from elsewhere": (
        lambda c: entry(c, DNS).update(contents={"source": "https://example.com/x"}),
        DNS,
        "contents.source",
    ),
    "an open kubelet": (
        replaced(KUBELET_SH, KUBELET, "auth=false", "auth=true"),
        KUBELET_SH,
        "flag --anonymous-auth",
    ),
    "another kubelet flag": (replaced(KUBELET_SH, KUBELET, "--v=2", "--v=2 --x=y"), KUBELET_SH, "flag --x"),
    "more than a kubelet": (replaced(KUBELET_SH, KUBELET, "/usr/bin/kubelet", "true\nkubelet"), KUBELET_SH, "content"),
    "no kubelet": (lambda c: put(c, KUBELET_SH, "'"), KUBELET_SH, "content"),
    "an empty bootkube": (lambda c: put(c, BOOTKUBE_SH, ""), BOOTKUBE_SH, "content"),
    "a stage too few": (replaced(BOOTKUBE_SH, BOOTKUBE, "mco-bootstrap", "x"), BOOTKUBE_SH, "content"),
    "an empty motd": (lambda c: put(c, "/etc/motd", ""), "/etc/motd", "content"),
    "a list for a document": (lambda c: put(c, DNS, "- a\n"), DNS, "content"),
    "no YAML": (lambda c: put(c, DNS, "a: b: c\n\t"), DNS, "content"),
    "two documents": (lambda c: put(c, DNS, "a: 1\n---\nb: 2\n"), DNS, "content"),
    "a document in itself": (lambda c: put(c, DNS, "a: &a [*a]\n"), DNS, "content"),
    "a number for a name": (lambda c: edit(c, DNS, lambda b: b.update({7: "x"})), DNS, "7"),
    "no kubeconfig": (lambda c: put(c, LOOPBACK, "garbage"), LOOPBACK, "content"),
    "a pull secret that is none": (
        lambda c: edit(
            c,
            f"{MANIFESTS}openshift-config-secret-pull-secret.yaml",
            lambda b: b["data"].update({".dockerconfigjson": "%"}),
        ),
        f"{MANIFESTS}openshift-config-secret-pull-secret.yaml",
        "data..dockerconfigjson",
    ),
    "a key in a Secret that does not fit": (
        lambda c: edit(
            c,
            f"{MANIFESTS}machine-config-server-tls-secret.yaml",
            lambda b: b["data"].update(
                {"tls.key": b64encode(content(entry(c, f"{TLS}kubelet-signer.key"))).decode()},
            ),
        ),
        f"{MANIFESTS}machine-config-server-tls-secret.yaml",
        "data.tls.key: key",
    ),
}


def unexplained(config, tmp_path):
    target = tmp_path / "bootstrap.ign"
    target.write_text(json.dumps(config))
    found = differences(read_reference(target), good_snapshot())
    return [(d.thing, d.aspect) for d in found if d.row is None]


def test_the_installers_order_alone_is_explained(tmp_path):
    assert unexplained(installer_like(), tmp_path) == []


@pytest.mark.parametrize("name", DEFECTS)
def test_a_defect_of_theirs_is_unexplained(name, tmp_path):
    plant, path, aspect = DEFECTS[name]
    config = installer_like()
    plant(config)
    found = unexplained(config, tmp_path)
    assert [(p, a) for p, a in found if p.startswith(path) and a.startswith(aspect)], found
