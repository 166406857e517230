"""The bootstrap node's static pods that go before its machine does; etcd's is not among them."""

from __future__ import annotations

from hardway.staticpods import scheduler, version_operator
from hardway.staticpods.apiserver import pod as apiserver
from hardway.staticpods.controller_manager import pod as controller_manager
from hardway.staticpods.masters import MANIFESTS

PODS = (version_operator.DOCUMENT, scheduler.DOCUMENT, controller_manager.DOCUMENT, apiserver.DOCUMENT)


def retired() -> tuple[str, ...]:
    """Their files on the node. The API server comes last: the others still have something to say to it."""
    return tuple(f"{MANIFESTS}/{document.file}" for document in PODS)
