"""What keeps an operator from being Available or makes it Degraded, by its own words: known stalls, each with its fix.

The first row that fits counts. The words are from published reports or from the programs' sources, as each row names.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from hardway.lines.sources import kubernetes, source
from hardway.model.why import Why, because

APPS = "`hardway network check --expect cluster`: `*.apps` must lead to the load balancer, and it to nodes with routers"
PULLS = "`oc get pods -A`, then the events of the pod that cannot pull: pull secret, mirrors and registry must have it"


@dataclass(frozen=True, slots=True, kw_only=True)
class Stall:
    name: str
    operators: tuple[str, ...]  # of these alone; nothing stands for all
    words: re.Pattern[str]
    failures: tuple[str, ...]
    fix: str
    why: Why


def _row(
    name: str, operators: str, words: str, failures: str, *, what: str, breaks: str, fix: str, where: str
) -> Stall:
    why = because(what, readers="`hardway up` and `hardway status` at stage 16", breaks=breaks, source=where)
    return Stall(
        name=name,
        operators=tuple(operators.split()),
        words=re.compile(words),
        failures=tuple(failures.split()),
        fix=fix,
        why=why,
    )


TABLE: tuple[Stall, ...] = (
    _row(
        "no-room",
        "",
        r"nodes are available: .*Insufficient (cpu|memory)",
        "F38",
        what="no node has the memory or processor time that a pod asks for",
        breaks="its pods stay Pending",
        fix="give the machines more, with `--size` of `hardway infra up`, or add a worker",
        where=kubernetes("pkg/scheduler/framework/plugins/noderesources/fit.go"),
    ),
    _row(
        "no-place",
        "",
        r"nodes are available: |PodsNotScheduled|NoReadyIngressNodes",
        "F54",
        what="no node accepts its pods: workers are missing or not Ready, or masters are not schedulable",
        breaks="its pods stay Pending",
        fix="`oc get nodes`: workers must be Ready; start those that are off, and approve what waits with "
        "`hardway approve`",
        where="okd-project/okd#1654, slauger/hcloud-okd4#272",
    ),
    _row(
        "pulls",
        "",
        r"ImagePullBackOff|ErrImagePull|manifest unknown|unauthorized: ",
        "F11 F12",
        what="an image cannot be pulled",
        breaks="its pods do not start",
        fix=PULLS,
        where="openshift/installer#901 #4663, okd-project/okd#549",
    ),
    _row(
        "no-record",
        "",
        r"lookup \S*\.apps\.\S+.*no such host|lookup \S*canary\S*.*no such host",
        "F33",
        what="names below `*.apps` do not resolve inside the cluster",
        breaks="no route can be reached by its name",
        fix="add the wildcard record of `*.apps` to the name servers of the nodes; `hardway network check` tells what "
        "they answer",
        where="openshift/hypershift#1130",
    ),
    _row(
        "canary",
        "ingress",
        r"CanaryChecksRepetitiveFailures|Canary route checks",
        "F33",
        what="the routers run, and the canary route does not answer through `*.apps`",
        breaks="authentication and console do not become Available",
        fix=APPS,
        where="openshift/cluster-ingress-operator#865, openshift/hypershift#2226",
    ),
    _row(
        "route",
        "authentication console",
        r"OAuthServerRouteEndpointAccessibleController|RouteHealth",
        "F33",
        what="its route does not answer through `*.apps`",
        breaks="users cannot log in",
        fix=APPS,
        where="openshift/cluster-authentication-operator#178",
    ),
    _row(
        "service-network",
        "",
        r"dial tcp \S+:443: (i/o timeout|connect: no route to host)",
        "F32",
        what="its pods do not reach the address of a Service",
        breaks="whatever it asks the API for is not answered",
        fix="look at the pod network first: `oc get pods -n openshift-ovn-kubernetes -o wide`, one on every node",
        where="okd-project/okd#906",
    ),
    _row(
        "rendered",
        "machine-config",
        r"rendered-[a-z]+-[0-9a-f]+\W+not found|missing MachineConfig rendered-",
        "F22",
        what="nodes have a configuration that the cluster does not render",
        breaks="the pool stays degraded, and nodes get no updates",
        fix="`hardway verify` compares both renders (`render.inputs`); build again, and install the machines with it",
        where="openshift/machine-config-operator#2010, okd-project/okd#963",
    ),
    _row(
        "members",
        "etcd",
        r"UnhealthyMembers|(is|are) unhealthy\b",
        "F30 F37",
        what="a member of etcd is not healthy",
        breaks="the rollout stops: etcd's operator touches nothing while a member is ill",
        fix="`oc -n openshift-etcd get pods -o wide`, then the log of the member: a slow disk (F37), or no way to it "
        "(F30)",
        where=source("cluster-etcd-operator", "pkg/operator/etcdmemberscontroller"),
    ),
    _row(
        "aggregation",
        "openshift-apiserver authentication",
        r"FailedDiscoveryCheck|APIServicesAvailable|APIServices_Error",
        "F10 F32",
        what="the API server does not get an answer from the extension API server behind an APIService",
        breaks="routes and OAuth objects cannot be read",
        fix="`oc get apiservices`: the one that is False says why; then the pods in openshift-apiserver",
        where="openshift/hypershift#313, okd-project/okd#2173",
    ),
    _row(
        "storage",
        "image-registry",
        r"storage backend not configured",
        "F36",
        what="the registry is to run, and has no storage",
        breaks="nothing can be pushed into the cluster",
        fix="give it storage, or set `managementState: Removed` in its Config",
        where="openshift/openshift-docs#17994",
    ),
    _row(
        "clock",
        "",
        r"certificate has expired or is not yet valid",
        "F02 F01",
        what="a certificate is not valid at the time that a machine has",
        breaks="no connection with it succeeds",
        fix="compare the clocks: `hardway exec NODE -- date -u` for each node; chrony must reach its servers",
        where="openshift/installer#1792",
    ),
    _row(
        "crashes",
        "",
        r"CrashLoopBackOff|back-off \S+ restarting failed",
        "",
        what="a program of it ends again and again",
        breaks="it never becomes Available",
        fix="read why it ended: `oc logs --previous` of the pod that is named",
        where=source("library-go", "pkg/operator/staticpod/controller/staticpodstate"),
    ),
)


def known(operator: str, said: str) -> Stall | None:
    """The row that these words of an operator stand for."""
    rows = (row for row in TABLE if not row.operators or operator in row.operators)
    return next((row for row in rows if row.words.search(said)), None)
