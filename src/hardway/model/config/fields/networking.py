"""The three networks of a cluster and the plugin that joins them."""

from __future__ import annotations

from ipaddress import ip_interface

from hardway.lines.default import DEFAULT
from hardway.lines.sources import source
from hardway.model.config.fields.row import INSTALLER, row
from hardway.model.config.table import Kind

_CNO = source("cluster-network-operator", "pkg/network")
_CONVERSION = source("installer", "pkg/types/conversion")
_OLD_NAMES: tuple[tuple[str, Kind, str], ...] = (
    ("machineCIDR", "cidr", "machineNetwork"),
    ("serviceCIDR", "cidr", "serviceNetwork"),
    ("type", "text", "networkType"),
    ("clusterNetworks", "list", "clusterNetwork"),
)
_OLD_ENTRY: tuple[tuple[str, Kind], ...] = (("cidr", "cidr"), ("hostPrefix", "int32"), ("hostSubnetLength", "int32"))

ROWS = (
    row(
        "networking",
        "mapping",
        "the machines', the pods' and the Services' networks, and the plugin",
        readers="Network cluster config, kube-apiserver and controller-manager flags, noProxy, certificates",
        breaks="if it is left out, the defaults count, and they may collide with your own networks",
    ),
    row(
        "networking.networkType",
        "text",
        f"the network plugin; {DEFAULT.minor} ships OVNKubernetes",
        readers="the cluster-network-operator, through the Network cluster config",
        breaks="with any other name no pod network is installed unless you add that plugin's manifests",
        source=_CNO,
        default="OVNKubernetes",
    ),
    row(
        "networking.machineNetwork",
        "list",
        "the networks that the machines' own addresses come from",
        readers="the etcd and kubelet address choice on every node, noProxy, and this tool's address plan",
        breaks="a node whose address is outside is never used for etcd, and the proxy is used to reach it",
        source=source("cluster-etcd-operator", "pkg/cmd/render"),
        default=[{"cidr": ip_interface("10.0.0.0/16")}],
    ),
    row(
        "networking.machineNetwork[]",
        "mapping",
        "one network of machines",
        readers="as the list",
        breaks="as the list",
    ),
    row(
        "networking.machineNetwork[].cidr",
        "cidr",
        "the network's address and length, host bits zero",
        readers="the address plan: gateway .1, VIPs .10 and .11, bootstrap .100, masters .101 on, workers .110 on",
        breaks="too small a network cannot hold the machines",
        required=True,
    ),
    row(
        "networking.clusterNetwork",
        "list",
        "the networks that pods get their addresses from",
        readers="OVN-Kubernetes, the controller-manager's --cluster-cidr, noProxy",
        breaks="where it overlaps another network, packets to pods are lost",
        source=_CNO,
        default=[{"cidr": ip_interface("10.128.0.0/14"), "hostPrefix": 23}],
    ),
    row(
        "networking.clusterNetwork[]",
        "mapping",
        "one network of pods",
        readers="as the list",
        breaks="as the list",
    ),
    row(
        "networking.clusterNetwork[].cidr",
        "cidr",
        "the pod network's address and length, host bits zero",
        readers="OVN-Kubernetes, which takes one subnet for each node from it",
        breaks="nodes beyond its capacity get no pods",
        source=_CNO,
        required=True,
    ),
    row(
        "networking.clusterNetwork[].hostPrefix",
        "int32",
        "the prefix length of each node's subnet: 23 means 510 pod addresses",
        readers="OVN-Kubernetes on every node",
        breaks="too long a prefix leaves no address for pods: the network operator refuses it, though the installer "
        "accepts it",
        source=_CNO,
    ),
    row(
        "networking.clusterNetwork[].hostSubnetLength",
        "int32",
        "the old way to give hostPrefix: the number of address bits that a node gets",
        readers="the conversion to hostPrefix, when that is absent",
        breaks="no effect today; write hostPrefix",
        source=_CONVERSION,
        replaced_by="hostPrefix",
    ),
    row(
        "networking.serviceNetwork",
        "list",
        "the network that Services get their addresses from: one, or one per family",
        readers="kube-apiserver --service-cluster-ip-range; its first address is the API, its tenth is DNS",
        breaks="Services are virtual: an overlap makes real machines at those addresses unreachable",
        default=[ip_interface("172.30.0.0/16")],
    ),
    row(
        "networking.serviceNetwork[]",
        "cidr",
        "one network of Services, host bits zero",
        readers="as the list",
        breaks="as the list",
    ),
    row(
        "networking.clusterNetworkMTU",
        "uint32",
        "the pod network's packet size, which the installer lets you set on AWS only",
        readers="nobody on platform none",
        breaks="the file is refused; the size is taken from the nodes' interfaces",
    ),
    row(
        "networking.ovnKubernetesConfig",
        "mapping",
        "settings of OVN-Kubernetes",
        readers="cluster-network-03-config.yml, for the cluster-network-operator",
        breaks="no effect: leave it out for the defaults",
    ),
    row(
        "networking.ovnKubernetesConfig.ipv4",
        "mapping",
        "its IPv4 settings",
        readers="as above",
        breaks="no effect: leave it out for the defaults",
    ),
    row(
        "networking.ovnKubernetesConfig.ipv4.internalJoinSubnet",
        "cidr",
        "the network that joins OVN's routers, 100.64.0.0/16 unless given",
        readers="OVN-Kubernetes, one address per node",
        breaks="where it overlaps a network of yours, nodes cannot reach that network; it cannot be changed later",
        source=_CNO,
    ),
    *(
        row(
            f"networking.{old}",
            kind,
            f"the old name of networking.{new}",
            readers=f"the conversion, when {new} is absent",
            breaks=f"it is ignored when {new} is given too",
            source=_CONVERSION,
            replaced_by=f"networking.{new}",
        )
        for old, kind, new in _OLD_NAMES
    ),
    row(
        "networking.clusterNetworks[]",
        "mapping",
        "one network of pods, under the old name",
        readers="the conversion",
        breaks="as clusterNetwork",
        source=_CONVERSION,
    ),
    *(
        row(
            f"networking.clusterNetworks[].{name}",
            kind,
            f"as networking.clusterNetwork[].{name}",
            readers="the conversion",
            breaks="as clusterNetwork",
            source=INSTALLER,
            required=name == "cidr",
        )
        for name, kind in _OLD_ENTRY
    ),
)
