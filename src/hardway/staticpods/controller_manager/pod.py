"""kube-controller-manager: turns what is written into what is."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hardway.emit.document import Document
from hardway.lines.sources import source
from hardway.model.cluster import Cluster, Node
from hardway.model.why import because
from hardway.staticpods import api_client, parts
from hardway.staticpods.controller_manager import policy
from hardway.staticpods.controller_manager.flags import FILES, FLAGS
from hardway.staticpods.row import reasons

KCMO = source("cluster-kube-controller-manager-operator", "bindata/bootkube, bindata/assets/config")
PORT = 10257


def pod(cluster: Cluster, node: Node) -> dict[str, Any]:
    alone = api_client.pod(
        "kube-controller-manager",
        cluster,
        node,
        flags=FLAGS,
        files={file.replace(".", "-"): file for file in FILES},
        resources=parts.requests("60m", "200Mi"),
        startupProbe=parts.probe("/healthz", PORT, period=5, failures=30, host=parts.LOOPBACK),
        readinessProbe=parts.probe("/healthz", PORT, period=5, failures=3, host=parts.LOOPBACK),
        livenessProbe=parts.probe("/healthz", PORT, period=10, failures=3, host=parts.LOOPBACK),
    )
    return policy.add(alone, cluster, node) if policy.runs(cluster) else alone


DOCUMENT = Document(
    address="pod/kube-controller-manager",
    path="bootstrap-manifests/kube-controller-manager-pod.yaml",
    why=because(
        "Makes endpoints, service accounts and their tokens, and signs kubelets' certificates. Beside it runs "
        "cluster-policy-controller, which gives namespaces the ranges of user ids that SCC admission needs.",
        readers="the kubelet on the bootstrap node, from /etc/kubernetes/manifests",
        breaks="no pod gets a token, no CSR is signed, no node becomes Ready (F29)",
        source=KCMO,
    ),
    body=lambda given: pod(given.cluster, given.cluster.bootstrap),
    reasons={
        **parts.BASIC,
        **parts.RESTRICTED,
        "spec.containers[].command": because(
            "The program inside the image: hyperkube runs its first argument with the arguments that follow, and the "
            "policy controller is told to start.",
            breaks="the container exits at once",
        ),
        "spec.containers[].resources": parts.RESOURCES,
        "spec.containers[].startupProbe": because(
            "Two and a half minutes for each to find the API server before it counts as failed.",
            breaks="it is restarted while the API server is still starting",
        ),
        "spec.containers[].readinessProbe": because(
            "Reports when its controllers run; over the loopback address, the only one that either listens on.",
            breaks="bootkube.sh treats it as ready while it is not",
        ),
        "spec.containers[].livenessProbe": because(
            "Its health check fails when it cannot renew its lease: then the kubelet restarts it.",
            breaks="a hung controller-manager hangs without end",
        ),
        "spec.containers[].volumeMounts": because(
            "The five files it reads, and a place for the certificate it makes. The policy controller has a "
            "kubeconfig, its configuration file, and a folder for its certificate.",
            breaks="it exits: no such file, or: read-only file system",
        ),
        "spec.volumes": because(
            "File by file, so that it sees neither etcd's client key nor the key that signs bound tokens, which are "
            "in the same folder. As `File` each must exist already; without a type the runtime would create a folder "
            "of that name. The certificates' folders are in memory.",
            breaks="it exits, or a vulnerability in it exposes every key of the control plane",
        ),
    },
    flags=reasons(FLAGS, "kube-controller-manager"),
    when=lambda cluster: not policy.runs(cluster),
)


_POLICED = replace(
    DOCUMENT,
    reasons={
        **DOCUMENT.reasons,
        "spec.containers[].env": because(
            "What the policy controller's events are about: the pod as the API shows it.",
            readers=policy.NAME,
            breaks="its events are refused: they name no object",
        ),
    },
    flags=reasons((*FLAGS, *policy.OWN), "kube-controller-manager"),
    when=policy.runs,
)
DOCUMENTS = (DOCUMENT, _POLICED)
"""Without the policy controller, and with it: by whether the digest of its image is known."""
