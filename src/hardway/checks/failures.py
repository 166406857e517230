"""The ways in which a hand-made cluster is known to fail, one row each: what you see, why, how to see it
sooner, and what to do.

How a mode can be found: "files" before any machine boots, "host" by probing machine, network, DNS and load
balancer before boot, "running" only on the live cluster.
"""

from __future__ import annotations

from dataclasses import dataclass

from hardway.lines.default import DEFAULT
from hardway.lines.sources import source
from hardway.model.why import Why, because


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    id: str
    symptom: str  # as the program prints it
    cause: str
    detect: str
    fix: str
    why: Why

    @property
    def address(self) -> str:
        return f"failure/{self.id}"


def _row(id: str, symptom: str, cause: str, affected: str, detect: str, fix: str, source: str) -> Failure:
    why = because(cause, readers=affected, breaks=symptom, source=source)
    return Failure(id=id, symptom=symptom, cause=cause, detect=detect, fix=fix, why=why)


TRUST: tuple[Failure, ...] = (
    _row(
        "F01",
        "x509: certificate has expired",
        "Signers and serving certificates that openshift-install gives 24 hours were older than that when the machine "
        "booted: an old folder was used again, or the installation took a day.",
        "bootkube.sh and every master",
        "files: the earliest end among all certificates, against the time an installation takes",
        "Renew the certificates with `hardway build --rotate expired`, and install every machine with the new files.",
        "openshift/installer#1792 #1955 #4171 #8475, okd-project/okd#1918 #2026",
    ),
    _row(
        "F02",
        "certificate is not yet valid: current time is before",
        "The machine's clock is behind the clock of the machine that signed; Ignition runs before any NTP client.",
        "Ignition and every TLS client on the machine",
        "files: NotBefore lies an hour back · host: compare the clocks, the virtual machines' hardware clock is UTC",
        "Set the machine's hardware clock to UTC and the right time, and boot it again.",
        "ironicbadger/ocp4#23, coreos/ignition#1484, openshift/machine-config-operator#629, openshift/installer#3502",
    ),
    _row(
        "F06",
        "x509: certificate signed by unknown authority (candidate authority certificate root-ca)",
        "Files of two builds were mixed: one machine booted what was made before a signer was replaced, another after.",
        "Ignition, kubelets, and every client of the API server",
        "files: each certificate verifies against the signer on disk, and everything that embeds it embeds that one",
        "Install every machine again with the Ignition files of one build.",
        "openshift-metal3/dev-scripts#93, openshift/installer#5146 #8475",
    ),
    _row(
        "F07",
        "x509: certificate is valid for other names, not for the one that was dialled",
        "The names in a serving certificate came from another domain or network than the one clients use.",
        "every client that uses that name: kubectl, kubelets, operators in pods, bootkube.sh on localhost",
        "files: every name and address a certificate is served on, computed from install-config, is in its SANs",
        "Correct the name or network in install-config.yaml or hosts.yaml, run `hardway build`, and install the "
        "machines again.",
        "okd-project/okd#935, openshift/installer#1633 #2031 #4960, openshift/microshift#1460",
    ),
    _row(
        "F08",
        "remote error: tls: bad certificate; context deadline exceeded",
        "An etcd certificate lacks client use, which a member needs because it also connects to itself, or lacks the "
        "node's address.",
        "etcd's members, and the API server that waits for them",
        "files: etcd's peer, serving and metrics certificates have both uses and the node's addresses",
        "Remove the certificate, run `hardway build`, and install that node again with its new Ignition file.",
        "kelseyhightower/kubernetes-the-hard-way#570 #657",
    ),
    _row(
        "F09",
        "x509: path length constraint exceeded; issuer has no keyCertSign",
        "A signer was made with a profile that forbids what is signed under it.",
        "every verifier of that chain",
        "files: walk each leaf to its signer with the rules that Go applies",
        "Replace the signer and everything that it signed, as in `hardway build --rotate cert/etcd-signer`.",
        "x509-limbo, path length cases",
    ),
    _row(
        "F10",
        "APIService unavailable; requestheader: unable to load configmap extension-apiserver-authentication",
        "The API server's front-proxy certificate was signed by another CA than the one it announces, or its name is "
        "not among the allowed ones, so extension API servers do not accept it.",
        "aggregated APIs: metrics, OpenShift's own API server, OAuth",
        "files: the certificate's name is in --requestheader-allowed-names and its issuer is the announced CA",
        "Sign the front-proxy certificate with the announced CA again: remove it and run `hardway build`.",
        "okd-project/okd#2173",
    ),
)

