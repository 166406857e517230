"""What operators must find: the very certificates of this cluster, with the words beside them that keep them."""

from __future__ import annotations

from base64 import b64decode

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from hardway.pki.families import TABLE
from tests.support.clusters import DUAL_STACK
from tests.support.manifests import configured, made

AUTH = "auth.openshift.io/certificate-"
KASO = "openshift-kube-apiserver-operator"
KCMO = "openshift-kube-controller-manager-operator"
PAIRS = {
    "secret-loadbalancer-serving-signer.yaml": (KASO, "loadbalancer-serving-signer", "kube-apiserver-lb-signer"),
    "secret-localhost-serving-signer.yaml": (KASO, "localhost-serving-signer", "kube-apiserver-localhost-signer"),
    "secret-service-network-serving-signer.yaml": (
        KASO,
        "service-network-serving-signer",
        "kube-apiserver-service-network-signer",
    ),
    "secret-aggregator-client-signer.yaml": (KASO, "aggregator-client-signer", "aggregator-signer"),
    "secret-kube-apiserver-to-kubelet-signer.yaml": (
        KASO,
        "kube-apiserver-to-kubelet-signer",
        "kube-apiserver-to-kubelet-signer",
    ),
    "secret-control-plane-client-signer.yaml": (KASO, "kube-control-plane-signer", "kube-control-plane-signer"),
    "secret-csr-signer-signer.yaml": (KCMO, "csr-signer-signer", "kubelet-signer"),
    **{
        f"openshift-etcd-{name}.yaml": ("openshift-etcd", name, name)
        for name in (
            *("etcd-signer", "etcd-metric-signer", "etcd-client", "etcd-metric-client"),
            *("etcd-peer-bootstrap", "etcd-serving-bootstrap", "etcd-serving-metrics-bootstrap"),
        )
    },
}
CAS = {
    "configmap-admin-kubeconfig-client-ca.yaml": ("openshift-config", "admin-kubeconfig-ca-bundle"),
    "configmap-csr-controller-ca.yaml": ("openshift-config-managed", "kubelet-client-ca-bundle"),
    "configmap-kubelet-bootstrap-kubeconfig-ca.yaml": (
        "openshift-config-managed",
        "kubelet-bootstrap-kubeconfig-ca-bundle",
    ),
    "kube-apiserver-serving-ca-configmap.yaml": ("openshift-config", "kube-apiserver-complete-client-ca-bundle"),
    "openshift-etcd-etcd-ca-bundle.yaml": ("openshift-etcd", "etcd-ca-bundle"),
    "openshift-etcd-etcd-metrics-ca-bundle.yaml": ("openshift-etcd", "etcd-metrics-ca-bundle"),
}


@pytest.mark.parametrize("file", PAIRS)
def test_a_pair_is_the_clusters_own_and_its_annotations_are_the_certificates(file):
    cluster = configured("default")
    namespace, name, certificate_name = PAIRS[file]
    body = cluster.body(file)
    about = body["metadata"]
    assert (about["namespace"], about["name"], body["type"]) == (namespace, name, "kubernetes.io/tls")
    pem, key = (b64decode(body["data"][part]) for part in ("tls.crt", "tls.key"))
    assert pem == cluster.content(f"cert/{certificate_name}")
    certificate = x509.load_pem_x509_certificate(pem)
    assert load_pem_private_key(key, None).public_key() == certificate.public_key()
    said = about["annotations"]
    assert said[f"{AUTH}not-before"] == certificate.not_valid_before_utc.strftime("%Y-%m-%dT%H:%M:%SZ")
    assert said[f"{AUTH}not-after"] == certificate.not_valid_after_utc.strftime("%Y-%m-%dT%H:%M:%SZ")
    issuer = said[f"{AUTH}issuer"]
    assert f"CN={issuer}" in certificate.issuer.rfc4514_string()
    kind = "target" if certificate.issuer != certificate.subject else "signer"
    assert about["labels"] == {"auth.openshift.io/managed-certificate-type": kind}


def test_every_signer_that_an_operator_goes_on_with_is_handed_over():
    handed = {name for _, _, name in PAIRS.values()}
    kept_here = {"root-ca", "admin-kubeconfig-signer", "aggregator-ca", "kubelet-bootstrap-kubeconfig-signer"}
    assert {row.name for row in TABLE if row.is_ca} - kept_here <= handed


