"""Every cluster manifest of stage 07."""

from __future__ import annotations

from hardway.emit.document import Document
from hardway.manifests import (
    accounts,
    cluster_config,
    config,
    constraints,
    cvo,
    etcd,
    features,
    machines,
    mirrors,
    namespaces,
    network,
    partitioning,
    policy,
    proxy,
    rbac,
    secrets,
    signers,
)
from hardway.model.cluster import Cluster

INSTALLER_FAMILIES = (cluster_config, config, cvo, features, machines, mirrors, network, proxy, secrets)
"""What openshift-install writes too."""

OPERATOR_FAMILIES = (accounts, constraints, etcd, namespaces, partitioning, policy, rbac, signers)
"""What operators render on the bootstrap node in an ordinary installation, and is written by hand here."""


def documents(cluster: Cluster) -> tuple[Document, ...]:
    """The documents that apply to this cluster, in the order in which they are applied."""
    found = [d for family in (*INSTALLER_FAMILIES, *OPERATOR_FAMILIES) for d in family.documents(cluster)]
    return tuple(sorted(found, key=lambda document: document.path))
