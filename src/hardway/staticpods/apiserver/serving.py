"""The API server's flags: where and how it serves."""

from __future__ import annotations

from hardway.model.cluster import Cluster, Node
from hardway.staticpods.controller_manager.flags import service_networks
from hardway.staticpods.row import CIS, Flag, by_default, flag

PORT = 6443


def single(cluster: Cluster) -> bool:
    """Whether no second API server takes over while this one goes."""
    return cluster.control_plane_topology == "SingleReplica"


def grace(cluster: Cluster) -> int:
    """Seconds to drain: the delay, the longest ordinary request, and a little."""
    return 15 if single(cluster) else 135


def bind_address(cluster: Cluster, node: Node) -> str:
    return "::" if cluster.ipv6_primary else "0.0.0.0"  # noqa: S104  (clients come from everywhere)


SERVING: tuple[Flag, ...] = (
    flag(
        "--advertise-address",
        lambda c, n: n.address,
        "The endpoint behind the kubernetes Service, in the first family of the service network.",
        readers="the lease reconciler; kube-proxy and OVN, from the Service's endpoints",
        breaks="the address of the default route is taken, which on a machine with two networks is a guess (F32)",
    ),
    flag(
        "--bind-address",
        bind_address,
        "Every address of the machine: localhost for programs on the same node, the node's for the load balancer. Go "
        "opens both families for either spelling.",
        breaks=by_default("On one address alone, the load balancer or localhost would find the port closed"),
    ),
    flag(
        "--secure-port",
        str(PORT),
        "The port of the API.",
        breaks=by_default("On another port neither load balancer nor kubeconfigs would find it"),
    ),
    flag(
        "--service-cluster-ip-range",
        service_networks,
        "The range of ClusterIPs, one network per family; the first address of the first one is the API's own.",
        breaks="ClusterIPs fall outside of what the network plugin routes (F14)",
    ),
    flag(
        "--service-node-port-range",
        "30000-32767",
        "The range of node ports.",
        breaks=by_default("In another range, node ports may fall on ports that other programs of the node use"),
    ),
    flag(
        "--kubernetes-service-node-port",
        "0",
        "The kubernetes Service stays a ClusterIP.",
        breaks=by_default("With a port, the API would also be open on every node"),
    ),
    flag(
        "--endpoint-reconciler-type",
        "lease",
        "Each API server renews its own endpoint; one that has stopped is removed automatically.",
        breaks=by_default("With another type, the bootstrap node's dead address stays behind the kubernetes Service"),
    ),
    flag(
        "--enable-aggregator-routing",
        "true",
        "Aggregated APIs are called by their pods' addresses, not through a ClusterIP that this node may not route.",
        breaks="aggregated APIs time out from the bootstrap node",
    ),
    flag(
        "--goaway-chance",
        lambda c, n: "0" if single(c) else "0.001",
        "One client in a thousand is asked to reconnect, so that load spreads over API servers that start later.",
        breaks="all long connections stay on the server that was up first; with one server, it would only cost "
        "reconnects",
    ),
    flag(
        "--http2-max-streams-per-connection",
        "2000",
        "How many requests share one connection.",
        breaks="a busy controller waits for its own earlier requests",
    ),
    flag(
        "--max-requests-inflight",
        "3000",
        "Reads at a time.",
        breaks="at the built-in 400 operators starting together get 429",
    ),
    flag(
        "--max-mutating-requests-inflight",
        "1000",
        "Writes at a time.",
        breaks="at the built-in 200 operators starting together get 429",
    ),
    flag(
        "--min-request-timeout",
        "3600",
        "Watches last at least an hour.",
        breaks="clients re-list everything more often",
    ),
    flag(
        "--shutdown-delay-duration",
        lambda c, n: "0s" if single(c) else "70s",
        "How long it keeps serving after it has become unready, for the load balancer to notice. A single control "
        "plane has no other server to hand over to.",
        breaks="requests fail each time an API server is restarted (F25)",
    ),
    flag(
        "--shutdown-send-retry-after",
        "true",
        "While it drains it tells clients to retry instead of closing the connection.",
        breaks="clients see broken connections during a restart",
    ),
    flag(
        "--strict-transport-security-directives",
        "max-age=31536000,includeSubDomains,preload",
        "Browsers are told never to use plain HTTP.",
        breaks="an attacker may make a browser use plain HTTP",
    ),
    flag(
        "--profiling",
        "false",
        "Profiling over the network is off.",
        breaks="memory and timing of the process can be read over the API's port",
        source=CIS + "1.2.15",
    ),
    flag("--v", "2", "Log verbosity.", breaks="at 0 the log does not name the certificates it has loaded"),
)
