"""The nodes' operating system, installing, machines from hardware, and Cluster API."""

from __future__ import annotations

from hardway.release.components.row import family, image

ROWS = (
    *family(
        "operating system",
        image(
            "rhel-coreos",
            "openshift/os",
            "the operating system of the nodes as a container image, which a machine boots into",
            "the machine-config daemon, which writes it to disk",
        ),
        image(
            "rhel-coreos-extensions",
            "openshift/os",
            "packages that may be added to the nodes' system: another kernel, USB guard, IPsec, sandboxed containers",
            "the machine-config daemon, when a MachineConfig asks for an extension",
        ),
        image(
            "machine-os-images",
            "openshift/machine-os-images",
            "contains the live ISO and PXE files of the boot image inside the release",
            "provisioning of bare metal, and the agent-based installer",
        ),
        image(
            "driver-toolkit",
            "openshift/driver-toolkit",
            "kernel headers and compilers that fit the nodes' kernel, for building modules",
            "users who build a kernel module, inside the cluster",
        ),
        image(
            "cluster-node-tuning-operator",
            "openshift/cluster-node-tuning-operator",
            "sets kernel parameters by profile on each node, and renders performance profiles",
            "Deployment and DaemonSet in openshift-cluster-node-tuning-operator, and bootkube.sh",
        ),
        runs="every node",
        breaks="a node stays at its boot image, whose kubelet is of another version",
    ),
    *family(
        "installing",
        image(
            "installer",
            "openshift/installer",
            "openshift-install: makes the manifests, certificates and Ignition files",
        ),
        image(
            "installer-altinfra",
            "openshift/installer",
            "openshift-install that makes machines through Cluster API alone",
        ),
        image("installer-artifacts", "openshift/installer", "openshift-install for Linux and macOS, to be extracted"),
        image("baremetal-installer", "openshift/installer", "openshift-install with what bare metal and libvirt need"),
        image(
            "agent-installer-api-server",
            "openshift/assisted-service",
            "the service on the rendezvous host that collects inventories and plans the installation",
        ),
        image(
            "agent-installer-csr-approver",
            "openshift/assisted-installer",
            "approves the first certificate requests of nodes that an agent installed",
        ),
        image(
            "agent-installer-node-agent",
            "openshift/assisted-installer-agent",
            "reports a booted machine's hardware and does what the service tells it",
        ),
        image(
            "agent-installer-orchestrator",
            "openshift/assisted-installer",
            "writes the operating system to disk and sees the bootstrap through on the rendezvous host",
        ),
        image(
            "agent-installer-utils",
            "openshift/agent-installer-utils",
            "the console on an agent's machine: network set-up",
        ),
        runs="a person's machine, or a machine booted from the agent ISO",
        breaks="no effect in a running cluster: these are for making one",
    ),
    *family(
        "machines",
        image(
            "machine-api-operator",
            "openshift/machine-api-operator",
            "runs the controllers that make machines out of MachineSets; on platform none it has nothing to do",
        ),
        image(
            "cluster-machine-approver",
            "openshift/cluster-machine-approver",
            "approves a new node's certificate requests when a Machine vouches for it; without Machines a person must",
        ),
        image(
            "cluster-control-plane-machine-set-operator",
            "openshift/cluster-control-plane-machine-set-operator",
            "replaces masters one by one where machines can be made",
        ),
        image("cluster-autoscaler", "openshift/kubernetes-autoscaler", "adds and removes machines with the load"),
        image(
            "cluster-autoscaler-operator",
            "openshift/cluster-autoscaler-operator",
            "runs the autoscaler where asked for",
        ),
        image("cluster-capi-operator", "openshift/cluster-capi-operator", "runs Cluster API (technology preview)"),
        image(
            "cluster-capi-controllers", "openshift/cluster-api", "Cluster API's own controllers (technology preview)"
        ),
        image(
            "cluster-kube-cluster-api-operator",
            "openshift/cluster-api-operator",
            "installs Cluster API's providers (technology preview)",
        ),
        image(
            "libvirt-machine-controllers",
            "openshift/cluster-api-provider-libvirt",
            "makes machines in libvirt, for tests",
        ),
        runs="a Deployment on the masters; the controllers only where the platform can make machines",
        breaks="machines are made and approved by hand, as on platform none",
    ),
    *family(
        "bare metal provisioning",
        image(
            "cluster-baremetal-operator",
            "openshift/cluster-baremetal-operator",
            "runs Ironic and its helpers where hosts are provisioned through their BMC",
        ),
        image("baremetal-operator", "openshift/baremetal-operator", "turns a BareMetalHost into work for Ironic"),
        image(
            "baremetal-machine-controllers",
            "openshift/cluster-api-provider-baremetal",
            "binds a Machine to a BareMetalHost",
        ),
        image(
            "baremetal-cluster-api-controllers",
            "openshift/cluster-api-provider-metal3",
            "binds a Machine of Cluster API to a BareMetalHost",
        ),
        image(
            "baremetal-runtimecfg",
            "openshift/baremetal-runtimecfg",
            "chooses a node's address and writes the configuration of keepalived, coredns and HAProxy on it",
            "static pods on nodes of platforms with virtual addresses; nodeip-configuration.service on every node",
        ),
        image("ironic", "openshift/ironic-image", "drives BMCs: power, boot device, virtual media, cleaning"),
        image(
            "ironic-agent",
            "openshift/ironic-agent-image",
            "runs on a host that is being provisioned and writes its disk",
        ),
        image(
            "ironic-machine-os-downloader",
            "openshift/ironic-rhcos-downloader",
            "fetches the operating system for Ironic",
        ),
        image(
            "ironic-static-ip-manager",
            "openshift/ironic-static-ip-manager",
            "holds the provisioning network's address on the host that runs Ironic",
        ),
        image(
            "machine-image-customization-controller",
            "openshift/image-customization-controller",
            "puts a host's network settings into the ISO it boots from",
        ),
        runs="pods in openshift-machine-api, on the masters",
        breaks="no effect on platform none: hosts are booted by hand there",
    ),
)