CONFIGURATION: tuple[Failure, ...] = (
    _row(
        "F11",
        "unauthorized: access to the requested resource is not authorized",
        "The pull secret has no entry for a registry that the release's images are in.",
        "bootkube.sh and CRI-O, on the first pull",
        "files: every registry of the release is in the pull secret, and each auth decodes to user:password · "
        "host: ask the registry for the release's manifest with it",
        "Put a pull secret with an entry for that registry into install-config.yaml, and run `hardway build`.",
        "openshift/installer#901 #4663 #4684 #4731, okd-project/okd#549",
    ),
    _row(
        "F12",
        "x509: certificate signed by unknown authority (from a registry); manifest unknown",
        "A mirror or an intercepting proxy presents a certificate that the trust bundle lacks, or the mirror rules "
        "point to where the image is not.",
        "CRI-O and podman on every node; the first-boot pivot",
        "files: each mirror's CA is in the trust bundle, registries.conf and policy agree · host: pull by digest",
        "Add the mirror's CA to additionalTrustBundle, or correct the mirror's address in install-config.yaml, and "
        "build again.",
        "openshift/installer#10742, redhat-cop/ocp4-helpernode#252 #253, okd-project/okd#913",
    ),
    _row(
        "F13",
        "nodes reach each other, or api-int, only through the proxy, and time out",
        "noProxy lacks the machine, service or pod networks, often because machineNetwork was left at its default.",
        "every node and operator behind a proxy",
        "files: computed noProxy holds all networks and inner names; every node's address is in machineNetwork",
        "Write the machines' real network into machineNetwork, add what else is inside to noProxy, and build again.",
        "openshift/installer#2668 #2913 #8304, openshift/cluster-network-operator#305, okd-project/okd#389",
    ),
    _row(
        "F14",
        "pods or services unreachable, replies leave by the wrong interface",
        "Two networks overlap: machine, pod, service, OVN's own join, transit and masquerade, or podman's bridge.",
        "all traffic to the addresses in both",
        "files: compare all of them pairwise, each on its network boundary, and count whether hostPrefix leaves room",
        "Choose networks that do not overlap in install-config.yaml, and build again.",
        "openshift/installer#2001 #3882, crc-org/snc#311",
    ),
    _row(
        "F20",
        "unsupported config version",
        "Ignition in the boot image does not know the spec version of the file, or parts of two versions were merged.",
        "the machine at first boot: it stops in an emergency shell and sends nothing over the network",
        "files: one spec version throughout, within the range of the boot image",
        "Use the boot image of the same release, and build again so that every part has one spec version.",
        "openshift/installer#2532 #2755 #3745, coreos/fedora-coreos-tracker#556, okd-project/okd#98",
    ),
    _row(
        "F35",
        "Invalid value: must be a valid hostname",
        "A name that is derived from baseDomain and the cluster's name is not a valid host name.",
        "the ingress and authentication operators",
        "files: check every derived name with the API's own rule for host names",
        "Choose a cluster name and a baseDomain in lower case, of letters, digits and dashes, and build again.",
        "openshift/cluster-authentication-operator#566",
    ),
    _row(
        "F36",
        "image-registry is Removed; builds and pushes fail",
        "Platform none has no object storage, so the registry operator removes the registry until it is given a disk.",
        "users who push images to the cluster",
        "files: expected on platform none, and a later step if a registry is wanted",
        "Give the registry storage, and set its managementState to Managed.",
        "openshift/openshift-docs#17994 #78120",
    ),
    _row(
        "F41",
        "missing desired version in featuregates.config.openshift.io/cluster",
        "The FeatureGate has no status for the release's version: only spec was written.",
        "machine-config-controller's bootstrap, and the API server's and controller-manager's operators",
        "files: status.featureGates names exactly the release's version",
        "Run `hardway build`, which writes the status for the release that is set.",
        f"openshift/machine-config-operator#3688; measured with the {DEFAULT.branch} machine-config-controller",
    ),
    _row(
        "F42",
        "no matches for kind; unable to get REST mapping",
        "A custom resource was applied before the CRD that defines its kind.",
        "bootkube.sh, which retries, and every tool that applies once",
        "files: every manifest's kind is built in, or its CRD is in the set and comes first",
        "Apply the CRDs first; for the bootstrap node, `hardway build 04` brings them and `hardway build 08` puts "
        "them in.",
        "okd-project/okd#97",
    ),
    _row(
        "F48",
        "x509: certificate relies on legacy Common Name field, use SANs instead",
        "The registry's certificate has its name as Common Name only; Go reads the subject alternative names.",
        "CRI-O, podman and oc, on every pull from that mirror",
        "host: the certificate that the mirror presents has a subject alternative name",
        "Make the mirror a certificate with its name as subject alternative name, and restart the mirror.",
        "openshift-kni/baremetal-deploy#710, RHFieldProductManagement/baremetal-ipi-lab#6, "
        "cgruver/okd4-upi-lab-setup#19",
    ),
    _row(
        "F49",
        "http: server gave HTTP response to HTTPS client (from a registry)",
        "The mirror uses plain HTTP on the port that clients use with TLS.",
        "CRI-O, podman and oc, on every pull from that mirror",
        "host: ask the mirror for /v2/ over TLS",
        "Let the mirror serve TLS, with a CA that additionalTrustBundle has.",
        "openshift/oc-mirror#262 #588",
    ),
)

