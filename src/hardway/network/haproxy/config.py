"""haproxy.cfg from the table of frontends, with its reasons."""

from __future__ import annotations

from collections.abc import Iterator

from hardway.model.cluster import Cluster, Node, in_url
from hardway.network.frontends import TABLE, Frontend
from hardway.network.mark import comment, mark

NAME = "haproxy.cfg"
SOCKET = "/var/lib/haproxy/admin.sock"
STATS_PORT = 9000

_GLOBAL = """\
global
    # Standard output: the journal under systemd, the log of a container elsewhere.
    log stdout format raw local0 info
    # After the ports are bound it needs no right of root's, and sees no file.
    user haproxy
    group haproxy
    chroot /var/lib/haproxy
    # Two files each: more than this would ask for more open files than some systems allow, and it would not start.
    maxconn 8000
    # Takes a server out of service at run time, without a restart: how the bootstrap node leaves after the pivot.
    # Only root and the haproxy group can open it: its holder can redirect the cluster's traffic.
    stats socket {socket} mode 660 level admin
    stats timeout 2m

defaults
    log global
    # Bytes pass as they are: TLS ends at the API server, which asks for client certificates and picks its own
    # certificate by name. In HTTP mode every client would be the load balancer.
    mode tcp
    option tcplog
    option dontlognull
    # Long connections count: a server that comes back gets its share without the others being cut.
    balance leastconn
    # A server that refuses is tried again elsewhere, before the next health check has noticed.
    retries 3
    option redispatch 1
    timeout connect 5s
    timeout queue 1m
    # Watches, logs -f and exec are silent for long: minutes here would cut them all (F25). Keepalive finds dead peers.
    timeout client 4h
    timeout server 4h
    option clitcpka
    option srvtcpka
    # A server that fails a check is asked every second: out after three failures, in after two successes, well within
    # the 70 s for which an API server still serves after it has said no. Connections it has are left to end by
    # themselves (no on-marked-down shutdown-sessions), for the same reason.
    timeout check 5s
    default-server inter 5s fastinter 1s downinter 2s fall 3 rise 2
    option log-health-checks
"""
_STATISTICS = """
# Who is up, for people on this machine: http://127.0.0.1:{stats}/stats
frontend stats
    mode http
    option httplog
    bind 127.0.0.1:{stats}
    stats enable
    stats uri /stats
    stats refresh 10s
    timeout client 1m
"""


def config(
    cluster: Cluster,
    *,
    socket: str = SOCKET,
    without: tuple[str, ...] = (),
    first: str = "",
    statistics: bool = True,
) -> str:
    """The whole file. The nodes named in `without` are left out: the bootstrap node after the pivot. `first`: its first
    line, if it is made for another place than a folder of the user's."""
    page = _STATISTICS.format(stats=STATS_PORT) if statistics else ""
    parts = [first or mark(cluster, "haproxy.cfg"), *_notes(cluster), "", _GLOBAL.format(socket=socket) + page]
    parts += ["\n".join(_frontend(cluster, row, without)) + "\n" for row in TABLE]
    return "\n".join(parts)


def _notes(cluster: Cluster) -> Iterator[str]:
    vips = ", ".join(dict.fromkeys((*cluster.api_vips, *cluster.ingress_vips)))
    yield from comment(f"This machine must have {vips} before HAProxy starts (or allow net.ipv4.ip_nonlocal_bind).")
    yield from comment("Test it with: haproxy -c -f haproxy.cfg. SELinux: setsebool -P haproxy_connect_any=1 (F26).")


def _frontend(cluster: Cluster, row: Frontend, without: tuple[str, ...]) -> Iterator[str]:
    yield from comment(row.why.what)
    yield from comment(f"Without it: {row.why.breaks}.")
    yield f"frontend {row.name}"
    for vip in dict.fromkeys(row.vips(cluster)):
        yield f"    bind {in_url(vip)}:{row.port}"
    yield f"    default_backend {row.name}"
    yield ""
    yield f"backend {row.name}"
    yield from comment(row.health.why.what, indent=4)
    yield f"    option httpchk GET {row.health.path}"
    yield f"    http-check expect status {row.health.expect}"
    for node in row.nodes(cluster):
        if node.name not in without:
            yield _server(row, node)


def _server(row: Frontend, node: Node) -> str:
    """By the node's first address: in a cluster of both families the API server listens on the first one's."""
    words = [f"    server {node.name} {in_url(node.address)}:{row.port} check"]
    if row.health.port:
        words.append(f"port {row.health.port}")
    if row.health.tls:
        words.append("check-ssl verify none")
    return " ".join(words)
