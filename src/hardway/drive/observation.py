"""All that a turn of the loop has seen: frozen, so that deciding needs nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from hardway.drive.csr.memory import NOTHING, Memory
from hardway.drive.csr.parse import Request
from hardway.drive.growth import View
from hardway.drive.machines import Backend

MASTER_ROLE = "node-role.kubernetes.io/master"
WORKER_ROLE = "node-role.kubernetes.io/worker"


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeSeen:
    ready: bool
    reason: str = ""  # why it is not
    roles: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class PodSeen:
    ready: bool
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorSeen:
    name: str
    available: bool
    degraded: bool
    version: str  # what it reports as `operator`
    progressing: bool = False
    message: str = ""  # of the condition that tells most, cut to a line
    said: str = ""  # of all conditions that are not as they should be


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionSeen:
    """The ClusterVersion: the newest entry of its history, and what CVO says."""

    version: str = ""
    image: str = ""
    completed: bool = False
    syncing: bool = False  # CVO has written something at all
    message: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    api: str = "not queried"  # why the API does not answer through the load balancer; empty: it does
    serving: frozenset[str] = frozenset()  # nodes whose own API server is ready
    answering: frozenset[str] = frozenset()  # nodes whose API server answers at all, ready or not
    nodes: Mapping[str, NodeSeen] = field(default_factory=dict)
    requests: tuple[Request, ...] = ()
    memory: Memory = NOTHING  # of the keys that nodes were given their first certificate for
    joining_over: str = ""  # when the identity ended that new nodes ask with; empty: it has not
    pods: Mapping[str, PodSeen] = field(default_factory=dict)  # namespace/name
    leases: Mapping[str, str] = field(default_factory=dict)  # namespace/name: the holder
    complete: bool = False  # kube-system/bootstrap
    operators: tuple[OperatorSeen, ...] = ()
    version: VersionSeen = VersionSeen()
    etcd: View | None = None
    etcd_trouble: str = ""
    etcd_well: frozenset[str] = frozenset()  # nodes whose member is healthy
    running: frozenset[str] = frozenset()  # machines that are on
    stored: frozenset[str] = frozenset()  # control-plane nodes whose disk has data of etcd, on or off
    past: frozenset[str] = frozenset()  # milestones that were reached once
    balanced: Mapping[str, Backend] = field(default_factory=dict)  # what the load balancer makes of API servers
    manifests: Mapping[str, frozenset[str]] = field(default_factory=dict)  # static pods on a node, by file
    applied: bool = False  # bootkube.sh has created every manifest

    def in_balancer(self, name: str) -> bool:
        return self.balanced.get(name, "out") != "out"

    def node_ready(self, name: str) -> bool:
        seen = self.nodes.get(name)
        return seen is not None and seen.ready
