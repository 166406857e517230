"""A release line: all releases of one minor version of OpenShift, and what is true of them alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """A feature gate of Kubernetes that can be set."""

    name: str
    api: str = ""  # the API group that must be served once the gate is on


@dataclass(frozen=True, slots=True, kw_only=True)
class Ignition:
    """Versions of Ignition's specification."""

    read: tuple[str, ...]  # by the Ignition of the machines, as stable
    written: str  # by the installer, and so by us
    rendered: str  # by the machine-config operator
    merged: tuple[str, ...]  # read by that operator in MachineConfigs


@dataclass(frozen=True, slots=True, kw_only=True)
class Operator:
    """An operator that makes a part of the cluster where a release deploys it. Where none does, the part is made by
    hand."""

    name: str  # of its ClusterOperator
    deployment: str  # NAMESPACE/NAME, among the release's manifests
    pods: str = ""  # NAMESPACE/NAME of the static pods that it makes; a dash and the node's name follow
    revisions: str = ""  # the resource in which it reports the revision on each node
    why: str  # what it makes, and what two makers would do to each other


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Line:
    """Compared by identity: there is one of each."""

    minor: str  # 4.18
    kubernetes: str  # 1.31, the minor version of Kubernetes in it
    release: str  # the release whose image names and gates are built in
    ignition: Ignition
    capability_sets: Mapping[str, frozenset[str]]  # vCurrent among them
    gates: tuple[Gate, ...]  # of the release's gates, those that Kubernetes itself knows
    locked_gates: tuple[str, ...]  # those that Kubernetes knows and lets nobody set
    operators: tuple[Operator, ...]  # of the publisher's releases: every one of them has these
    lab_kubernetes: str  # the version that the lab's release is compiled from

    def __repr__(self) -> str:
        return f"Line({self.minor})"

    @property
    def branch(self) -> str:
        """The branch of every openshift repository that the line's releases are built from."""
        return f"release-{self.minor}"

    @property
    def channel(self) -> str:
        """Where the cluster-version operator looks for updates."""
        return f"stable-{self.minor}"

    @property
    def capabilities(self) -> tuple[str, ...]:
        return tuple(sorted(self.capability_sets["vCurrent"]))

    @property
    def oldest_oc(self) -> str:
        return _one_before(self.minor)

    @property
    def oldest_kubectl(self) -> str:
        """Kubernetes promises one minor version of skew, and oc is a kubectl."""
        return _one_before(self.kubernetes)

    @property
    def served_kinds(self) -> frozenset[tuple[str, str]]:
        """The types, each with its apiVersion, that API servers of this line have without a CRD."""
        return _pairs(self.facts("kinds.json")["served"])

    @property
    def kinds(self) -> frozenset[tuple[str, str]]:
        """Those, and the types that CRDs of its releases define, in any feature set and capability."""
        return self.served_kinds | _pairs(self.facts("kinds.json")["defined"])

    @property
    def cluster_scoped(self) -> frozenset[tuple[str, str]]:
        """API group and kind of those that are in no namespace; the sources are those of the types."""
        groups: Mapping[str, str] = self.facts("cluster-scoped.json")
        return frozenset((group, kind) for group, kinds in groups.items() for kind in kinds.split())

    def facts(self, name: str) -> Any:
        """A JSON file of the line's folder."""
        import json
        from importlib.resources import files

        return json.loads(files(f"{__package__}.{folder_of(self.minor)}").joinpath(name).read_text())


def _pairs(sources: Mapping[str, Mapping[str, str]]) -> frozenset[tuple[str, str]]:
    """Of types that are grouped by their source: a repository, its branch, and a folder there."""
    return frozenset(
        (api, kind) for types in sources.values() for api, kinds in types.items() for kind in kinds.split()
    )


def _one_before(version: str) -> str:
    major, minor = version.split(".")
    return f"{major}.{int(minor) - 1}"


def folder_of(minor: str) -> str:
    return f"v{minor.replace('.', '_')}"


def cumulative(added: Mapping[str, Iterable[str]]) -> dict[str, frozenset[str]]:
    """Capability sets, of which each has what the ones before it have; the last is also vCurrent."""
    sets: dict[str, frozenset[str]] = {}
    so_far: frozenset[str] = frozenset()
    for version, names in added.items():
        so_far = so_far.union(names)
        sets[version] = so_far
    return sets | {"vCurrent": so_far}
