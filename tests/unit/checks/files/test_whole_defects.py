"""Defects in what no check names by itself: whole documents and nodes are compared with the tables."""

from __future__ import annotations

import json
from base64 import b64encode

import pytest

from hardway.checks.files.pods import PODS as POD_FILES
from hardway.checks.files.table import TABLE
from hardway.manifests import constraints, policy
from hardway.model.check import run
from hardway.staticpods.apiserver import config as server_config
from hardway.staticpods.controller_manager import policy as policy_config
from tests.support.edited import edit_file
from tests.support.trees import spare

POLICY = "bootstrap-configs/audit-policy.yaml"


def change_yaml(path, change):
    return lambda world: edit_file(world.root / path, change)


def write(path, text):
    return lambda world: (world.root / path).write_text(text)


def remove(path):
    return lambda world: (world.root / path).unlink()


def flag(pod, name, value):
    """Set a flag to another value, or add one that nobody knows."""

    def change(document):
        words = document["spec"]["containers"][0]["args"]
        words[:] = [w for w in words if not w.startswith(f"{name}=")] + [f"{name}={value}"]

    return change_yaml(POD_FILES[pod], change)


def other_folder(document):
    document["spec"]["volumes"][0]["hostPath"]["path"] = "/nope"


def ignition(node, change):
    def plant(world):
        path = world.root / f"{node}.ign"
        document = json.loads(path.read_text())
        change(document)
        path.write_text(json.dumps(document))

    return plant


def without(node, path):
    def change(document):
        files = document["storage"]["files"]
        assert any(f["path"] == path for f in files)
        files[:] = [f for f in files if f["path"] != path]

    return ignition(node, change)


def put(node, path, content):
    def change(document):
        found = next(f for f in document["storage"]["files"] if f["path"] == path)
        found["contents"] = {"source": "data:;base64," + b64encode(content).decode()}

    return ignition(node, change)


def without_unit(name):
    def change(document):
        document["systemd"]["units"] = [u for u in document["systemd"]["units"] if u["name"] != name]

    return ignition("bootstrap", change)


def disable_all(document):
    for unit in document["systemd"]["units"]:
        unit["enabled"] = False


def other_dropin(document):
    unit = next(u for u in document["systemd"]["units"] if u.get("dropins"))
    unit["dropins"][0]["contents"] = ""


def stranger(document):
    document["storage"]["files"].append(
        {
            "path": "/etc/kubernetes/manifests/miner.yaml",
            "mode": 384,
            "contents": {"source": "data:,spec%3A%20%7Bcontainers%3A%20%5B%5D%7D"},
        }
    )


API, KCM, ETCD = "kube-apiserver", "kube-controller-manager", "etcd"
MCD = "/etc/machine-config-daemon/node-annotations.json"
USER_DATA = "openshift/99_openshift-cluster-api_worker-user-data-secret.yaml"

