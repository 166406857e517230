"""The lab's machines: what drive asks of one, done to a booted node of this machine."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from stat import S_ISDIR

from hardway.drive import record
from hardway.drive.machines import Backend, Files, demand_one_store
from hardway.io import rooted
from hardway.lab import node as nodes
from hardway.lab.paths import LabPaths
from hardway.lab.services import admin_socket
from hardway.labrelease.materials import Materials
from hardway.model.cluster import Cluster
from hardway.model.errors import ToolError
from hardway.places.own.balancer import Socket
from hardway.tools.run import Done


@dataclass(frozen=True, slots=True, kw_only=True)
class LabMachines:
    paths: LabPaths
    cluster: Cluster
    assets: Path
    materials: Materials

    def put_files(self, node: str, files: Files) -> None:
        """The node writes to its root as well: its links are its own, and lead nowhere else."""
        for path, (mode, content) in files.items():
            try:
                rooted.write(self.paths.node(node) / "root", path, content, mode)
            except OSError as error:
                raise ToolError(
                    f"{node}: {path}: {error.strerror}.\n    fix: look at it with `hardway lab shell {node}`"
                ) from None

    def run(self, node: str, argv: Sequence[str]) -> Done:
        return nodes.enter(self.paths, node, list(argv))

    def start(self, node: str) -> None:
        fix = "start the masters with `hardway lab start --all`; or remove the lab with `hardway lab down`"
        demand_one_store(self.cluster, self, node, fix)
        row = next(n for n in self.cluster.nodes if n.name == node)
        nodes.lay_out(self.paths, self.cluster, row, self.assets / f"{node}.ign", self.materials)
        nodes.start(self.paths, node)

    def stop(self, node: str) -> None:
        nodes.stop(self.paths, node)

    def running(self, node: str) -> bool:
        return nodes.leader(self.paths, node) is not None

    def keeps_data(self, node: str) -> bool:
        try:
            return S_ISDIR(os.lstat(self.paths.node(node) / "etcd" / "member").st_mode)
        except OSError:
            return False

    def remember(self, milestones: Iterable[str]) -> None:
        record.add(self.paths.folder, milestones)

    def remembered(self) -> frozenset[str]:
        return record.reached(self.paths.folder)

    def drop_backend(self, node: str) -> None:
        Socket(admin_socket(self.paths)).drop(node)

    def balancer(self, node: str) -> Backend:
        try:
            return Socket(admin_socket(self.paths)).state(node)
        except ToolError:
            return "down"
