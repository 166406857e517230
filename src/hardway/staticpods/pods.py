"""All the documents of this folder."""

from __future__ import annotations

from hardway.emit.document import Document
from hardway.model.cluster import Cluster
from hardway.staticpods import audit, kube_proxy, scheduler, version_operator
from hardway.staticpods.apiserver import pod as apiserver
from hardway.staticpods.controller_manager import pod as controller_manager
from hardway.staticpods.etcd import pod as etcd

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
