"""Pods: what the operators' have that ours do without, and the other way round."""

from __future__ import annotations

from hardway.compare.rendered.expected.pods.api import API_POD
from hardway.compare.rendered.expected.pods.clients import CLIENT_PODS
from hardway.compare.rendered.row import Row, is_ours, is_theirs, values
from hardway.compare.row import ABSENT, PRESENT
from hardway.lines.sources import kubernetes, source
from hardway.model.why import because
from hardway.staticpods.parts import restricted

CEO = source("cluster-etcd-operator", "bindata/bootkube/bootstrap-manifests")
KASO = source("cluster-kube-apiserver-operator", "bindata/bootkube/bootstrap-manifests")
MCO = source("machine-config-operator", "manifests/bootstrap-pod-v2.yaml")
ETCD = "containers.etcd."

SHARED: tuple[Row, ...] = (
    Row(
        name="host-path-type",
        area="pods",
        kind="hand",
        aspect="*.mounts.*.type",
        accept=lambda theirs, ours: theirs == "" and ours in ("Directory", "DirectoryOrCreate", "File"),
        why=because(
            "Our volumes say whether the path is a folder or a file, and whether the kubelet may make it.",
            breaks="a folder that was forgotten is made, empty, and the program in it fails with a message about a "
            "file; with the type it is the kubelet that says which path is missing",
            source=kubernetes("pkg/volume/hostpath"),
        ),
    ),
    Row(
        name="shell",
        area="pods",
        kind="other",
        aspect="containers.*.shell",
        accept=is_theirs([], ["set -euo pipefail"]),
        why=because(
            "The operators' pods start their program through a shell, which fills a variable in and then becomes the "
            "program. Ours have nothing to fill in: values are known when the file is written.",
            breaks="nothing; without a shell the image needs none, and signals reach the program itself",
            source=f"{CEO}, {KASO}",
        ),
    ),
    Row(
        name="restricted",
        area="pods",
        kind="hand",
        aspect="containers.*.securityContext|containers.*.securityContext.allowPrivilegeEscalation"
        "|containers.*.securityContext.capabilities|containers.*.securityContext.readOnlyRootFilesystem"
        "|containers.*.securityContext.seLinuxOptions",
        accept=is_ours(restricted(), *restricted().values()),
        why=because(
            "Ours run with no capability, with an image that cannot be written to, and with the one SELinux type that "
            "may use the host's folders.",
            breaks="a flaw in the program would be worth all of root's rights on the machine",
            source="CIS Kubernetes Benchmark 1.11, section 5.2",
        ),
    ),
)

ETCD_POD: tuple[Row, ...] = (
    Row(
        name="etcd-privileged",
        area="pods",
        kind="operator",
        operator="etcd",
        aspect=f"{ETCD}securityContext.privileged",
        accept=is_theirs(True),
        why=because(
            "The operator's etcd is privileged, which is also how SELinux lets it use the host's folders. Our member "
            "only reads its certificates and writes its data.",
            breaks="nothing here; the SELinux type alone is enough for both folders",
            source=CEO,
        ),
    ),
    Row(
        name="etcdctl-container",
        area="pods",
        kind="operator",
        operator="etcd",
        aspect="containers.etcdctl",
        accept=values(PRESENT, ABSENT),
        why=because(
            "A second container that only sleeps, with etcdctl and the paths of certificates in its environment: "
            "`crictl exec` into it for a look at the members.",
            breaks="whoever looks has to name the certificates; bootkube.sh brings a container of its own",
            source=CEO,
        ),
    ),
    Row(
        name="etcd-ports",
        area="pods",
        kind="operator",
        operator="etcd",
        aspect=f"{ETCD}ports.peer|{ETCD}ports.server",
        accept=is_theirs(
            {"containerPort": 2380, "protocol": "TCP"},
            {"containerPort": 2379, "protocol": "TCP"},
        ),
        why=because(
            "The ports are listed. On the host's network that opens nothing, it tells the scheduler what is taken, and "
            "a static pod is not scheduled.",
            breaks="nothing",
            source=CEO,
        ),
    ),
    Row(
        name="etcd-tolerations",
        area="pods",
        kind="operator",
        operator="etcd",
        aspect="spec.tolerations",
        accept=is_theirs([{"operator": "Exists"}]),
        why=because(
            "It tolerates every taint. The kubelet runs a static pod whatever taints its node has, save one that "
            "evicts, and the bootstrap machine is no node.",
            breaks="nothing on a machine that is no node; our pods on masters would need it against NoExecute",
            source=CEO,
        ),
    ),
    Row(
        name="etcd-certs-read-only",
        area="pods",
        kind="hand",
        operator="etcd",
        aspect=f"{ETCD}mounts./etc/ssl/etcd.readOnly",
        accept=values(False, True),
        why=because(
            "etcd reads its certificates and never writes them.",
            breaks="a flaw in etcd could change whom the next start trusts",
            source="go.etcd.io/etcd 3.5 client/pkg/transport",
        ),
    ),
)

OTHERS: tuple[Row, ...] = (
    Row(
        name="machine-config-pod",
        area="pods",
        kind="operator",
        operator="machine-config",
        aspect="pod",
        accept=values(PRESENT, ABSENT),
        why=because(
            "Its controller merges what a node gets and its server hands that out on port 22623. Ours is merged before "
            "anything boots: every node has the whole of its configuration in its own Ignition file.",
            breaks="a node that boots with the installer's short pointer file waits for the server for ever",
            source=MCO,
        ),
    ),
)

PODS: tuple[Row, ...] = (*SHARED, *ETCD_POD, *API_POD, *CLIENT_PODS, *OTHERS)
