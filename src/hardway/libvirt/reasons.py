"""Why each part of the XML is there, by the path of its fact; a row covers everything below its path."""

from __future__ import annotations

from hardway.model.why import Why, because
from hardway.network.dns.records import BY_NAME

LIBVIRT = "libvirt.org: network, storage and domain XML formats"
_NAME = because("The infrastructure name of stage 03: unique on the host, and readable.", source=LIBVIRT)
_UUID = because(
    "Derived from the cluster's id: the same in every run, and different for every cluster.",
    breaks="libvirt treats a second definition as another object of the same name",
    source=LIBVIRT,
)
_MARK = because(
    "Marks it as this cluster's, so that `infra down` removes it and nothing else.",
    readers="hardway infra",
    breaks="it would count as another cluster's and never be removed",
    source=LIBVIRT,
)

NETWORK: dict[str, Why] = {
    "name": _NAME,
    "uuid": _UUID,
    "metadata": _MARK,
    "metadata/cluster/vip": because(
        "An address that was put on an existing bridge for the load balancer, so that exactly this one is removed "
        "again."
    ),
    "metadata/cluster/rule": because(
        "A rule that opened a port of the load balancer in the host's firewall, so that exactly this one is removed "
        "again.",
        breaks="the machines cannot reach the API through the load balancer (F26)",
    ),
    "metadata/cluster/gone": because(
        "A bootstrap machine that was removed after the pivot: `infra up` creates it again only if it is named.",
        breaks="a second bootstrap machine would start a control plane beside the cluster's",
    ),
    "forward": because(
        "NAT out of the host, so the machines reach registries and nothing outside sees them; on an existing "
        "bridge the machines are on its network themselves.",
        breaks="no image can be pulled",
    ),
    "bridge": because("The interface of the network, with the gateway and the load balancer's addresses."),
    "domain": because(
        "dnsmasq alone answers for the cluster's domain: a name that is not in the plan does not exist.",
        breaks="a catch-all of an upstream server makes odd names resolve (F34)",
    ),
    "dns": because("The records of the plan; the first name of an address is its reverse record (F15)."),
    "dns/srv": BY_NAME["etcd"].why,
    "ip": because(
        "The gateway with DHCP for the live system, and the load balancer's addresses: libvirt puts them on the "
        "bridge, again after a reboot of the host, and takes them away with it.",
        breaks="the live system has no network, or nothing listens at api and *.apps",
    ),
    "ip/dhcp": because(
        "One lease for each machine, by its MAC and at its planned address; other machines get none.",
        readers="the live ISO; the installed system has its address from Ignition",
        breaks="the live ISO cannot fetch its image, or takes another machine's address",
    ),
    "options": because(
        "*.apps as a real wildcard. The domain is also declared local: without that dnsmasq answers a question for "
        "the other address family with NXDOMAIN instead of nothing, and some resolvers then give up (F33).",
        breaks="routes do not resolve, and authentication and console never come up",
    ),
}
POOL: dict[str, Why] = {
    "@type": because("A folder of the host: images, boot ISOs and console logs are files in one place."),
    "name": _NAME,
    "uuid": _UUID,
    "target": because(
        "QEMU runs as a user of its own and cannot read home directories; it may pass through this folder, and "
        "only root may list it.",
        breaks="the machine does not start: permission denied",
    ),
}
MACHINE: dict[str, Why] = {
    "@type": because(
        "Hardware virtualization; emulation only when it was asked for.", breaks="far too slow for an installation"
    ),
    "name": _NAME,
    "uuid": _UUID,
    "metadata": _MARK,
    "memory": because("The role's size.", breaks="out of memory, or the live system does not fit (F38, F40)"),
    "currentMemory": because("All of it from the start: nothing in the machine asks for more later."),
    "vcpu": because("The role's size.", breaks="pods are not admitted (F38)"),
    "os": because(
        "q35, a PCI Express machine, so that the card has the same name everywhere; the firmware you chose, "
        "without secure boot.",
        breaks="a network profile by name would match no card (F16)",
    ),
    "features": because("ACPI to shut down in order, APIC for more than one processor."),
    "cpu": because(
        "The host's own processor: RHCOS needs x86-64-v2, which QEMU's default model does not have.",
        breaks="Fatal glibc error: CPU does not support x86-64-v2 (F39)",
    ),
    "clock": because("RHCOS reads the hardware clock as UTC.", breaks="certificates are not yet valid (F02)"),
    "devices/disk": because(
        "The disk to install to, first in the boot order: empty on the first boot, so the CD-ROM comes next. No "
        "cache of the host between etcd and the disk; what the machine trims is given back.",
        breaks="the live ISO boots again and again, or etcd's syncs are slow (F37)",
    ),
    "devices/disk[sdb]": because(
        "The CD-ROM for the live ISO, empty until the installation; second in the boot order."
    ),
    "devices/interface": because(
        "The MAC of the plan, which the machine's network profile and its DHCP lease match; the PCI address makes "
        "its name enp1s0.",
        breaks="the profile matches no card and the machine has no network (F16)",
    ),
    "devices/serial": because(
        "The console, also as a file in the pool: Ignition's errors appear only there.",
        readers="you, with `virsh console`; the program that watches the installation",
    ),
    "devices/rng": because("Entropy from the host.", breaks="the first boot waits for randomness"),
}
TABLES = {"network": NETWORK, "pool": POOL, "machine": MACHINE}


def reason(kind: str, path: str) -> Why | None:
    """The row with the longest path that covers a fact; a key in brackets may be left out in a row."""
    plain = "/".join(part.partition("[")[0] for part in _steps(path))
    rows = [(len(p), why) for p, why in TABLES[kind].items() if _covers(p, path) or _covers(p, plain)]
    return max(rows, key=lambda row: row[0])[1] if rows else None


def _covers(row: str, path: str) -> bool:
    return path == row or path.startswith((row + "/", row + "["))


def _steps(path: str) -> list[str]:
    """Split at slashes, but not at those of a key."""
    steps, depth = [""], 0
    for character in path:
        depth += {"[": 1, "]": -1}.get(character, 0)
        if character == "/" and not depth:
            steps.append("")
        else:
            steps[-1] += character
    return steps
