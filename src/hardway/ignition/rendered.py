"""/opt/openshift on the rendered road: what openshift-install gives to bootkube, and nothing that operators render.

The operators read this folder and add to it; so it is also what their renders are made from.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from fnmatch import fnmatch

from hardway.ignition.rows import PUBLIC, SECRET, FileRow
from hardway.ignition.secrets import file_name, why_of
from hardway.model.why import Why
from hardway.pki import bundles, families, keys

OPT = "/opt/openshift"
PAYLOAD = "payload"  # not a render: CVO brings it with the release
TLS_READERS = "the operators' renders; cluster-bootstrap, which copies it to /etc/kubernetes/bootstrap-secrets"


@dataclass(frozen=True, slots=True, kw_only=True)
class Brought:
    """Manifests of ours that an operator renders itself on this road."""

    pattern: str
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """Files of stage 05 that are no part of bootkube's folder."""

    pattern: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StandIn:
    """What of ours is in the place of an operator's render, if the release has no such operator."""

    operator: str
    address: str  # of the asset
    target: str
    why: str


BROUGHT: tuple[Brought, ...] = (
    Brought(pattern="0000_00_namespace-openshift-cluster-version.yaml", by="cvo"),
    Brought(pattern="0000_00_namespace-openshift-etcd.yaml", by="etcd"),
    Brought(pattern="00_etcd-endpoints-cm.yaml", by="etcd"),
    Brought(pattern="openshift-etcd-*.yaml", by="etcd"),
    Brought(pattern="0000_00_namespace-openshift-kube-apiserver*.yaml", by="kube-apiserver"),
    Brought(pattern="cluster-role-*kube-apiserver.yaml", by="kube-apiserver"),
    Brought(pattern="configmap-*.yaml", by="kube-apiserver"),
    Brought(pattern="secret-csr-signer-signer.yaml", by="kube-controller-manager"),
    Brought(pattern="secret-initial-kube-controller-manager-*.yaml", by="kube-controller-manager"),
    Brought(pattern="0000_00_namespace-openshift-infra.yaml", by="kube-controller-manager"),
    Brought(pattern="0000_00_namespace-openshift-kube-controller-manager*.yaml", by="kube-controller-manager"),
    Brought(pattern="secret-*.yaml", by="kube-apiserver"),
    Brought(pattern="0000_00_namespace-openshift-kube-scheduler.yaml", by="kube-scheduler"),
    Brought(pattern="csr-bootstrap-role-binding.yaml", by="machine-config"),
    Brought(pattern="kube-apiserver-serving-ca-configmap.yaml", by="machine-config"),
    Brought(pattern="0000_00_namespace-*.yaml", by=PAYLOAD),
    Brought(pattern="0000_20_kube-apiserver-operator_00_*.yaml", by="kube-apiserver"),
    Brought(pattern="00_namespace-security-allocation-controller-*.yaml", by="kube-controller-manager"),
    Brought(pattern="00_podsecurity-admission-label-*.yaml", by="kube-controller-manager"),
    Brought(pattern="audit-policy.yaml", by="kube-apiserver"),
    Brought(pattern="kube-apiserver-config.yaml", by="kube-apiserver"),
    Brought(pattern="cluster-policy-controller-config.yaml", by="kube-controller-manager"),
)
"""The first row that matches counts."""

LEFT_OUT: tuple[LeftOut, ...] = (
    LeftOut(pattern="root-ca.key", why="it signs nothing on this machine"),
    LeftOut(pattern="admin-kubeconfig-signer.*", why="the bundle is enough"),
    LeftOut(pattern="admin-kubeconfig-client.*", why="it is inside the kubeconfigs"),
    LeftOut(pattern="kubelet-bootstrap-kubeconfig-signer.*", why="the bundle is enough"),
    LeftOut(pattern="kube-control-plane-kube-proxy-client.*", why="kube-proxy is no part of this road's bootstrap"),
    LeftOut(pattern="etcd-*", why="the etcd operator makes its own"),
    LeftOut(pattern="bootstrap-ssh.*", why="not for TLS: its public half belongs to the user core"),
)