NETWORK: tuple[Failure, ...] = (
    _row(
        "F03",
        "dial tcp: lookup api-int: connection refused",
        "The initramfs has no name server: a static address was given without one, or on the wrong card.",
        "a machine that fetches its Ignition",
        "files: nodes have complete Ignition and fetch nothing; kernel arguments name address, then name server · "
        "host: resolve api and api-int from the machines' network",
        "Give the name server in the kernel arguments or by DHCP, on the card that has the address, and boot again.",
        "redhat-cop/ocp4-helpernode#228, christianh814/ocp4-upi-helpernode#32, openshift/openshift-docs#27987",
    ),
    _row(
        "F04",
        "connection refused from api-int, without end",
        "api-int resolves to a node, often to the node that asks, instead of the load balancer.",
        "masters at their first boot",
        "host: api and api-int resolve to the API VIP and to no node's address",
        "Point api and api-int at the load balancer's address in DNS.",
        "openshift/installer#889 #2927 #3300",
    ),
    _row(
        "F05",
        "EOF or Internal Server Error from port 22623",
        "The load balancer has no running machine-config server behind it, or the pool is not rendered yet.",
        "a machine that fetches its Ignition",
        "host: if machines fetch, the load balancer has backends for 22623 · running: the server's pod and the pools",
        "Put the machines that run the machine-config server behind port 22623, and wait until the pool is rendered.",
        "redhat-cop/ocp4-helpernode#255, kxr/ocp4_setup_upi_kvm#16, okd-project/okd#174",
    ),
    _row(
        "F15",
        "node localhost not found; node-valid-hostname.service failed",
        "Nothing gave the machine a name: no /etc/hostname, no reverse DNS record, no name by DHCP.",
        "the kubelet: it requests a certificate as localhost",
        "files: each node's Ignition has /etc/hostname, all different · host: names resolve both ways",
        "Give each machine its name, by /etc/hostname in its Ignition file, by DHCP or by a reverse DNS record.",
        "openshift/openshift-docs#22823 #25094, okd-project/okd#550 #648",
    ),
    _row(
        "F16",
        "the static address is never set; the interface is down",
        "The network profile is bound to an interface name that this machine's hardware does not produce.",
        "NetworkManager on that node, and all that waits for the network",
        "files: profiles are bound to the card's MAC address, not to a name",
        "Bind the profile to the card's MAC address: write the right `mac` into hosts.yaml, and build again.",
        "coreos/fedora-coreos-tracker#425 #1349, coreos/coreos-installer#229, openshift/installer#3533",
    ),
    _row(
        "F17",
        "NetworkManager ignores the profile; a unit cannot execute its script",
        "A file has the wrong mode: NetworkManager reads profiles only at 0600, and Ignition's mode is decimal, "
        "so that 644 means 01204.",
        "the node's network, its units, and the secrecy of files",
        "files: profiles are 384, scripts 493 or 365, secrets 384, and no mode is outside a known set",
        "Write the mode as a decimal number in Ignition (0600 is 384, 0755 is 493), or build the file again.",
        "coreos/bugs#2389, coreos/fedora-coreos-tracker#358",
    ),
    _row(
        "F18",
        "the first boot has another address than the second",
        "The network that the initramfs set up wins over the profile until the next boot.",
        "etcd and the kubelet, which have recorded the first address",
        "files: the kernel arguments agree with the profile · running: the address is the planned one",
        "Make the kernel arguments and the profile name the same address, and install the machine again.",
        "coreos/fedora-coreos-tracker#358 #425",
    ),
    _row(
        "F19",
        "the node loses its network when ovs-configuration.service runs",
        "The script that moves the address to br-ex found two default routes, a clashing profile name, or a leftover.",
        "the whole node",
        "files: exactly one profile with a default route, bound to a card, not named like one of the script's own",
        "Leave one profile with a default route on the node, under a name of its own, and restart the node.",
        "okd-project/okd#547 #2115, openshift/machine-config-operator#2789 #3120 #3190 #3312",
    ),
    _row(
        "F25",
        "503 from the load balancer; watches break off every minute",
        "Health checks use plain HTTP on a TLS port, or no health endpoint, or idle timeouts cut long watches.",
        "every client of the API that comes through the load balancer",
        "files: TCP mode, checks by TLS on /readyz, idle timeouts of an hour or more",
        "Use TCP mode, check /readyz over TLS, and set idle timeouts to an hour; `hardway network files` writes "
        "such a file.",
        "openshift/installer#4012 #4643, openshift/machine-config-operator#1724, openshift/openshift-docs#24508",
    ),
    _row(
        "F26",
        "cannot bind socket on 6443 or 22623; machines cannot reach the host",
        "SELinux forbids the port to the load balancer, or the firewall's zone of the bridge rejects it.",
        "everything behind the load balancer",
        "host: SELinux's port table, the bridge's firewall zone, and an attempt to bind",
        "Run `hardway prerequisites --fix`, or allow the ports in SELinux and in the bridge's firewall zone yourself.",
        "crc-org/crc#2873, openshift/installer#3677",
    ),
    _row(
        "F32",
        "dial tcp 172.30.0.1:443: i/o timeout",
        "ClusterIPs do not work because OVN is not up: its operator lacks the Network objects, cluster-config-v1, or "
        "apiserver-url.env, by which it finds the API without a ClusterIP.",
        "every operator that runs in a pod",
        "files: Network, cluster-config-v1 and apiserver-url.env are there and agree · running: check the network "
        "operator first",
        "Build the missing object again and apply it, then look at the network operator before any other.",
        "okd-project/okd#906, openshift/cluster-network-operator#35 #368",
    ),
    _row(
        "F33",
        "authentication and console are not available; route: EOF",
        "*.apps leads to nodes that run no router: without workers the routers are on the masters.",
        "login, console, and every route",
        "files: ingress backends hold the masters when there are no workers · host: any name under apps resolves",
        "Put the nodes that run the routers behind ports 80 and 443: the workers, or the masters where there are none.",
        "openshift/installer#1884 #2440, okd-project/okd#141, openshift/cluster-authentication-operator#178 #212",
    ),
    _row(
        "F34",
        "names that should not exist resolve",
        "A catch-all record, or a search domain from DHCP, answers for anything below the cluster's domain.",
        "clients that look up a name that does not exist",
        "host: a random name below the cluster's domain must not resolve",
        "Remove the catch-all record, or the search domain that DHCP hands out.",
        "openshift/assisted-service#2298 #4477",
    ),
    _row(
        "F44",
        "dial tcp: lookup api-int: no such host",
        "The name server that the machine uses has no record for api-int, or for api.",
        "kubelets, operators on host network, and machines that fetch their Ignition",
        "host: resolve api and api-int on every name server that the nodes get",
        "Add records for api and api-int that point at the load balancer; `hardway network files` writes them.",
        "okd-project/okd#1182, openshift/release#22291",
    ),
    _row(
        "F45",
        "lookup quay.io: no such host, or server misbehaving",
        "The name server of the nodes answers for the cluster's domain and forwards no other name.",
        "CRI-O and podman, which resolve the registry; NTP clients",
        "host: resolve the registry's name on every name server that the nodes get",
        "Let the name server forward other names to one that can resolve them, or give the nodes such a server.",
        "okd-project/okd#507 #1584",
    ),
    _row(
        "F46",
        "etcd and kubelet use an address of the wrong network",
        "The machine has two addresses, and the node's address was chosen from the wrong one: the choice follows the "
        "route to the default gateway or to the virtual addresses.",
        "etcd, whose certificate has the other address, and everybody who connects to the kubelet",
        "running: the node's InternalIP against the plan",
        "Leave the default route on the planned card only, or name the network in /etc/default/nodeip-configuration.",
        "openshift/openshift-docs#53986, kubernetes/kubernetes#44702 #61170",
    ),
    _row(
        "F47",
        "dial tcp 172.30.0.1:443: connect: no route to host, or connection refused",
        "ClusterIPs work, but a firewall lies between the pods of a node and port 6443 of the masters, which the "
        "address stands for.",
        "operators whose pods run on that node",
        "host: try port 6443 of each master from each node",
        "Open port 6443 of every master to every node and to the pod network.",
        "openshift-evangelists/oc-cluster-wrapper#49, openshift/origin#18682",
    ),
    _row(
        "F50",
        "no address at first boot; NetworkManager-wait-online failed",
        "DHCP stays silent for the card: no lease for its MAC address, the wrong VLAN, or a switch port that forwards "
        "only after the client has given up.",
        "the machine at first boot: Ignition has no network",
        "host: the DHCP server's log has a request and an offer for the card",
        "Give the card a lease, set the switch port to forward at once, or use a static address in hosts.yaml.",
        "coreos/fedora-coreos-tracker#349 #518, coreos/fedora-coreos-config#804",
    ),
    _row(
        "F51",
        "TLS handshake timeout; large answers never arrive, small ones do",
        "A part of the path carries smaller packets than the machines send, and the messages that would say so are "
        "dropped: a tunnel, a VPN, or jumbo frames on one side only.",
        "programs that send more than one packet: image pulls, TLS handshakes, traffic between pods",
        "host: ping with the largest size and without fragmentation between all machines",
        "Give all machines the MTU of the narrowest part of the path, and the pod network 100 bytes less.",
        "openshift/origin#22599, karmab/kcli#788",
    ),
    _row(
        "F54",
        "0/3 nodes are available: router pods stay Pending",
        "No node accepts the routers: there are no workers, and the masters are not schedulable; or one host would "
        "have to run two routers that need the same port.",
        "every route, and with them authentication and console",
        "files: with no workers, mastersSchedulable is true · running: events of the pods in openshift-ingress",
        "Bring the workers up, or set mastersSchedulable to true; on one node set the routers' replicas to one.",
        "openshift/installer#1395 #1855, openshift/cluster-authentication-operator#344",
    ),
    _row(
        "F55",
        "names of the cluster resolve on one try and not on the next",
        "The first entry of resolv.conf is a name server that does not know the cluster: another card or DHCP put it "
        "there.",
        "every program on that node that resolves api-int",
        "host: each name server that a node has knows api-int",
        "Give every card of the node the same name servers, those that know the cluster.",
        "okd-project/okd#401, coreos/fedora-coreos-tracker#718, coreos/bugs#247",
    ),
)

