"""The namespaces that our own objects live in. The release brings the same ones later; here they have to be first."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

from hardway.emit.document import CLUSTER_SCOPED, Document
from hardway.graph.asset import Given
from hardway.lines.sources import source
from hardway.manifests.shapes import metadata
from hardway.model.cluster import Cluster
from hardway.model.why import Why, because

PREFIX = "0000_00_namespace-"
SELECTOR = "openshift.io/node-selector"
WORKLOAD = "workload.openshift.io/allowed"
RUN_LEVEL = "openshift.io/run-level"
MONITORING = "openshift.io/cluster-monitoring"
POD_SECURITY = tuple(f"pod-security.kubernetes.io/{mode}" for mode in ("enforce", "audit", "warn"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Namespace:
    """A namespace as the release declares it."""

    name: str
    holds: str
    source: str
    run_level: str | None = "0"
    any_node: bool = True
    management: bool = True
    monitored: bool = False
    pod_security: str = ""
    labelled: bool = False  # carries its own name as a label too
    pods: bool = True  # whether any run in it
    brought_by: str = ""  # which operator makes it, if no object of ours is in it


TABLE: tuple[Namespace, ...] = (
    Namespace(
        name="openshift-cluster-version",
        holds="the cluster-version operator, on the bootstrap node and later in the cluster",
        source=source("cluster-version-operator", "install/"),
        run_level="",
        monitored=True,
        pod_security="privileged",
        labelled=True,
    ),
    Namespace(
        name="openshift-config",
        holds="what the administrator and the installation hand to operators: pull secret, CAs, initial keys",
        source=source("cluster-config-operator", "manifests/"),
        management=False,
        pod_security="privileged",
        pods=False,
    ),
    Namespace(
        name="openshift-config-managed",
        holds="what operators hand to each other: the kubelets' CA, the service-account public keys",
        source=source("cluster-config-operator", "manifests/"),
        management=False,
        pods=False,
    ),
    Namespace(
        name="openshift-etcd",
        holds="etcd's pods, its signers and certificates, and where its members are",
        source=source("cluster-etcd-operator", "bindata/bootkube"),
        management=False,
    ),
    Namespace(
        name="openshift-infra",
        holds="the service accounts that the controllers of OpenShift run under",
        source=source("cluster-kube-controller-manager-operator", "bindata/bootkube"),
        run_level=None,
        any_node=False,
        pod_security="privileged",
        brought_by="the kube-controller-manager operator",
    ),
    Namespace(
        name="openshift-kube-apiserver",
        holds="the API server's pods",
        source=source("cluster-kube-apiserver-operator", "bindata/bootkube"),
        monitored=True,
        pod_security="privileged",
    ),
    Namespace(
        name="openshift-kube-apiserver-operator",
        holds="the API server's operator, and the signers it takes over from us",
        source=source("cluster-kube-apiserver-operator", "bindata/bootkube"),
        monitored=True,
        pod_security="restricted",
    ),
    Namespace(
        name="openshift-kube-controller-manager",
        holds="the controller-manager's pods",
        source=source("cluster-kube-controller-manager-operator", "bindata/bootkube"),
        monitored=True,
        brought_by="the kube-controller-manager operator",
    ),
    Namespace(
        name="openshift-kube-controller-manager-operator",
        holds="the controller-manager's operator, and the signer of kubelet certificates it takes over from us",
        source=source("cluster-kube-controller-manager-operator", "bindata/bootkube"),
        monitored=True,
    ),
    Namespace(
        name="openshift-kube-scheduler",
        holds="the scheduler's pods",
        source=source("cluster-kube-scheduler-operator", "bindata/bootkube"),
        brought_by="the kube-scheduler operator",
    ),
    Namespace(
        name="openshift-machine-api",
        holds="the user data of machines that are added later",
        source=source("machine-api-operator", "install/"),
        run_level="",
        monitored=True,
        pod_security="privileged",
        labelled=True,
    ),
    Namespace(
        name="openshift-machine-config-operator",
        holds="the machine-config operator, its server's certificate, and the account that new kubelets use",
        source=source("machine-config-operator", "install/"),
        run_level="",
        monitored=True,
        pod_security="privileged",
        labelled=True,
    ),
)

SCC_ADMISSION = "SCC admission in the masters' API servers"
LEVEL_ZERO = because(
    "Level 0: pods here are admitted without security context constraints, because they run before those exist.",
    readers=SCC_ADMISSION,
    breaks="no pod is admitted here before the namespace has a range of user ids, and the controller that assigns "
    "ranges needs the control plane that runs in such pods",
)
LEVEL_WITHOUT_PODS = because("Level 0, as the release declares it; no pod runs here.", readers=SCC_ADMISSION)
NO_LEVEL = because("Written as empty, so that a level from an older release is removed.", readers=SCC_ADMISSION)


def _body(row: Namespace, given: Given) -> dict[str, Any]:
    annotations = ({SELECTOR: ""} if row.any_node else {}) | ({WORKLOAD: "management"} if row.management else {})
    labels = {"name": row.name} if row.labelled else {}
    labels |= {RUN_LEVEL: row.run_level} if row.run_level is not None else {}
    labels |= {MONITORING: "true"} if row.monitored else {}
    labels |= {mode: row.pod_security for mode in POD_SECURITY if row.pod_security}
    about = metadata(row.name, annotations=annotations, labels=labels)
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": about}


def _reasons(row: Namespace) -> dict[str, Why]:
    reasons: dict[str, Why] = {}
    if row.any_node:
        reasons[f'metadata.annotations["{SELECTOR}"]'] = because(
            "An empty selector: a default selector of the cluster must not keep these pods off the control plane.",
            readers="node-selector admission in the masters' API servers",
        )
    if row.management:
        reasons[f'metadata.annotations["{WORKLOAD}"]'] = because(
            "Its pods may be counted against the CPUs set aside for management.",
            readers="admission of management workloads in the masters' API servers",
        )
    if row.run_level is not None:
        reasons[f'metadata.labels["{RUN_LEVEL}"]'] = _level(row)
    if row.monitored:
        reasons[f'metadata.labels["{MONITORING}"]'] = because(
            "The platform's Prometheus looks for targets here.", readers="the monitoring operator's Prometheus"
        )
    if row.labelled:
        reasons["metadata.labels.name"] = because("The name again, for selectors that go by labels.")
    if row.pod_security:
        for mode in POD_SECURITY:
            reasons[f'metadata.labels["{mode}"]'] = because(
                f"Pod security here is {row.pod_security}, as its pods need it.",
                readers="pod security admission in the API servers",
            )
    return reasons


def _level(row: Namespace) -> Why:
    if not row.run_level:
        return NO_LEVEL
    return LEVEL_ZERO if row.pods else LEVEL_WITHOUT_PODS


def _document(row: Namespace) -> Document:
    file = f"{PREFIX}{row.name}.yaml"
    return Document(
        path=f"manifests/{file}",
        body=partial(_body, row),
        common=CLUSTER_SCOPED,
        reasons=_reasons(row),
        why=_why(row),
    )


def _why(row: Namespace) -> Why:
    readers = "the objects of ours that are in it"
    breaks = f'applying those objects fails: namespaces "{row.name}" not found, until the release brings it'
    if row.brought_by:
        readers = f"{row.brought_by}; no object of ours is in it"
        breaks = f"no lasting effect: {row.brought_by} makes it too"
    return because(f"For {row.holds}.", readers=readers, breaks=breaks, source=row.source)


DOCUMENTS = tuple(_document(row) for row in TABLE)


def documents(cluster: Cluster) -> tuple[Document, ...]:
    return DOCUMENTS
