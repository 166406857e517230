"""What a user decides about the machines that install-config.yaml has no word for, and the size of each role."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from hardway.model.cluster import Cluster, Role
from hardway.model.errors import ConfigError
from hardway.model.why import Why, because

Firmware = Literal["uefi", "bios"]
Accelerator = Literal["kvm", "tcg"]
POOLS = "/var/lib/libvirt/images"
DOCS = "openshift/openshift-docs: minimum resource requirements for user-provisioned clusters"


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    vcpus: int
    memory: int  # MiB
    disk: int  # GiB, allocated as it is written
    why: Why


SIZES: Mapping[Role, Size] = {
    "bootstrap": Size(
        vcpus=4,
        memory=16384,
        disk=120,
        why=because(
            "Runs a whole temporary control plane, and goes away after the pivot.",
            breaks="etcd and the API server starve each other and bootkube never finishes (F38)",
            source=DOCS,
        ),
    ),
    "master": Size(
        vcpus=4,
        memory=16384,
        disk=120,
        why=because(
            "etcd, the API and every operator; 8 GiB ends with pods that are not admitted.",
            breaks="out of memory, or revisions of the control plane that never finish (F38)",
            source=DOCS,
        ),
    ),
    "worker": Size(
        vcpus=2,
        memory=8192,
        disk=120,
        why=because(
            "Routers, monitoring and the registry, before any workload of yours.",
            breaks="routers stay pending and no route works (F38)",
            source=DOCS,
        ),
    ),
}
SINGLE = Size(
    vcpus=8,
    memory=32768,
    disk=120,
    why=because(
        "The only node carries the control plane, the routers and the workloads.",
        breaks="pods are not admitted for lack of CPU, and operators stay degraded (F38)",
        source="openshift/openshift-docs: requirements for installing on a single node",
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    firmware: Firmware = "uefi"
    accelerator: Accelerator = "kvm"
    bridge: str = ""  # an existing bridge of the host; empty: a NAT network of the cluster's own
    vips: bool = True  # the load balancer is on this host
    pool: str = ""  # folder of the storage pool
    sizes: Mapping[Role, Size] = field(default_factory=dict)

    def size(self, cluster: Cluster, role: Role) -> Size:
        single = role == "master" and len(cluster.nodes) == 2
        return self.sizes.get(role) or (SINGLE if single else SIZES[role])


def parse_size(text: str) -> tuple[Role, Size]:
    """ROLE=VCPUS,MEMORY,DISK as in master=4,16GiB,120GiB."""
    found = re.fullmatch(r"(bootstrap|master|worker)=([1-9]\d{0,2}),([1-9]\d*)(MiB|GiB),([1-9]\d{0,5})GiB", text)
    if not found:
        raise ConfigError(f"--size {text}: cannot be read.\n    fix: write it as master=4,16GiB,120GiB")
    role: Role = found[1]  # type: ignore[assignment]
    memory = int(found[3]) * (1024 if found[4] == "GiB" else 1)
    why = because(f"Your own size for a {role}, from --size.", source="the command line")
    return role, Size(vcpus=int(found[2]), memory=memory, disk=int(found[5]), why=why)


def check_bridge(name: str) -> str:
    if name and not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,14}", name):
        raise ConfigError(f"--bridge {name}: is no name of an interface.\n    fix: name a bridge of the host, as br0")
    return name
