"""Switches on what is off: every node that has a root, and no node whose time is over."""

from __future__ import annotations

from collections.abc import Iterator

from hardway.drive import record
from hardway.drive.decide import BOOTSTRAP_LEFT
from hardway.lab.paths import LabPaths
from hardway.lab.prepared import Prepared
from hardway.model.cluster import Cluster, Node


def wanted(paths: LabPaths, cluster: Cluster) -> tuple[Node, ...]:
    """Laid out, and still of use: a bootstrap node whose member has left the store stays off."""
    there = paths.laid_out()
    left = BOOTSTRAP_LEFT in record.reached(paths.folder)
    return tuple(n for n in cluster.nodes if n.name in there and not (left and n.role == "bootstrap"))


def start_all(prepared: Prepared) -> Iterator[str]:
    """The names of those that were started, one after the other."""
    for node in wanted(prepared.paths, prepared.cluster):
        if not prepared.machines.running(node.name):
            prepared.machines.start(node.name)
            yield node.name
