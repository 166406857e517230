"""Which files of the host a pod reads, and that it sees no more than it needs."""

from __future__ import annotations

import pytest

from hardway.staticpods.paths import host_files
from tests.support.clusters import VARIANTS

SECRETS = "/etc/kubernetes/bootstrap-secrets/"
MEMBER = "/etc/kubernetes/static-pod-resources/etcd-member/"
PAIRS = (
    "aggregator-client",
    "etcd-client",
    "kube-apiserver-internal-lb-server",
    "kube-apiserver-lb-server",
    "kube-apiserver-localhost-server",
    "kube-apiserver-service-network-server",
    "kube-apiserver-to-kubelet-client",
)
READS = {
    "kube-apiserver": {
        *(f"{SECRETS}{pair}.{ending}" for pair in PAIRS for ending in ("crt", "key")),
        f"{SECRETS}aggregator-ca-bundle.crt",
        f"{SECRETS}bound-service-account-signing-key.key",
        f"{SECRETS}bound-service-account-signing-key.pub",
        f"{SECRETS}etcd-ca-bundle.crt",
        f"{SECRETS}kube-apiserver-complete-client-ca-bundle.crt",
        f"{SECRETS}kubelet-client-ca-bundle.crt",
        f"{SECRETS}service-account.pub",
        "/etc/kubernetes/bootstrap-configs/audit-policy.yaml",
        "/etc/kubernetes/bootstrap-configs/kube-apiserver-config.yaml",
    },
    "kube-controller-manager": {
        f"{SECRETS}controller-manager.kubeconfig",
        f"{SECRETS}kube-apiserver-complete-server-ca-bundle.crt",
        f"{SECRETS}kubelet-signer.crt",
        f"{SECRETS}kubelet-signer.key",
        f"{SECRETS}service-account.key",
    },
    "kube-scheduler": {f"{SECRETS}scheduler.kubeconfig"},
    "cluster-version-operator": {"/etc/kubernetes/kubeconfig"},
    "kube-proxy": {"/etc/kubernetes/static-pod-resources/kube-proxy/kubeconfig"},
}


@pytest.mark.parametrize("name", READS)
@pytest.mark.parametrize("variant", VARIANTS)
def test_a_pod_reads_exactly_these(pod, name, variant):
    assert host_files(pod(name, variant)) == READS[name]


def test_etcd_reads_its_own_certificates_and_no_other_members(tree, pod):
    name = tree("default").cluster.bootstrap.name
    pairs = {f"{MEMBER}etcd-all-certs/etcd-{k}-{name}.{e}" for k in ("peer", "serving") for e in ("crt", "key")}
    assert host_files(pod("etcd")) == {*pairs, f"{MEMBER}ca.crt"}


@pytest.mark.parametrize("name", ["etcd", *READS])
def test_every_secret_that_is_read_is_one_that_we_make(tree, pod, name):
    paths = {asset.path for asset in tree("default").graph.values()}
    for file in host_files(pod(name)):
        base = file.rsplit("/", 1)[-1]
        if file.startswith((SECRETS, f"{MEMBER}etcd-all-certs/")):
            assert f"tls/{base}" in paths or f"auth/{base}" in paths


@pytest.mark.parametrize("name", ["kube-controller-manager", "kube-scheduler"])
def test_a_pod_with_file_mounts_sees_what_it_reads_and_nothing_else(pod, name):
    spec = pod(name)["spec"]
    sources = {v["hostPath"]["path"] for v in spec["volumes"] if "hostPath" in v}
    assert sources == host_files(pod(name))
    assert {v["hostPath"]["type"] for v in spec["volumes"] if "hostPath" in v} == {"File"}


WRITTEN = {
    "etcd": {"/var/lib/etcd"},
    "kube-apiserver": {"/var/log/kube-apiserver", "/tmp"},
    "kube-controller-manager": {"/var/run/kubernetes"},
    "kube-scheduler": {"/var/run/kubernetes"},
    "cluster-version-operator": set(),
    "kube-proxy": set(),
}


@pytest.mark.parametrize("name", WRITTEN)
def test_only_data_and_logs_can_be_written(pod, name):
    [program] = pod(name)["spec"]["containers"]
    assert {m["mountPath"] for m in program["volumeMounts"] if not m.get("readOnly")} == WRITTEN[name]


@pytest.mark.parametrize("name", ["etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler"])
def test_what_need_not_be_privileged_has_no_rights_of_roots(pod, name):
    [program] = pod(name)["spec"]["containers"]
    context = program["securityContext"]
    assert "privileged" not in context
    assert context["capabilities"] == {"drop": ["ALL"]}
    assert context["readOnlyRootFilesystem"] is True
    assert context["allowPrivilegeEscalation"] is False


def small(args, mounts, volumes, **rest):
    return {"spec": {"containers": [{"args": args, "volumeMounts": mounts} | rest], "volumes": volumes}}


def host(name, path):
    return {"name": name, "hostPath": {"path": path}}


@pytest.mark.parametrize(
    ("args", "files"),
    [
        (["--a=/in/x.crt"], {"/out/x.crt"}),
        (["--a=/in/x.crt,/in/x.key:name,::1"], {"/out/x.crt", "/out/x.key"}),
        (["--a=https://in/x"], set()),
        (["--a=/inside/x"], set()),
        (["--a=/in/deep/x"], {"/deeper/x"}),
        (["--a", "/in/x"], {"/out/x"}),
        (["--a=/log/x"], set()),
        (["--a=/memory/x"], set()),
    ],
)
def test_paths_are_found_and_led_to_the_host(args, files):
    mounts = [
        {"name": "a", "mountPath": "/in/", "readOnly": True},
        {"name": "b", "mountPath": "/in/deep", "readOnly": True},
        {"name": "c", "mountPath": "/log"},
        {"name": "d", "mountPath": "/memory", "readOnly": True},
    ]
    volumes = [host("a", "/out"), host("b", "/deeper"), host("c", "/var/log"), {"name": "d", "emptyDir": {}}]
    assert host_files(small(args, mounts, volumes)) == files


def test_commands_environment_and_init_containers_count():
    mounts = [{"name": "a", "mountPath": "/in", "readOnly": True}]
    pod = small([], mounts, [host("a", "/out")], command=["/in/run"], env=[{"name": "X", "value": "/in/env"}])
    pod["spec"]["initContainers"] = [{"command": ["cat", "/in/first"], "volumeMounts": mounts}]
    assert host_files(pod) == {"/out/run", "/out/env", "/out/first"}
