"""What has to be done on the machines themselves. The lab has its own way, SSH with libvirt another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, Protocol

from hardway.model.cluster import Cluster
from hardway.model.errors import ToolError
from hardway.tools.run import Done

Files = Mapping[str, tuple[int, bytes]]
"""By absolute path: mode and content."""


Backend = Literal["out", "down", "up"]
"""Out of service (or unknown); in service and found unwell; in service and well."""

Asked = Literal["on", "off", "out"]
"""Of a person: switch the machine on; switch it off; take it out of the load balancer."""


class ByHand(ToolError):
    """A person has to do it: no program here can. It is said once, and what was done is seen from outside."""

    def __init__(self, what: Asked, message: str) -> None:
        super().__init__(message)
        self.what = what


class Machines(Protocol):
    """Nodes go by their planned names. Everything may be asked twice: what is so already is left alone.

    Whoever cannot do what was asked raises ToolError; it is shown, and tried again in the next turn. What a person has
    to do raises ByHand; no time limit runs until it is done.
    """

    def put_files(self, node: str, files: Files) -> None:
        """Root's own, folders made as needed (0700), each file complete or not there at all."""

    def run(self, node: str, argv: Sequence[str]) -> Done:
        """A program on the node, as root; its exit code is the caller's business."""

    def start(self, node: str) -> None:
        """Switch the machine on."""

    def stop(self, node: str) -> None:
        """Switch the machine off: asked to, then made to."""

    def running(self, node: str) -> bool:
        """Whether the machine is on."""

    def keeps_data(self, node: str) -> bool:
        """Whether the node's disk has data of etcd; the machine may be off."""

    def remember(self, milestones: Iterable[str]) -> None:
        """These milestones are reached."""

    def remembered(self) -> frozenset[str]:
        """Every milestone that was reached once, also by an earlier run."""

    def drop_backend(self, node: str) -> None:
        """The load balancer sends no new connection to the node; those it has stay."""

    def balancer(self, node: str) -> Backend:
        """What the load balancer makes of the node's API server."""


def demand_one_store(cluster: Cluster, machines: Machines, node: str, fix: str) -> None:
    """A bootstrap node without data beside masters that have some would begin a second cluster over them."""
    holders = [n.name for n in cluster.masters if machines.keeps_data(n.name)]
    if node == cluster.bootstrap.name and holders and not machines.keeps_data(node):
        raise ToolError(
            f"{node}: has no data of etcd, and {', '.join(holders)} has some: to start it would begin another "
            f"cluster.\n    fix: {fix}"
        )
