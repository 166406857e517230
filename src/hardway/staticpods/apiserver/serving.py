"""The API server's flags: where and how it serves."""

from __future__ import annotations

from hardway.model.cluster import Cluster
from hardway.staticpods.controller_manager.flags import service_networks
from hardway.staticpods.row import CIS, Flag, by_default, flag

PORT = 6443


def single(cluster: Cluster) -> bool:
    """Whether no second API server takes over while this one goes."""
    return cluster.control_plane_topology == "SingleReplica"


def grace(cluster: Cluster) -> int:
    """Seconds to drain: the delay, the longest ordinary request, and a little."""
    return 15 if single(cluster) else 135


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
        lambda c, n: "::" if c.ipv6_primary else "0.0.0.0",  # noqa: S104  (clients come from everywhere)
        "Every address of the machine: localhost for its companions, the node's for the load balancer. Go opens both "
        "families for either spelling.",
        breaks=by_default("On one address alone, the load balancer or localhost would find the port closed"),
    ),
    flag(
        "--secure-port",
        str(PORT),
        "The one port of the API.",
        breaks=by_default("On another port neither load balancer nor kubeconfigs would find it"),
    ),
    flag(
        "--service-cluster-ip-range",
        service_networks,
        "Where ClusterIPs come from, one network per family; the first address of the first one is the API's own.",
        breaks="ClusterIPs fall outside of what the network plugin routes (F14)",
    ),
    flag(
        "--service-node-port-range",
        "30000-32767",
        "Where node ports come from.",
        breaks=by_default("In another range, node ports may fall on ports that other programs of the node use"),
    ),
    flag(
        "--kubernetes-service-node-port",
        "0",
        "The kubernetes Service stays a ClusterIP.",
        breaks=by_default("With a port, the API would have a second door on every node"),
    ),
    flag(
        "--endpoint-reconciler-type",
        "lease",
        "Each API server renews its own endpoint; one that is gone drops out by itself.",
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
        "Now and then a client is asked to connect again, so that load spreads over API servers that come later.",
        breaks="all long connections stay on whichever server was up first; alone, it would only cost reconnects",
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
        "Watches live an hour at least.",
        breaks="clients re-list everything more often",
    ),
    flag(
        "--shutdown-delay-duration",
        lambda c, n: "0s" if single(c) else "70s",
        "How long it still serves after it has turned unready, for the load balancer to notice. Alone, there is nobody "
        "to hand over to.",
        breaks="requests fail each time an API server is restarted (F25)",
    ),
    flag(
        "--shutdown-send-retry-after",
        "true",
        "While it drains it tells clients to come back instead of hanging up.",
        breaks="clients see broken connections during a restart",
    ),
    flag(
        "--strict-transport-security-directives",
        "max-age=31536000,includeSubDomains,preload",
        "Browsers are told never to speak plain HTTP to it.",
        breaks="a browser may be talked down to plain HTTP",
    ),
    flag(
        "--profiling",
        "false",
        "No profiles over the network.",
        breaks="memory and timing of the process can be read over the API's port",
        source=CIS + "1.2.15",
    ),
    flag("--v", "2", "How much it says.", breaks="at 0 the log does not name the certificates it has loaded"),
)
