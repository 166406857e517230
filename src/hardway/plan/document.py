"""The derived cluster as a document: what install-config and hosts.yaml come to."""

from __future__ import annotations

from typing import Any

from hardway.emit.document import Document
from hardway.graph.asset import Given
from hardway.lines.sources import source
from hardway.model.why import because

PLAN = Document(
    address="plan/cluster",
    path="plan/cluster.yaml",
    why=because(
        "The plan: what your install-config and hosts.yaml result in. Change those two, not this file.",
        readers="you; verification of later stages compares files and machines with it",
        breaks="nobody can see the derived values before machines are made from them",
        source=source("installer", "pkg/types/defaults"),
    ),
    body=lambda given: body(given),
    common=(),
    reasons={
        "cluster.name": because("First label of every name; also the cluster's name in kubeconfigs."),
        "cluster.domain": because(
            "Name and base domain: every DNS record, SAN and URL ends in it.",
            breaks="certificates and DNS disagree and every TLS handshake fails (F07)",
        ),
        "cluster.api": because("The address of the API for people and tools.", breaks="kubectl and oc cannot connect"),
        "cluster.apiInternal": because(
            "The address of the API for nodes; must resolve to the load balancer, never to a node (F04).",
            breaks="kubelets cannot join",
        ),
        "cluster.apps": because("The wildcard that routes are below.", breaks="console and login never come up (F33)"),
        "cluster.release": because("The release whose images and manifests are used."),
        "topology.controlPlane": because(
            "SingleReplica below three masters: operators then expect one copy of everything.",
            breaks="operators wait for replicas that never come, or run too few",
        ),
        "topology.infrastructure": because("The same for routers, registry and monitoring."),
        "topology.mastersSchedulable": because(
            "Without workers the masters run the workloads, and the load balancer must send ingress there (F33)."
        ),
        "networks.machine": because(
            "The network of the nodes' addresses.", breaks="etcd finds no address to listen on"
        ),
        "networks.pods": because("Every pod's address comes from here; each node gets a slice of the given length."),
        "networks.services": because("Virtual addresses of Services; they exist on no interface."),
        "endpoints.apiVIPs": because("The load balancer's address for api and api-int, ports 6443 and 22623."),
        "endpoints.ingressVIPs": because("The load balancer's address for *.apps, ports 80 and 443."),
        "endpoints.gateways": because("The machines' default routes, one per IP family."),
        "endpoints.dns": because(
            "The servers the machines ask for names.", breaks="Ignition and kubelet find no names (F03)"
        ),
        "endpoints.kubernetesService": because(
            "ClusterIP of the API inside the cluster: first of the service network."
        ),
        "endpoints.clusterDNS": because("ClusterIP of the cluster's DNS: tenth of the service network."),
        "nodes[].name": because("Host name, node name, and the name of its Ignition file."),
        "nodes[].role": because("What the machine becomes; the bootstrap node is removed after the pivot."),
        "nodes[].addresses": because(
            "Static, and in the SANs of what it serves.", breaks="certificates do not fit (F07)"
        ),
        "nodes[].mac": because("Binds the network profile to the card, whatever the kernel calls it (F16)."),
        "nodes[].disk": because("Where RHCOS is installed."),
    },
)


def body(given: Given) -> dict[str, Any]:
    c = given.cluster
    return {
        "cluster": {
            "name": c.name,
            "domain": c.domain,
            "api": f"https://{c.api_host}:6443",
            "apiInternal": f"https://{c.api_int_host}:6443",
            "apps": f"*.apps.{c.domain}",
            "release": c.release.version,
        },
        "topology": {
            "controlPlane": c.control_plane_topology,
            "infrastructure": c.infrastructure_topology,
            "mastersSchedulable": c.masters_schedulable,
        },
        "networks": {
            "machine": [str(n) for n in c.machine_networks],
            "pods": [f"{n.cidr} in slices of /{n.host_prefix}" for n in c.cluster_networks],
            "services": [str(n) for n in c.service_networks],
        },
        "endpoints": {
            "apiVIPs": list(c.api_vips),
            "ingressVIPs": list(c.ingress_vips),
            "gateways": list(c.gateways),
            "dns": list(c.dns_servers),
            "kubernetesService": c.kubernetes_service_address,
            "clusterDNS": c.cluster_dns_address,
        },
        "nodes": [
            {"name": n.name, "role": n.role, "addresses": list(n.addresses), "mac": n.mac, "disk": n.disk}
            for n in c.nodes
        ],
    }
