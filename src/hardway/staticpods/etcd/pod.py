"""etcd: where all of the cluster's state is."""

from __future__ import annotations

from typing import Any

from hardway.emit.document import Document
from hardway.lines.sources import source
from hardway.model.cluster import Cluster, Node
from hardway.model.why import because
from hardway.staticpods import parts
from hardway.staticpods.etcd.flags import FLAGS
from hardway.staticpods.paths import ETCD_DATA, ETCD_MEMBER, ETCD_TLS
from hardway.staticpods.row import arguments, reasons

CEO = source("cluster-etcd-operator", "bindata/bootkube, pkg/cmd/render/env.go")


def pod(cluster: Cluster, node: Node) -> dict[str, Any]:
    program = parts.container(
        "etcd",
        cluster.release.image_for("etcd"),
        command=["etcd"],
        args=arguments(FLAGS, cluster, node),
        env=[{"name": "ETCD_EXPERIMENTAL_MAX_LEARNERS", "value": str(cluster.control_plane_replicas)}],
        resources=parts.requests("245m", "600Mi"),
        securityContext=parts.restricted(),
        volumeMounts=[parts.mount("certs", ETCD_TLS), parts.mount("data-dir", ETCD_DATA, read_only=False)],
    )
    return parts.pod(
        name="etcd-bootstrap-member" if node.role == "bootstrap" else "etcd",
        namespace="openshift-etcd",
        labels={"k8s-app": "etcd"},
        spec={
            "priorityClassName": "system-node-critical",
            "containers": [program],
            "volumes": [
                parts.from_host("certs", ETCD_MEMBER),
                parts.from_host("data-dir", ETCD_DATA, "DirectoryOrCreate"),
            ],
        },
    )


DOCUMENT = Document(
    address="pod/etcd",
    path="bootstrap-manifests/etcd-member-pod.yaml",
    why=because(
        "The first member of the store, alone until the masters join. The operator's own pod has a second container, "
        "which only sleeps so that a person can run etcdctl in it; it is left out, because this image has etcdctl "
        "too.",
        readers="the kubelet on the bootstrap node, from /etc/kubernetes/manifests",
        breaks="the API server has no store and never becomes ready",
        source=CEO,
    ),
    body=lambda given: pod(given.cluster, given.cluster.bootstrap),
    reasons={
        **parts.BASIC,
        **parts.RESTRICTED,
        "spec.priorityClassName": because(
            "etcd is the most important pod of the node.",
            breaks="under pressure the kubelet may evict etcd",
        ),
        "spec.containers[].command": because("etcd itself, without a shell.", breaks="nothing starts"),
        "spec.containers[].env": because(
            "How many members may catch up at the same time: every master at once. In the environment, because only "
            "OpenShift's etcd 3.5 knows it: upstream's exits at an unknown flag, and only warns about a variable.",
            breaks="etcd's own limit is one, and the masters queue behind each other",
        ),
        "spec.containers[].resources": parts.RESOURCES,
        "spec.containers[].volumeMounts": because(
            "Its certificates, read-only, and its data.",
            breaks="etcd finds no certificate, or loses its data when it restarts",
        ),
        "spec.volumes": because(
            "Certificates from the member's own folder, which does not have the signers' keys. The data folder is "
            "created if it is missing; the certificates' folder must exist, so that the kubelet's log names a "
            "missing one.",
            breaks="etcd finds no certificate, or loses its data when it restarts",
        ),
    },
    flags=reasons(FLAGS, "etcd"),
)
