"""The cluster's own settings that follow from install-config: names, topology, scheduling."""

from __future__ import annotations

from typing import Any

from hardway.emit.document import Document
from hardway.graph.asset import Given
from hardway.manifests.shapes import CONFIG, MANIFESTS, config
from hardway.model.cluster import Cluster
from hardway.model.why import because

EMPTY_STATUS = because("Empty; the operator that owns the resource fills it in.")


def documents(cluster: Cluster) -> tuple[Document, ...]:
    return (_INGRESS, _DNS, _INFRASTRUCTURE, _SCHEDULER)


def _ingress(given: Given) -> dict[str, Any]:
    cluster = given.cluster
    placement = "ControlPlane" if cluster.control_plane_topology == "SingleReplica" else "Workers"
    spec = {"domain": f"apps.{cluster.domain}", "loadBalancer": {"platform": {"type": ""}}}
    return config("Ingress", spec, {"defaultPlacement": placement})


def _dns(given: Given) -> dict[str, Any]:
    return config("DNS", {"baseDomain": given.cluster.domain, "platform": {"aws": None, "type": ""}}, {})


def _infrastructure(given: Given) -> dict[str, Any]:
    cluster = given.cluster
    status = {
        "apiServerInternalURI": f"https://{cluster.api_int_host}:6443",
        "apiServerURL": f"https://{cluster.api_host}:6443",
        "controlPlaneTopology": cluster.control_plane_topology,
        "cpuPartitioning": cluster.cpu_partitioning,
        "etcdDiscoveryDomain": "",
        "infrastructureName": given.text("id/infra"),
        "infrastructureTopology": cluster.infrastructure_topology,
        "platform": "None",
        "platformStatus": {"type": "None"},
    }
    return config("Infrastructure", {"cloudConfig": {"name": ""}, "platformSpec": {"type": "None"}}, status)


def _scheduler(given: Given) -> dict[str, Any]:
    spec = {
        "mastersSchedulable": given.cluster.masters_schedulable,
        "policy": {"name": ""},
        "profileCustomizations": {"dynamicResourceAllocation": ""},
    }
    return config("Scheduler", spec, {})


_INGRESS = Document(
    path="manifests/cluster-ingress-02-config.yml",
    body=_ingress,
    common=CONFIG,
    reasons={
        "spec.domain": because(
            "Every Route without a host of its own gets one under this name; *.apps must resolve to the ingress VIP.",
            breaks="console and login get host names that nothing resolves (F33)",
        ),
        "spec.loadBalancer.platform.type": because("No cloud, so no load balancer of a cloud to describe."),
        "status.defaultPlacement": because(
            "Where router pods go: to workers, or to the control plane when there is only one of it.",
            breaks="no lasting effect: the ingress operator fills an empty value in when it starts",
        ),
    },
    why=because(
        "Under which domain applications are published, and where the routers run.",
        readers="the ingress, authentication and console operators",
        breaks="the ingress operator does not start, and no Route works",
        source=MANIFESTS + "ingress.go",
    ),
)

_DNS = Document(
    path="manifests/cluster-dns-02-config.yml",
    body=_dns,
    common=CONFIG,
    reasons={
        "spec.baseDomain": because(
            "The domain above all records of this cluster: name and base domain together, not install-config's "
            "baseDomain alone.",
            breaks="names that operators build from it lack the cluster's name",
        ),
        "spec.platform": because("No cloud, so no zones of a cloud; Go writes the empty structure out."),
        "status": EMPTY_STATUS,
    },
    why=because(
        "Which domain is the cluster's own.",
        readers="the dns and ingress operators",
        breaks="the ingress operator reports that it cannot find the dns cluster and stops",
        source=MANIFESTS + "dns.go",
    ),
)

_INFRASTRUCTURE = Document(
    path="manifests/cluster-infrastructure-02-config.yml",
    body=_infrastructure,
    common=CONFIG,
    needs=("id/infra",),
    reasons={
        "spec.cloudConfig.name": because("No cloud provider, so no ConfigMap that configures one."),
        "spec.platformSpec.type": because("What the cluster was asked to run on: nothing that OpenShift manages."),
        "status.apiServerInternalURI": because(
            "How nodes and operators reach the API from inside. The name ends in URI; with URL it is an unknown field.",
            breaks="machine-config-controller cannot render apiserver-url.env: urlPort: unknown scheme",
        ),
        "status.apiServerURL": because("How people reach the API from outside; the console prints it for oc login."),
        "status.controlPlaneTopology": because(
            "HighlyAvailable from three control-plane nodes on, else SingleReplica: whether operators run more than "
            "one replica.",
            breaks="the operators of the control plane stop at an empty value: ControlPlaneTopology was not set",
        ),
        "status.infrastructureTopology": because(
            "The same for workloads on workers: decided by their number, by the control plane's if there are none.",
            breaks="at an empty value the ingress operator asks for two routers, also where there is one node",
        ),
        "status.cpuPartitioning": because("Whether management pods are pinned to reserved CPUs on all nodes."),
        "status.etcdDiscoveryDomain": because("How etcd used to be found; empty since its operator manages members."),
        "status.infrastructureName": because("The short unique name that operators use for what they create."),
        "status.platform": because("The older spelling of the platform; a few readers still look here."),
        "status.platformStatus.type": because(
            "The platform as operators read it today.",
            breaks="machine-config-controller: cannot generate MachineConfigs when no platformStatus.type is set",
        ),
    },
    why=because(
        "What the cluster runs on, how its API is reached and how many of everything there are.",
        readers="almost every operator; machine-config-controller renders nodes from it",
        breaks="machine-config-controller cannot render a single node, and operators wait for a platform",
        source=MANIFESTS + "infrastructure.go, topologies.go",
    ),
)

_SCHEDULER = Document(
    path="manifests/cluster-scheduler-02-config.yml",
    body=_scheduler,
    common=CONFIG,
    reasons={
        "spec.mastersSchedulable": because(
            "True only without workers: then ordinary pods, routers too, have to run on the control plane.",
            breaks="with no workers and false, every ordinary pod stays Pending (F33)",
        ),
        "spec.policy.name": because("No scheduling policy of the user's own."),
        "spec.profileCustomizations.dynamicResourceAllocation": because("A gated feature; not used here."),
        "status": EMPTY_STATUS,
    },
    why=because(
        "Which nodes may run ordinary pods.",
        readers="the kube-scheduler and machine-config operators",
        breaks="the operators create one with masters not schedulable, and a cluster without workers stalls",
        source=MANIFESTS + "scheduler.go",
    ),
)
