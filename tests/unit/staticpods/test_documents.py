"""The pods as documents: what readers of YAML and Kubernetes' schema make of them, and the reasons beside them."""

from __future__ import annotations

import json
from dataclasses import replace

import kubernetes_validate
import pytest
import yaml
from hypothesis import given, settings

from hardway.emit.document import asset, leaves
from hardway.graph.asset import Given
from hardway.staticpods import pods
from hardway.staticpods.controller_manager import pod as controller_manager
from hardway.staticpods.controller_manager import policy
from hardway.staticpods.paths import host_files
from tests.support import schemas
from tests.support.clusters import VARIANTS
from tests.support.configs import valid_install_configs
from tests.support.manifests import make

PATHS = {
    "pod/etcd": "bootstrap-manifests/etcd-member-pod.yaml",
    "pod/kube-apiserver": "bootstrap-manifests/kube-apiserver-pod.yaml",
    "pod/kube-controller-manager": "bootstrap-manifests/kube-controller-manager-pod.yaml",
    "pod/kube-scheduler": "bootstrap-manifests/kube-scheduler-pod.yaml",
    "pod/cluster-version-operator": "bootstrap-manifests/bootstrap-pod.yaml",
    "pod/kube-proxy": "master-manifests/kube-proxy-pod.yaml",
    "manifest/audit-policy.yaml": "bootstrap-configs/audit-policy.yaml",
    "manifest/kube-apiserver-config.yaml": "bootstrap-configs/kube-apiserver-config.yaml",
    "manifest/cluster-policy-controller-config.yaml": "bootstrap-configs/cluster-policy-controller-config.yaml",
}
NAMES = [address.removeprefix("pod/") for address in PATHS if address.startswith("pod/")]


def body(document, made):
    return document.body(made.given(document.address))


def text(document, made, comments):
    made_as = asset(document, stage="07", comments=comments)
    given = Given(asset=made_as, cluster=made.cluster, content=made.content, entropy=made.entropy)
    return made_as.make(given).decode()


def test_the_documents_and_their_files(tree):
    assert {d.address: d.path for d in pods.documents(tree("default").cluster)} == PATHS


@pytest.mark.parametrize("variant", VARIANTS)
def test_what_is_read_back_is_what_was_meant(tree, variant):
    made = tree(variant)
    for document in pods.documents(made.cluster):
        meant = json.loads(json.dumps(body(document, made)))
        for comments in ("none", "short", "full"):
            assert yaml.load(text(document, made, comments), yaml.CSafeLoader) == meant


def test_more_words_about_the_same(tree):
    made = tree("default")
    for document in pods.documents(made.cluster):
        none, short, full = (text(document, made, c) for c in ("none", "short", "full"))
        assert "#" not in none
        assert short.count("\n# ") + short.count(" # ") < full.count("\n# ") + full.count(" # ")


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("name", NAMES)
def test_kubernetes_accepts_the_pod(pod, name, variant):
    schemas.validate(pod(name, variant))


@settings(max_examples=15)
@given(valid_install_configs())
def test_kubernetes_accepts_the_pods_of_any_cluster(text):
    made = make(text)
    for name in NAMES:
        read = yaml.load(made.content(f"pod/{name}"), yaml.CSafeLoader)
        schemas.validate(read)


@pytest.mark.parametrize("name", NAMES)
def test_the_schema_notices_what_is_wrong(pod, name):
    broken = pod(name)
    broken["spec"]["hostNetwrok"] = broken["spec"].pop("hostNetwork")
    with pytest.raises(kubernetes_validate.ValidationError, match="hostNetwrok"):
        schemas.validate(broken)


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_value_has_a_reason(tree, variant):
    made = tree(variant)
    bare = [
        (document.address, path)
        for document in pods.documents(made.cluster)
        for path, value in leaves(body(document, made))
        if document.covering(path, value) is None
    ]
    assert bare == []


