"""Machines outside the lab: what drive asks of one, done over ssh; switched by whoever has the switch."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from hardway.drive import record
from hardway.drive.machines import Backend, Files, demand_one_store
from hardway.drive.ssh import Ssh, Unreachable
from hardway.io import atomic, links
from hardway.model.cluster import Cluster
from hardway.model.errors import ToolError
from hardway.places.own.balancer import Balancer
from hardway.places.own.outside import answers
from hardway.places.power.way import Power
from hardway.staticpods.apiserver.serving import PORT
from hardway.staticpods.paths import ETCD_DATA
from hardway.tools.run import Done

STORED = "stored.json"  # nodes whose disk had data of etcd when they were last asked
KUBELET = 10250


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnMachines:
    cluster: Cluster
    ssh: Ssh
    kept: Path  # the folder of the record
    balance: Balancer
    power: Power
    on: dict[str, bool] = field(default_factory=dict)  # as seen last
    troubles: dict[str, str] = field(default_factory=dict)  # why a machine that is on could not be used
    used: set[str] = field(default_factory=set)  # over ssh, by this command: one of them that is gone reboots

    def put_files(self, node: str, files: Files) -> None:
        self.ssh.put_files(node, files)

    def run(self, node: str, argv: Sequence[str]) -> Done:
        try:
            done = self.ssh.run(node, argv)
        except Unreachable as error:
            self.used.update([node] if error.lost else [])
            self.troubles[node] = self.ssh.lost(node) if error.away and node in self.used else str(error)
            raise
        except ToolError as error:
            self.troubles[node] = str(error)
            raise
        self.used.add(node)
        self.troubles.pop(node, None)
        return done

    def start(self, node: str) -> None:
        demand_one_store(self.cluster, self, node, "switch the masters on; or install all nodes again")
        self.power.on(node)

    def stop(self, node: str) -> None:
        self.power.off(node)

    def running(self, node: str) -> bool:
        """On is what answers: a machine that still boots has nothing that could be asked."""
        self.on[node] = answers(self.ssh.node(node).address, (self.ssh.port, PORT, KUBELET))
        if not self.on[node]:
            self.troubles.pop(node, None)
        return self.on[node]

    def keeps_data(self, node: str) -> bool:
        """A machine that is off has what it had when it was last asked."""
        before = self._stored()
        if not (self.on[node] if node in self.on else self.running(node)):
            return node in before
        try:
            there = self.run(node, ["test", "-d", f"{ETCD_DATA}/member"]).ok
        except ToolError:
            return node in before
        now = before | {node} if there else before - {node}
        if now != before and self.kept.is_dir():
            atomic.write(self.kept / STORED, f"{json.dumps(sorted(now))}\n".encode(), atomic.PUBLIC)
        return there

    def _stored(self) -> frozenset[str]:
        try:
            found = json.loads(links.read(self.kept / STORED))
        except (FileNotFoundError, ValueError):
            return frozenset()
        return frozenset(n.name for n in self.cluster.nodes if isinstance(found, list) and n.name in found)

    def remember(self, milestones: Iterable[str]) -> None:
        record.add(self.kept, milestones)

    def remembered(self) -> frozenset[str]:
        return record.reached(self.kept)

    def drop_backend(self, node: str) -> None:
        self.balance.drop(node)

    def balancer(self, node: str) -> Backend:
        try:
            return self.balance.state(node)
        except ToolError as error:
            self.troubles["load balancer"] = str(error)
            return "down"
