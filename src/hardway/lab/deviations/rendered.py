"""Where bootkube's stages on a lab's bootstrap node differ from bootkube.sh's: rows of the table in node_deviations."""

from __future__ import annotations

from hardway.lab.deviations.row import Deviation, Given

WHERE = "the bootstrap node, on the road rendered"


def _here(given: Given) -> bool:
    return given.cluster.road == "rendered" and given.node.role == "bootstrap"


TABLE: tuple[Deviation, ...] = (
    Deviation(
        name="podman",
        what="Images that bootkube.sh runs with podman run beside the node: on its network, under its name, with its "
        "own /opt/openshift as /assets.",
        why="A lab node has CRI-O and no podman; the kubelet runs pods, and a script cannot wait for a pod.",
        where=WHERE,
        applies=_here,
    ),
    Deviation(
        name="cluster-bootstrap",
        what="Secrets and pods are copied from outside; bootkube.service, the hand-made road's, creates the manifests "
        "and waits for the masters.",
        why="cluster-bootstrap is not published as a Go module. The result is the same: all pods at once, objects "
        "created and never changed, a status where there is none.",
        where=WHERE,
        applies=_here,
    ),
    Deviation(
        name="controllers",
        what="controller-manager and scheduler run from our own pods and kubeconfigs, without a policy controller.",
        why="The operators that would render them are not published as Go modules.",
        where=WHERE,
        applies=_here,
    ),
)
