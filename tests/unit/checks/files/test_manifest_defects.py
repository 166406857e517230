"""For each check of the cluster manifests a planted defect: exactly that check must find it."""

from __future__ import annotations

from base64 import b64encode

import pytest
import yaml

from hardway.checks.files.table import MANIFESTS
from hardway.model.check import run
from tests.support.trees import copy_of


def path_of(world, kind, name, group=""):
    return next(path for path, _ in world.objects(kind, name, group))


def edit(world, kind, name, change, group=""):
    path = path_of(world, kind, name, group)
    document = yaml.safe_load((world.root / path).read_text())
    change(document)
    (world.root / path).write_text(yaml.safe_dump(document))
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


def plant_other_root(world):
    other = (world.root / "tls/aggregator-ca.crt").read_text()
    edit(world, "ConfigMap", "root-ca", lambda d: d["data"].update({"ca.crt": other}))


PLANTED = [
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
    ("manifest.root-ca", plant_other_root, "default"),
]


@pytest.mark.parametrize(("check", "plant", "variant"), PLANTED, ids=[p.__name__ for _, p, _ in PLANTED])
def test_a_planted_defect_is_found_by_its_check_and_no_other(tmp_path, check, plant, variant):
    world = copy_of(variant, tmp_path)
    plant(world)
    world.__dict__.pop("documents", None)
    found = run(MANIFESTS, world).findings
    assert {f.check for f in found} == {check}
    assert all(f.fix and f.message for f in found)


@pytest.mark.parametrize("variant", ["default", "compact", "single", "proxy", "mirrors", "dual-stack", "join-subnet"])
def test_a_good_tree_has_no_finding(tmp_path, variant):
    assert run(MANIFESTS, copy_of(variant, tmp_path)).findings == ()


def test_every_check_has_a_planted_defect():
    assert {check for check, _, _ in PLANTED} >= {check.name for check in MANIFESTS if not check.general}
