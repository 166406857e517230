"""kube-proxy on masters: ClusterIPs lead somewhere before OVN does it."""

from __future__ import annotations

from typing import Any

from hardway.emit.document import Document
from hardway.lines.default import DEFAULT
from hardway.lines.sources import kubernetes
from hardway.model.cluster import Cluster, Node
from hardway.model.why import because
from hardway.staticpods import parts
from hardway.staticpods.paths import KUBE_PROXY
from hardway.staticpods.row import Flag, arguments, by_default, flag, reasons

SOURCE = kubernetes("cmd/kube-proxy")
MOUNT = "/etc/kubernetes/kube-proxy"
HEALTH_PORT = 10356
LEAVING = ".kube-proxy-pod.yaml"  # the kubelet passes over files whose name begins with a dot
KERNEL = "leaves the kernel's own setting alone: in a network namespace of its own it could not be written"


def first_per_family(cluster: Cluster, node: Node) -> str:
    """kube-proxy takes one pod network per family."""
    found: dict[int, str] = {}
    for network in cluster.cluster_networks:
        found.setdefault(network.cidr.version, str(network.cidr))
    return ",".join(found.values())


def _conntrack(name: str, value: str, what: str) -> Flag:
    return flag(
        f"--conntrack-{name}",
        value,
        f"{what}: zero {KERNEL}.",
        breaks="kube-proxy exits: open /proc/sys/net/netfilter/…: permission denied",
        source=SOURCE,
    )


FLAGS: tuple[Flag, ...] = (
    flag(
        "--kubeconfig",
        f"{MOUNT}/kubeconfig",
        "The API through api-int, as system:kube-proxy: it makes ClusterIPs work, so it cannot use one.",
        breaks="kube-proxy has no list of Services, and writes no rules",
    ),
    flag(
        "--hostname-override",
        "$(NODE_NAME)",
        "The name of its Node: the kubelet's name for itself, not the kernel's.",
        breaks="it waits for a Node of another name and then uses 127.0.0.1 as the node's address",
    ),
    flag(
        "--bind-address",
        "$(HOST_IP)",
        "The node's address, and with it the first IP family; nothing is bound to it. The pod starts before the Node "
        "is registered, when no other source has it.",
        breaks="before the Node is registered it assumes IPv4, and an IPv6 cluster has no rules",
    ),
    flag(
        "--proxy-mode",
        "iptables",
        f"iptables rules, which RHCOS 9 supports; nftables mode is still beta in {DEFAULT.kubernetes}.",
        breaks="the default may change with the version",
    ),
    flag(
        "--cluster-cidr",
        first_per_family,
        "The pod network, one per family: traffic from elsewhere is masqueraded so that the answer returns.",
        breaks="answers to clients outside the pod network are lost",
    ),
    _conntrack("max-per-core", "0", "The size of the connection table"),
    _conntrack("min", "0", "The least size of the connection table"),
    _conntrack("tcp-timeout-established", "0s", "How long a silent connection is remembered"),
    _conntrack("tcp-timeout-close-wait", "0s", "How long a half-closed connection is remembered"),
    _conntrack("udp-timeout", "0s", "How long a UDP exchange is remembered"),
    _conntrack("udp-timeout-stream", "0s", "How long a UDP exchange with replies is remembered"),
    flag(
        "--iptables-localhost-nodeports",
        "false",
        "Node ports do not answer on 127.0.0.1, so route_localnet stays off.",
        breaks="hosts on the same network could reach what listens on localhost only",
    ),
    flag(
        "--nodeport-addresses",
        "primary",
        "Node ports answer on the node's own addresses only.",
        breaks="node ports answer on every address of the machine, also in a storage or management network",
    ),
    flag(
        "--healthz-bind-address",
        f"{parts.LOOPBACK}:{HEALTH_PORT}",
        "Its health, for this machine only, and not on the usual 10256: ovnkube-node answers there. An empty value "
        "would mean the usual port again.",
        breaks="ovnkube-node on the same master: bind: address already in use",
        source=kubernetes("pkg/proxy/apis/config/v1alpha1, defaults"),
    ),
    flag(
        "--metrics-bind-address",
        f"{parts.LOOPBACK}:10249",
        "Metrics, for this machine only.",
        breaks=by_default("On another address, the network could read them"),
    ),
    flag("--v", "2", "Log verbosity.", breaks="at 0 the log does not show the first sync"),
)


