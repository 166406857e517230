"""kube-apiserver: all else talks to it, and to nothing but it."""

from __future__ import annotations

from typing import Any

from hardway.emit.document import Document
from hardway.lines.sources import source
from hardway.model.cluster import Cluster, Node
from hardway.model.why import because
from hardway.staticpods import parts
from hardway.staticpods.apiserver.flags import FLAGS
from hardway.staticpods.apiserver.serving import PORT, grace
from hardway.staticpods.paths import AUDIT_LOG, CONFIG, SECRETS, config_of, secrets_of
from hardway.staticpods.row import arguments, reasons

KASO = source("cluster-kube-apiserver-operator", "bindata/bootkube, bindata/assets/config")


def pod(cluster: Cluster, node: Node) -> dict[str, Any]:
    program = parts.container(
        "kube-apiserver",
        cluster.release.image_for("hyperkube"),
        command=["hyperkube", "kube-apiserver"],
        args=arguments(FLAGS, cluster, node),
        resources=parts.requests("265m", "1Gi"),
        securityContext=parts.restricted(),
        startupProbe=parts.probe("/livez", PORT, period=5, failures=30),
        readinessProbe=parts.probe("/readyz", PORT, period=5, failures=3),
        livenessProbe=parts.probe("/livez?exclude=etcd", PORT, period=10, failures=3),
        volumeMounts=[
            parts.mount("secrets", SECRETS),
            parts.mount("config", CONFIG),
            parts.mount("audit-dir", AUDIT_LOG, read_only=False),
            parts.mount("tmp", "/tmp", read_only=False),  # noqa: S108  (the program has no flag for another place)
        ],
    )
    return parts.pod(
        name="bootstrap-kube-apiserver" if node.role == "bootstrap" else "kube-apiserver",
        namespace="openshift-kube-apiserver",
        labels={"openshift.io/control-plane": "true", "openshift.io/component": "api"},
        spec={
            "terminationGracePeriodSeconds": grace(cluster),
            "containers": [program],
            "volumes": [
                parts.from_host("secrets", secrets_of(node)),
                parts.from_host("config", config_of(node)),
                parts.from_host("audit-dir", AUDIT_LOG, "DirectoryOrCreate"),
                parts.in_memory("tmp"),
            ],
        },
    )


DOCUMENT = Document(
    address="pod/kube-apiserver",
    path="bootstrap-manifests/kube-apiserver-pod.yaml",
    why=because(
        "The API, from flags, and from a configuration file for what flags cannot say: OpenShift's own admission. The "
        "rendered pod takes everything from such a file. Its helper that repeats readiness over plain HTTP is left "
        "out: the load balancer checks /readyz on the API's port.",
        readers="the kubelet on the bootstrap node, from /etc/kubernetes/manifests",
        breaks="there is no cluster",
        source=KASO,
    ),
    body=lambda given: pod(given.cluster, given.cluster.bootstrap),
    reasons={
        **parts.BASIC,
        **parts.RESTRICTED,
        "spec.terminationGracePeriodSeconds": because(
            "Time to drain: 70 s until the load balancer has noticed, 60 s for the longest ordinary request, and a "
            "margin. A single control plane has no other API server to hand over to and stops at once.",
            breaks="requests in progress are cut off",
        ),
        "spec.containers[].command": parts.COMMAND,
        "spec.containers[].resources": parts.RESOURCES,
        "spec.containers[].startupProbe": because(
            "Two and a half minutes to start before it counts as failed.",
            breaks="on a slow disk it is killed over and over while it starts (F37)",
        ),
        "spec.containers[].readinessProbe": because(
            "Whether it can serve, etcd included; bootkube.sh and the load balancer check the same.",
            breaks="bootkube.sh applies manifests to an API that cannot store them",
        ),
        "spec.containers[].livenessProbe": because(
            "Whether the process itself is healthy, without etcd: a restart would not repair etcd.",
            breaks="each pause of etcd restarts the API server too, and prolongs the outage",
        ),
        "spec.containers[].volumeMounts": because(
            "Keys and certificates, the configuration file and the audit policy, read-only; the audit log; and a "
            "folder for the settings of admission plugins, which it takes from its configuration file and writes "
            "into a file of their own.",
            breaks="it exits: no such file, or: read-only file system",
        ),
        "spec.volumes": because(
            "The first two must exist: the kubelet's log then names a missing folder instead of creating an empty "
            "one. The log's folder is created, and the last one is in memory.",
            breaks="it exits: no such file",
        ),
    },
    flags=reasons(FLAGS, "kube-apiserver"),
)
