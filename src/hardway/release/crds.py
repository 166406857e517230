"""The CRDs of a release: those that the bootstrap needs, or all of a feature set.

The real bootstrap makes the same choice: `cluster-config-api render` takes what is annotated for the feature set, for
the cluster profile and as required at bootstrap, and the cluster-version operator's render adds its own two kinds,
always as the default feature set has them.
"""

from __future__ import annotations

from collections.abc import Mapping

from hardway.model.cluster import DEFAULT_FEATURES, PROFILE
from hardway.release.documents import Document, of_kind, read, refuse

GROUP = "apiextensions.k8s.io"
KIND = "CustomResourceDefinition"
FEATURE_SET = "release.openshift.io/feature-set"
BOOTSTRAP = "release.openshift.io/bootstrap-required"
CAPABILITY = "capability.openshift.io/name"
VERSION_OPERATOR = ("clusteroperators.config.openshift.io", "clusterversions.config.openshift.io")


def select(manifests: Mapping[str, bytes], *, feature_set: str = "", everything: bool = False) -> dict[str, bytes]:
    """The chosen CRDs by file name. A file that is chosen whole keeps its very bytes."""
    wanted = feature_set or DEFAULT_FEATURES
    everywhere = [d for d in of_kind(manifests, KIND, GROUP) if d.annotations.get(PROFILE) == "true"]
    chosen = [d for d in everywhere if (_of(d, wanted) if everything else _at_bootstrap(d, wanted))]
    refuse(_incompatible(chosen) + _twice(chosen))
    files: dict[str, list[Document]] = {}
    for document in _once(chosen):
        files.setdefault(document.file, []).append(document)
    return {file: _content(manifests[file], documents) for file, documents in files.items()}


def _of(document: Document, feature_set: str) -> bool:
    named = str(document.annotations.get(FEATURE_SET, ""))
    return not named or feature_set in named.split(",")


def _at_bootstrap(document: Document, feature_set: str) -> bool:
    if document.name in VERSION_OPERATOR:
        return _of(document, DEFAULT_FEATURES)
    return document.annotations.get(BOOTSTRAP) == "true" and _of(document, feature_set)


def _incompatible(chosen: list[Document]) -> list[str]:
    """The real bootstrap refuses a CRD that it must apply and that a capability could take away."""
    both = [d for d in chosen if d.annotations.get(BOOTSTRAP) == "true" and d.annotations.get(CAPABILITY)]
    return [f"{d.file}: {d.name} is required at bootstrap but part of a capability" for d in both]


def _twice(chosen: list[Document]) -> list[str]:
    """The same CRD in two forms: applied one after the other, the last would win, by accident of its file's name."""
    first: dict[str, Document] = {}
    for document in chosen:
        first.setdefault(document.name, document)
    twins = [(first[d.name], d) for d in chosen if d.raw.strip() != first[d.name].raw.strip()]
    return [f"{twin.file}: {twin.name} is also in {one.file}, in another form" for one, twin in twins]


def _once(chosen: list[Document]) -> list[Document]:
    return list({document.name: document for document in reversed(chosen)}.values())[::-1]


def _content(content: bytes, chosen: list[Document]) -> bytes:
    if len(read(chosen[0].file, content)) == len(chosen):
        return content
    return b"---\n".join(document.raw.strip(b"\r\n") + b"\n" for document in chosen)
