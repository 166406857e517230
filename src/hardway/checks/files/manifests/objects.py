"""Stage 07: the cluster manifests as files: readable, complete, each of a known kind in a known namespace."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from shlex import quote
from typing import Any

from hardway.checks.files.artifacts import Artifacts
from hardway.checks.files.ignition.file import bootstrap, node_path
from hardway.checks.files.shapes import at, mappings
from hardway.model.check import Flaw

REBUILD = "remove the file and run `hardway build 07`"
CONFIG = "config.openshift.io"
OPERATOR = "operator.openshift.io"

ALWAYS_THERE = {"default", "kube-node-lease", "kube-public", "kube-system"}


def expect(path: str, document: dict[str, Any], wanted: dict[tuple[str, ...], Any]) -> Iterator[Flaw]:
    for where, value in wanted.items():
        found = at(document, *where)
        if found != value:
            yield Flaw(subject=path, message=f"{'.'.join(where)} is {found!r}, and must be {value!r}", fix=REBUILD)


def config_objects(artifacts: Artifacts, kind: str) -> Iterator[tuple[str, dict[str, Any]]]:
    return artifacts.objects(kind, "cluster", CONFIG)


def readable(artifacts: Artifacts) -> Iterator[Flaw]:
    made = {*artifacts.paths.values(), *(own.path for own in artifacts.cluster.own)}
    for path in [p for folder in ("manifests", "openshift") for p in artifacts.files(f"{folder}/*")]:
        if path not in artifacts.documents:
            remove = f"run `rm {quote(str(artifacts.root / path))}`: no build makes this file"
            fix = REBUILD if path in made else remove
            yield Flaw(subject=path, message="it is no object with apiVersion, kind and name", fix=fix)


def identity(document: dict[str, Any]) -> tuple[str, ...]:
    metadata = document["metadata"]
    group = document["apiVersion"].rpartition("/")[0]
    return group, document["kind"], metadata.get("namespace") or "", metadata["name"]


def unique(artifacts: Artifacts) -> Iterator[Flaw]:
    seen = Counter(identity(d) for d in artifacts.documents.values())
    for path, document in artifacts.documents.items():
        if seen[identity(document)] > 1:
            _, kind, _, name = identity(document)
            yield Flaw(
                subject=path, message=f"{kind} {name} is in another file too; one would hide the other", fix=REBUILD
            )


def kinds(artifacts: Artifacts) -> Iterator[Flaw]:
    known = set(artifacts.cluster.line.kinds)
    for _, crd in artifacts.objects("CustomResourceDefinition"):
        group, kind = at(crd, "spec", "group"), str(at(crd, "spec", "names", "kind"))
        known |= {(f"{group}/{version.get('name')}", kind) for version in mappings(crd, "spec", "versions")}
    for path, document in artifacts.documents.items():
        api, kind = document["apiVersion"], document["kind"]
        if (api, kind) not in known:
            message = f"{kind} of {api} is neither built in nor defined by a CRD of the release"
            yield Flaw(subject=path, message=message, fix="correct apiVersion and kind, or bring its CRD")


def namespaces(artifacts: Artifacts) -> Iterator[Flaw]:
    """A document of the user's may wait for a namespace of the release's, which CVO brings."""
    made = {d["metadata"]["name"] for _, d in artifacts.objects("Namespace")} | ALWAYS_THERE
    waiting = {own.path for own in artifacts.cluster.own} | _others(artifacts)
    for path, document in artifacts.documents.items():
        namespace = at(document, "metadata", "namespace")
        by_release = path in waiting and str(namespace).startswith("openshift-")
        if namespace and namespace not in made and not by_release:
            message = f"its namespace {namespace} is made by no manifest"
            yield Flaw(subject=path, message=message, fix="add the namespace")


def _others(artifacts: Artifacts) -> set[str]:
    """Documents of somebody's own in a tree from elsewhere: no table has them, and its bootstrap node gets them."""
    ign = bootstrap(artifacts)
    carried = ign.paths if ign else set()
    return {p for p in artifacts.documents.keys() - artifacts.paths.values() if node_path(p) in carried}
