"""Where images are taken from instead: the two generations of mirror documents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hardway.emit.document import Document
from hardway.graph.asset import Given
from hardway.manifests.shapes import CONFIG, MANIFESTS
from hardway.model.cluster import Cluster, ImageSource
from hardway.model.why import because


def _entries(sources: Sequence[ImageSource]) -> list[dict[str, Any]]:
    return [{"mirrors": list(s.mirrors) or None, "source": s.source} for s in sources]


def _without_nothing(entry: dict[str, Any]) -> dict[str, Any]:
    """The newer kind leaves an empty list out, the older one writes it as null."""
    return {key: value for key, value in entry.items() if value is not None}


def _digest_mirrors(given: Given) -> dict[str, Any]:
    return {
        "apiVersion": "config.openshift.io/v1",
        "kind": "ImageDigestMirrorSet",
        "metadata": {"creationTimestamp": None, "name": "image-digest-mirror"},
        "spec": {"imageDigestMirrors": [_without_nothing(e) for e in _entries(given.cluster.digest_sources)]},
        "status": {},
    }


def _content_policy(given: Given) -> dict[str, Any]:
    return {
        "apiVersion": "operator.openshift.io/v1alpha1",
        "kind": "ImageContentSourcePolicy",
        "metadata": {"creationTimestamp": None, "name": "image-policy"},
        "spec": {"repositoryDigestMirrors": _entries(given.cluster.content_sources)},
    }


def documents(cluster: Cluster) -> tuple[Document, ...]:
    return tuple(d for d in (_DIGESTS, _CONTENT) if d.when(cluster))


_SOURCE = because("The repository as the release names it.")
_MIRRORS = because("Where to look first, in this order; only for images asked for by digest.")
_BREAKS = "a cluster without a way to quay.io pulls nothing: manifest unknown, or a timeout (F12)"

_DIGESTS = Document(
    path="manifests/image-digest-mirror-set.yaml",
    body=_digest_mirrors,
    common=CONFIG,
    when=lambda cluster: bool(cluster.digest_sources),
    reasons={
        "spec.imageDigestMirrors[].source": _SOURCE,
        "spec.imageDigestMirrors[].mirrors": _MIRRORS,
        "status": because("Reserved; there is nothing to report."),
    },
    why=because(
        "imageDigestSources of install-config, as the cluster keeps it.",
        readers="the machine-config operator, which writes registries.conf on every node",
        breaks=_BREAKS,
        source=MANIFESTS + "imagedigestmirrorset.go",
    ),
)

_CONTENT = Document(
    path="manifests/image-content-source-policy.yaml",
    body=_content_policy,
    common=CONFIG,
    when=lambda cluster: bool(cluster.content_sources),
    reasons={
        "spec.repositoryDigestMirrors[].source": _SOURCE,
        "spec.repositoryDigestMirrors[].mirrors": _MIRRORS,
    },
    why=because(
        "imageContentSources of install-config, the older spelling, in the older kind.",
        readers="the machine-config operator, which writes registries.conf on every node",
        breaks=_BREAKS,
        source=MANIFESTS + "imagecontentsourcepolicy.go",
    ),
)
