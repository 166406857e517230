"""cluster-policy-controller, beside the controller-manager: a range of user ids for each namespace."""

from __future__ import annotations

from typing import Any

from hardway.emit.document import OBJECT, Document
from hardway.lines.sources import source
from hardway.manifests.features import resolved
from hardway.model.cluster import Cluster, Node
from hardway.model.why import because
from hardway.staticpods import parts
from hardway.staticpods.controller_manager.flags import KUBECONFIG_FILE
from hardway.staticpods.paths import CONFIG, KUBECONFIG, config_of, secret
from hardway.staticpods.row import Flag, arguments, flag

NAME, IMAGE = "cluster-policy-controller", "cluster-policy-controller"
CONFIG_FILE = "cluster-policy-controller-config.yaml"
NAMESPACE, PORT = "kube-system", 10357
ADMIN = "kubeconfig"  # the volume's name
GATE = "OpenShiftPodSecurityAdmission"
CPC = source("cluster-policy-controller", "pkg/cmd")
KCMO = source("cluster-kube-controller-manager-operator", "bindata/bootkube, bindata/assets/config")

CONTROLLERS = {
    "namespace-security-allocation": "namespace-security-allocation-controller",
    "podsecurity-admission-label-syncer": "podsecurity-admission-label-syncer-controller",
    "privileged-namespaces-psa-label-syncer": "privileged-namespaces-psa-label-syncer",
}
"""Those that run, by the service account of openshift-infra that each works under."""

OWN: tuple[Flag, ...] = (
    flag(
        "--config",
        f"{CONFIG}/{CONFIG_FILE}",
        "Its configuration file.",
        readers=NAME,
        breaks="all its controllers run, and its port is open on every address of the machine",
    ),
    flag(
        "--namespace",
        NAMESPACE,
        "Where its lease and its events are: in the pod's own namespace.",
        readers=NAME,
        breaks="it exits: unable to determine its namespace from a service account, which a static pod has not",
    ),
)


def _kubeconfig(cluster: Cluster, node: Node) -> str:
    """The administrator's where it has to create the namespace of its accounts, else the controller-manager's."""
    return KUBECONFIG if node.role == "bootstrap" else secret(KUBECONFIG_FILE)


FLAGS: tuple[Flag, ...] = (
    *OWN,
    flag("--kubeconfig", _kubeconfig, "Said with the controller-manager's."),
    flag("--v", "2", "As the controller-manager's."),
)


def runs(cluster: Cluster) -> bool:
    """Not while the release is unread: the built-in catalogue has no digest of this image."""
    return IMAGE in cluster.release.images


def add(pod: dict[str, Any], cluster: Cluster, node: Node) -> dict[str, Any]:
    """The container, and the volumes that the controller-manager does not have."""
    spec = pod["spec"]
    admins = [parts.from_host(ADMIN, KUBECONFIG, "File")] if node.role == "bootstrap" else []
    spec["containers"].append(_container(f"{pod['metadata']['name']}-{node.name}", cluster, node))
    spec["volumes"] += [
        *admins,
        parts.from_host("policy-config", f"{config_of(node)}/{CONFIG_FILE}", "File"),
        parts.in_memory("policy-tmp"),
    ]
    return pod


def _container(mirror: str, cluster: Cluster, node: Node) -> dict[str, Any]:
    def probe(period: int, failures: int) -> dict[str, Any]:
        return parts.probe("/healthz", PORT, period=period, failures=failures, host=parts.LOOPBACK)

    volume = ADMIN if node.role == "bootstrap" else KUBECONFIG_FILE.replace(".", "-")
    return parts.container(
        NAME,
        cluster.release.image_for(IMAGE),
        command=[NAME, "start"],
        args=arguments(FLAGS, cluster, node),
        env=[{"name": "POD_NAME", "value": mirror}, {"name": "POD_NAMESPACE", "value": NAMESPACE}],
        resources=parts.requests("10m", "200Mi"),
        securityContext=parts.restricted(),
        startupProbe=probe(5, 30),
        readinessProbe=probe(5, 3),
        livenessProbe=probe(10, 3),
        volumeMounts=[
            parts.mount(volume, _kubeconfig(cluster, node)),
            parts.mount("policy-config", f"{CONFIG}/{CONFIG_FILE}"),
            parts.mount("policy-tmp", "/tmp", read_only=False),  # noqa: S108  (the program has no setting for it)
        ],
    )


def enforces(cluster: Cluster) -> bool:
    """Whether the masters' API servers enforce a level in namespaces without labels: those of their operator do."""
    enabled, _ = resolved(cluster)
    return "kube-apiserver" in cluster.operators and GATE in enabled


def config(cluster: Cluster) -> dict[str, Any]:
    return {
        "apiVersion": "openshiftcontrolplane.config.openshift.io/v1",
        "kind": "OpenShiftControllerManagerConfig",
        "controllers": [f"openshift.io/{name}" for name in CONTROLLERS],
        "featureGates": [f"{GATE}={str(enforces(cluster)).lower()}"],
        "servingInfo": {"bindAddress": f"{parts.LOOPBACK}:{PORT}", "bindNetwork": "tcp"},
    }


DOCUMENT = Document(
    address=f"manifest/{CONFIG_FILE}",
    path=f"bootstrap-configs/{CONFIG_FILE}",
    why=because(
        "What cluster-policy-controller does beside the controller-manager: it gives each namespace a range of user "
        "ids and an SELinux level, from which SCC admission takes a pod's own.",
        readers=f"{NAME}, --config",
        breaks="SCC admission refuses the pods of a namespace without a range: unable to find annotation "
        "openshift.io/sa.scc.uid-range",
        source=f"{KCMO}; {CPC}",
    ),
    body=lambda given: config(given.cluster),
    common=OBJECT,
    reasons={
        "controllers": because(
            "Ranges for namespaces, pod security labels that match the SCCs of a namespace's accounts, and those "
            "labels for default, kube-system and kube-public. Those for quotas and for requests of the monitoring "
            "are left out: nobody sets a quota before the masters serve, and requests are approved by plan.",
            breaks="all of them run: the one for quotas waits for image types that nobody serves yet",
            source=CPC,
        ),
        "featureGates": because(
            "Whether the controller for labels writes the enforced level of a namespace, or the advising ones alone, "
            "audit and warn. As the masters' API servers: those of their operator enforce the level restricted where "
            "no label says otherwise, ours enforce none.",
            breaks="pods that their account's SCC allows are refused: violates PodSecurity",
            source=source("cluster-policy-controller", "pkg/cmd/controller/psalabelsyncer.go"),
        ),
        "servingInfo.bindAddress": because(
            "Its port is for the kubelet on the same machine. It makes a certificate for the port at each start; the "
            "rendered pod shows the controller-manager's client certificate there.",
            breaks="health and metrics are offered to the whole network, on port 8443",
        ),
        "servingInfo.bindNetwork": because(
            "Both families, as far as the address allows.", breaks="no effect: it is its default"
        ),
    },
)
