"""THE TABLE of DNS: one row a kind of name, and what the rows come to for a cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Literal

from hardway.lines.default import DEFAULT
from hardway.model.cluster import Cluster, Node
from hardway.model.why import Why, because

Kind = Literal["A", "AAAA", "PTR", "SRV"]
ADDRESS_KINDS: tuple[Kind, ...] = ("A", "AAAA")
DOCS = "openshift/openshift-docs: DNS requirements for user-provisioned infrastructure"
ETCD_SERVICE = "_etcd-server-ssl._tcp"
ETCD_PEERS = 2380


@dataclass(frozen=True, slots=True, kw_only=True)
class Host:
    """A name and its addresses; the first name of an address is the one its reverse record gives."""

    name: str  # complete, without the last dot; `*.apps…` stands for every name below
    addresses: tuple[str, ...]
    row: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """An SRV record's answer."""

    target: str
    port: int
    priority: int = 0
    weight: int = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    name: str
    hosts: Callable[[Cluster], Iterable[tuple[str, tuple[str, ...]]]]
    why: Why
    reverse: bool = False


def full_name(cluster: Cluster, node: Node) -> str:
    """A node's name with dots is complete as it is: it is what the kubelet registers."""
    return node.name if "." in node.name else f"{node.name}.{cluster.domain}"


def etcd_name(cluster: Cluster, master: Node) -> str:
    return f"etcd-{master.index}.{cluster.domain}"


ROWS: tuple[Row, ...] = (
    Row(
        name="nodes",
        hosts=lambda c: [(full_name(c, n), n.addresses) for n in c.nodes],
        reverse=True,
        why=because(
            "Every machine under its own name, and back from the address to the name.",
            readers="people, kubectl logs by node name; RHCOS, for its host name by reverse lookup if it has no other",
            breaks="a machine without a name of its own calls itself localhost and requests a certificate for that "
            "name (F15)",
            source=DOCS,
        ),
    ),
    Row(
        name="api",
        hosts=lambda c: [(c.api_host, c.api_vips)],
        reverse=True,
        why=because(
            "The API for people and tools: the load balancer, never a node.",
            readers="oc, the installer's kubeconfig, every client outside the cluster",
            breaks="no command reaches the cluster (F04)",
            source=DOCS,
        ),
    ),
    Row(
        name="api-int",
        hosts=lambda c: [(c.api_int_host, c.api_vips)],
        why=because(
            "The API for nodes: the load balancer, never a node, and never a list of nodes.",
            readers="every kubelet, the network operator, Ignition of machines that are added later",
            breaks="a master asks itself for an API that it does not have yet, without end (F04)",
            source=DOCS,
        ),
    ),
    Row(
        name="apps",
        hosts=lambda c: [(f"*.apps.{c.domain}", c.ingress_vips)],
        why=because(
            "Every route. The wildcard is below apps and not higher: one for the whole domain would make names "
            "resolve that do not exist (F34).",
            readers="browsers; the authentication and console operators ask for their own routes",
            breaks="authentication and console never become available (F33)",
            source=DOCS,
        ),
    ),
    Row(
        name="etcd",
        hosts=lambda c: [(etcd_name(c, n), n.addresses) for n in c.masters],
        why=because(
            f"etcd's members by number. OpenShift {DEFAULT.minor} finds them by address; these names are in their "
            "certificates, for tools and people.",
            readers="etcdctl by hand, monitoring of your own",
            breaks=f"no effect in {DEFAULT.minor} itself; a tool that discovers etcd by DNS finds nothing",
            source="this tool's plan; OpenShift before 4.4 needed them",
        ),
    ),
)
BY_NAME = {row.name: row for row in ROWS}


def hosts(cluster: Cluster) -> list[Host]:
    return [Host(name=n, addresses=a, row=row.name) for row in ROWS for n, a in row.hosts(cluster)]


def services(cluster: Cluster) -> tuple[str, list[Service]]:
    """The SRV record that lists etcd's members, and its answers."""
    found = [Service(target=etcd_name(cluster, n), port=ETCD_PEERS) for n in cluster.masters]
    return f"{ETCD_SERVICE}.{cluster.domain}", found


def reverse(cluster: Cluster) -> dict[str, str]:
    """Address to name: each address has one name, the first that claims it."""
    names: dict[str, str] = {}
    for host in hosts(cluster):
        if BY_NAME[host.row].reverse:
            for address in host.addresses:
                names.setdefault(address, host.name)
    return names


def by_addresses(cluster: Cluster) -> dict[tuple[str, ...], list[Host]]:
    """Names that share their addresses, in the table's order; wildcards are left out."""
    groups: dict[tuple[str, ...], list[Host]] = {}
    for host in hosts(cluster):
        if not host.name.startswith("*."):
            groups.setdefault(host.addresses, []).append(host)
    return groups


def kind_of(address: str) -> Kind:
    return "A" if ip_address(address).version == 4 else "AAAA"
