"""The rendered road: a bootstrap control plane from what the release's operators render, up to three Ready masters."""

from __future__ import annotations

import json
import os
import ssl
from base64 import b64decode
from typing import Any

import pytest
from cryptography import x509

from hardway.bootkube.cluster_bootstrap import place
from hardway.bootkube.run import chosen, is_done, run
from hardway.bootkube.table import BY_NAME
from hardway.lab import rendered
from hardway.lab.up import Watch
from tests.lab.wholes import opened, whole
from tests.support.hardway_program import hardway
from tests.support.waiting import until

PODS = [
    "bootstrap-pod.yaml",
    "etcd-member-pod.yaml",
    "kube-apiserver-pod.yaml",
    "kube-controller-manager-pod.yaml",
    "kube-scheduler-pod.yaml",
    "machineconfigoperator-bootstrap-pod.yaml",
]
SERVED = 22623  # the machine-config server's port


@pytest.fixture(scope="module")
def lab():
    with whole(f"r{os.getpid()}", "3+0", road="rendered") as found:
        found.prepared.machines.start("bootstrap")
        words = without_types(rendered.context(found.prepared, lambda what: None))
        rendered.bootstrap(found.prepared, Watch(listener=found.events.append))
        lab: Any = opened(found.prepared, found.begun)
        lab.words = words
        try:
            yield lab
        finally:
            lab.beat.stop()


def without_types(ctx):
    """What the API server says while somebody waits for it to be ready, and has created nothing yet."""
    run(ctx, chosen(last=BY_NAME["wait-for-etcd"]), lambda stage, what: None)
    place(ctx)
    logs = "cat /var/log/pods/openshift-kube-apiserver_*/kube-apiserver/*.log"
    search = ["sh", "-c", f"{logs} | grep -m1 'could not list rolebinding restrictions'"]
    until(lambda: ctx.run(search).ok, lambda: ctx.run(["sh", "-c", f"{logs} | tail"]).output)
    ready = ctx.run(["curl", "--silent", "--insecure", "https://localhost:6443/readyz"]).output
    return ctx.run(search).output, ready


def on_bootstrap(lab, *words):
    done = lab.prepared.machines.run("bootstrap", words)
    assert done.ok, f"{words}: {done.output}{done.errors}"
    return done.output


def test_three_masters_join_what_the_operators_rendered(lab):
    lab.drive(11)
    nodes = json.loads(lab.kubectl("get", "nodes", "-o", "json"))["items"]
    ready = [
        node["metadata"]["name"]
        for node in nodes
        if any(c["type"] == "Ready" and c["status"] == "True" for c in node["status"]["conditions"])
    ]
    assert sorted(ready) == ["master-0", "master-1", "master-2"]


def test_every_stage_up_to_cluster_bootstrap_has_left_its_marker(lab):
    ctx = rendered.context(lab.prepared, lambda what: None)
    stages = [stage for stage in chosen(last=rendered.LAST) if stage.marker]
    assert [stage.name for stage in stages if not is_done(ctx, stage)] == []


def test_the_pods_are_the_operators(lab):
    assert on_bootstrap(lab, "ls", "/etc/kubernetes/manifests").split() == PODS
    server = on_bootstrap(lab, "pidof", "kube-apiserver").split()[0]
    words = on_bootstrap(lab, "cat", f"/proc/{server}/cmdline").split("\0")
    assert "--openshift-config=/etc/kubernetes/config/kube-apiserver-config.yaml" in words
    assert not any(word.startswith("--etcd-servers") for word in words)


def test_etcd_believes_in_the_operators_signer_and_not_in_ours(lab):
    address = lab.prepared.cluster.bootstrap.address
    trust = (lab.prepared.folder / "assets/bootkube/tls/etcd-ca-bundle.crt").read_bytes()
    authority = x509.load_pem_x509_certificate(trust)
    assert "openshift-etcd_etcd-signer@" in authority.subject.rfc4514_string()
    shown = x509.load_pem_x509_certificate(ssl.get_server_certificate((address, 2379)).encode())
    assert shown.issuer == authority.subject
    ours = x509.load_pem_x509_certificate((lab.prepared.folder / "assets/tls/etcd-signer.crt").read_bytes())
    assert ours.public_key() != authority.public_key()


def test_the_signers_of_the_api_server_are_ours(lab):
    """The operator renders Secrets from our own: the administrator's kubeconfig stays good."""
    path = "jsonpath={.data.tls\\.crt}"
    namespace = "--namespace=openshift-kube-apiserver-operator"
    there = b64decode(lab.kubectl("get", "secret", "loadbalancer-serving-signer", namespace, f"--output={path}"))
    assert there.strip() == (lab.prepared.folder / "assets/tls/kube-apiserver-lb-signer.crt").read_bytes().strip()


def test_the_machine_config_server_serves_masters(lab):
    address = lab.prepared.cluster.bootstrap.address

    def answer():
        words = ["curl", "--silent", "--insecure", f"https://{address}:{SERVED}/config/master"]
        return lab.prepared.machines.run(
            "bootstrap", [*words, "--header", "Accept: application/vnd.coreos.ignition+json;version=3.4.0"]
        )

    until(lambda: answer().ok and "storage" in answer().output, lambda: answer().output[:500])
    assert json.loads(answer().output)["ignition"]["version"].startswith("3.")


def test_the_api_server_is_not_ready_before_its_types_are_there(lab):
    """Whoever waits for /readyz before creating anything waits for ever: its own words."""
    said, ready = lab.words
    assert "rolebindings.rbac.authorization.k8s.io" in said
    assert ready != "ok"


def test_a_second_time_nothing_is_rendered(lab):
    said = []
    rendered.bootstrap(lab.prepared, Watch(listener=lambda event: said.append(event.text)))
    assert not any("bootstrap" in text and "wait-for" not in text for text in said), said


def test_a_stage_alone(lab):
    done = hardway("bootkube", lab.prepared.folder, "--only", "api-dns-check")
    assert done.returncode == 0, done.stderr
    assert f"https://{lab.prepared.cluster.api_host}:6443/readyz says ok" in done.stderr
    dry = hardway("bootkube", lab.prepared.folder, "--dry-run", "-o", "json")
    states = {row["stage"]: row["state"] for row in json.loads(dry.stdout)}
    assert (states["etcd-bootstrap"], states["wait-for-ceo"]) == ("kept", "would")
