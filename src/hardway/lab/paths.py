"""A lab's identity: its name, its folder, and the names of everything it makes on the machine."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from hardway.model.errors import ConfigError

NAME = re.compile(r"[a-z0-9]([a-z0-9-]{0,18}[a-z0-9])?")
LINK_SIZE = 15  # the kernel's limit for the name of a network interface
MACHINE_SIZE = 64  # systemd's limit for the name of a machine
BALANCER = "lb"
"""The namespace of the load balancer, the names and the registry; no node of a plan can be called like this."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabPaths:
    name: str
    folder: Path  # everything of the lab that is a file
    cluster: Path | None = None  # the folder of the cluster that it is a lab of; None: whoever names the lab may

    @property
    def link(self) -> str:
        """The only network interface that the lab adds to the machine itself."""
        return _fit(f"hw-{self.name}", LINK_SIZE)

    @property
    def mark(self) -> str:
        """Written on that interface: whose it is. One name, one lab, wherever its folder is."""
        return f"hardway lab {self.name} in {self.folder}"

    @property
    def prefix(self) -> str:
        """How the names of the lab's namespaces begin; a lab's name has no dot, so no other lab's begin like this."""
        return f"hardway.{self.name}."

    def namespace(self, what: str) -> str:
        return f"{self.prefix}{what}"

    def machine(self, node: str) -> str:
        """What systemd-nspawn knows the node as: as unique as the namespace."""
        return _fit(self.namespace(node), MACHINE_SIZE)

    @property
    def services(self) -> Path:
        """Configuration and logs of what is not a node."""
        return self.folder / BALANCER

    @property
    def nodes(self) -> Path:
        return self.folder / "nodes"

    def node(self, name: str) -> Path:
        return self.nodes / name

    def laid_out(self) -> tuple[str, ...]:
        """The nodes that have a root, whether they run or not."""
        return tuple(sorted(p.name for p in self.nodes.iterdir())) if self.nodes.is_dir() else ()


def lab_paths(name: str, folder: Path | None = None, *, cluster: Path | None = None) -> LabPaths:
    """The lab of that name, in its usual place unless told otherwise. Nothing is made yet."""
    if not NAME.fullmatch(name):
        raise ConfigError(
            f"{name!r} cannot be a lab's name.\n"
            "    fix: use up to 20 lower-case letters, digits and dashes, such as demo or lab-2"
        )
    place = (folder or labs() / name).absolute()
    if re.search(r"[\s:,\\]", str(place)):
        raise ConfigError(
            f"{place}: spaces, colons, commas and backslashes are not allowed, because the path is part of mount "
            "options.\n"
            "    fix: name another folder"
        )
    return LabPaths(name=name, folder=place, cluster=cluster.resolve() if cluster else None)


def labs() -> Path:
    """Where labs are: root's own state, or below XDG_STATE_HOME if that is set."""
    state = os.environ.get("XDG_STATE_HOME")
    return Path(state) / "hardway" / "labs" if state else Path("/var/lib/hardway/labs")


def _fit(text: str, size: int) -> str:
    """The text itself if it is short enough; else its beginning and a digest of it."""
    if len(text) <= size:
        return text
    return f"{text[: size - 7].rstrip('-.')}-{sha256(text.encode()).hexdigest()[:6]}"