def used(document, made):
    for path, value in leaves(body(document, made)):
        for length in range(1, len(path) + 1):
            found = document.reason(path[:length], value if length == len(path) else None)
            if found:
                yield found[0]


def with_policy(made):
    """As if its release had been read: the catalogue has no digest of the policy controller's image."""
    images = {**made.cluster.release.images, policy.IMAGE: f"quay.io/example/policy@sha256:{'0' * 64}"}
    return replace(made, cluster=replace(made.cluster, release=replace(made.cluster.release, images=images)))


def test_every_reason_has_a_value_in_some_configuration(tree):
    trees = [tree(variant) for variant in VARIANTS]
    trees.append(with_policy(trees[0]))
    for document in pods.TABLE:
        offered = {f"field/{document.file}#{name}" for name in document.fields}
        offered |= {f"flag/{document.address.removeprefix('pod/')}/{name}" for name in document.flags}
        fitting = [made for made in trees if document.when(made.cluster)]
        assert offered - {address for made in fitting for address in used(document, made)} == set()


def test_the_policy_controller_beside_the_controller_manager(tree):
    made = with_policy(tree("default"))
    [document] = [d for d in pods.documents(made.cluster) if d.address == "pod/kube-controller-manager"]
    pod = body(document, made)
    schemas.validate(json.loads(json.dumps(pod)))
    assert [path for path, value in leaves(pod) if document.covering(path, value) is None] == []
    manager, beside = pod["spec"]["containers"]
    assert (manager["name"], beside["command"]) == ("kube-controller-manager", ["cluster-policy-controller", "start"])
    assert beside["securityContext"] == manager["securityContext"]
    assert "/etc/kubernetes/bootstrap-configs/cluster-policy-controller-config.yaml" in host_files(pod)
    assert {"name": "POD_NAME", "value": "bootstrap-kube-controller-manager-bootstrap"} in beside["env"]


@pytest.mark.parametrize(
    ("role", "file"),
    [("bootstrap", "/etc/kubernetes/kubeconfig"), ("master", "/etc/kubernetes/secrets/controller-manager.kubeconfig")],
)
def test_the_policy_controller_is_the_administrator_on_the_bootstrap_node_alone(tree, role, file):
    cluster = with_policy(tree("default")).cluster
    node = cluster.bootstrap if role == "bootstrap" else cluster.masters[0]
    manager, beside = controller_manager.pod(cluster, node)["spec"]["containers"]
    assert f"--kubeconfig={file}" in beside["args"]
    assert {"/etc/kubernetes/kubeconfig", file} & {m["mountPath"] for m in beside["volumeMounts"]} == {file}
    assert "/etc/kubernetes/kubeconfig" not in {m["mountPath"] for m in manager["volumeMounts"]}


@pytest.mark.parametrize("gate", [True, False])
@pytest.mark.parametrize("makers", [("kube-apiserver",), ("etcd",)])
def test_levels_are_enforced_where_the_api_servers_of_the_masters_do(tree, makers, gate):
    cluster = replace(tree("default").cluster, operators=makers)
    gates = {"Default": ((policy.GATE,), ()) if gate else ((), (policy.GATE,))}
    found = policy.config(replace(cluster, release=replace(cluster.release, gates=gates)))
    enforced = gate and makers == ("kube-apiserver",)
    assert found["featureGates"] == [f"OpenShiftPodSecurityAdmission={'true' if enforced else 'false'}"]


@pytest.mark.parametrize("document", pods.TABLE, ids=lambda d: d.address)
def test_every_reason_is_whole(document):
    assert all((document.why.what, document.why.readers, document.why.breaks, document.why.source))
    for why in (*document.reasons.values(), *document.flags.values()):
        whole = why.within(document.why)
        assert all((whole.what, whole.readers, whole.source))
        assert why.what.endswith(".")
    assert [name for name, why in document.flags.items() if not why.breaks] == []
