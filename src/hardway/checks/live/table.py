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
    why = because(what, readers="whoever wants to use the cluster", breaks=breaks, source=SOURCE)
    return Check(name=f"final.{name}", stage="17", run=run, fix=fix, failure=failure, why=why)


TABLE: tuple[Check[Given], ...] = (
    _row(
        "nodes",
        nodes.nodes,
        "Every planned node is there and Ready, and no other.",
        "workloads find less room than was planned, or a stranger's",
        fix="look at the node's kubelet: journalctl -u kubelet; a stranger: kubectl delete node",
        failure="F27",
    ),
    _row(
        "members",
        store.members,
        "etcd has one healthy voter a master, one leader, and no one else.",
        "the next failure of a machine may be one too many",
        fix="look at the etcd pod of that master, and run the drive again",
        failure="F31",
    ),
    _row(
        "written",
        store.written,
        "What the API server takes is in every member, byte for byte under OpenShift's prefix.",
        "the API says yes to what one machine alone knows",
        fix="compare the members' status: a member that lags has a slow disk",
        failure="F37",
    ),
    _row(
        "certificates",
        nodes.certificates,
        "What API servers, etcd and kubelets really show is valid, and stays so for a while.",
        "everything stops at once when the first one ends",
        fix="`hardway status` names the ends; `hardway build --rotate expired` renews",
        failure="F01",
    ),
    _row(
        "signers",
        signers.survived,
        "The signers that were made here are those that the cluster signs with, and its bundles still trust them.",
        "nodes, kubeconfigs and members that trust ours are shut out one by one, as their certificates are renewed",
        fix="`hardway verify 07`: without its annotations a signer is replaced; begin again with a new cluster",
        failure="F30",
    ),
    _row(
        "names",
        nodes.names,
        "Every node finds api, api-int and the applications by name, at the load balancer.",
        "what works from one machine fails from another",
        fix="`hardway infra status`, and the name servers in the node's resolv.conf",
        failure="F03",
    ),
    _row(
        "apis",
        nodes.apis,
        "The API's own Service leads to the masters, all of them and nobody else.",
        "pods that use it now and then meet a machine that is gone",
        fix="look at the kube-apiserver pod of the master that is missing",
        failure="F32",
    ),
    _row(
        "service",
        work.service,
        "A Deployment runs on its nodes, its pods reach each other, and every node reaches it through the ClusterIP.",
        "pods run, and nothing reaches them",
        fix="look at kube-proxy on the node that cannot reach it, and at the route between the two nodes",
        failure="F32",
    ),
    _row(
        "logs",
        work.logs,
        "The API server can ask a kubelet for a pod's log and run a program in it.",
        "nobody can look into what does not work",
        fix="approve the node's serving request",
        failure="F28",
    ),
)


def verify(given: Given) -> Report:
    """Everything that was made for it is deleted at the end."""
    try:
        return run(TABLE, given)
    finally:
        work.clean(given)
