"""The control plane on a master: the same four programs from the same flag rows, and the files that they read there.

Nothing of this is in a master's Ignition. That file crosses the network and stays on an installation medium, in the
machine's own /boot and in the cluster's MachineConfig, and these files hold signing keys: the controller-manager needs
the kubelets' signer to answer certificate requests and the service accounts' key for token Secrets, the API server the
key of bound tokens. So they are laid onto the running node, root's alone, when its turn comes; and etcd's list of
members is known only then.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from hardway.emit import yaml
from hardway.lines.sources import source
from hardway.model.cluster import Cluster, Node, in_url
from hardway.model.why import Why, because
from hardway.staticpods import scheduler
from hardway.staticpods.apiserver import pod as apiserver
from hardway.staticpods.controller_manager import pod as controller_manager
from hardway.staticpods.etcd import flags
from hardway.staticpods.etcd import pod as etcd
from hardway.staticpods.paths import ETCD_MEMBER, config_of, host_files, secrets_of
from hardway.staticpods.row import Flag, arguments, flag

Name = Literal["etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler"]
MANIFESTS = "/etc/kubernetes/manifests"
SECRET = 0o600
PEER_PORT = 2380
SOURCE = source("cluster-etcd-operator", "pkg/operator/clustermembercontroller")


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """A static pod of a master, as our tables make it."""

    name: Name
    namespace: str
    after: tuple[Name, ...]  # what must run on the same master first
    why: Why

    @property
    def manifest(self) -> str:
        return f"{MANIFESTS}/{self.name}-pod.yaml"


def _program(name: Name, namespace: str, after: tuple[Name, ...], what: str, breaks: str) -> Program:
    why = because(what, readers="the kubelet of the master; bootkube.sh, which counts", breaks=breaks, source=SOURCE)
    return Program(name=name, namespace=namespace, after=after, why=why)


PROGRAMS: tuple[Program, ...] = (
    _program(
        "etcd", "openshift-etcd", (), "One etcd member on each master.", "the store stops with the bootstrap node"
    ),
    _program(
        "kube-apiserver",
        "openshift-kube-apiserver",
        ("etcd",),
        "One API server on each master, which uses only the member on the same node: a member that is still a "
        "learner refuses most requests, and a client with several members to choose from could reach it.",
        "the API stops with the bootstrap node",
    ),
    _program(
        "kube-controller-manager",
        "kube-system",
        ("kube-apiserver",),
        "Waits for the lease that the bootstrap node's holds, and takes over when that one has stopped.",
        "after the pivot nothing is reconciled and no worker's certificate is signed",
    ),
    _program(
        "kube-scheduler",
        "kube-system",
        ("kube-apiserver",),
        "Waits for the lease likewise.",
        "after the pivot no pod is scheduled",
    ),
)
BY_NAME: Mapping[str, Program] = {row.name: row for row in PROGRAMS}


def by_hand(cluster: Cluster) -> tuple[Program, ...]:
    """The static pods that are laid onto the masters from here: those that no operator of the release makes."""
    return tuple(row for row in PROGRAMS if row.name not in cluster.operators)


def pods(cluster: Cluster, name: Name) -> str:
    """NAMESPACE/NAME of the masters' pods, as their maker calls them; a dash and the node's name follow."""
    if name not in cluster.operators:
        return f"{BY_NAME[name].namespace}/{name}"
    return next(row.pods for row in cluster.line.operators if row.name == name)


def mirror(cluster: Cluster, name: Name, node: Node) -> str:
    """The API's image of the pod on a node, as NAMESPACE/NAME."""
    return f"{pods(cluster, name)}-{node.name}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Laid:
    """A file of a master that comes from the assets."""

    path: str
    source: str  # below the assets folder
    mode: int = SECRET


def member_name(node: Node) -> str:
    return flags.BOOTSTRAP_MEMBER if node.role == "bootstrap" else node.name


def peer_url(cluster: Cluster, node: Node) -> str:
    """Masters by their etcd names in DNS; the bootstrap member has none and goes by its address, and so do
    all of those that the etcd operator adds."""
    named = node.role != "bootstrap" and "etcd" not in cluster.operators
    host = f"etcd-{node.index}.{cluster.domain}" if named else in_url(node.address)
    return f"https://{host}:{PEER_PORT}"


PEERS = flag(
    "--initial-advertise-peer-urls",
    peer_url,
    "The URL where other members reach this one: by its name in DNS, which its certificate has and which stays when "
    "the machine is replaced.",
    breaks="the member that starts is not the one that was added: etcd refuses to start (F30)",
)
MEMBER_FLAGS: tuple[Flag, ...] = tuple(PEERS if row.name == PEERS.name else row for row in flags.FLAGS)


def etcd_pod(cluster: Cluster, node: Node, initial_cluster: str) -> dict[str, Any]:
    """`initial_cluster` is the member list at the moment this member was added; once it has data it looks there."""
    pod = etcd.pod(cluster, node)
    (program,) = pod["spec"]["containers"]
    program["args"] = arguments(MEMBER_FLAGS, cluster, node)
    program["env"] += [
        {"name": "ETCD_INITIAL_CLUSTER", "value": initial_cluster},
        {"name": "ETCD_INITIAL_CLUSTER_STATE", "value": "existing"},
    ]
    return pod


def pod(name: Name, cluster: Cluster, node: Node, initial_cluster: str = "") -> dict[str, Any]:
    if name == "etcd":
        return etcd_pod(cluster, node, initial_cluster)
    makers = {
        "kube-apiserver": apiserver.pod,
        "kube-controller-manager": controller_manager.pod,
        "kube-scheduler": scheduler.pod,
    }
    return makers[name](cluster, node)


def manifest(name: Name, cluster: Cluster, node: Node, initial_cluster: str = "") -> bytes:
    return yaml.dump(pod(name, cluster, node, initial_cluster)).encode()


def files(cluster: Cluster, node: Node) -> tuple[Laid, ...]:
    """All that the pods read from the master, and no more: taken from their own command lines."""
    read = {path for row in by_hand(cluster) for path in host_files(pod(row.name, cluster, node))}
    return tuple(Laid(path=path, source=source_of(path, node)) for path in sorted(read))


def source_of(path: str, node: Node) -> str:
    """Which asset a file of the control plane is, on a master or on the bootstrap node."""
    folder, _, name = path.rpartition("/")
    if folder == config_of(node):
        return f"bootstrap-configs/{name}"
    if path == f"{ETCD_MEMBER}/ca.crt":
        return "tls/etcd-ca-bundle.crt"
    if folder == secrets_of(node) and name.endswith(".kubeconfig"):
        return f"auth/{name}"
    return f"tls/{name}"
