"""etcd's flags."""

from __future__ import annotations

from hardway.model.cluster import Cluster, Node, in_url
from hardway.staticpods.paths import ETCD_DATA, ETCD_TLS, etcd_file
from hardway.staticpods.row import CIS, Flag, by_default, flag
from hardway.staticpods.tls import CIPHER_SUITES, PROFILE

BOOTSTRAP_MEMBER = "etcd-bootstrap"


def _own(port: int, node: Node) -> str:
    return f"https://{in_url(node.address)}:{port}"


def _any(port: int, cluster: Cluster) -> str:
    every = "[::]" if cluster.ipv6_primary else "0.0.0.0"  # noqa: S104  (client certificates guard it)
    return f"https://{every}:{port}"


FLAGS: tuple[Flag, ...] = (
    flag(
        "--name",
        lambda c, n: BOOTSTRAP_MEMBER if n.role == "bootstrap" else n.name,
        "The member's name. The etcd operator looks for exactly `etcd-bootstrap` when it removes the bootstrap member.",
        readers="etcd; the etcd operator, in the member list",
        breaks="the bootstrap member is never removed, and when its machine stops a voter is lost (F31)",
    ),
    flag(
        "--data-dir",
        ETCD_DATA,
        "The folder of the database and its log: on the host, so that they outlive the container.",
        breaks="its default folder is inside the image, which is read-only, and etcd exits",
    ),
    flag(
        "--initial-advertise-peer-urls",
        lambda c, n: _own(2380, n),
        "The URL where other members reach this one. With a name and this URL, etcd makes its own list of initial "
        "members: itself. No --initial-cluster is needed, because the masters are added to the running cluster later.",
        breaks="etcd would advertise localhost, and no master could ever join (F30)",
    ),
    flag(
        "--advertise-client-urls",
        lambda c, n: _own(2379, n),
        "The URL where clients on other machines reach this member; it is in the member list.",
        readers="the etcd operator and etcdctl, from the member list",
        breaks="etcd refuses to start: it must be set together with the listening address",
    ),
    flag(
        "--listen-client-urls",
        lambda c, n: _any(2379, c),
        "Clients connect over localhost (the API server on the same node) and over the network (the etcd operator on "
        "a master).",
        breaks="the API server's or the operator's connection is refused",
    ),
    flag(
        "--listen-peer-urls",
        lambda c, n: _any(2380, c),
        "Other members connect over the network.",
        breaks="no master's member can catch up, and the cluster stays at one (F30)",
    ),
    flag(
        "--listen-metrics-urls",
        lambda c, n: _any(9978, c),
        "Metrics and health on a separate port, with the same client certificates.",
        breaks="metrics are only served on the port that everything else uses",
    ),
    flag(
        "--cert-file",
        lambda c, n: etcd_file("serving", n, "crt"),
        "The member's serving certificate for clients.",
        breaks="the listener has no certificate and etcd does not start",
        source=CIS + "2.1",
    ),
    flag(
        "--key-file",
        lambda c, n: etcd_file("serving", n, "key"),
        "The key of that certificate.",
        breaks="the listener has no key and etcd does not start",
        source=CIS + "2.1",
    ),
    flag(
        "--trusted-ca-file",
        f"{ETCD_TLS}/ca.crt",
        "The signer of clients: only certificates of etcd's own signer are accepted.",
        breaks="the API server is refused: remote error: tls: bad certificate (F08)",
        source=CIS + "2.2",
    ),
    flag(
        "--client-cert-auth",
        "true",
        "A client without such a certificate is refused.",
        breaks="anyone who reaches port 2379 can read every Secret of the cluster",
        source=CIS + "2.2",
    ),
    flag(
        "--peer-cert-file",
        lambda c, n: etcd_file("peer", n, "crt"),
        "The member's certificate for other members, as client and as server.",
        breaks="the peer listener has no certificate and etcd does not start",
        source=CIS + "2.4",
    ),
    flag(
        "--peer-key-file",
        lambda c, n: etcd_file("peer", n, "key"),
        "The key of that certificate.",
        breaks="the peer listener has no key and etcd does not start",
        source=CIS + "2.4",
    ),
    flag(
        "--peer-trusted-ca-file",
        f"{ETCD_TLS}/ca.crt",
        "The signer of the other members' certificates.",
        breaks="the masters' members are refused (F08)",
        source=CIS + "2.5",
    ),
    flag(
        "--peer-client-cert-auth",
        "true",
        "A member without such a certificate is refused.",
        breaks="anyone who reaches port 2380 can join and read the data",
        source=CIS + "2.5",
    ),
    flag(
        "--cipher-suites",
        ",".join(CIPHER_SUITES),
        "Forward-secret authenticated suites only, the same as the API server's.",
        breaks="Go's own list would still allow CBC suites under TLS 1.2",
        source=PROFILE,
    ),
    flag(
        "--heartbeat-interval",
        "100",
        "Milliseconds between the leader's heartbeats; for machines at one site.",
        breaks=by_default(
            "With less, an ordinary disk or network makes the leader change; with more, its failure is noticed late "
            "(F37)"
        ),
    ),
    flag(
        "--election-timeout",
        "1000",
        "Milliseconds without a heartbeat before an election: ten heartbeats.",
        breaks=by_default("With less, the leader changes with every slow write (F37)"),
    ),
    flag(
        "--experimental-initial-corrupt-check",
        "true",
        "Before it serves, a member compares its data with the others'.",
        breaks="a member with a damaged database spreads it",
    ),
    flag(
        "--experimental-warning-apply-duration",
        "200ms",
        "The latency from which a slow write is logged.",
        breaks="at etcd's own 100 ms an ordinary disk fills the log",
    ),
    flag(
        "--experimental-watch-progress-notify-interval",
        "5s",
        "How often etcd reports its progress to idle watches.",
        readers="the API server's watch cache",
        breaks="consistent reads from the API server's cache wait long or go to etcd",
    ),
    flag(
        "--socket-reuse-address",
        "true",
        "A restarted etcd may reuse its ports while the old sockets are still closing.",
        breaks="a quick restart fails: address already in use",
    ),
    flag(
        "--enable-pprof",
        "true",
        "Profiles on the client port, for clients with a certificate, which can read everything anyway.",
        breaks="a slow etcd cannot be profiled while it is slow",
    ),
    flag(
        "--logger",
        "zap",
        "Structured log lines.",
        breaks=by_default("etcd 3.5 knows no other"),
    ),
)
