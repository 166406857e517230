"""One check for each kind of object that tells of a failure."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from hardway.checks.cluster import state
from hardway.checks.cluster.objects import Objects
from hardway.lines.sources import source
from hardway.model.check import Check, Flaw, never
from hardway.model.why import because

SOURCE = source("installer", "docs/user/troubleshooting.md")


def _row(
    name: str,
    kind: str,
    run: Callable[[Objects], Iterable[Flaw]],
    what: str,
    *,
    readers: str,
    breaks: str,
    fix: str,
    failure: str = "",
) -> Check[Objects]:
    def missing(seen: Objects) -> str:
        return "" if kind in seen.of else f"{seen.where} has no objects of this kind"

    why = because(what, readers=readers, breaks=breaks, source=SOURCE)
    skip = missing if kind else never
    return Check(name=f"cluster.{name}", stage="17", run=run, fix=fix, failure=failure, why=why, skip=skip)


def _unknown_power(seen: Objects) -> str:
    return "" if seen.off is not None else f"{seen.where} does not tell which machines are on"


TABLE: tuple[Check[Objects], ...] = (
    Check(
        name="cluster.machines",
        stage="17",
        run=state.machines,
        fix="start the machine with `hardway start NODE`",
        skip=_unknown_power,
        why=because(
            "Every machine that the cluster needs at its stage is on.",
            readers="everything that runs on that machine",
            breaks="the API, etcd or workloads lose a part of their machines, or all of them",
            source="the plan",
        ),
    ),
    _row(
        "answers",
        "",
        state.answers,
        "The API answers.",
        readers="every client of the cluster",
        breaks="no object of the cluster can be read or changed",
        fix="check whether an API server is behind the load balancer: `hardway network check`",
    ),
    _row(
        "requests",
        "CertificateSigningRequest",
        state.requests,
        "No kubelet's certificate request has waited for an approval for too long.",
        readers="the node that asks, and anyone who reads its pods' logs",
        breaks="the node does not join, or has no serving certificate",
        fix="approve the requests that agree with the plan: `hardway approve`",
    ),
    _row(
        "nodes",
        "Node",
        state.nodes,
        "Every node that has joined is Ready.",
        readers="the scheduler, and every pod of that node",
        breaks="no new pod runs on the node, and its pods move away",
        fix="read the node's conditions with `oc describe node NAME`, and its kubelet's journal",
    ),
    _row(
        "operators",
        "ClusterOperator",
        state.operators,
        "Every ClusterOperator is available and not degraded.",
        readers="users of what the operator maintains, and CVO",
        breaks="the installation, or the update, does not complete",
        fix="read the operator's conditions: `oc describe clusteroperator NAME`",
    ),
    _row(
        "version",
        "ClusterVersion",
        state.version,
        "The cluster-version operator applies the release without a failure.",
        readers="every operator of the release",
        breaks="the installation, or the update, does not complete",
        fix="read CVO's conditions: `oc describe clusterversion version`",
    ),
    _row(
        "features",
        "FeatureGate",
        state.features,
        "The FeatureGate has a status for the version that the cluster runs.",
        readers="the machine-config operator, and the operators of the API server and the controller-manager",
        breaks="operators wait for the gates of their version, and render or roll out nothing",
        fix="run `hardway build`, which writes the status, and apply the FeatureGate with its status again",
        failure="F41",
    ),
    _row(
        "extensions",
        "APIService",
        state.extensions,
        "Every extension API server is available.",
        readers="clients that use its kinds, and clients that list all kinds, such as the garbage collector",
        breaks="the kinds of that server cannot be used, and no namespace can be deleted",
        fix="read what the API server reports about it: `oc describe apiservice NAME`",
    ),
    _row(
        "pods",
        "Pod",
        state.pods,
        "No pod fails to start, starts again and again, or waits for a node.",
        readers="users of what the pod provides",
        breaks="a component of the cluster does not run",
        fix="look at the pod with `oc describe pod NAME` and `oc logs --previous NAME`",
    ),
)
