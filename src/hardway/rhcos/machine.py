"""One machine in libvirt, as the installation sees it: its disk, its drive, its switch and its console."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from xml.etree.ElementTree import Element, SubElement

from hardway.libvirt.facts import parse, text_of
from hardway.libvirt.fleet import Fleet
from hardway.libvirt.machine import DRIVE
from hardway.libvirt.storage import CONSOLE, DISK, IMAGE, volume_xml
from hardway.model.cluster import Node
from hardway.model.errors import ToolError
from hardway.tools.virsh import Virsh

EMPTY = 1 << 20
"""A disk that takes up less has nothing on it but its own tables."""

UPLOAD_SECONDS = 3600
STDIN = "/dev/stdin"


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    node: Node
    name: str
    pool: str
    virsh: Virsh

    def state(self) -> str:
        done = self.virsh.asked("domstate", self.name)
        if not done.ok:
            raise ToolError(
                f"{self.node.name} is not in libvirt ({self.name}).\n"
                "    fix: make it with `hardway infra up`; for a machine of your own, give --prepare and boot its ISO"
            )
        return done.output.strip()

    def is_empty(self) -> bool:
        """Whether its disk has never been written to."""
        return int(self._volume(self.node.name + DISK).findtext("allocation") or 0) < EMPTY

    def wipe(self) -> None:
        """Switch it off, and give it an empty disk of the same size."""
        if self.state() != "shut off":
            self.virsh("destroy", self.name)
        name = self.node.name + DISK
        size = int(self._volume(name).findtext("capacity") or 0)
        self.virsh("vol-delete", name, "--pool", self.pool)
        document = text_of(volume_xml(self.node.name, size >> 30))
        self.virsh("vol-create", self.pool, STDIN, document=document)

    def insert(self, medium: Path) -> None:
        """Into the pool, because QEMU may read nothing else, and from there into the drive."""
        self.eject()
        name = self.node.name + IMAGE
        self.virsh("vol-create", self.pool, STDIN, document=_secret_file(name, medium.stat().st_size))
        self.virsh("vol-upload", name, str(medium), "--pool", self.pool, seconds=UPLOAD_SECONDS)
        path = self.virsh("vol-path", name, "--pool", self.pool).strip()
        self.virsh("change-media", self.name, DRIVE, path, "--update", "--config")

    def eject(self) -> None:
        """The medium holds keys: it leaves the drive and the pool."""
        live = ("--live",) if self.state() != "shut off" else ()
        self.virsh.attempt("change-media", self.name, DRIVE, "--eject", "--force", "--config", *live)
        self.virsh("pool-refresh", self.pool)
        name = self.node.name + IMAGE
        if name in self.virsh.volumes(self.pool):
            self.virsh("vol-delete", name, "--pool", self.pool)

    def start(self) -> None:
        self.virsh("start", self.name)

    def console_size(self) -> int:
        """How much is in the log now. One that was just made is seen once the pool has been looked through."""
        name = self.node.name + CONSOLE
        done = self.virsh.attempt("vol-dumpxml", name, "--pool", self.pool)
        if not done.ok:
            self.virsh("pool-refresh", self.pool)
            done = self.virsh.attempt("vol-dumpxml", name, "--pool", self.pool)
        return int(parse(done.output).findtext("capacity") or 0) if done.ok else 0

    def console(self, start: int) -> bytes:
        name = self.node.name + CONSOLE
        with TemporaryDirectory(prefix="hardway-console-") as folder:
            target = Path(folder) / "console"
            self.virsh("vol-download", name, str(target), "--pool", self.pool, "--offset", str(start))
            return target.read_bytes()

    def _volume(self, name: str) -> Element:
        return parse(self.virsh("vol-dumpxml", name, "--pool", self.pool))


def machine_of(fleet: Fleet, node: Node) -> Machine:
    session = next(s for s in fleet.sessions if node in s.here)
    return Machine(node=node, name=session.identity.machine(node), pool=session.target.pool, virsh=session.target.virsh)


def _secret_file(name: str, size: int) -> str:
    root = Element("volume")
    SubElement(root, "name").text = name
    SubElement(root, "capacity", unit="bytes").text = str(size)
    target = SubElement(root, "target")
    SubElement(target, "format", type="raw")
    SubElement(SubElement(target, "permissions"), "mode").text = "0600"
    return text_of(root)
