"""All the documents of this folder."""

from __future__ import annotations

from hardway.emit.document import Document
from hardway.model.cluster import Cluster
from hardway.staticpods import apiserver, audit, controller_manager, etcd, kube_proxy, scheduler, version_operator

TABLE: tuple[Document, ...] = (
    etcd.DOCUMENT,
    apiserver.DOCUMENT,
    controller_manager.DOCUMENT,
    scheduler.DOCUMENT,
    version_operator.DOCUMENT,
    kube_proxy.DOCUMENT,
    audit.DOCUMENT,
)


def documents(cluster: Cluster) -> tuple[Document, ...]:
    return tuple(document for document in TABLE if document.when(cluster))
