"""Switches machines on or off. What a person has to do is told, and waited for until it is seen from outside."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from hardway.drive.decide import BOOTSTRAP_LEFT
from hardway.drive.machines import ByHand
from hardway.places.own.cluster import OwnCluster

PAUSE = 1.0


def switch(own: OwnCluster, nodes: Sequence[str], *, on: bool, ask: Callable[[str], None], cut: bool = False) -> None:
    """Those that are not so already."""
    asked = []
    for node in nodes:
        try:
            if on and not _is_on(own, node):
                own.machines.start(node)
            elif not on and _is_on(own, node):
                own.machines.power.off(node, cut=cut)
        except ByHand as task:
            ask(str(task))
            asked.append(node)
    while asked := [node for node in asked if own.machines.running(node) != on]:
        time.sleep(PAUSE)


def wanted(own: OwnCluster) -> list[str]:
    """Every node that should be on: a bootstrap node whose member has left etcd stays off."""
    left = BOOTSTRAP_LEFT in own.machines.remembered()
    return [n.name for n in own.live.cluster.nodes if not (left and n.role == "bootstrap")]


def _is_on(own: OwnCluster, node: str) -> bool:
    """As its switch says; where nobody can see the switch, as its ports do."""
    return (own.machines.power.state(node) or ("on" if own.machines.running(node) else "off")) == "on"
