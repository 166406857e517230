"""Where bootkube's stages on a lab's bootstrap node differ from those on RHCOS: rows of the table of deviations."""

from __future__ import annotations

from hardway.lab.deviations.row import Deviation, Given, Placed
from hardway.lab.deviations.settings import podman, storage

WHERE = "the bootstrap node, on the road rendered"


def _here(given: Given) -> bool:
    return given.cluster.road == "rendered" and given.node.role == "bootstrap"


TABLE: tuple[Deviation, ...] = (
    Deviation(
        name="podman",
        what="Debian's podman, with its own store and the node's runtime; on RHCOS podman and CRI-O share one store.",
        why="This podman is older than CRI-O and cannot read the store that CRI-O writes.",
        where=WHERE,
        applies=_here,
        files=(
            Placed(path="/etc/containers/containers.conf", make=podman),
            Placed(path="/etc/containers/storage.conf", make=storage),
        ),
    ),
    Deviation(
        name="controllers",
        what="controller-manager and scheduler run from our own pods and kubeconfigs.",
        why="The operators that would render them are not published as Go modules.",
        where=WHERE,
        applies=_here,
    ),
)
