"""Stage 07: the cluster manifests as files: readable, complete, each of a known kind in a known namespace."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from hardway.checks.files.artifacts import Artifacts
from hardway.checks.files.shapes import at
from hardway.model.check import Flaw

REBUILD = "remove the file and run `hardway build 07`"
CONFIG = "config.openshift.io"
OPERATOR = "operator.openshift.io"

BUILT_IN = {
    "v1": "ConfigMap Endpoints Namespace Secret Service ServiceAccount",
    "rbac.authorization.k8s.io/v1": "ClusterRole ClusterRoleBinding Role RoleBinding",
    "apps/v1": "DaemonSet Deployment",
}
FROM_RELEASE = {
    f"{CONFIG}/v1": "ClusterVersion DNS FeatureGate ImageDigestMirrorSet Infrastructure Ingress "
    "Network Proxy Scheduler",
    f"{OPERATOR}/v1": "Network",
    f"{OPERATOR}/v1alpha1": "ImageContentSourcePolicy",
    "machineconfiguration.openshift.io/v1": "MachineConfig",
}
KNOWN_KINDS = {
    (api, kind) for table in (BUILT_IN, FROM_RELEASE) for api, kinds in table.items() for kind in kinds.split()
}
ALWAYS_THERE = {"default", "kube-node-lease", "kube-public", "kube-system"}


def expect(path: str, document: dict[str, Any], wanted: dict[tuple[str, ...], Any]) -> Iterator[Flaw]:
    for where, value in wanted.items():
        found = at(document, *where)
        if found != value:
            yield Flaw(subject=path, message=f"{'.'.join(where)} is {found!r}, and must be {value!r}", fix=REBUILD)


def config_objects(artifacts: Artifacts, kind: str) -> Iterator[tuple[str, dict[str, Any]]]:
    return artifacts.objects(kind, "cluster", CONFIG)


def readable(artifacts: Artifacts) -> Iterator[Flaw]:
    for path in [p for folder in ("manifests", "openshift") for p in artifacts.files(f"{folder}/*")]:
        if path not in artifacts.documents:
            yield Flaw(subject=path, message="it is no object with apiVersion, kind and name", fix=REBUILD)


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
    for path, document in artifacts.documents.items():
        kind = (document["apiVersion"], document["kind"])
        if kind not in KNOWN_KINDS:
            message = f"{kind[1]} of {kind[0]} is neither built in nor defined by a CRD of the release"
            yield Flaw(subject=path, message=message, fix="correct apiVersion and kind, or bring its CRD")


def namespaces(artifacts: Artifacts) -> Iterator[Flaw]:
    made = {d["metadata"]["name"] for _, d in artifacts.objects("Namespace")} | ALWAYS_THERE
    for path, document in artifacts.documents.items():
        namespace = at(document, "metadata", "namespace")
        if namespace and namespace not in made:
            message = f"its namespace {namespace} is made by no manifest"
            yield Flaw(subject=path, message=message, fix="add the namespace")
