"""What a release's manifests bring: ClusterOperators with their namespaces, Deployments, and types."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hardway.model.cluster import PROFILE, Brought
from hardway.release.crds import GROUP, KIND
from hardway.release.documents import Document, of_kind, section

CONFIG = "config.openshift.io"


def read(manifests: Mapping[str, bytes]) -> Brought:
    """Of what CVO applies to a cluster that runs its own control plane."""
    operators = {d.name: _namespaces(d) for d in _included(manifests, "ClusterOperator", CONFIG)}
    deployments = {_placed(d) for d in _included(manifests, "Deployment", "apps")}
    types = {d.name for d in _included(manifests, KIND, GROUP)}
    return Brought(
        operators=dict(sorted(operators.items())), deployments=tuple(sorted(deployments)), types=tuple(sorted(types))
    )


def _included(manifests: Mapping[str, bytes], kind: str, group: str) -> list[Document]:
    return [d for d in of_kind(manifests, kind, group) if d.annotations.get(PROFILE) == "true"]


def _placed(document: Document) -> str:
    return f"{section(document.body, 'metadata').get('namespace', '')}/{document.name}"


def _namespaces(document: Document) -> tuple[str, ...]:
    """An operator lists what it is about; must-gather looks into these namespaces."""
    related: Any = section(document.body, "status").get("relatedObjects")
    rows = related if isinstance(related, list) else []
    named = (row.get("name") for row in rows if isinstance(row, Mapping) and row.get("resource") == "namespaces")
    return tuple(sorted({str(name) for name in named if name}))
