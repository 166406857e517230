"""The pod and service networks, twice: what the user asked for, and what the network operator works from."""

from __future__ import annotations

from typing import Any

from hardway.emit.document import Document
from hardway.graph.asset import Given
from hardway.lines.sources import source
from hardway.manifests.shapes import CONFIG, MANIFESTS, config
from hardway.model.cluster import Cluster
from hardway.model.why import because

OVN = "OVNKubernetes"
READERS = frozenset({"kube-apiserver", "kube-controller-manager"})  # operators that take the networks from the status
NOWHERE = {"nodeSelector": None, "tolerations": None}


def documents(cluster: Cluster) -> tuple[Document, ...]:
    return (_CONFIG, _OPERATOR)


def _pods(cluster: Cluster) -> list[dict[str, Any]]:
    return [{"cidr": str(n.cidr), "hostPrefix": n.host_prefix} for n in cluster.cluster_networks]


def _services(cluster: Cluster) -> list[str]:
    return [str(n) for n in cluster.service_networks]


def _config(given: Given) -> dict[str, Any]:
    cluster = given.cluster
    spec = {
        "clusterNetwork": _pods(cluster),
        "externalIP": {"policy": {}},
        "networkDiagnostics": {"mode": "", "sourcePlacement": dict(NOWHERE), "targetPlacement": dict(NOWHERE)},
        "networkType": cluster.network_type,
        "serviceNetwork": _services(cluster),
    }
    return config("Network", spec, _reported(spec) if needs_status(cluster) else {})


def needs_status(cluster: Cluster) -> bool:
    """Whether operators read there what no network operator reports."""
    return "network" not in cluster.operators and not READERS.isdisjoint(cluster.operators)


def _reported(spec: dict[str, Any]) -> dict[str, Any]:
    """What the network operator would report."""
    return {name: spec[name] for name in ("clusterNetwork", "networkType", "serviceNetwork")}


def _default_network(cluster: Cluster) -> dict[str, Any]:
    if cluster.network_type != OVN:
        return {"type": cluster.network_type}
    ovn: dict[str, Any] = {"egressIPConfig": {}}
    if cluster.ovn_join_subnet:
        ovn["ipv4"] = {"internalJoinSubnet": cluster.ovn_join_subnet}
    return {"ovnKubernetesConfig": ovn, "type": OVN}


def _operator(given: Given) -> dict[str, Any]:
    cluster = given.cluster
    return {
        "apiVersion": "operator.openshift.io/v1",
        "kind": "Network",
        "metadata": {"creationTimestamp": None, "name": "cluster"},
        "spec": {
            "clusterNetwork": _pods(cluster),
            "defaultNetwork": _default_network(cluster),
            "disableNetworkDiagnostics": False,
            "managementState": "Managed",
            "observedConfig": None,
            "serviceNetwork": _services(cluster),
            "unsupportedConfigOverrides": None,
        },
        "status": {"readyReplicas": 0},
    }


_PODS = because(
    "Addresses for pods, and how large a piece each node gets of them.",
    breaks="pods get no addresses, or addresses that belong to someone else (F14)",
)
_SERVICES = because(
    "Addresses for Services; the first host is the API server's own, the tenth the cluster's DNS.",
    breaks="the network operator: spec.serviceNetwork must have at least 1 entry",
)

_CONFIG = Document(
    path="manifests/cluster-network-02-config.yml",
    body=_config,
    common=CONFIG,
    reasons={
        "spec.clusterNetwork": _PODS,
        "spec.serviceNetwork": _SERVICES,
        "spec.networkType": because(
            "Which network plugin the operator deploys.", breaks="the network operator: spec.networkType is required"
        ),
        "spec.externalIP.policy": because(
            "An empty policy: no Service may claim an external address until an administrator allows some."
        ),
        "spec.networkDiagnostics": because(
            "Empty: the network operator decides on mode and placement of its diagnostics."
        ),
        "status": because(
            "Empty: the network operator reports here what it has really set up. Where the release has no network "
            "operator, the status repeats the networks of spec.",
            breaks="the kube-apiserver operator takes 10.3.0.0/16 for the service network: status.serviceNetwork not "
            "found",
        ),
    },
    why=because(
        "The networks of the cluster as the user asked for them.",
        readers="the network operator; the kube-apiserver and controller-manager operators",
        breaks="the network operator has nothing to set up, and no node becomes Ready (F32)",
        source=MANIFESTS + "network.go",
    ),
)

_OPERATOR = Document(
    path="manifests/cluster-network-03-config.yml",
    body=_operator,
    common=CONFIG,
    reasons={
        "spec.clusterNetwork": _PODS,
        "spec.serviceNetwork": _SERVICES,
        "spec.defaultNetwork.type": because("The plugin for the network that every pod is in."),
        "spec.defaultNetwork.ovnKubernetesConfig.egressIPConfig": because("Egress addresses: nothing but defaults."),
        "spec.defaultNetwork.ovnKubernetesConfig.ipv4.internalJoinSubnet": because(
            "The network between OVN's routers, moved away from 100.64.0.0/16 because this site uses that range.",
            breaks="traffic to machines in OVN's default range is lost (F14)",
        ),
        "spec.disableNetworkDiagnostics": because("The operator's connectivity checks stay on."),
        "spec.managementState": because("The operator is to do its work."),
        "spec.observedConfig": because("Written by the operator from what it sees; Go writes the empty field."),
        "spec.unsupportedConfigOverrides": because("Settings that the operator does not support; unused here."),
        "status.readyReplicas": because("Go writes the zero; the operator reports the rest."),
    },
    why=because(
        "The same networks as the operator's working copy. It would make one itself from the other document; written "
        "here, both can be read side by side before anything runs, and they agree field by field. The installer "
        "writes it only to move the join network.",
        readers="the network operator",
        breaks="with a moved join network, OVN starts on the default range; otherwise the operator creates it",
        source=MANIFESTS + "network.go; " + source("cluster-network-operator", "pkg/network/cluster_config.go"),
    ),
)
