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

    def facts(self, name: str) -> Any:
        """A JSON file of the line's folder."""
        import json
        from importlib.resources import files

        return json.loads(files(f"{__package__}.{folder_of(self.minor)}").joinpath(name).read_text())


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
