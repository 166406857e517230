"""All the documents of this folder, and which of them leave the bootstrap node before its machine does."""

from __future__ import annotations

from hardway.emit.document import Document
from hardway.model.cluster import Cluster
from hardway.staticpods import audit, kube_proxy, scheduler, version_operator
from hardway.staticpods.apiserver import config
from hardway.staticpods.apiserver import pod as apiserver
from hardway.staticpods.controller_manager import pod as controller_manager
from hardway.staticpods.controller_manager import policy
from hardway.staticpods.etcd import pod as etcd
from hardway.staticpods.masters import MANIFESTS

TABLE: tuple[Document, ...] = (
    etcd.DOCUMENT,
    apiserver.DOCUMENT,
    *controller_manager.DOCUMENTS,
    scheduler.DOCUMENT,
    version_operator.DOCUMENT,
    kube_proxy.DOCUMENT,
    audit.DOCUMENT,
    config.DOCUMENT,
    policy.DOCUMENT,
)
LEAVING = (version_operator.DOCUMENT, scheduler.DOCUMENT, controller_manager.DOCUMENT, apiserver.DOCUMENT)
"""etcd's is not among them. The API server comes last: the others still have something to say to it."""


def documents(cluster: Cluster) -> tuple[Document, ...]:
    return tuple(document for document in TABLE if document.when(cluster))


def retired() -> tuple[str, ...]:
    """The files on the bootstrap node of the pods that leave it."""
    return tuple(f"{MANIFESTS}/{document.file}" for document in LEAVING)