NODES: tuple[Failure, ...] = (
    _row(
        "F21",
        "duplicate entry defined",
        "Two sources of one Ignition file name the same path or unit, or a file is not compressed as its entry says.",
        "Ignition: the machine does not boot at all",
        "files: every path and unit occurs once, no path lies below a file or link, compression matches the bytes",
        "Take one of the two entries out, or build the Ignition file again.",
        "openshift/installer#3871, openshift/machine-config-operator#479 #5006",
    ),
    _row(
        "F22",
        'machineconfig "rendered-master-…" not found; the pool is degraded',
        "What was rendered before the installation differs from what the cluster renders, by feature gates, images "
        "or order, so nodes have the name of a configuration that does not exist.",
        "the machine-config daemon on every node",
        "files: render from the same inputs that the cluster gets, and compute the hash again · "
        "running: compare the pool's name with the nodes', and their content with the live object",
        "Render with the release and the feature gates that the cluster has (`hardway build 04`), and install the "
        "node again.",
        "openshift/machine-config-operator#367 #2668, okd-project/okd#449 #963 #1289, openshift/installer#5086",
    ),
    _row(
        "F23",
        "failed to read initial annotations",
        "The files that the machine-config server adds to what it serves are missing on a node that it did not serve.",
        "the machine-config daemon; the kubelet, which then has no client CA; the first-boot pivot, which never runs",
        "files: all five are in each node's Ignition and agree with its MachineConfig",
        "Build the node's Ignition file again with `hardway build 08`, and install the node with it.",
        source("machine-config-operator", "pkg/server, openshift/installer#10742"),
    ),
    _row(
        "F24",
        "status=203/EXEC; AVC denied",
        "A script is in a folder where SELinux does not let systemd execute it, or lacks its mode bit, shebang, or "
        "Unix line ends.",
        "the unit that starts it",
        "files: programs that units start are in /usr/local/bin, mode 0755 or 0555, with a shebang, without CR",
        "Put the program into /usr/local/bin with mode 0755, a shebang and Unix line ends.",
        "openshift/installer#132, k0sproject/k0sctl#440",
    ),
    _row(
        "F27",
        "CSRs stay Pending and nodes do not appear",
        "Each node requests a client certificate and then a serving certificate, and on platform none no controller "
        "approves these requests.",
        "every master and worker",
        "running: approve those whose name, groups, requester and SANs are in the plan, until serving ones are issued",
        "Check each request's name, groups and requester against the plan, and approve it with `oc adm certificate "
        "approve NAME`.",
        "openshift/openshift-docs#27716, okd-project/okd#373",
    ),
    _row(
        "F28",
        "remote error: tls: internal error (oc logs, oc exec)",
        "The kubelet has no serving certificate: its second CSR was not approved.",
        "logs, exec, port-forward and metrics of that node",
        "running: a kubelet-serving CSR that has been pending for more than a minute",
        "Approve the node's pending kubelet-serving request, after a look at its SANs.",
        "openshift/installer#1467, kubernetes/kubeadm#591",
    ),
    _row(
        "F29",
        "cannot create resource certificatesigningrequests; or Approved and never Issued",
        "The identity in a client certificate is not the one that RBAC names, or the controller-manager has no key "
        "with which to sign, or signs with one whose CA the API server does not know.",
        "kubelets that join; every client with a wrong name",
        "files: role bindings name the certificates' identities; the CSR signer is in the client CA bundle",
        "Make the role binding name the certificate's identity, or give the controller-manager the CSR signer's "
        "key again.",
        "openshift/machine-config-operator#135, kubernetes/kubernetes#53711, openshift/origin#13500",
    ),
    _row(
        "F37",
        "wal: sync duration, expected less than 1s; leader changes",
        "The disk below etcd is too slow: the 99th percentile of fdatasync has to be under 10 ms.",
        "etcd, and so the whole control plane",
        "host: measure fdatasync in the machines' pool, look at the disks' cache mode · running: etcd's log",
        "Put the machines' disks on faster storage, an SSD with power-loss protection, and nothing else on it.",
        "openshift/openshift-docs#22552 #26585, openshift/installer#844, etcd-io/etcd#13587",
    ),
    _row(
        "F38",
        "OOMKilled; UnexpectedAdmissionError; DiskPressure",
        "Machines are smaller than their role needs, or the host has too little for all of them.",
        "masters first",
        "files: the machine plan against each role's minimum and against what the host has free",
        "Give the machines the size that their role needs, or plan fewer: `hardway prerequisites --cost` counts it.",
        "openshift/installer#823 #2873, openshift-metal3/dev-scripts#331",
    ),
    _row(
        "F39",
        "Fatal glibc error: CPU does not support x86-64-v2",
        "The virtual CPU is a generic old model.",
        "every container built for RHEL 9",
        "files: the machine's CPU mode is host-passthrough or host-model · host: its own level",
        "Set the machine's CPU mode to host-passthrough, and start it again.",
        "hetzner-ocp4#253",
    ),
    _row(
        "F40",
        "Failed to isolate default target; no space left on device (live ISO)",
        "The live system unpacks into memory, and the machine has too little.",
        "the installer image on that machine",
        "files: memory of each machine is above the live system's need",
        "Give the machine at least 4 GiB of memory for the installation.",
        "coreos/fedora-coreos-tracker#388 #407, openshift/installer#7031",
    ),
    _row(
        "F52",
        "Error: checking for exclusive access; found busy partitions",
        "The target disk is in use: the live system has mounted it, or LVM, RAID or swap of an old system holds it.",
        "coreos-installer on that machine",
        "running: lsblk in the live system",
        "Name the disk that is meant, or release the disk with `wipefs --all /dev/DISK` from the live system.",
        "coreos/coreos-installer#261 #803 #1296 #1463",
    ),
    _row(
        "F53",
        "the live system boots again after the installation",
        "The boot order has the medium before the disk, so that the machine installs itself again and again.",
        "the machine: it never boots its installed system",
        "running: the console shows the live system after the line that says that the installation is complete",
        "Put the disk before the medium in the boot order, or take the medium out after the installation.",
        "coreos/coreos-installer#820",
    ),
    _row(
        "F56",
        "kubelet: node not found; the node never appears",
        "The kubelet of a planned machine runs but does not register. Earlier lines of its journal have the cause.",
        "pods that wait for that node; etcd on a master",
        "running: every planned node against the list of nodes",
        "Read the kubelet's journal on that machine, from its first line about a certificate or a connection.",
        "openshift/installer#2954, okd-project/okd#373",
    ),
)

