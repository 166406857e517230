"""Where etcd is: the bootstrap member's address, and the Service before all members."""

from __future__ import annotations

from typing import Any

from hardway.emit.document import Document
from hardway.graph.asset import Given
from hardway.lines.sources import source
from hardway.manifests.etcd.names import NAMESPACE, SOURCE
from hardway.manifests.shapes import metadata
from hardway.model.why import because

BOOTSTRAP = "alpha.installer.openshift.io/etcd-bootstrap"


def _endpoints(given: Given) -> dict[str, Any]:
    about = metadata("etcd-endpoints", NAMESPACE, annotations={BOOTSTRAP: given.cluster.bootstrap.address})
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": about}


def _service(given: Given) -> dict[str, Any]:
    ports = [{"name": name, "port": port, "protocol": "TCP"} for name, port in (("etcd", 2379), ("etcd-metrics", 9979))]
    return {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": metadata("etcd", NAMESPACE, labels={"k8s-app": "etcd"}),
        "spec": {"selector": {"k8s-app": "etcd"}, "ports": ports},
    }


DOCUMENTS = (
    Document(
        path="manifests/00_etcd-endpoints-cm.yaml",
        body=_endpoints,
        reasons={
            f'metadata.annotations["{BOOTSTRAP}"]': because(
                "The bootstrap member's address. No data, on purpose: entries there would count as ordinary members.",
                breaks="the operator stops: endpoints func found no etcd endpoints (F30)",
                source=source("cluster-etcd-operator", "pkg/etcdcli/etcdcli.go"),
            )
        },
        why=because(
            "The address of the one etcd member that already runs.",
            readers="the etcd operator, until the bootstrap member is removed; the kube-apiserver operator",
            breaks="the operator looks for etcd on masters where none runs yet, and waits without end (F30)",
            source=SOURCE,
        ),
    ),
    Document(
        path="manifests/openshift-etcd-svc.yaml",
        body=_service,
        reasons={
            "metadata.labels.k8s-app": because("Monitoring selects the Service by it."),
            "spec.selector.k8s-app": because("The pods behind it: etcd's members."),
            "spec.ports": because("Clients' port, and the one for metrics."),
        },
        why=because(
            "A stable name for the members inside the cluster; it is among the names in their certificates.",
            readers="monitoring, and operators that reach etcd from a pod",
            breaks="metrics cannot be collected, and in-cluster clients have no name to use",
            source=SOURCE,
        ),
    ),
)
