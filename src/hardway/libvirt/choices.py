"""What a user decides about the machines that install-config.yaml has no word for, and the size of each role."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, cast, get_args

from hardway.model.cluster import Cluster, Role
from hardway.model.errors import ConfigError
from hardway.model.settings.infra import (
    LOCAL,
    SIZE_EXAMPLE,
    Accelerator,
    Firmware,
    InfraSettings,
    MachineSize,
    is_connection,
    is_interface,
)
from hardway.model.settings.infra import parse_size as read_size
from hardway.model.why import Why, because

POOLS = "/var/lib/libvirt/images"
DOCS = "openshift/openshift-docs: minimum resource requirements for user-provisioned clusters"


LEAST_DISK = 93  # GiB: the 100 GB that openshift-docs asks for


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """What a machine gets. The least that its role can do with is the same, but for the disk."""

    vcpus: int
    memory: int  # MiB
    disk: int  # GiB, allocated as it is written
    why: Why
    least_memory: int = 0  # MiB, where it is less than `memory`


SINGLE = "single-node"
SIZES: Mapping[str, Size] = {
    "bootstrap": Size(
        vcpus=4,
        memory=16384,
        disk=120,
        why=because(
            "Runs a whole temporary control plane, and is removed after the pivot.",
            breaks="etcd and the API server get too little processor time, and bootkube never finishes (F38)",
            source=DOCS,
        ),
    ),
    "master": Size(
        vcpus=4,
        memory=16384,
        disk=120,
        why=because(
            "Runs etcd, an API server and the operators. With 8 GiB, pods are killed or not admitted.",
            breaks="out of memory, or revisions of the control plane that never finish (F38)",
            source=DOCS,
        ),
    ),
    "worker": Size(
        vcpus=2,
        memory=8192,
        disk=120,
        why=because(
            "Runs routers, monitoring and the registry, before any workload of yours.",
            breaks="routers stay pending and no route works (F38)",
            source=DOCS,
        ),
    ),
    SINGLE: Size(
        vcpus=8,
        memory=32768,
        least_memory=16384,
        disk=120,
        why=because(
            "The only master of a cluster without workers: it runs the control plane, the routers and the workloads.",
            breaks="pods are not admitted for lack of CPU, and operators stay degraded (F38)",
            source="openshift/openshift-docs: requirements for installing on a single node",
        ),
    ),
}


def standard(cluster: Cluster, role: Role) -> Size:
    """What a machine of this role gets if the user does not say otherwise."""
    single = role == "master" and len(cluster.masters) == 1 and not cluster.workers
    return SIZES[SINGLE if single else role]


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    connect: str = LOCAL
    firmware: Firmware = "uefi"
    accelerator: Accelerator = "kvm"
    bridge: str = ""  # an existing bridge of the host; empty: a NAT network of the cluster's own
    vips: bool = True  # the load balancer is on this host
    balancer: bool = True  # it is run there as a service
    pool: str = ""  # folder of the storage pool
    sizes: Mapping[Role, Size] = field(default_factory=dict)

    def size(self, cluster: Cluster, role: Role) -> Size:
        return self.sizes.get(role) or standard(cluster, role)


def choose(settings: InfraSettings, sizes: Iterable[str] = (), **given: Any) -> Choices:
    """What hardway.yaml says, and over it what the command line does; None there is not given."""
    said = {name: value for name, value in given.items() if value is not None}
    check_bridge(said.get("bridge", ""))
    check_connect(said.get("connect", LOCAL))
    own = {role: _own(role, size, "hardway.yaml") for role, size in settings.sizes.items()}
    return Choices(
        connect=said.get("connect", settings.connect),
        firmware=said.get("firmware", settings.firmware),
        accelerator=said.get("accelerator", settings.accelerator),
        bridge=said.get("bridge", settings.bridge),
        vips=said.get("vips", settings.vips),
        balancer=said.get("balancer", settings.balancer),
        pool=said.get("pool", settings.pool),
        sizes=own | dict(parse_size(text) for text in sizes),
    )


def parse_size(text: str) -> tuple[Role, Size]:
    """ROLE=VCPUS,MEMORY,DISK as in master=4,16GiB,120GiB."""
    role, _, rest = text.partition("=")
    size = read_size(rest)
    if role not in get_args(Role) and size is not None:
        roles = ", ".join(get_args(Role))
        raise ConfigError(f"--size {text}: there is no role {role!r}.\n    fix: name one of {roles}")
    if role not in get_args(Role) or size is None:
        raise ConfigError(f"--size {text}: cannot be read.\n    fix: write it as master={SIZE_EXAMPLE}")
    return cast(Role, role), _own(cast(Role, role), size, "--size")


def _own(role: Role, size: MachineSize, where: str) -> Size:
    why = because(f"Your own size for a {role}, from {where}.", source=where)
    return Size(vcpus=size.vcpus, memory=size.memory, disk=size.disk, why=why)


def check_bridge(name: str) -> None:
    if name and not is_interface(name):
        raise ConfigError(
            f"--bridge {name}: is not a name of an interface.\n    fix: name a bridge of the host, for example br0"
        )


def check_connect(uri: str) -> None:
    if not is_connection(uri):
        fix = f"write {LOCAL} or qemu+ssh://root@host/system"
        raise ConfigError(f"--connect {uri}: is not an address of a libvirt.\n    fix: {fix}")
