"""What the cluster-version operator is told: which cluster this is, and what to keep its hands off for now."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hardway.emit.document import Document, always
from hardway.graph.asset import Asset, Given
from hardway.manifests.shapes import INSTALLER, metadata
from hardway.model.cluster import Cluster
from hardway.model.why import because

STAGE = "07"
CONFIG = "config.openshift.io"
OPERATOR = "operator.openshift.io"


@dataclass(frozen=True, slots=True, kw_only=True)
class Override:
    """An object of ours that the operator must not touch while the cluster comes up."""

    file: str
    kind: str
    name: str = "cluster"
    group: str = ""
    namespace: str = ""
    when: Callable[[Cluster], bool] = always

    def entry(self) -> dict[str, Any]:
        return {
            "group": self.group,
            "kind": self.kind,
            "name": self.name,
            "namespace": self.namespace,
            "unmanaged": True,
        }


def _config_map(file: str, namespace: str, name: str, when: Callable[[Cluster], bool] = always) -> Override:
    return Override(file=file, kind="ConfigMap", namespace=namespace, name=name, when=when)


def _secret(file: str, namespace: str, name: str) -> Override:
    return Override(file=file, kind="Secret", namespace=namespace, name=name)


OVERRIDES: tuple[Override, ...] = (
    _config_map("manifests/cluster-config.yaml", "kube-system", "cluster-config-v1"),
    Override(file="manifests/cluster-dns-02-config.yml", group=CONFIG, kind="DNS"),
    Override(file="manifests/cluster-infrastructure-02-config.yml", group=CONFIG, kind="Infrastructure"),
    Override(file="manifests/cluster-ingress-02-config.yml", group=CONFIG, kind="Ingress"),
    Override(file="manifests/cluster-network-02-config.yml", group=CONFIG, kind="Network"),
    Override(
        file="manifests/cluster-network-03-config.yml",
        group=OPERATOR,
        kind="Network",
        when=lambda c: c.ovn_join_subnet is not None,
    ),
    Override(file="manifests/cluster-proxy-01-config.yaml", group=CONFIG, kind="Proxy"),
    Override(file="manifests/cluster-scheduler-02-config.yml", group=CONFIG, kind="Scheduler"),
    Override(
        file="manifests/image-content-source-policy.yaml",
        group=OPERATOR,
        kind="ImageContentSourcePolicy",
        name="image-policy",
        when=lambda c: bool(c.content_sources),
    ),
    Override(
        file="manifests/image-digest-mirror-set.yaml",
        group=CONFIG,
        kind="ImageDigestMirrorSet",
        name="image-digest-mirror",
        when=lambda c: bool(c.digest_sources),
    ),
    _secret("manifests/kube-cloud-config.yaml", "kube-system", "kube-cloud-cfg"),
    _config_map("manifests/kube-system-configmap-root-ca.yaml", "kube-system", "root-ca"),
    _secret(
        "manifests/machine-config-server-tls-secret.yaml",
        "openshift-machine-config-operator",
        "machine-config-server-tls",
    ),
    _secret("manifests/openshift-config-secret-pull-secret.yaml", "openshift-config", "pull-secret"),
    _config_map(
        "manifests/user-ca-bundle-config.yaml", "openshift-config", "user-ca-bundle", lambda c: bool(c.trust_bundle)
    ),
    Override(file="openshift/99_feature-gate.yaml", group=CONFIG, kind="FeatureGate"),
    _secret("openshift/99_kubeadmin-password-secret.yaml", "kube-system", "kubeadmin"),
    _config_map("openshift/openshift-install-manifests.yaml", "openshift-config", "openshift-install-manifests"),
)
"""In the order of their files, as the installer lists them. The operator's Network is listed only where the installer
writes one too."""


def unmanaged(cluster: Cluster) -> list[dict[str, Any]]:
    """Operators that are never deployed: their Deployment, and their ClusterOperator, for which CVO would wait."""
    rows = [row for row in cluster.line.operators if row.name in cluster.unmanaged]
    found = []
    for row in rows:
        namespace, _, name = row.deployment.partition("/")
        found.append(Override(file="", group="apps", kind="Deployment", namespace=namespace, name=name).entry())
        found.append(Override(file="", group=CONFIG, kind="ClusterOperator", name=row.name).entry())
    return found


def _capabilities(cluster: Cluster) -> dict[str, Any]:
    assert cluster.capabilities is not None
    chosen: dict[str, Any] = {"baselineCapabilitySet": cluster.capabilities.baseline}
    if cluster.capabilities.additional:
        chosen["additionalEnabledCapabilities"] = list(cluster.capabilities.additional)
    return chosen


def _body(given: Given) -> dict[str, Any]:
    cluster = given.cluster
    spec: dict[str, Any] = {
        "channel": cluster.line.channel,
        "clusterID": given.text("id/cluster"),
        "overrides": [*(row.entry() for row in OVERRIDES if row.when(cluster)), *unmanaged(cluster)],
    }
    if cluster.capabilities:
        spec["capabilities"] = _capabilities(cluster)
    return {
        "apiVersion": "config.openshift.io/v1",
        "kind": "ClusterVersion",
        "metadata": metadata("version", "openshift-cluster-version"),
        "spec": spec,
    }


REASONS = {
    "spec.channel": because("Which stream of updates is offered; it has no part in the installation."),
    "spec.clusterID": because("The installation's UUID, the same as in metadata.json."),
    "spec.capabilities": because(
        "The optional parts of OpenShift that install-config asks for; absent means all of them."
    ),
    "spec.overrides": because(
        "Objects that were made here and not by the release: CVO ignores them until bootkube.sh removes this list. "
        "Operators of `unmanagedOperators` stay in it.",
        breaks="the operator may overwrite them with the release's empty ones, or wait for them; if the list "
        "stays, CVO refuses updates: ClusterVersionOverridesSet",
    ),
}


def documents(cluster: Cluster) -> tuple[Document, ...]:
    return (
        Document(
            path="manifests/cvo-overrides.yaml",
            body=_body,
            needs=("id/cluster",),
            reasons=REASONS,
            why=because(
                "The one object the cluster-version operator works from. No desiredUpdate in it: for a first "
                "installation the operator reads the version from its own image.",
                readers="the cluster-version operator",
                breaks="the operator creates one with a cluster ID of its own and fights over the config resources",
                source=INSTALLER + "pkg/asset/ignition/bootstrap/cvoignore.go, data/data/manifests/bootkube",
            ),
        ),
    )


def _patch(cluster: Cluster) -> bytes:
    return json.dumps({"spec": {"overrides": unmanaged(cluster) or None}}, separators=(",", ":")).encode()


def patches() -> list[Asset]:
    return [
        Asset(
            address="manifest/original_cvo_overrides.patch",
            stage=STAGE,
            path="original_cvo_overrides.patch",
            mode=0o600,
            kind="derived",
            make=lambda given: _patch(given.cluster),
            why=because(
                "A JSON merge patch that removes the overrides once everything has been applied. Those for "
                "`unmanagedOperators` stay.",
                readers="bootkube.sh, near its end",
                breaks="the overrides stay, and the cluster can never be updated: ClusterVersionOverridesSet",
                source=INSTALLER + "pkg/asset/ignition/bootstrap/cvoignore.go",
            ),
        )
    ]
