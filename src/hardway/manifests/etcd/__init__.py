"""What etcd's operator must find in order to take over the running member instead of starting afresh."""

from __future__ import annotations

from hardway.emit.document import Document
from hardway.manifests.etcd import bundles, endpoints, pairs
from hardway.model.cluster import Cluster


def documents(cluster: Cluster) -> tuple[Document, ...]:
    return (*endpoints.DOCUMENTS, *pairs.documents(cluster.bootstrap.name), *bundles.DOCUMENTS)
