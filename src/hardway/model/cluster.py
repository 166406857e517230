"""The cluster that an install-config describes: frozen, derived once, read by every table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from ipaddress import IPv4Network, IPv6Network, ip_address
from typing import Any, Literal

from hardway.lines.find import line_of
from hardway.lines.line import Line
from hardway.model.entropy import KeyKind
from hardway.model.errors import ConfigError
from hardway.model.own.document import Own

Role = Literal["bootstrap", "master", "worker"]
Network = IPv4Network | IPv6Network
Gates = tuple[tuple[str, ...], tuple[str, ...]]  # enabled, disabled
DEFAULT_FEATURES = "Default"  # what an empty feature set is called
PROFILE = "include.release.openshift.io/self-managed-high-availability"
"""The annotation of manifests that are for a cluster which runs its own control plane."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """One machine of the plan."""

    name: str
    role: Role
    index: int
    addresses: tuple[str, ...]  # one per IP family, the primary family first
    mac: str
    disk: str

    @property
    def address(self) -> str:
        return self.addresses[0]


Road = Literal["payload", "hand", "operators", "rendered"]
"""Who makes the control plane: as the release's operators decide; our tables alone; the operators, on the masters; on
the bootstrap node, what they render."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterNetwork:
    """A slice of the pod network and how large a piece of it each node gets."""

    cidr: Network
    host_prefix: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Proxy:
    http: str
    https: str
    no_proxy: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageSource:
    source: str
    mirrors: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Capabilities:
    baseline: str
    additional: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Brought:
    """What the release's manifests bring to a cluster that runs its own control plane."""

    operators: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # ClusterOperator -> its namespaces
    deployments: tuple[str, ...] = ()  # NAMESPACE/NAME
    types: tuple[str, ...] = ()  # CRDs


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """The release the cluster is made of."""

    version: str
    image: str  # pull spec by digest
    images: Mapping[str, str]  # image-for name -> pull spec
    gates: Mapping[str, Gates] = field(default_factory=dict)  # by feature set, of a self-managed cluster
    architecture: str = "amd64"  # or multi
    origin: Literal["catalogue", "payload"] = "catalogue"
    brought: Brought = field(default_factory=Brought)
    kubernetes: str = ""  # its version, where the release has been read
    stands_in: Mapping[str, str] = field(default_factory=dict)  # image-for names of a lab that another image is behind

    def gates_of(self, feature_set: str) -> Gates:
        """The gates that the release turns on and off under a feature set; one it does not know is the default."""
        return self.gates.get(feature_set or DEFAULT_FEATURES) or self.gates[DEFAULT_FEATURES]

    def image_for(self, name: str) -> str:
        if name not in self.images:
            fix = "name another release in hardway.yaml"
            raise ConfigError(f"release {self.version} has no image {name}, which the cluster needs.\n    fix: {fix}")
        return self.images[name]

    @property
    def line(self) -> Line:
        """The line that it is of. A cluster is made of no other release: loading it refuses them."""
        line = line_of(self.version)
        if line is None:
            raise LookupError(self.version)
        return line


UNREAD = Release(version="", image="", images={}, architecture="multi")
"""Stands for a release that nobody has looked at yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cluster:
    name: str
    base_domain: str  # as written, a trailing dot included
    machine_networks: tuple[Network, ...]
    cluster_networks: tuple[ClusterNetwork, ...]
    service_networks: tuple[Network, ...]
    network_type: str
    ovn_join_subnet: str | None
    control_plane_replicas: int
    compute_replicas: int
    control_plane_hyperthreading: bool
    compute_hyperthreading: bool
    architecture: str
    nodes: tuple[Node, ...]  # bootstrap, masters, workers
    api_vips: tuple[str, ...]
    ingress_vips: tuple[str, ...]
    gateways: tuple[str, ...]
    dns_servers: tuple[str, ...]
    pull_secret: str = field(repr=False)
    ssh_key: str
    fips: bool
    proxy: Proxy | None
    trust_bundle: str
    trust_bundle_policy: str  # Proxyonly or Always
    digest_sources: tuple[ImageSource, ...]
    content_sources: tuple[ImageSource, ...]  # the deprecated imageContentSources
    capabilities: Capabilities | None
    feature_set: str
    feature_gates: tuple[str, ...]
    cpu_partitioning: str  # None or AllNodes
    install_config: Mapping[str, Any] = field(repr=False)  # converted and defaulted, as the installer would write it
    release: Release
    key_kind: KeyKind
    short_lifetime_hours: int  # what the installer gives 24 hours
    joining_hours: int = 24  # the identity with which new nodes ask for their first certificate
    road: Road = "payload"
    operators: tuple[str, ...] = ()  # of the release, those that make their part; every other part is made by hand
    unmanaged: tuple[str, ...] = ()  # operators of the release that CVO is told not to deploy
    kube_proxy: bool = True  # on masters
    own: tuple[Own, ...] = field(default=(), repr=False)  # what the user adds, or puts in place of ours

    @property
    def added(self) -> frozenset[str]:
        """The addresses of the user's documents that stand beside ours, not in place of one."""
        return frozenset(own.address for own in self.own if not own.replaces)

    @property
    def line(self) -> Line:
        """What is true of the release's minor version alone. Files that read it stay when a patch release changes."""
        return self.release.line

    @property
    def domain(self) -> str:
        """Every name of the cluster ends in this."""
        return f"{self.name}.{self.base_domain.removesuffix('.')}"

    @property
    def api_host(self) -> str:
        return f"api.{self.domain}"

    @property
    def api_int_host(self) -> str:
        return f"api-int.{self.domain}"

    @property
    def bootstrap(self) -> Node:
        return self.nodes[0]

    @property
    def masters(self) -> tuple[Node, ...]:
        return tuple(n for n in self.nodes if n.role == "master")

    @property
    def workers(self) -> tuple[Node, ...]:
        return tuple(n for n in self.nodes if n.role == "worker")

    @property
    def control_plane(self) -> tuple[Node, ...]:
        """Every machine that runs a part of it: the bootstrap node, and the masters."""
        return (self.bootstrap, *self.masters)

    @property
    def control_plane_topology(self) -> str:
        return "SingleReplica" if self.control_plane_replicas < 3 else "HighlyAvailable"

    @property
    def infrastructure_topology(self) -> str:
        if self.compute_replicas == 0:
            return self.control_plane_topology
        return "SingleReplica" if self.compute_replicas == 1 else "HighlyAvailable"

    @property
    def masters_schedulable(self) -> bool:
        return self.compute_replicas == 0

    @property
    def ipv6_primary(self) -> bool:
        return self.service_networks[0].version == 6

    @property
    def kubernetes_service_address(self) -> str:
        """The ClusterIP of the `kubernetes` Service: host number 1 of the first service network."""
        return str(self.service_networks[0][1])

    @property
    def cluster_dns_address(self) -> str:
        """Host number 10 of it, by Kubernetes' custom; outside of a network that is too small (a warning)."""
        return str(self.service_networks[0].network_address + 10)


def in_url(address: str) -> str:
    """An address as a URL's host: IPv6 in brackets."""
    return f"[{address}]" if ip_address(address).version == 6 else address


def is_address(host: str) -> bool:
    """And no name."""
    try:
        ip_address(host)
    except ValueError:
        return False
    return True