STAND_INS: tuple[StandIn, ...] = (
    StandIn(
        operator="kube-controller-manager",
        address="pod/kube-controller-manager",
        target=f"{OPT}/bootstrap-manifests/kube-controller-manager-pod.yaml",
        why="The nodes' certificates need a signer.",
    ),
    StandIn(
        operator="kube-controller-manager",
        address="kubeconfig/controller-manager",
        target=f"{OPT}/tls/controller-manager.kubeconfig",
        why="Our pod has a kubeconfig of its own; cluster-bootstrap takes it to the secrets with the rest of tls/.",
    ),
    StandIn(
        operator="kube-controller-manager",
        address="manifest/cluster-policy-controller-config.yaml",
        target="/etc/kubernetes/bootstrap-configs/cluster-policy-controller-config.yaml",
        why="The configuration of the second container in our pod.",
    ),
    StandIn(
        operator="kube-scheduler",
        address="pod/kube-scheduler",
        target=f"{OPT}/bootstrap-manifests/kube-scheduler-pod.yaml",
        why="CVO's Deployments want a place.",
    ),
    StandIn(
        operator="kube-scheduler",
        address="kubeconfig/scheduler",
        target=f"{OPT}/tls/scheduler.kubeconfig",
        why="Our pod has a kubeconfig of its own.",
    ),
)

KUBECONFIGS: tuple[tuple[str, str, str], ...] = (
    ("auth/kubeconfig", "kubeconfig/lb-int", "bootkube's last steps, through api-int"),
    ("auth/kubeconfig-kubelet", "kubeconfig/kubelet-bootstrap", "the machine-config server, which hands it to nodes"),
    ("auth/kubeconfig-loopback", "kubeconfig/localhost", "cluster-bootstrap; the bootstrap CVO"),
)


def brought_by(name: str) -> str:
    """The operator that renders this manifest, by its file's name; empty: nobody, so it is bootkube's to begin with."""
    return next((row.by for row in BROUGHT if fnmatch(name, row.pattern)), "")


def left_out(name: str) -> bool:
    return any(fnmatch(name, row.pattern) for row in LEFT_OUT)


def tls() -> Iterator[str]:
    """Addresses of what lies in tls/."""
    single = [row.name for row in families.TABLE if not row.per_etcd_node]
    found = [f"{kind}/{name}" for name in single for kind in ("key", "cert")]
    found += [f"{kind}/{row.name}" for row in keys.TABLE for kind in ("key", "pub")]
    found += [f"bundle/{row.name}" for row in bundles.TABLE]
    return (address for address in found if not left_out(file_name(address)))


def rows(
    documents: Iterable[tuple[str, str, Why]], added: Collection[str] = (), absent: Collection[str] = ()
) -> Iterator[FileRow]:
    """`documents`: address, path below assets and reason of stage 07's. No operator brings those that the user has
    `added`, whatever their names, and none that is `absent` brings anything: ours are in its place."""
    for address in tls():
        why = replace(why_of(address), readers=TLS_READERS)
        yield FileRow(path=f"{OPT}/tls/{file_name(address)}", mode=SECRET, source=address, why=why)
    for path, address, readers in KUBECONFIGS:
        why = replace(why_of(address), readers=readers)
        yield FileRow(path=f"{OPT}/{path}", mode=SECRET, source=address, why=why)
    found = {}
    for address, path, why in documents:
        found[address] = why
        name = path.rpartition("/")[2]
        if address.startswith("manifest/") and (address in added or _ours(path, brought_by(name), absent)):
            read = replace(why, readers=f"the operators' renders; cluster-bootstrap, which creates it: {why.readers}")
            yield FileRow(
                path=f"{OPT}/{path}", mode=PUBLIC if name.endswith(".patch") else SECRET, source=address, why=read
            )
    for row in STAND_INS:
        if row.operator in absent:
            of = found.get(row.address) or why_of(row.address)
            why = replace(of, what=f"{of.what} Here in place of what the {row.operator} operator renders. {row.why}")
            yield FileRow(path=row.target, mode=SECRET, source=row.address, why=why)


def _ours(path: str, by: str, absent: Collection[str]) -> bool:
    return not by or (by in absent and path.startswith("manifests/"))
