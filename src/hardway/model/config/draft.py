"""The install-config as rules see it: typed, converted, defaulted, not yet judged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from hardway.lines.line import Line
from hardway.model.config.addresses import Interface, Network
from hardway.model.config.fields import shape
from hardway.model.config.marshal import marshal


class PodNetwork(NamedTuple):
    cidr: Interface
    host_prefix: int


class Pool(NamedTuple):
    path: str
    name: str
    replicas: int
    hyperthreading: str
    architecture: str
    platforms: tuple[str, ...]


class Source(NamedTuple):
    path: str
    source: str
    mirrors: tuple[str | None, ...]  # None where one could not be read


class Draft(NamedTuple):
    """Reading an attribute whose path is broken may fail: a rule names what it reads and is not asked then."""

    values: Mapping[str, Any]
    line: Line
    release_architecture: str = "amd64"

    def text(self, path: str) -> str:
        value: Any = self.values
        for step in path.split("."):
            value = (value or {}).get(step)
        return value or ""

    @property
    def domain(self) -> str:
        return f"{self.text('metadata.name')}.{self.text('baseDomain').removesuffix('.')}"

    @property
    def machine_networks(self) -> tuple[Interface, ...]:
        return tuple(entry["cidr"] for entry in self.values["networking"]["machineNetwork"])

    @property
    def service_networks(self) -> tuple[Interface, ...]:
        return tuple(self.values["networking"]["serviceNetwork"])

    @property
    def cluster_networks(self) -> tuple[PodNetwork, ...]:
        entries = self.values["networking"]["clusterNetwork"]
        return tuple(PodNetwork(cidr=entry["cidr"], host_prefix=entry.get("hostPrefix", 0)) for entry in entries)

    @property
    def networks(self) -> tuple[tuple[str, Interface], ...]:
        """Every network that could be read, with the path it stands at."""
        networking = self.values["networking"]
        every = (
            *(_entry("networking.machineNetwork", i, entry) for i, entry in enumerate(networking["machineNetwork"])),
            *((f"networking.serviceNetwork[{i}]", cidr) for i, cidr in enumerate(networking["serviceNetwork"])),
            *(_entry("networking.clusterNetwork", i, entry) for i, entry in enumerate(networking["clusterNetwork"])),
        )
        return tuple((path, cidr) for path, cidr in every if cidr is not None)

    @property
    def join_subnet(self) -> Interface | None:
        ovn = self.values["networking"].get("ovnKubernetesConfig") or {}
        subnet: Interface | None = ovn.get("ipv4", {}).get("internalJoinSubnet")
        return subnet

    @property
    def families(self) -> tuple[int, ...]:
        """The IP versions of the cluster, the primary first: the service networks decide."""
        return tuple(dict.fromkeys(network.version for network in self.service_networks))

    def machine_networks_of(self, version: int) -> tuple[Network, ...]:
        return tuple(n.network for n in self.machine_networks if n.version == version)

    @property
    def control_plane(self) -> Pool:
        return _pool("controlPlane", self.values["controlPlane"])

    @property
    def compute(self) -> tuple[Pool, ...]:
        pools = enumerate(self.values["compute"])
        return tuple(_pool(f"compute[{index}]", pool) for index, pool in pools if pool is not None)

    @property
    def workers(self) -> int:
        return sum(pool.replicas for pool in self.compute if pool.name == "worker")

    def sources(self, name: str) -> tuple[Source, ...]:
        entries = enumerate(self.values.get(name) or [])
        return tuple(_source(f"{name}[{index}]", entry) for index, entry in entries if entry is not None)

    @property
    def install_config(self) -> dict[str, Any]:
        return marshal(dict(self.values), shape(self.line))


def _entry(path: str, index: int, entry: Mapping[str, Any] | None) -> tuple[str, Interface | None]:
    return f"{path}[{index}].cidr", entry.get("cidr") if entry else None


def _source(path: str, values: Mapping[str, Any]) -> Source:
    return Source(path=path, source=values.get("source", ""), mirrors=tuple(values.get("mirrors") or ()))


def _pool(path: str, values: Mapping[str, Any]) -> Pool:
    return Pool(
        path=path,
        name=values.get("name", ""),
        replicas=values["replicas"],
        hyperthreading=values["hyperthreading"],
        architecture=values["architecture"],
        platforms=tuple(values.get("platform") or ()),
    )