def test_host_names_are_those_of_the_certificate_sorted_with_every_address():
    cluster = made(networking=DUAL_STACK)
    said = cluster.body("openshift-etcd-etcd-peer-bootstrap.yaml")["metadata"]["annotations"][f"{AUTH}hostnames"]
    names = said.split(",")
    assert names == sorted(set(names))
    for expected in (*cluster.cluster.bootstrap.addresses, "127.0.0.1", "::1", "localhost", "etcd.openshift-etcd.svc"):
        assert expected in names
    client = cluster.body("openshift-etcd-etcd-client.yaml")["metadata"]["annotations"]
    assert f"{AUTH}hostnames" not in client


@pytest.mark.parametrize("file", CAS)
def test_a_bundle_is_the_clusters_own(file):
    namespace, bundle = CAS[file]
    body = configured("default").body(file)
    assert body["metadata"]["namespace"] == namespace
    assert body["data"] == {"ca-bundle.crt": configured("default").content(f"bundle/{bundle}").decode()}


def test_etcd_is_found_by_annotation_and_not_by_data():
    body = configured("default").body("00_etcd-endpoints-cm.yaml")
    address = configured("default").cluster.bootstrap.address
    assert body["metadata"]["annotations"] == {"alpha.installer.openshift.io/etcd-bootstrap": address}
    assert "data" not in body


def test_all_of_etcds_pairs_and_bundles_are_also_in_one_place():
    cluster = configured("default")
    pairs = cluster.body("openshift-etcd-etcd-all-certs.yaml")["data"]
    assert len(pairs) == 6
    for file, content in pairs.items():
        name, _, suffix = file.rpartition(".")
        assert b64decode(content) == cluster.content(f"{'key' if suffix == 'key' else 'cert'}/{name}")
    bundles = cluster.body("openshift-etcd-etcd-all-bundles.yaml")
    assert bundles["data"] == {
        "server-ca-bundle.crt": cluster.content("bundle/etcd-ca-bundle").decode(),
        "metrics-ca-bundle.crt": cluster.content("bundle/etcd-metrics-ca-bundle").decode(),
    }


def test_token_keys_are_handed_over_to_both_operators():
    cluster = configured("default")
    bound = cluster.body("secret-bound-sa-token-signing-key.yaml")["data"]
    assert b64decode(bound["service-account.key"]) == cluster.content("key/bound-service-account-signing-key")
    assert b64decode(bound["service-account.pub"]) == cluster.content("pub/bound-service-account-signing-key")
    initial = cluster.body("secret-initial-kube-controller-manager-service-account-private-key.yaml")["data"]
    assert b64decode(initial["service-account.key"]) == cluster.content("key/service-account")
    public = cluster.body("configmap-sa-token-signing-certs.yaml")["data"]
    assert public == {"service-account-001.pub": cluster.content("pub/service-account").decode()}


def test_the_bootstrap_identity_of_kubelets_may_ask_and_nobody_may_approve():
    cluster = configured("default")
    body = cluster.body("csr-bootstrap-role-binding.yaml")
    [subject] = body["subjects"]
    user = f"system:serviceaccount:{subject['namespace']}:{subject['name']}"
    row = next(row for row in TABLE if row.name == "kubelet-client")
    assert user == row.says.common_name
    assert body["roleRef"]["name"] == "system:node-bootstrapper"
    bound = [cluster.body(d.file)["roleRef"]["name"] for d in cluster.documents if "role-binding" in d.file]
    assert not any("certificatesigningrequests" in name for name in bound)


def test_the_api_server_may_call_kubelets_under_the_name_in_its_certificate():
    subjects = configured("default").body("cluster-role-binding-kube-apiserver.yaml")["subjects"]
    row = next(row for row in TABLE if row.name == "kube-apiserver-to-kubelet-client")
    assert row.says.common_name in [subject["name"] for subject in subjects]
    [rule] = configured("default").body("cluster-role-kube-apiserver.yaml")["rules"]
    assert (rule["resources"], rule["verbs"]) == (["nodes/proxy"], ["get", "create"])
