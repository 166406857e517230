"""The network of pods, names, and ways in."""

from __future__ import annotations

from hardway.release.components.row import family, image

ROWS = (
    *family(
        "pod network",
        image(
            "cluster-network-operator",
            "openshift/cluster-network-operator",
            "renders and rolls out the pod network: OVN-Kubernetes, Multus and what belongs to them",
            "bootkube.sh, then a Deployment on the masters' own network",
        ),
        image(
            "ovn-kubernetes",
            "openshift/ovn-kubernetes",
            "the pod network itself: Open vSwitch and OVN with the controllers that tell them of pods and Services",
        ),
        image(
            "kube-proxy",
            "openshift/kubernetes",
            "forwards Service addresses to pods where the network plug-in does not do so itself",
        ),
        image(
            "multus-cni", "openshift/multus-cni", "calls the other plug-ins, so that a pod can have several networks"
        ),
        image(
            "multus-admission-controller",
            "openshift/multus-admission-controller",
            "refuses additional networks that are not well-formed",
            "a Deployment on the masters",
        ),
        image(
            "multus-networkpolicy", "openshift/multus-networkpolicy", "applies network policies to additional networks"
        ),
        image("multus-route-override-cni", "openshift/route-override-cni", "changes routes inside a pod"),
        image(
            "multus-whereabouts-ipam-cni", "openshift/whereabouts-cni", "gives addresses out cluster-wide, without DHCP"
        ),
        image(
            "container-networking-plugins",
            "openshift/containernetworking-plugins",
            "bridge, macvlan and other plug-ins",
        ),
        image("network-interface-bond-cni", "openshift/bond-cni", "bonds two interfaces inside a pod"),
        image("egress-router-cni", "openshift/egress-router-cni", "gives a pod an outside address to go out with"),
        image(
            "network-metrics-daemon", "openshift/network-metrics-daemon", "tells which network a pod's interface is on"
        ),
        image(
            "cloud-network-config-controller",
            "openshift/cloud-network-config-controller",
            "moves egress addresses between machines through the cloud's API",
            "a Deployment on the masters, on clouds",
        ),
        image(
            "network-tools",
            "openshift/network-tools",
            "programs to look into the network with",
            "the network operator's connectivity checks, and people",
        ),
        image(
            "metallb-frr",
            "openshift/frr",
            "FRR, a routing daemon: announces routes to the network's routers",
            "a DaemonSet, where the cluster's routes are announced with BGP",
        ),
        image(
            "apiserver-network-proxy",
            "openshift/apiserver-network-proxy",
            "Konnectivity: the tunnel from a hosted API server to its nodes",
            "hosted control planes only",
        ),
        runs="a DaemonSet on every node",
        breaks="nodes stay NotReady: no pod gets an address",
    ),
    *family(
        "names",
        image(
            "cluster-dns-operator", "openshift/cluster-dns-operator", "runs and configures the cluster's name servers"
        ),
        image(
            "coredns",
            "openshift/coredns",
            "answers for the names of Services and pods, and hands other questions on",
            "a DaemonSet in openshift-dns; a static pod where the platform has virtual addresses",
        ),
        runs="a Deployment on the masters",
        breaks="pods find no Service by its name, and most operators fail",
    ),
    *family(
        "ways in",
        image(
            "cluster-ingress-operator", "openshift/cluster-ingress-operator", "runs routers and makes their certificate"
        ),
        image(
            "haproxy-router", "openshift/router", "HAProxy that follows Routes: the way in for everything under *.apps"
        ),
        image(
            "keepalived-ipfailover",
            "openshift/images",
            "keepalived: holds a virtual address on one of several nodes",
            "static pods where the platform has virtual addresses; not on platform none",
        ),
        runs="Deployments; the routers on the workers' own network",
        breaks="no route answers: neither the console nor the login page, so several operators stay degraded",
    ),
)
