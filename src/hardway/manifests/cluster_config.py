"""The install-config itself, kept in the cluster: cluster-config-v1."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hardway.emit.document import Document
from hardway.graph.asset import Given
from hardway.manifests.shapes import MANIFESTS, config_map, metadata
from hardway.model.cluster import Cluster
from hardway.model.why import because

DESCRIPTION = (
    "The install-config content used to create the cluster.  The cluster configuration may have evolved since "
    "installation, so check cluster configuration resources directly if you are interested in the current cluster "
    "state."
)
"""A value of the API like any other: tools that compare clusters find the same text in each."""

HOST_NOT_CHECKED = "install.openshift.io/hostcrypt-check-bypassed"


def kept(cluster: Cluster) -> dict[str, Any]:
    """The install-config as it is kept: converted, defaulted, and without the pull secret.

    Under FIPS it says that nobody checked whether the machine which made the keys was in FIPS mode itself.
    """
    document: dict[str, Any] = {**cluster.install_config, "pullSecret": ""}
    if cluster.fips:
        about: Mapping[str, Any] = document["metadata"]
        annotations = {**about.get("annotations", {}), HOST_NOT_CHECKED: "true"}
        document["metadata"] = {**about, "annotations": annotations}
    return document


def _body(given: Given) -> dict[str, Any]:
    about = metadata("cluster-config-v1", "kube-system", annotations={"kubernetes.io/description": DESCRIPTION})
    from hardway.emit import goyaml

    return config_map(about, {"install-config": goyaml.dump(kept(given.cluster))})


def documents(cluster: Cluster) -> tuple[Document, ...]:
    return (
        Document(
            path="manifests/cluster-config.yaml",
            body=_body,
            reasons={
                'metadata.annotations["kubernetes.io/description"]': because(
                    "Tells an administrator that this is how the cluster was installed, not how it is now."
                ),
                "data.install-config": because(
                    "The whole install-config after conversion and defaulting, as text; the pull secret is blanked, "
                    "the SSH key, the trust bundle and the proxy with its credentials are not.",
                    breaks="etcd's operator stops: it reads controlPlane.replicas and networking.machineNetwork here",
                ),
            },
            why=because(
                "The install-config, for operators that need more than the config resources say.",
                readers="the network, etcd and cloud-credential operators; cluster-bootstrap",
                breaks='the network operator does not start: configmaps "cluster-config-v1" not found (F32)',
                source=MANIFESTS + "operators.go",
            ),
        ),
    )
