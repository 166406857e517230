"""Which keys, certificates and kubeconfigs lie on the bootstrap node: those that something on it reads, and no more."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from hardway.ignition.rows import SECRET, FileRow
from hardway.kubeconfigs import table as kubeconfigs
from hardway.model.cluster import Cluster
from hardway.model.why import Why
from hardway.pki import bundles, families, keys
from hardway.pki.row import Cert

SECRETS = "/etc/kubernetes/bootstrap-secrets"
ETCD = "/etc/kubernetes/static-pod-resources/etcd-member"
JOURNAL = "/opt/openshift/tls"
AUTH = "/opt/openshift/auth"

API_SERVER: tuple[tuple[str, str], ...] = (
    ("bundle/etcd-ca-bundle", "kube-apiserver, --etcd-cafile; bootkube.sh, when it asks etcd for its health"),
    ("cert/etcd-client", "kube-apiserver, --etcd-certfile; bootkube.sh"),
    ("key/etcd-client", "kube-apiserver, --etcd-keyfile; bootkube.sh"),
    ("bundle/kube-apiserver-complete-client-ca-bundle", "kube-apiserver, --client-ca-file"),
    ("cert/kube-apiserver-service-network-server", "kube-apiserver, --tls-cert-file"),
    ("key/kube-apiserver-service-network-server", "kube-apiserver, --tls-private-key-file"),
    ("cert/kube-apiserver-localhost-server", "kube-apiserver, --tls-sni-cert-key"),
    ("key/kube-apiserver-localhost-server", "kube-apiserver, --tls-sni-cert-key"),
    ("cert/kube-apiserver-lb-server", "kube-apiserver, --tls-sni-cert-key"),
    ("key/kube-apiserver-lb-server", "kube-apiserver, --tls-sni-cert-key"),
    ("cert/kube-apiserver-internal-lb-server", "kube-apiserver, --tls-sni-cert-key"),
    ("key/kube-apiserver-internal-lb-server", "kube-apiserver, --tls-sni-cert-key"),
    ("cert/kube-apiserver-to-kubelet-client", "kube-apiserver, --kubelet-client-certificate"),
    ("key/kube-apiserver-to-kubelet-client", "kube-apiserver, --kubelet-client-key"),
    ("bundle/kubelet-client-ca-bundle", "kube-apiserver, --kubelet-certificate-authority"),
    ("cert/aggregator-client", "kube-apiserver, --proxy-client-cert-file"),
    ("key/aggregator-client", "kube-apiserver, --proxy-client-key-file"),
    ("bundle/aggregator-ca-bundle", "kube-apiserver, --requestheader-client-ca-file"),
    ("pub/service-account", "kube-apiserver, --service-account-key-file"),
    ("pub/bound-service-account-signing-key", "kube-apiserver, --service-account-key-file"),
    ("key/bound-service-account-signing-key", "kube-apiserver, --service-account-signing-key-file"),
)

CONTROLLERS: tuple[tuple[str, str], ...] = (
    ("cert/kubelet-signer", "kube-controller-manager, --cluster-signing-cert-file"),
    ("key/kubelet-signer", "kube-controller-manager, --cluster-signing-key-file"),
    ("bundle/kube-apiserver-complete-server-ca-bundle", "kube-controller-manager, --root-ca-file"),
    ("key/service-account", "kube-controller-manager, --service-account-private-key-file"),
    ("kubeconfig/controller-manager", "kube-controller-manager, --kubeconfig"),
    ("kubeconfig/scheduler", "kube-scheduler, --kubeconfig"),
)

ELSEWHERE: tuple[tuple[str, str, str], ...] = (
    (f"{ETCD}/ca.crt", "bundle/etcd-ca-bundle", "etcd, --trusted-ca-file and --peer-trusted-ca-file"),
    (f"{ETCD}/etcd-all-certs/etcd-peer-{{node}}.crt", "cert/etcd-peer-{node}", "etcd, --peer-cert-file"),
    (f"{ETCD}/etcd-all-certs/etcd-peer-{{node}}.key", "key/etcd-peer-{node}", "etcd, --peer-key-file"),
    (f"{ETCD}/etcd-all-certs/etcd-serving-{{node}}.crt", "cert/etcd-serving-{node}", "etcd, --cert-file"),
    (f"{ETCD}/etcd-all-certs/etcd-serving-{{node}}.key", "key/etcd-serving-{node}", "etcd, --key-file"),
    (f"{JOURNAL}/journal-gatewayd.crt", "cert/journal-gatewayd", "systemd-journal-gatewayd, --cert"),
    (f"{JOURNAL}/journal-gatewayd.key", "key/journal-gatewayd", "systemd-journal-gatewayd, --key"),
    (f"{JOURNAL}/root-ca.crt", "cert/root-ca", "systemd-journal-gatewayd, --trust: who may read the journal"),
    (f"{AUTH}/kubeconfig-loopback", "kubeconfig/localhost", "bootkube.sh, before the load balancer works"),
    (f"{AUTH}/kubeconfig", "kubeconfig/lb-int", "bootkube.sh, for its last steps: they prove that api-int works"),
    (
        "/etc/kubernetes/kubeconfig",
        "kubeconfig/localhost",
        "CVO and cluster-policy-controller, --kubeconfig",
    ),
)


def rows(cluster: Cluster) -> Iterator[FileRow]:
    for address, readers in (*API_SERVER, *CONTROLLERS):
        yield _row(f"{SECRETS}/{file_name(address)}", address, readers)
    node = cluster.bootstrap.name
    for path, address, readers in ELSEWHERE:
        yield _row(path.format(node=node), address.format(node=node), readers)


def file_name(address: str) -> str:
    """The name a file has in the folder that the pods mount."""
    kind, _, name = address.partition("/")
    return name + {"key": ".key", "pub": ".pub", "kubeconfig": ".kubeconfig"}.get(kind, ".crt")


def _row(path: str, address: str, readers: str) -> FileRow:
    return FileRow(path=path, mode=SECRET, source=address, why=replace(why_of(address), readers=readers))


def why_of(address: str) -> Why:
    """The reason of the thing itself; who reads it on this node is the row's."""
    kind, _, name = address.partition("/")
    if kind == "bundle":
        return {row.name: row.why for row in bundles.TABLE}[name]
    if kind == "kubeconfig":
        return {row.name: row.why for row in kubeconfigs.TABLE}[name]
    pair = {row.name: row for row in keys.TABLE}.get(name)
    row = pair or max((row for row in families.TABLE if _is_of(row, name)), key=lambda row: len(row.name))
    if kind != "key":
        return row.why
    return replace(row.key.reason(f"{'pub' if pair else 'cert'}/{name}", row.why.source), breaks=row.why.breaks)


def _is_of(row: Cert, name: str) -> bool:
    """Whether a certificate of this name is the row's, issued to one node or to none."""
    return row.name == name or (row.per_etcd_node and name.startswith(f"{row.name}-"))
