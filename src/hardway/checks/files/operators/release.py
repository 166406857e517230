"""The operators' road: what the release's payload must bring, so that its own operators can work."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from hardway.checks.files.artifacts import Artifacts
from hardway.checks.files.shapes import at, parse_yaml
from hardway.model.check import Flaw

PAYLOAD = "release/manifests"
SUBJECT = "release/release.json"
CREATE_ONLY = "release.openshift.io/create-only"
FIX = "use a release that does: `hardway lab up DIR --road operators` packs one"

DEPLOYED = {
    "etcd": ("openshift-etcd-operator", "etcd-operator"),
    "kube-apiserver": ("openshift-kube-apiserver-operator", "kube-apiserver-operator"),
}
MACHINES = "machines.machine.openshift.io"
MACHINE_API = "MachineAPI"
TYPES = {
    "etcds.operator.openshift.io": "the etcd operator has no configuration to read, and exits",
    "kubeapiservers.operator.openshift.io": "the kube-apiserver operator has no configuration to read, and exits",
    "clusteroperators.config.openshift.io": "both operators wait: failed to list *v1.ClusterOperator",
    "clusterversions.config.openshift.io": "both operators wait: failed to list *v1.ClusterVersion",
    MACHINES: "the etcd operator adds no member: failed to list *v1beta1.Machine",
    "prometheusrules.monitoring.coreos.com": "the kube-apiserver operator stays Degraded, and CVO stops before that",
    "servicemonitors.monitoring.coreos.com": "CVO stops at the operators' own manifests: no matches for kind",
    "storageversionmigrations.migration.k8s.io": "the kube-apiserver operator stays Degraded",
    "securitycontextconstraints.security.openshift.io": "the operator's API server admits no pod",
}
"""Types that the operators ask for, and what happens without: each is brought by somebody else's manifests."""
PLACEHOLDERS = (
    ("Secret", "openshift-etcd-operator", "etcd-client"),
    ("ConfigMap", "openshift-etcd-operator", "etcd-ca-bundle"),
)
"""Empty objects of the payload that the etcd operator's pod mounts and that the operator fills."""


def deployed(artifacts: Artifacts) -> Iterator[Flaw]:
    found = {_placed(d)[1:] for d in _documents(artifacts, "Deployment") if at(d, "kind") == "Deployment"}
    for operator, place in DEPLOYED.items():
        if place not in found:
            message = f"the release deploys no {operator} operator, and on this road nothing else does its work"
            yield Flaw(subject=SUBJECT, message=message, fix=f"{FIX}; or take the road `hand`")


def types(artifacts: Artifacts) -> Iterator[Flaw]:
    kind = "CustomResourceDefinition"
    found = {str(at(d, "metadata", "name")) for d in _documents(artifacts, *TYPES) if at(d, "kind") == kind}
    for name, breaks in TYPES.items():
        if name not in found and not (name == MACHINES and _no_machines(artifacts)):
            yield Flaw(subject=SUBJECT, message=f"nothing in the release defines {name}: {breaks}", fix=FIX)


def _no_machines(artifacts: Artifacts) -> bool:
    """The etcd operator asks for machines only where CVO says that they are part of the cluster."""
    chosen = artifacts.cluster.capabilities
    if chosen is None:
        return False
    return MACHINE_API not in artifacts.cluster.line.capability_sets[chosen.baseline].union(chosen.additional)


def create_only(artifacts: Artifacts) -> Iterator[Flaw]:
    names = [name for _, _, name in PLACEHOLDERS]
    found = {_placed(document): document for document in _documents(artifacts, *names)}
    for row in PLACEHOLDERS:
        what = f"{row[0]} {row[1]}/{row[2]}"
        if row not in found:
            message = f"the release has no {what}: the etcd operator's pod mounts it, and never starts"
            yield Flaw(subject=SUBJECT, message=message, fix=FIX)
        elif at(found[row], "metadata", "annotations", CREATE_ONLY) != "true":
            message = f"{what} of the release is not marked {CREATE_ONLY}: CVO empties it repeatedly"
            yield Flaw(subject=SUBJECT, message=message, fix=FIX)


def _documents(artifacts: Artifacts, *words: str) -> Iterator[dict[str, Any]]:
    """The objects in files of the payload, and among the bootstrap's types, that have one of these words in them."""
    wanted = [word.encode() for word in words]
    for path, content in artifacts.cached(_contents, PAYLOAD).items():
        if any(word in content for word in wanted):
            yield from artifacts.cached(_objects, path)


def _contents(artifacts: Artifacts, payload: str) -> dict[str, bytes]:
    paths = (*artifacts.files(f"{payload}/*.yaml"), *artifacts.files(f"{payload}/*.json"), *artifacts.files("crds/*"))
    return {path: artifacts.read(path) or b"" for path in paths}


def _objects(artifacts: Artifacts, path: str) -> list[dict[str, Any]]:
    content = artifacts.cached(_contents, PAYLOAD)[path]
    parts = (parse_yaml(part) for part in re.split(rb"^---\s*$", content, flags=re.MULTILINE))
    return [part for part in parts if isinstance(part, dict)]


def _placed(document: dict[str, Any]) -> tuple[str, str, str]:
    about = at(document, "metadata")
    return str(at(document, "kind")), str(at(about, "namespace")), str(at(about, "name"))
