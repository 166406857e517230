"""THE TABLE of the load balancer: one row a port. Which nodes are behind it, how their health is asked, and why."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from hardway.model.cluster import Cluster, Node
from hardway.model.why import Why, because

DOCS = "openshift/openshift-docs: load balancing requirements for user-provisioned infrastructure"
EXTERNAL = "openshift/installer docs/user/metal/external_loadbalancer_ipi.md"
HEALTH = "openshift/installer docs/dev/kube-apiserver-health-check.md"


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """How a server behind a port is asked whether it wants traffic."""

    path: str
    tls: bool
    expect: str  # HTTP status codes
    port: int | None = None  # another port than the one that is balanced
    why: Why


@dataclass(frozen=True, slots=True, kw_only=True)
class Frontend:
    name: str
    port: int
    vips: Callable[[Cluster], tuple[str, ...]]
    nodes: Callable[[Cluster], tuple[Node, ...]]
    health: Health
    failure: str  # what a port without a living server behind it leads to
    why: Why


def routers(cluster: Cluster) -> tuple[Node, ...]:
    """Where the ingress operator can put routers: without workers the masters take them (F33)."""
    return cluster.workers or cluster.masters


READYZ = Health(
    path="/readyz",
    tls=True,
    expect="200",
    why=because(
        "Checked over TLS: an API server that shuts down answers 500 here first and keeps serving for a while, so no "
        "call is lost. The check does not verify the certificate because it only decides who gets traffic: clients "
        "verify the API's certificate themselves.",
        breaks="a plain TCP check sends calls to an API server that is starting or stopping",
        source=HEALTH,
    ),
)
MACHINE_CONFIG = Health(
    path="/healthz",
    tls=True,
    expect="200-299",
    why=because(
        "The machine-config server answers 204 here without handing out a configuration.",
        breaks="a machine is sent to a node without the server and its fetch ends with EOF (F05)",
        source=EXTERNAL,
    ),
)
ROUTER = Health(
    path="/healthz/ready",
    tls=False,
    expect="200",
    port=1936,
    why=because(
        "A router's own health port: it fails before the router stops, and never succeeds on a node without a router.",
        breaks="connections are sent to a router that is draining",
        source=EXTERNAL,
    ),
)


def _ingress(name: str, port: int, what: str) -> Frontend:
    return Frontend(
        name=name,
        port=port,
        vips=lambda c: c.ingress_vips,
        nodes=routers,
        health=ROUTER,
        failure="F33",
        why=because(
            f"{what} Routers run on the workers, or on the masters where there are no workers (F33).",
            readers="anyone who opens a route: console, login, applications; the authentication operator itself",
            breaks="authentication and console never become available",
            source=DOCS,
        ),
    )


TABLE: tuple[Frontend, ...] = (
    Frontend(
        name="api",
        port=6443,
        vips=lambda c: c.api_vips,
        nodes=lambda cluster: cluster.control_plane,
        health=READYZ,
        failure="F25",
        why=because(
            "The Kubernetes API, for people (api) and for nodes (api-int). The bootstrap node is behind it until the "
            "masters have taken over.",
            readers="kubelets, operators on the host network, oc",
            breaks="no node can join and no command works",
            source=DOCS,
        ),
    ),
    Frontend(
        name="machine-config",
        port=22623,
        vips=lambda c: c.api_vips,
        nodes=lambda cluster: cluster.control_plane,
        health=MACHINE_CONFIG,
        failure="F05",
        why=because(
            "The machine-config server. Nodes of this plan have complete Ignition and fetch nothing; a machine that "
            "is added later fetches its configuration here.",
            readers="Ignition on a machine with a pointer configuration",
            breaks="a machine that is added later waits in its initramfs without end",
            source=DOCS,
        ),
    ),
    _ingress("ingress-http", 80, "Plain HTTP routes, most of them only redirections."),
    _ingress("ingress-https", 443, "Routes over TLS; the router, not the load balancer, ends TLS."),
)
