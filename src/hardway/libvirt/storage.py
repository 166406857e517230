"""The storage pool, one folder a cluster, and the machines' disks in it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from xml.etree.ElementTree import Element, SubElement

from hardway.libvirt.choices import POOLS, Choices
from hardway.libvirt.identity import Identity

DISK, IMAGE, CONSOLE = ".qcow2", ".iso", "-console.log"


def folder(identity: Identity, choices: Choices) -> str:
    return choices.pool or f"{POOLS}/{identity.infra_id}"


def pool_xml(identity: Identity, choices: Choices) -> Element:
    """libvirt keeps no metadata with a pool: its mark is the UUID, which only the cluster's own id leads to."""
    root = Element("pool", type="dir")
    SubElement(root, "name").text = identity.infra_id
    SubElement(root, "uuid").text = identity.uuid("pool")
    target = SubElement(root, "target")
    SubElement(target, "path").text = folder(identity, choices)
    SubElement(SubElement(target, "permissions"), "mode").text = "0711"
    return root


def volume_xml(node: str, gibibytes: int) -> Element:
    root = Element("volume")
    SubElement(root, "name").text = node + DISK
    SubElement(root, "capacity", unit="bytes").text = str(gibibytes << 30)
    SubElement(SubElement(root, "target"), "format", type="qcow2")
    return root


def belongs(file: str, nodes: Iterable[str]) -> bool:
    """A disk, a boot image or a console log of one of these machines; virtlogd numbers the logs that it put away."""
    name = re.sub(rf"({CONSOLE})\.\d+$", r"\1", file)
    return name in {node + end for node in nodes for end in (DISK, IMAGE, CONSOLE)}
