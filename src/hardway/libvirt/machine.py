"""A machine in libvirt."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element, SubElement

from hardway.libvirt.choices import Choices
from hardway.libvirt.identity import Identity, mark
from hardway.libvirt.storage import CONSOLE, DISK, folder
from hardway.model.cluster import Cluster, Node
from hardway.model.errors import ConfigError

NIC = "enp1s0"
"""What the kernel's first card is called behind the PCI address below: bus 1, slot 0."""

DRIVE = "sdb"
"""The CD-ROM's place on the SATA bus: the one after the disk's."""

_PCI = {"type": "pci", "domain": "0x0000", "bus": "0x01", "slot": "0x00", "function": "0x0"}
_BUSES = {"vd": "virtio", "sd": "sata"}


def domain_xml(cluster: Cluster, node: Node, identity: Identity, choices: Choices) -> Element:
    size = choices.size(cluster, node.role)
    root = Element("domain", type="kvm" if choices.accelerator == "kvm" else "qemu")
    SubElement(root, "name").text = identity.machine(node)
    SubElement(root, "uuid").text = identity.uuid(f"machine/{node.name}")
    mark(root, identity, node=node.name)
    for name in ("memory", "currentMemory"):
        SubElement(root, name, unit="KiB").text = str(size.memory << 10)
    SubElement(root, "vcpu").text = str(size.vcpus)
    _system(root, choices)
    _devices(SubElement(root, "devices"), node, identity, choices)
    return root


def _system(root: Element, choices: Choices) -> None:
    system = SubElement(root, "os", {"firmware": "efi"} if choices.firmware == "uefi" else {})
    SubElement(system, "type", arch="x86_64", machine="q35").text = "hvm"
    if choices.firmware == "uefi":
        SubElement(SubElement(system, "firmware"), "feature", enabled="no", name="secure-boot")
    features = SubElement(root, "features")
    for name in ("acpi", "apic"):
        SubElement(features, name)
    SubElement(root, "cpu", mode="host-passthrough" if choices.accelerator == "kvm" else "maximum")
    SubElement(root, "clock", offset="utc")


def _devices(devices: Element, node: Node, identity: Identity, choices: Choices) -> None:
    _disk(devices, node, identity)
    drive = SubElement(devices, "disk", type="file", device="cdrom")
    SubElement(drive, "target", dev=DRIVE, bus="sata")
    SubElement(drive, "readonly")
    SubElement(drive, "boot", order="2")
    card = SubElement(devices, "interface", type="network")
    SubElement(card, "mac", address=node.mac)
    SubElement(card, "source", network=identity.infra_id)
    SubElement(card, "model", type="virtio")
    SubElement(card, "address", _PCI)
    serial = SubElement(devices, "serial", type="pty")
    SubElement(serial, "log", file=f"{folder(identity, choices)}/{node.name}{CONSOLE}", append="on")
    SubElement(SubElement(devices, "rng", model="virtio"), "backend", model="builtin")


def _disk(devices: Element, node: Node, identity: Identity) -> None:
    name = disk_name(node)
    disk = SubElement(devices, "disk", type="volume", device="disk")
    SubElement(disk, "driver", name="qemu", type="qcow2", cache="none", discard="unmap")
    SubElement(disk, "source", pool=identity.infra_id, volume=node.name + DISK)
    SubElement(disk, "target", dev=name, bus=_BUSES[name[:2]])
    SubElement(disk, "boot", order="1")


def disk_name(node: Node) -> str:
    """The plan's disk as libvirt names it; a virtual machine has one disk, and it is the first."""
    if not re.fullmatch(r"/dev/(vda|sda)", node.disk):
        raise ConfigError(
            f"hosts.yaml: {node.name}: a machine in libvirt has no disk {node.disk}.\n"
            "    fix: write /dev/vda (virtio) or /dev/sda (SATA), or leave it out"
        )
    return node.disk.removeprefix("/dev/")