def pod(cluster: Cluster, node: Node) -> dict[str, Any]:
    health = parts.probe("/livez", HEALTH_PORT, period=10, failures=3, host=parts.LOOPBACK, scheme="HTTP")
    program = parts.container(
        "kube-proxy",
        cluster.release.image_for("kube-proxy"),
        command=["kube-proxy"],
        args=arguments(FLAGS, cluster, node),
        env=[
            {"name": "NODE_NAME", "valueFrom": {"fieldRef": {"fieldPath": "spec.nodeName"}}},
            {"name": "HOST_IP", "valueFrom": {"fieldRef": {"fieldPath": "status.hostIP"}}},
        ],
        resources=parts.requests("10m", "50Mi"),
        securityContext={"privileged": True},
        livenessProbe=health,
        volumeMounts=[parts.mount("kubeconfig", MOUNT)],
    )
    return parts.pod(
        name="kube-proxy",
        namespace="kube-system",
        labels={"k8s-app": "kube-proxy"},
        spec={
            "priorityClassName": "system-node-critical",
            "containers": [program],
            "volumes": [parts.from_host("kubeconfig", KUBE_PROXY)],
        },
    )


DOCUMENT = Document(
    address="pod/kube-proxy",
    path="master-manifests/kube-proxy-pod.yaml",
    when=lambda cluster: cluster.kube_proxy,
    why=because(
        "Translates the kubernetes Service's address to an API server's where no network operator does. Masters get it "
        "if the release has no such operator, or with `kubeProxy: true`; beside an operator it leaves with its rules "
        "when that one is Available. One file for all masters: the kubelet fills in what differs between them. The "
        "installer has no such pod: operators that start before OVN take the API's host from "
        "/etc/kubernetes/apiserver-url.env.",
        readers="the kubelet on each master, from /etc/kubernetes/manifests",
        breaks="where no OVN runs, as in the lab, pods on masters: dial tcp 172.30.0.1:443: i/o timeout (F32). OVN "
        "itself starts without it",
        source=SOURCE,
    ),
    body=lambda given: pod(given.cluster, given.cluster.masters[0]),
    reasons={
        **{k: v for k, v in parts.BASIC.items() if k != "spec.hostNetwork"},
        "spec.hostNetwork": because(
            "The rules belong to the node's own network.", breaks="it programs a namespace that nothing else uses"
        ),
        "spec.priorityClassName": because(
            "Without ClusterIPs no operator on the node works.",
            breaks="under pressure it is evicted before ordinary pods",
        ),
        "spec.containers[].command": because(
            "From its own image: hyperkube does not contain kube-proxy.", breaks="nothing starts"
        ),
        "spec.containers[].env": because(
            "What the kubelet knows of the machine: NODE_NAME as it registers it, HOST_IP as it chose it. Both flags "
            "above refer to them.",
            breaks="the flags keep their `$(…)` as text, and kube-proxy exits",
        ),
        "spec.containers[].resources": parts.RESOURCES,
        "spec.containers[].livenessProbe": because(
            "Whether it keeps its rules up to date, over the loopback address.",
            breaks="a hung kube-proxy hangs without end",
        ),
        parts.PRIVILEGED: because(
            "It writes the node's packet filter rules.",
            breaks="iptables: Permission denied (you must be root)",
            source=SOURCE,
        ),
        "spec.containers[].volumeMounts": because(
            "Its kubeconfig, read-only.", breaks="kube-proxy has no list of Services, and writes no rules"
        ),
        "spec.volumes": because(
            "A folder with that one file; it must exist already.",
            breaks="kube-proxy has no list of Services, and the kubelet does not say why",
        ),
    },
    flags=reasons(FLAGS, "kube-proxy"),
)


def removal(cluster: Cluster) -> list[str]:
    """A command for a master: the pod ends, then its own program removes its rules, then its files go. The manifest is
    renamed first and removed last, so that whoever was interrupted finds it and begins again.

    Whether the rules are gone is looked up: the program also tidies up after modes that never ran, and exits with 1
    where the image lacks ipset or nft for that."""
    folder = "/etc/kubernetes/manifests"
    script = f"""set -eu
cd {folder}
[ ! -e {DOCUMENT.file} ] || mv {DOCUMENT.file} {LEAVING}
for try in $(seq 60); do [ -n "$(crictl ps --quiet --name '^kube-proxy$')" ] || break; sleep 1; done
[ -z "$(crictl ps --quiet --name '^kube-proxy$')" ]
podman run --rm --privileged --network=host --authfile=/var/lib/kubelet/config.json --entrypoint=kube-proxy \\
    {cluster.release.image_for("kube-proxy")} --cleanup || echo "kube-proxy --cleanup: exit code $?" >&2
rules=$(iptables-save && ip6tables-save)
case $rules in *KUBE-SERVICES* | *KUBE-SVC-*) echo "rules of kube-proxy are left" >&2; exit 1 ;; esac
rm -rf {KUBE_PROXY} {LEAVING}
"""
    return ["sh", "-c", script]
