"""Stage 17: it works, seen from outside. One row a check; all run, whatever the others find."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from hardway.checks.live import nodes, signers, store, work
from hardway.checks.live.given import Given
from hardway.lines.sources import source
from hardway.model.check import Check, Flaw, Report, run
from hardway.model.why import because

SOURCE = "the plan; " + source("installer", "docs/user/metal/install_upi.md")


def _row(
    name: str, run: Callable[[Given], Iterable[Flaw]], what: str, breaks: str, *, fix: str, failure: str = ""
) -> Check[Given]:
    why = because(what, readers="anyone who uses the cluster", breaks=breaks, source=SOURCE)
    return Check(name=f"final.{name}", stage="17", run=run, fix=fix, failure=failure, why=why)


TABLE: tuple[Check[Given], ...] = (
    _row(
        "nodes",
        nodes.nodes,
        "Every planned node has joined and is Ready, and no other node.",
        "workloads find less capacity than planned, or a node that nobody planned",
        fix="look at the node's kubelet: journalctl -u kubelet; remove an unplanned node: kubectl delete node",
        failure="F27",
    ),
    _row(
        "members",
        store.members,
        "etcd has one healthy voter on each master, one leader, and no other member.",
        "the cluster may not survive the next failure of a machine",
        fix="look at the etcd pod of that master, and run the drive again",
        failure="F31",
    ),
    _row(
        "written",
        store.written,
        "An object that the API server stores is in every etcd member, byte for byte, under OpenShift's prefix.",
        "the API acknowledges writes that only one machine has",
        fix="compare the members' status: a member that lags has a slow disk",
        failure="F37",
    ),
    _row(
        "certificates",
        nodes.certificates,
        "The certificates that API servers, etcd and kubelets serve are valid, and do not expire soon.",
        "everything stops when the first one expires",
        fix="`hardway status` names the ends; `hardway build --rotate expired` renews",
        failure="F01",
    ),
    _row(
        "signers",
        signers.survived,
        "The cluster signs with the signers that were made here, and its bundles trust them.",
        "nodes, kubeconfigs and members that trust ours are refused one by one, as certificates are renewed",
        fix="`hardway verify 07` checks the annotations, without which a signer is replaced; then start a new cluster",
        failure="F30",
    ),
    _row(
        "names",
        nodes.names,
        "Every node resolves api, api-int and *.apps to the load balancer.",
        "what works from one machine fails from another",
        fix="`hardway infra status`, and the name servers in the node's resolv.conf",
        failure="F03",
    ),
    _row(
        "apis",
        nodes.apis,
        "The endpoints of the API's own Service are the masters, all of them and no others.",
        "pods that use it sometimes reach a machine that is gone",
        fix="look at the kube-apiserver pod of the master that is missing",
        failure="F32",
    ),
    _row(
        "service",
        work.service,
        "A Deployment runs, its pods reach each other, and every node reaches it through the ClusterIP.",
        "pods run, and nothing reaches them",
        fix="look at kube-proxy on the node that cannot reach it, and at the route between the two nodes",
        failure="F32",
    ),
    _row(
        "logs",
        work.logs,
        "The API server can read a pod's log from a kubelet and run a program in the pod.",
        "nobody can inspect a pod that does not work",
        fix="approve the node's request for a serving certificate",
        failure="F28",
    ),
)


def verify(given: Given) -> Report:
    """Everything that was made for it is deleted at the end."""
    try:
        return run(TABLE, given)
    finally:
        work.clean(given)
