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
        "The first member of the store, alone until the masters join. The operator's own pod beside it, which only "
        "sleeps so that somebody can run etcdctl in it, is left out: the image of this one has etcdctl too.",
        readers="the kubelet on the bootstrap node, from /etc/kubernetes/manifests",
        breaks="the API server has no store and never becomes ready",
        source=CEO,
    ),
    body=lambda given: pod(given.cluster, given.cluster.bootstrap),
    reasons={
        **parts.BASIC,
        **parts.RESTRICTED,
        "spec.priorityClassName": because(
            "Nothing on a node matters more than the store.",
            breaks="under pressure the kubelet may choose etcd to make room",
        ),
        "spec.containers[].command": because("etcd itself, with no shell in between.", breaks="nothing starts"),
        "spec.containers[].env": because(
            "How many members may catch up at the same time: every master at once. In the environment, because only "
            "OpenShift's etcd 3.5 knows it: upstream's exits at a flag that it does not know, and merely warns about "
            "a variable.",
            breaks="etcd's own limit is one, and the masters queue behind each other",
        ),
        "spec.containers[].resources": parts.RESOURCES,
        "spec.containers[].volumeMounts": because(
            "Its certificates, read-only, and its data.",
            breaks="etcd finds no certificate, or forgets all when it restarts",
        ),
        "spec.volumes": because(
            "Certificates from the member's own folder: the signers' keys are not in it. The data's folder is made if "
            "it is missing; the certificates' folder must be there, so that a forgotten one is named in the kubelet's "
            "log.",
            breaks="etcd finds no certificate, or forgets all when it restarts",
        ),
    },
    flags=reasons(FLAGS, "etcd"),
)