PIVOT: tuple[Failure, ...] = (
    _row(
        "F30",
        "etcd stays at one member",
        "The etcd operator was not handed the signers and etcd-endpoints, or members cannot reach each other.",
        "the control plane on the masters",
        "files: every object the operator looks for is there, and its signer is the bootstrap node's · "
        "running: the member list and the operator's conditions",
        "Apply the missing signers and etcd-endpoints again, and open ports 2379 and 2380 between the masters.",
        "okd-project/okd#74 #139, openshift/cluster-etcd-operator#342 #996",
    ),
    _row(
        "F31",
        "etcdserver: no leader, after the bootstrap node was removed",
        "The bootstrap member was removed while another one was restarting, or before the planned step.",
        "the whole cluster",
        "files: the bootstrap member has the name that the etcd operator removes · running: bootstrap reported "
        "complete, its member gone, three healthy on one revision; only then the machine",
        "Start the removed member again if its disk is still there; else restore etcd from a backup on one master.",
        "openshift/cluster-etcd-operator#179 #1027 #1368, openshift/installer#1295 #3716 #9857",
    ),
    _row(
        "F43",
        "timed out waiting for the condition, while everything was still moving",
        "A wait has a fixed time limit, and this machine or network is slower than the limit allows for.",
        "users who give up and destroy a cluster that was fine",
        "running: give up when nothing has moved for a while, not when a clock runs out",
        "Run the same wait again, and wait as long as there is progress.",
        "openshift/installer#2231 #5648 #6688 #7326",
    ),
)

TABLE: tuple[Failure, ...] = tuple(
    sorted((*TRUST, *CONFIGURATION, *NETWORK, *NODES, *PIVOT), key=lambda failure: failure.id)
)
BY_ID = {failure.id: failure for failure in TABLE}


def source_of(failure: str) -> str:
    """Where a failure was reported; empty for no failure."""
    return BY_ID[failure].why.source if failure else ""
