"""Stage 17: it works, seen from outside. One row a check; all run, whatever the others find."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from hardway.checks.live import joining, nodes, pods, rendered, routes, served, signers, store, work
from hardway.checks.live.given import Given
from hardway.lines.sources import source
from hardway.model.check import Check, Flaw, Report, never, run
from hardway.model.why import because

SOURCE = "the plan; " + source("installer", "docs/user/metal/install_upi.md")


def _row(
    name: str,
    run: Callable[[Given], Iterable[Flaw]],
    what: str,
    breaks: str,
    *,
    fix: str,
    failure: str = "",
    skip: Callable[[Given], str] = never,
) -> Check[Given]:
    why = because(what, readers="anyone who uses the cluster", breaks=breaks, source=SOURCE)
    return Check(name=f"final.{name}", stage="17", run=run, fix=fix, failure=failure, why=why, skip=skip)


TABLE: tuple[Check[Given], ...] = (
    _row(
        "nodes",
        nodes.nodes,
        "Every planned node has joined and is Ready, and no other node.",
        "the cluster has less capacity than planned, or a node that nobody planned",
        fix="look at the node's kubelet with `journalctl -u kubelet`; remove an unplanned node with `oc delete node "
        "NAME`",
        failure="F27",
    ),
    _row(
        "addresses",
        nodes.addresses,
        "Every node uses the address that the plan has for it.",
        "etcd's certificate has another address than its peers see, and nobody reaches the kubelet",
        fix="leave the default route on the planned card only, or name the network in "
        "/etc/default/nodeip-configuration",
        failure="F46",
    ),
    _row(
        "joining",
        joining.allowed,
        "The identity with which new machines join may create certificate requests.",
        "a machine that is added later never becomes a node",
        fix="apply manifests/csr-bootstrap-role-binding.yaml of the assets again",
        failure="F29",
    ),
    _row(
        "members",
        store.members,
        "etcd has one healthy voter on each master, one leader, and no other member.",
        "the cluster may not survive the next failure of a machine",
        fix="look at the etcd pod of that master, and run stage 12 again",
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
        "listens",
        nodes.listens,
        "Every API server, etcd member and kubelet of the plan answers on its port.",
        "clients of that server wait or are refused",
        fix="look at the server on that node: `crictl ps -a`, `journalctl -u kubelet`",
    ),
    _row(
        "certificates",
        nodes.certificates,
        "The certificates that API servers, etcd and kubelets serve, and kube-proxy's own, are valid, have the name "
        "that clients use, and do not expire soon.",
        "everything stops when the first one expires",
        fix="`hardway status` prints which one expires first; `hardway build --rotate expired` renews them",
        failure="F01",
    ),
    _row(
        "signers",
        signers.survived,
        "The cluster signs with the signers that were made here, and its bundles trust them.",
        "nodes, kubeconfigs and etcd members of our signers are refused one by one, as certificates are renewed",
        fix="an operator replaces a signer that lacks its annotations: check these with `hardway verify 07`, and "
        "install a new cluster",
        failure="F30",
    ),
    _row(
        "rendered",
        rendered.confirmed,
        "The cluster renders the configuration that its nodes were made from, under the same name, and the "
        "machine-config daemon of each node confirms it.",
        "the pool is degraded, and no node can be updated",
        fix="`hardway verify 04` compares the inputs; render with `hardway build 04`, and install the nodes again",
        failure="F22",
        skip=rendered.no_operator,
    ),
    _row(
        "served",
        served.same,
        "The machine-config server of every master serves the configuration that our nodes were made from.",
        "a machine that is added later gets another configuration than the planned nodes",
        fix="look at the pods of machine-config-server, and at the pool's MachineConfigs",
        failure="F22",
        skip=rendered.no_operator,
    ),
    _row(
        "names",
        nodes.names,
        "Every node resolves api, api-int and *.apps to the load balancer.",
        "a request works from one node and fails from another",
        fix="look at `hardway infra status`, and at the name servers in the node's resolv.conf",
        failure="F03",
    ),
    _row(
        "apis",
        nodes.apis,
        "The endpoints of the API's own Service are the masters, all of them and no others.",
        "pods that use the Service sometimes reach a machine that is gone",
        fix="look at the kube-apiserver pod of the master that is missing",
        failure="F32",
    ),
    _row(
        "routes",
        routes.answer,
        "The routes of login, console and the ingress canary answer through every ingress address, with the "
        "certificate that the cluster announces.",
        "nobody can log in or open the console",
        fix="`hardway network check --expect cluster`: `*.apps` must lead to the load balancer, and it to nodes with "
        "routers; then the pods of the route",
        failure="F33",
        skip=routes.no_routers,
    ),
    _row(
        "pods",
        pods.broken,
        "No pod fails to start: every image is there, every container can be created, and none ends again and again.",
        "a component of the cluster does not run",
        fix="look at the pod with `oc describe pod NAME` and `oc logs --previous NAME`",
    ),
    _row(
        "service",
        work.service,
        "A Deployment runs, its pods reach each other, and every node reaches them through the ClusterIP.",
        "pods run, and nothing reaches them",
        fix="look at kube-proxy on the node that cannot reach the pods, and at the route between the two nodes",
        failure="F32",
    ),
    _row(
        "logs",
        work.logs,
        "The API server can read a pod's log from a kubelet and run a program in the pod.",
        "nobody can inspect a pod that does not work",
        fix="approve the node's request for a serving certificate: `hardway approve`",
        failure="F28",
    ),
)


SILENCE = 300.0
"""Seconds for an answer of the API. After a power cut of all nodes, the lease of the policy controller that had it must
run out first, which takes over two minutes. Until the next one gives the namespace its range of user ids, admission
holds each new workload back for ten seconds, as long as one request may take."""


def verify(given: Given) -> Report:
    """Everything that was made for it is deleted at the end. An API server that is silent for a moment is asked again:
    whether it works is the question, not how fast."""
    patient = replace(given, live=replace(given.live, api=given.live.api.patient(SILENCE)))
    try:
        return run(TABLE, patient)
    finally:
        work.clean(patient)


WRITING = frozenset(("final.written", "final.service", "final.logs"))
TIMED = frozenset(("final.pods",))  # `cluster.pods` looks at the same, and knows what is normal for how long
READING: tuple[Check[Given], ...] = tuple(check for check in TABLE if check.name not in WRITING | TIMED)
"""Those that only look, and need no time to do so."""
