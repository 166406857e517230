"""For each check of the cluster manifests a planted defect: exactly that check must find it."""

from __future__ import annotations

from base64 import b64encode

import pytest
import yaml

from hardway.checks.files.table import MANIFESTS
from hardway.model.check import run
from tests.support.edited import edit_file
from tests.support.trees import spare


def path_of(world, kind, name, group=""):
    return next(path for path, _ in world.objects(kind, name, group))


def edit(world, kind, name, change, group=""):
    edit_file(world.root / path_of(world, kind, name, group), change)
    world.__dict__.pop("documents", None)
    world._made.clear()


def plant_no_name(world):
    (world.root / "manifests/zz.yaml").write_text("apiVersion: v1\nkind: ConfigMap\nmetadata: {}\n")


def plant_twice(world):
    path = path_of(world, "ConfigMap", "root-ca")
    (world.root / "openshift/again.yaml").write_bytes((world.root / path).read_bytes())


def plant_missing(world):
    """What the notes found missing: the network operator's own configuration."""
    (world.root / path_of(world, "Network", "cluster", "operator.openshift.io")).unlink()


def plant_unknown_kind(world):
    text = "apiVersion: config.openshift.io/v1\nkind: Infrastucture\nmetadata: {name: other}\n"
    (world.root / "manifests/zz.yaml").write_text(text)


def plant_lost_namespace(world):
    text = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: other, namespace: openshift-nowhere}\n"
    (world.root / "manifests/zz.yaml").write_text(text)


def plant_internal_url(world):
    """The key of the notes."""

    def change(document):
        document["status"]["apiServerInternalURL"] = document["status"].pop("apiServerInternalURI")

    edit(world, "Infrastructure", "cluster", change)


def plant_topology(world):
    edit(world, "Infrastructure", "cluster", lambda d: d["status"].pop("controlPlaneTopology"))


def plant_base_domain(world):
    """The base domain of the notes."""
    edit(world, "DNS", "cluster", lambda d: d["spec"].update(baseDomain="example.com"))


def plant_network(world):
    change = {"clusterNetwork": [{"cidr": "10.200.0.0/14", "hostPrefix": 23}]}
    edit(world, "Network", "cluster", lambda d: d["spec"].update(change), "operator.openshift.io")


def plant_schedulable(world):
    edit(world, "Scheduler", "cluster", lambda d: d["spec"].update(mastersSchedulable=True))


def plant_masters_without_routers(world):
    """Without workers, the routers need the masters."""
    edit(world, "Scheduler", "cluster", lambda d: d["spec"].update(mastersSchedulable=False))


def plant_no_status(world):
    """The FeatureGate of the notes."""
    edit(world, "FeatureGate", "cluster", lambda d: d.update(spec={"featureSet": ""}, status={}))


def plant_other_version(world):
    edit(world, "FeatureGate", "cluster", lambda d: d["status"]["featureGates"][0].update(version="4.17.9"))


def plant_update(world):
    edit(world, "ClusterVersion", "version", lambda d: d["spec"].update(desiredUpdate={"version": "4.18.1"}))


def plant_leaked_pull_secret(world):
    def change(document):
        config = yaml.safe_load(document["data"]["install-config"])
        config["pullSecret"] = world.cluster.pull_secret
        document["data"]["install-config"] = yaml.safe_dump(config)

    edit(world, "ConfigMap", "cluster-config-v1", change)


def plant_thin_config(world):
    text = yaml.safe_dump({"controlPlane": {}, "networking": {}})
    edit(world, "ConfigMap", "cluster-config-v1", lambda d: d["data"].update({"install-config": text}))


def plant_other_registry(world):
    auths = b64encode(b'{"auths":{"registry.example.com":{"auth":"YTpi"}}}').decode()
    edit(world, "Secret", "pull-secret", lambda d: d["data"].update({".dockerconfigjson": auths}))


def plant_no_annotation(world):
    key = "auth.openshift.io/certificate-not-after"
    edit(world, "Secret", "loadbalancer-serving-signer", lambda d: d["metadata"]["annotations"].pop(key))


def plant_other_signer(world):
    other = b64encode((world.root / "tls/root-ca.crt").read_bytes()).decode()
    edit(world, "Secret", "etcd-signer", lambda d: d["data"].update({"tls.crt": other}))


def plant_no_signer(world):
    (world.root / path_of(world, "Secret", "csr-signer-signer")).unlink()


def plant_endpoint_data(world):
    edit(world, "ConfigMap", "etcd-endpoints", lambda d: d.update(data={"etcd-bootstrap": "192.168.126.100"}))


def plant_bootstrapper(world):
    """The identity of the notes."""
    subjects = [{"kind": "User", "name": "system:bootstrapper", "apiGroup": "rbac.authorization.k8s.io"}]
    name = next(
        d["metadata"]["name"]
        for _, d in world.objects("ClusterRoleBinding")
        if d["roleRef"]["name"] == "system:node-bootstrapper"
    )
    edit(world, "ClusterRoleBinding", name, lambda d: d.update(subjects=subjects))


def plant_proxy_for_itself(world):
    edit(world, "Proxy", "cluster", lambda d: d["status"].update(noProxy=".corp"))


def plant_password(world):
    (world.root / "auth/kubeadmin-password").write_text("AAAAA-BBBBB-CCCCC-DDDDD")


