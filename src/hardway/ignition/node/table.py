"""What a master or worker gets on top of MCO's render: one row a file, with the rule for a path that both have."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hardway.ignition import network, ssh
from hardway.ignition.base import POOLS, Base, Pool
from hardway.ignition.rows import PUBLIC, SECRET
from hardway.lines.sources import kubernetes, source
from hardway.model.cluster import Cluster
from hardway.model.why import Why, because
from hardway.staticpods.paths import KUBE_PROXY

ANNOTATION = "machineconfiguration.openshift.io/"
SERVER = source("machine-config-operator", "pkg/server/")
LIKE_THE_SERVER = "the machine-config server writes over it as well"
KUBELET_CA, KUBECONFIG = "/etc/kubernetes/kubelet-ca.crt", "/etc/kubernetes/kubeconfig"
INITIAL_ANNOTATIONS = "/etc/machine-config-daemon/node-annotations.json"
CONTENT = "/etc/mcs-machine-config-content.json"
ENCAPSULATED = "/etc/ignition-machine-config-encapsulated.json"
PER_NODE = "a pool's MachineConfig is the same for all its nodes, and this file is not"


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeFile:
    """A file of ours. `replaces` is the reason to prefer it to the render's file of the same path; without one, a
    render that has the path is refused."""

    path: str
    mode: int
    why: Why
    source: str = ""  # the address of the asset that the file is
    make: Callable[[Base], bytes] | None = None
    pools: tuple[Pool, ...] = POOLS
    replaces: str = ""


def _json(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":"), sort_keys=True, ensure_ascii=False).encode()


def node_annotations(base: Base) -> bytes:
    said = {"currentConfig": base.name, "desiredConfig": base.name, "state": "Done"}
    return _json({f"{ANNOTATION}{name}": value for name, value in said.items()})


def _served(base: Base) -> dict[str, Any]:
    """The MachineConfig as the server hands it on: without the times that Go writes as null."""
    metadata = {key: value for key, value in base.machine_config["metadata"].items() if value is not None}
    return {**base.machine_config, "metadata": metadata}


def content(base: Base) -> bytes:
    return _json(_served(base))


def encapsulated(base: Base) -> bytes:
    """The MachineConfig with an empty Ignition config in it."""
    empty = {"ignition": {"version": base.config["ignition"]["version"]}}
    served = _served(base)
    return _json({**served, "spec": {**served["spec"], "config": empty}})


SERVED: tuple[NodeFile, ...] = (
    NodeFile(
        path=KUBELET_CA,
        mode=PUBLIC,
        source="bundle/kube-apiserver-complete-client-ca-bundle",
        replaces=LIKE_THE_SERVER,
        why=because(
            "The signers whose client certificates this kubelet trusts: the API server's first of all.",
            readers="the kubelet, clientCAFile",
            breaks="the kubelet refuses the API server, and with it logs, exec and metrics (F23)",
            source=SERVER + "bootstrap_server.go",
        ),
    ),
    NodeFile(
        path=KUBECONFIG,
        mode=SECRET,
        source="kubeconfig/kubelet-bootstrap",
        replaces=LIKE_THE_SERVER,
        why=because(
            "The kubelet uses it to request its first certificate. Only root can read it, because it holds a key; "
            "the machine-config server would leave it readable for all.",
            readers="the kubelet, --bootstrap-kubeconfig",
            breaks="the node never joins (F29)",
            source=SERVER + "server.go",
        ),
    ),
    NodeFile(
        path=INITIAL_ANNOTATIONS,
        mode=PUBLIC,
        make=node_annotations,
        replaces=LIKE_THE_SERVER,
        why=because(
            "Which rendered config this node runs, by name and hash.",
            readers="the machine-config daemon, which puts it onto the Node and compares it with the cluster's render",
            breaks="the daemon fails: missing annotations; or, with another hash, the pool is degraded (F22, F23)",
            source=SERVER + "server.go",
        ),
    ),
    NodeFile(
        path=CONTENT,
        mode=SECRET,
        make=content,
        replaces=LIKE_THE_SERVER,
        why=because(
            "The rendered config itself, to compare with the cluster's own render later. Only root can read it, "
            "because it holds the pull secret; the machine-config server would leave it readable for all.",
            readers="you; the machine-config daemon reads it in HyperShift's clusters only",
            breaks="no effect on what runs; a difference between two renders is visible but cannot be examined (F22)",
            source=SERVER + "server.go",
        ),
    ),
    NodeFile(
        path=ENCAPSULATED,
        mode=PUBLIC,
        make=encapsulated,
        replaces=LIKE_THE_SERVER,
        why=because(
            "What Ignition cannot do: kernel arguments, the operating-system image, FIPS. Its presence starts the "
            "first-boot service.",
            readers="machine-config-daemon-pull and machine-config-daemon-firstboot; RHCOS, for FIPS",
            breaks="the node keeps the operating system of the boot image and never sets its kernel arguments (F23)",
            source=SERVER + "server.go",
        ),
    ),
)

PROXY: tuple[NodeFile, ...] = (
    NodeFile(
        path="/etc/kubernetes/manifests/kube-proxy-pod.yaml",
        mode=SECRET,
        source="pod/kube-proxy",
        pools=("master",),
        why=because(
            "Makes ClusterIPs work where the release has no network operator. Such an operator does not need it: it is "
            "on the host's network and takes the API's address from apiserver-url.env. With `kubeProxy: true` it runs "
            "beside one until that one is Available (stage 16).",
            readers="the kubelet",
            breaks="where no OVN runs, as in the lab, pods on masters time out on the kubernetes Service (F32)",
            source=kubernetes("cmd/kube-proxy"),
        ),
    ),
    NodeFile(
        path=f"{KUBE_PROXY}/kubeconfig",
        mode=SECRET,
        source="kubeconfig/kube-proxy",
        pools=("master",),
        why=because(
            "kube-proxy's own identity, which may watch Services and Endpoints and no more.",
            readers="kube-proxy, --kubeconfig",
            breaks="kube-proxy cannot read Services",
            source=kubernetes("bootstrap policy, ClusterRole system:node-proxier"),
        ),
    ),
)


def shared(pool: Pool, cluster: Cluster) -> tuple[NodeFile, ...]:
    """What the nodes of a pool have in common; kube-proxy only where it is to run."""
    return tuple(row for row in (*SERVED, *(PROXY if cluster.kube_proxy else ())) if pool in row.pools)


HOSTNAME = NodeFile(
    path="/etc/hostname",
    mode=PUBLIC,
    replaces=PER_NODE,
    why=because(
        "The node's name by plan: its certificates are issued to this name, and only to this one.",
        readers="systemd at boot; the kubelet, as the Node's name",
        breaks="the node calls itself localhost, and its certificate requests do not match the plan (F15)",
        source="failure mode F15",
    ),
)
PROFILE = NodeFile(
    path=network.PATH,
    mode=SECRET,
    replaces=PER_NODE,
    why=because(
        "The node's static addresses, gateway and name servers, bound to the card's MAC address. Mode 0600, or "
        "NetworkManager ignores it.",
        readers="NetworkManager; OVN's setup script, which moves these addresses onto br-ex",
        breaks="the node gets another address, which its certificates and the load balancer do not have (F16 to F19)",
        source="NetworkManager keyfile format; failure modes F16 to F19",
    ),
)
HOST_KEYS = tuple(NodeFile(path=row.path, mode=SECRET, replaces=PER_NODE, why=row.why) for row in ssh.HOST_KEYS)
OWN: tuple[NodeFile, ...] = (HOSTNAME, PROFILE, *HOST_KEYS)
"""Made from the node, not from the render."""


def table(pool: Pool, cluster: Cluster | None = None) -> tuple[NodeFile, ...]:
    """The rows of a cluster; without one, all that a cluster may have."""
    rows = (*SERVED, *PROXY) if cluster is None else shared(pool, cluster)
    return tuple(row for row in (*rows, *OWN) if pool in row.pools)