PLANTED = {
    "etcd-servers": ("pod.fields", flag(API, "--etcd-servers", "https://localhost:2380")),
    "service range": ("pod.fields", flag(API, "--service-cluster-ip-range", "10.96.0.0/12")),
    "advertised": ("pod.fields", flag(API, "--advertise-address", "192.168.126.101")),
    "port": ("pod.fields", flag(API, "--secure-port", "8443")),
    "token issuer": ("pod.fields", flag(API, "--service-account-issuer", "https://example.com")),
    "unknown flag": ("pod.fields", flag(API, "--nobody-knows", "true")),
    "other folder": ("pod.fields", change_yaml(POD_FILES[API], other_folder)),
    "pod network": ("pod.fields", flag(KCM, "--cluster-cidr", "10.0.0.0/8")),
    "services": ("pod.fields", flag(KCM, "--service-cluster-ip-range", "10.96.0.0/12")),
    "client urls": ("pod.fields", flag(ETCD, "--advertise-client-urls", "https://192.168.126.9:2379")),
    "data": ("pod.fields", flag(ETCD, "--data-dir", "/tmp/etcd")),
    "peer": ("pod.fields", flag(ETCD, "--peer-cert-file", "/nope.crt")),
    "no policy": ("pod.fields", remove(POLICY)),
    "spoilt policy": ("pod.fields", write(POLICY, "x")),
    "external address": (
        "manifest.fields",
        change_yaml("manifests/cluster-network-02-config.yml", lambda d: d["spec"].pop("externalIP")),
    ),
    "channel": (
        "manifest.fields",
        change_yaml("manifests/cvo-overrides.yaml", lambda d: d["spec"].update(channel="stable-4.17")),
    ),
    "patch": ("manifest.fields", write("original_cvo_overrides.patch", "{}")),
    "user data": ("manifest.present", remove(USER_DATA)),
    "ssh": ("manifest.present", remove("openshift/99_openshift-machineconfig_99-master-ssh.yaml")),
    "topology": (
        "manifest.infrastructure",
        change_yaml(
            "manifests/cluster-infrastructure-02-config.yml",
            lambda d: d["status"].update(controlPlaneTopology="SingleReplica", infrastructureTopology="SingleReplica"),
        ),
    ),
    "metadata": ("manifest.readable", write("manifests/zz.yaml", "apiVersion: v1\nkind: Secret\nmetadata: x\n")),
    "spec": ("pod.present", change_yaml(POD_FILES[ETCD], lambda d: d.update(spec="y"))),
    "no kubelet": ("ignition.enabled", without_unit("kubelet.service")),
    "disabled": ("ignition.enabled", ignition("bootstrap", disable_all)),
    "other drop-in": ("ignition.carries", ignition("bootstrap", other_dropin)),
    "no etcd": ("ignition.carries", without("bootstrap", "/etc/kubernetes/manifests/etcd-member-pod.yaml")),
    "lost manifest": ("ignition.carries", without("bootstrap", f"/opt/openshift/{USER_DATA}")),
    "spoilt manifest": ("ignition.carries", put("bootstrap", f"/opt/openshift/{USER_DATA}", b"a")),
    "spoilt pod": ("ignition.pod-files", put("bootstrap", "/etc/kubernetes/manifests/etcd-member-pod.yaml", b"a")),
    "runtime": ("ignition.carries", without("bootstrap", "/etc/crio/crio.conf.d/50-bootstrap-override.conf")),
    "stranger": ("ignition.carries", ignition("bootstrap", stranger)),
    "no applied": ("ignition.carries", write("manifests/zz.yaml", "kind: ConfigMap")),
    "stranger on a master": ("ignition.carries", ignition("master-0", stranger)),
    "rendered": ("ignition.carries", put("worker-1", "/etc/kubernetes/apiserver-url.env", b"")),
    "client bundle": ("ignition.carries", put("master-0", "/etc/kubernetes/kubelet-ca.crt", b"x")),
    "annotations": ("ignition.from-mcs", put("master-0", MCD, b"{}")),
    "two renders": ("ignition.from-mcs", put("worker-0", "/etc/mcs-machine-config-content.json", b"[]")),
    "nobody": ("ignition.login", ignition("master-0", lambda d: d.pop("passwd"))),
    "no list": ("ignition.readable", ignition("master-0", lambda d: d["storage"].update(files="x"))),
    "plan": ("plan.present", write("plan/cluster.yaml", "[]")),
    "identities": ("plan.identity", write("metadata.json", "[]")),
}


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_defect_is_found_by_its_check_and_no_other_of_its_stage(name):
    check, plant = PLANTED[name]
    world = spare("default")
    plant(world)
    stage = next(row.stage for row in TABLE if row.name == check)
    found = run([row for row in TABLE if row.stage == stage], world).findings
    assert {f.check for f in found} == {check}
    assert all(f.fix and f.message for f in found)


def test_every_piece_of_admission_that_is_missing_is_named():
    """Without any one of them pods are refused, or run without a user that was chosen for them."""
    world = spare("default")
    rows = (*constraints.documents(world.cluster), *policy.documents(world.cluster))
    pieces = {row.path for row in (*rows, server_config.DOCUMENT, policy_config.DOCUMENT)}
    assert len(pieces) > 25
    for path in pieces:
        remove(path)(world)
    named = {f.subject for f in run([row for row in TABLE if row.stage == "07"], world).findings}
    assert pieces - named == set()


def test_every_general_check_has_a_planted_defect():
    assert {row.name for row in TABLE if row.general} <= {check for check, _ in PLANTED.values()}


@pytest.mark.parametrize("variant", ["five", "fips", "no-smt", "capabilities", "content-sources", "ipv6"])
def test_a_good_tree_has_no_finding(variant):
    assert run(TABLE, spare(variant)).findings == ()


def test_a_general_check_is_silent_on_a_file_that_another_one_has_found():
    world = spare("default")
    flag(API, "--etcd-prefix", "/registry")(world)
    flag(API, "--secure-port", "8443")(world)
    assert {f.check for f in run(TABLE, world).findings if f.subject == POD_FILES[API]} == {"pod.etcd-prefix"}


def test_no_secret_is_in_a_message():
    world = spare("proxy")
    path = "manifests/cluster-proxy-01-config.yaml"
    change_yaml(path, lambda d: d["spec"].update(httpProxy="http://user:hunter2@example.com"))(world)
    change_yaml(USER_DATA, lambda d: d["data"].update(userData="aHVudGVyMg=="))(world)
    found = [f for f in run(TABLE, world).findings if f.check == "manifest.fields"]
    assert {f.subject for f in found} == {path, USER_DATA}
    assert not any("hunter2" in f.message or "aHVudGVyMg" in f.message for f in found)