def plant_short_password(world):
    (world.root / "auth/kubeadmin-password").write_text("secret")


def plant_open_password(world):
    (world.root / "auth/kubeadmin-password").chmod(0o644)


def plant_open_secret(world):
    (world.root / "manifests/secret-csr-signer-signer.yaml").chmod(0o640)


def plant_other_root(world):
    other = (world.root / "tls/aggregator-ca.crt").read_text()
    edit(world, "ConfigMap", "root-ca", lambda d: d["data"].update({"ca.crt": other}))


def plant_no_constraint(world):
    (world.root / path_of(world, "SecurityContextConstraints", "nonroot-v2")).unlink()


def plant_nobody(world):
    name = "system:openshift:scc:restricted-v2"
    edit(world, "ClusterRoleBinding", name, lambda d: d["subjects"][0].update(name="system:masters"))


def plant_no_type(world):
    """CRDs of a release, without one of the two."""
    (world.root / "crds").mkdir(exist_ok=True)
    name = "securitycontextconstraints.security.openshift.io"
    (world.root / "crds/scc.yaml").write_text(f"kind: CustomResourceDefinition\nmetadata: {{name: {name}}}\n")


PLANTED = [
    ("manifest.constraints", plant_no_constraint, "default"),
    ("manifest.constraints", plant_nobody, "default"),
    ("manifest.constraints", plant_no_type, "default"),
    ("manifest.readable", plant_no_name, "default"),
    ("manifest.unique", plant_twice, "default"),
    ("manifest.present", plant_missing, "default"),
    ("manifest.kinds", plant_unknown_kind, "default"),
    ("manifest.namespaces", plant_lost_namespace, "default"),
    ("manifest.infrastructure", plant_internal_url, "default"),
    ("manifest.infrastructure", plant_topology, "default"),
    ("manifest.domains", plant_base_domain, "default"),
    ("manifest.networks", plant_network, "default"),
    ("manifest.scheduling", plant_schedulable, "default"),
    ("manifest.scheduling", plant_masters_without_routers, "compact"),
    ("manifest.feature-gate", plant_no_status, "default"),
    ("manifest.feature-gate", plant_other_version, "default"),
    ("manifest.cluster-version", plant_update, "default"),
    ("manifest.cluster-config", plant_leaked_pull_secret, "default"),
    ("manifest.cluster-config", plant_thin_config, "default"),
    ("manifest.pull-secret", plant_other_registry, "default"),
    ("manifest.signers", plant_no_annotation, "default"),
    ("manifest.signers", plant_other_signer, "default"),
    ("manifest.signers", plant_no_signer, "default"),
    ("manifest.etcd-endpoints", plant_endpoint_data, "default"),
    ("manifest.node-bootstrap", plant_bootstrapper, "default"),
    ("manifest.no-proxy", plant_proxy_for_itself, "proxy"),
    ("manifest.kubeadmin", plant_password, "default"),
    ("manifest.kubeadmin", plant_short_password, "default"),
    ("manifest.modes", plant_open_password, "default"),
    ("manifest.modes", plant_open_secret, "default"),
    ("manifest.root-ca", plant_other_root, "default"),
]


@pytest.mark.parametrize(("check", "plant", "variant"), PLANTED, ids=[p.__name__ for _, p, _ in PLANTED])
def test_a_planted_defect_is_found_by_its_check_and_no_other(check, plant, variant):
    world = spare(variant)
    plant(world)
    world.__dict__.pop("documents", None)
    found = run(MANIFESTS, world).findings
    assert {f.check for f in found} == {check}
    assert all(f.fix and f.message for f in found)


@pytest.mark.parametrize("variant", ["default", "compact", "single", "proxy", "mirrors", "dual-stack", "join-subnet"])
def test_a_good_tree_has_no_finding(variant):
    assert run(MANIFESTS, spare(variant)).findings == ()


def test_every_check_has_a_planted_defect():
    assert {check for check, _, _ in PLANTED} >= {check.name for check in MANIFESTS if not check.general}


FAILURES = {
    "00_etcd-endpoints-cm.yaml": "F30",
    "99_openshift-machineconfig_99-master-ssh.yaml": "F22",
    "99_openshift-machineconfig_99-worker-ssh.yaml": "F22",
    "cluster-config.yaml": "F32",
    "cluster-network-02-config.yml": "F32",
    "configmap-csr-controller-ca.yaml": "F29",
    "csr-bootstrap-role-binding.yaml": "F29",
    "kube-system-configmap-root-ca.yaml": "F06",
    "machine-config-server-tls-secret.yaml": "F05",
    "openshift-config-secret-pull-secret.yaml": "F11",
}
"""Manifests whose absence leads to a known failure; the absence of any other leads to none of them."""


def test_a_missing_manifest_names_the_failure_that_follows_from_it_and_no_other():
    world = spare("default")
    for path in [*world.root.glob("manifests/*"), *world.root.glob("openshift/*")]:
        path.unlink()
    found = [f for f in run(MANIFESTS, world).findings if f.check == "manifest.present"]
    named = {f.subject.rpartition("/")[2]: f.failure for f in found}
    assert len(named) > 40
    assert {name: failure for name, failure in named.items() if failure} == FAILURES
    assert [f.line for f in found if f.line.count("(F") > 1] == []
