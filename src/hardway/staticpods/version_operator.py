"""cluster-version-operator: where the work by hand ends."""

from __future__ import annotations

from typing import Any

from hardway.emit.document import Document
from hardway.lines.sources import source
from hardway.model.cluster import Cluster, Node
from hardway.model.why import because
from hardway.staticpods import parts
from hardway.staticpods.paths import KUBECONFIG
from hardway.staticpods.row import Flag, arguments, by_default, flag, reasons

CVO = source("cluster-version-operator", "bootstrap/bootstrap-pod.yaml")
CERTIFICATES = "/etc/ssl/certs"
PROFILE = "self-managed-high-availability"

FLAGS: tuple[Flag, ...] = (
    flag(
        "--release-image",
        lambda c, n: c.release.image,
        "The release that it installs, by digest; its own image is the same.",
        breaks="it cannot read its own version, and exits",
    ),
    flag(
        "--enable-auto-update",
        "false",
        "An administrator decides about updates.",
        breaks=by_default("Switched on, the cluster would update itself while it is being installed"),
    ),
    flag(
        "--listen",
        "",
        "Empty: no metrics. They would need a serving certificate, which an operator makes later.",
        breaks="it exits: no certificate for its metrics",
        source=CVO,
    ),
    flag(
        "--v",
        "2",
        "Log verbosity: at 2 each manifest that it applies.",
        breaks="the log does not show its progress",
    ),
    flag(
        "--kubeconfig",
        KUBECONFIG,
        "The administrator over localhost: it works before any DNS record or load balancer does.",
        breaks="it looks for a service account, which a static pod does not have, and exits",
    ),
)


def pod(cluster: Cluster, node: Node) -> dict[str, Any]:
    program = parts.container(
        "cluster-version-operator",
        cluster.release.image,
        pull="Always",
        args=["start", *arguments(FLAGS, cluster, node)],
        env=[
            {"name": "KUBERNETES_SERVICE_HOST", "value": parts.LOOPBACK},
            {"name": "KUBERNETES_SERVICE_PORT", "value": "6443"},
            {"name": "NODE_NAME", "valueFrom": {"fieldRef": {"fieldPath": "spec.nodeName"}}},
            {"name": "CLUSTER_PROFILE", "value": PROFILE},
        ],
        securityContext={"privileged": True},
        volumeMounts=[parts.mount("etc-ssl-certs", CERTIFICATES), parts.mount("kubeconfig", KUBECONFIG)],
    )
    return parts.pod(
        name="bootstrap-cluster-version-operator",
        namespace="openshift-cluster-version",
        labels={"k8s-app": "cluster-version-operator"},
        spec={
            "dnsPolicy": "ClusterFirstWithHostNet",
            "terminationGracePeriodSeconds": 130,
            "containers": [program],
            "volumes": [
                parts.from_host("etc-ssl-certs", CERTIFICATES),
                parts.from_host("kubeconfig", KUBECONFIG, "File"),
            ],
        },
    )


DOCUMENT = Document(
    address="pod/cluster-version-operator",
    path="bootstrap-manifests/bootstrap-pod.yaml",
    why=because(
        "Reads the release's manifests and applies all of them: from then on operators build the cluster. A static "
        "pod, because the bootstrap node is not registered and nothing can be scheduled to it.",
        readers="the kubelet on the bootstrap node, from /etc/kubernetes/manifests",
        breaks="the cluster stays a bare Kubernetes",
        source=CVO,
    ),
    body=lambda given: pod(given.cluster, given.cluster.bootstrap),
    reasons={
        **{k: v for k, v in parts.BASIC.items() if not k.endswith(("image", "imagePullPolicy"))},
        "spec.dnsPolicy": because(
            "Cluster names first, although the pod is on the node's network; the bootstrap kubelet knows no cluster "
            "DNS and hands out the node's.",
            breaks="names of Services could not be resolved where a cluster DNS exists",
        ),
        "spec.terminationGracePeriodSeconds": because(
            "Time to finish the current manifest and to release its lease.",
            breaks="the next CVO waits for the lease of the dead one",
        ),
        "spec.containers[].image": because(
            "The release image itself, not the operator's: only that one has /release-manifests.",
            breaks="it finds no manifests and applies nothing",
            source=CVO,
        ),
        "spec.containers[].imagePullPolicy": because(
            "As in the real pod: pulled at each start. By digest it is the same image each time.",
            breaks="no effect while the image is on disk",
        ),
        "spec.containers[].args": because(
            "`start` is the operator itself; `render` and `image` are the image's other uses.",
            breaks="it prints its help and exits",
        ),
        "spec.containers[].env": because(
            "KUBERNETES_SERVICE_HOST and _PORT: the API server on the same node, since no ClusterIP works here. "
            "NODE_NAME: its identity in the leader election, without which it does not start. CLUSTER_PROFILE: which "
            "of the release's manifests are for a cluster of this kind; a single control plane has the same profile.",
            breaks="it exits, or applies manifests of another kind of cluster",
        ),
        parts.PRIVILEGED: because(
            "It reads the administrator's kubeconfig and the host's certificates, which confined containers may not.",
            breaks="SELinux on RHCOS: permission denied on the kubeconfig",
            source=CVO,
        ),
        "spec.containers[].volumeMounts": because(
            "The kubeconfig, and the host's certificate authorities for the update service behind a proxy; read-only.",
            breaks="it cannot reach the API, or trusts no server outside",
        ),
        "spec.volumes": because(
            "As `File` the kubeconfig must exist already: without a type the runtime would create a folder of that "
            "name, and writing the file later would fail.",
            breaks="it cannot reach the API",
        ),
    },
    flags=reasons(FLAGS, "cluster-version-operator"),
)
