"""kube-scheduler: decides on which node a pod runs."""

from __future__ import annotations

from typing import Any

from hardway.emit.document import Document
from hardway.lines.sources import kubernetes, source
from hardway.model.cluster import Cluster, Node
from hardway.model.why import because
from hardway.staticpods import api_client, parts
from hardway.staticpods.gates import gates_flag
from hardway.staticpods.paths import CERT_DIR, secret
from hardway.staticpods.row import CIS, Flag, by_default, flag, reasons
from hardway.staticpods.tls import SERVING

KSO = source("cluster-kube-scheduler-operator", "bindata/bootkube")
KUBECONFIG_FILE = "scheduler.kubeconfig"

FLAGS: tuple[Flag, ...] = (
    flag(
        "--kubeconfig",
        secret(KUBECONFIG_FILE),
        "Its connection to the API server on the same node, as system:kube-scheduler: the built-in role of that user "
        "is all it needs. The rendered pod runs as system:admin instead.",
        breaks="every pod that is not static stays Pending",
        source=kubernetes("bootstrap policy, ClusterRole system:kube-scheduler"),
    ),
    flag(
        "--authentication-kubeconfig",
        secret(KUBECONFIG_FILE),
        "Lets it authenticate callers of its own port at the API server.",
        breaks="its metrics are closed to everybody, with a warning at each start",
    ),
    flag(
        "--authorization-kubeconfig",
        secret(KUBECONFIG_FILE),
        "Lets it authorize callers of its own port at the API server.",
        breaks="its metrics are closed to everybody, with a warning at each start",
    ),
    flag(
        "--leader-elect",
        "true",
        "Only one scheduler is active: this one still runs while the masters' start.",
        breaks=by_default("Switched off, two schedulers bind the same pods"),
    ),
    flag(
        "--bind-address",
        parts.LOOPBACK,
        "Its own port is for this machine only.",
        breaks="health and metrics are offered to the whole network",
        source=CIS + "1.4.2",
    ),
    flag(
        "--secure-port",
        "10259",
        "The port for health and metrics.",
        breaks=by_default("On another port, clients that look for it there find nothing"),
    ),
    flag(
        "--cert-dir",
        CERT_DIR,
        "The folder for the self-signed certificate that it makes at each start.",
        breaks="no effect on disk: it would keep the certificate in memory",
    ),
    *SERVING,
    flag(
        "--profiling",
        "false",
        "Profiling over the network is off.",
        breaks="anyone who may read its metrics can read memory and timing of the scheduler",
        source=CIS + "1.4.1",
    ),
    gates_flag("the scheduler"),
    flag("--v", "2", "Log verbosity.", breaks="at 0 the log does not say why a pod could not be scheduled"),
)


def pod(cluster: Cluster, node: Node) -> dict[str, Any]:
    return api_client.pod(
        "kube-scheduler",
        cluster,
        node,
        flags=FLAGS,
        files={"kubeconfig": KUBECONFIG_FILE},
        resources=parts.requests("15m", "50Mi"),
    )


DOCUMENT = Document(
    address="pod/kube-scheduler",
    path="bootstrap-manifests/kube-scheduler-pod.yaml",
    why=because(
        "Schedules pods on the masters as they join: the operators that CVO creates wait for it. No probe, as in the "
        "rendered pod: it exits when it loses its lease, and the kubelet restarts it.",
        readers="the kubelet on the bootstrap node, from /etc/kubernetes/manifests",
        breaks="every pod that is not static stays Pending",
        source=KSO,
    ),
    body=lambda given: pod(given.cluster, given.cluster.bootstrap),
    reasons={
        **parts.BASIC,
        **parts.RESTRICTED,
        "spec.containers[].command": parts.COMMAND,
        "spec.containers[].resources": parts.RESOURCES,
        "spec.containers[].volumeMounts": because(
            "Its kubeconfig, and a place for the certificate it makes.",
            breaks="it cannot authenticate, or cannot start",
        ),
        "spec.volumes": because(
            "That one file and no other: the scheduler does not need the keys in the same folder. As `File` it must "
            "exist already; without a type the runtime would create a folder of that name. The certificate's folder "
            "is in memory.",
            breaks="it cannot authenticate; or a vulnerability in it exposes every key of the control plane",
        ),
    },
    flags=reasons(FLAGS, "kube-scheduler"),
)
