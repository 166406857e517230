"""A person is told what to switch, and what was done is seen from outside."""

from __future__ import annotations

from dataclasses import dataclass

from hardway.drive.machines import ByHand
from hardway.model.cluster import Cluster
from hardway.places.power.way import State


@dataclass(frozen=True, slots=True)
class Person:
    cluster: Cluster

    def on(self, node: str) -> None:
        raise ByHand("on", f"switch {self._named(node)} on; it starts from its disk, or from its medium of stage 09")

    def off(self, node: str, *, cut: bool = False) -> None:
        if cut:
            raise ByHand("off", f"cut the power of {self._named(node)}")
        raise ByHand("off", f"switch {self._named(node)} off, such as by `hardway exec {node} -- systemctl poweroff`")

    def state(self, node: str) -> State:
        return ""

    def _named(self, node: str) -> str:
        row = next(n for n in self.cluster.nodes if n.name == node)
        return f"{node} ({row.address}, MAC {row.mac})"
