"""Pods: what the operators' have that ours do without, and the other way round."""

from __future__ import annotations

from functools import partial
from typing import Any

from hardway.compare.row import ABSENT, Row, both_differ, is_ours, is_theirs, ours_alone, theirs_alone, values
from hardway.lines.sources import kubernetes, kubernetes_fork, source
from hardway.staticpods.parts import restricted
from hardway.staticpods.paths import KUBECONFIG

CEO = source("cluster-etcd-operator", "bindata/bootkube/bootstrap-manifests")
KASO = source("cluster-kube-apiserver-operator", "bindata/bootkube/bootstrap-manifests")
KCMO = source("cluster-kube-controller-manager-operator", "bindata/bootkube/bootstrap-manifests")
KSO = source("cluster-kube-scheduler-operator", "bindata/bootkube/bootstrap-manifests")
MCO = source("machine-config-operator", "manifests/bootstrap-pod-v2.yaml")
MANAGER = "kube-controller-manager"
CLIENTS = f"{MANAGER}|kube-scheduler"
CONTROL_PLANE = f"kube-apiserver|{CLIENTS}"
ETCD, API, POLICY = (f"containers.{name}." for name in ("etcd", "kube-apiserver", "cluster-policy-controller"))
MANAGEMENT = "target.workload.openshift.io/management"
_HINTS = {"openshift.io/run-level": "0", MANAGEMENT: '{"effect": "PreferredDuringScheduling"}'}
SECRETS = "/etc/kubernetes/secrets"
HOST = "/etc/kubernetes/bootstrap-secrets"
TIMES = ("initialDelaySeconds", "timeoutSeconds", "periodSeconds", "failureThreshold")


def _is_file(theirs: Any, ours: Any) -> bool:
    """One file of the folder, at its own place in it, and nothing else."""
    return (
        theirs == ABSENT
        and isinstance(ours, dict)
        and ours.keys() == {"readOnly", "from", "type"}
        and ours["from"].startswith(f"{HOST}/")
        and (ours["readOnly"], ours["type"]) == (True, "File")
    )


_etcd_has = partial(theirs_alone, operator="etcd", source=CEO)
_api_has = partial(theirs_alone, operator="kube-apiserver", source=KASO)
_plane_has = partial(theirs_alone, operator=CONTROL_PLANE, source=KASO)
_manager_has = partial(theirs_alone, operator=MANAGER, source=KCMO)

PODS: tuple[Row, ...] = (
    ours_alone(
        name="host-path-type",
        aspect="*.mounts.*.type",
        accept=lambda theirs, ours: theirs == "" and ours in ("Directory", "DirectoryOrCreate", "File"),
        what="Our volumes say whether the path is a folder or a file, and whether the kubelet may make it.",
        breaks="a missing folder is created empty, and the program fails with a message about a file; with the type, "
        "the kubelet names the missing path",
        source=kubernetes("pkg/volume/hostpath"),
    ),
    both_differ(
        name="shell",
        aspect="containers.*.shell",
        accept=is_theirs([], ["set -euo pipefail"]),
        what="The operators' pods start their program through a shell, which fills a variable in and then becomes the "
        "program. Ours have nothing to fill in: values are known when the file is written.",
        breaks="no effect; without a shell the image needs none, and signals reach the program itself",
        source=f"{CEO}, {KASO}",
    ),
    ours_alone(
        name="restricted",
        aspect="containers.*.securityContext|containers.*.securityContext.allowPrivilegeEscalation"
        "|containers.*.securityContext.capabilities|containers.*.securityContext.readOnlyRootFilesystem"
        "|containers.*.securityContext.seLinuxOptions",
        accept=is_ours(restricted(), *restricted().values()),
        what="Ours run without capabilities, with a read-only image, and with the one SELinux type that may use the "
        "host's folders.",
        breaks="a vulnerability in the program gives an attacker all of root's rights on the machine",
        source="CIS Kubernetes Benchmark 1.11, section 5.2",
    ),
    _etcd_has(
        name="etcd-privileged",
        aspect=f"{ETCD}securityContext.privileged",
        accept=is_theirs(True),
        what="The operator's etcd is privileged, which is also how SELinux lets it use the host's folders. Our member "
        "only reads its certificates and writes its data.",
        breaks="no effect here; the SELinux type alone is enough for both folders",
    ),
    _etcd_has(
        name="etcdctl-container",
        aspect="containers.etcdctl",
        what="A second container that only sleeps, with etcdctl and the paths of certificates in its environment: "
        "`crictl exec` into it to inspect the members.",
        breaks="a person who inspects it has to name the certificates; bootkube.sh starts a container of its own",
    ),
    _etcd_has(
        name="etcd-ports",
        aspect=f"{ETCD}ports.peer|{ETCD}ports.server",
        accept=is_theirs(*({"containerPort": port, "protocol": "TCP"} for port in (2380, 2379))),
        what="The ports are listed. On the host's network that opens nothing; it tells the scheduler which ports are "
        "in use, and a static pod is not scheduled.",
        breaks="no effect",
    ),
    _etcd_has(
        name="etcd-tolerations",
        aspect="spec.tolerations",
        accept=is_theirs([{"operator": "Exists"}]),
        what="It tolerates every taint. The kubelet runs a static pod whatever taints its node has, save one that "
        "evicts, and the bootstrap machine is no node.",
        breaks="no effect on a machine that is no node; our pods on masters would need it against NoExecute",
    ),
    ours_alone(
        name="etcd-certs-read-only",
        operator="etcd",
        aspect=f"{ETCD}mounts./etc/ssl/etcd.readOnly",
        accept=values(False, True),
        what="etcd reads its certificates and never writes them.",
        breaks="a vulnerability in etcd could change the CA that the next start trusts",
        source="go.etcd.io/etcd 3.5 client/pkg/transport",
    ),
    _plane_has(
        name="pod-annotations",
        aspect="annotations",
        accept=is_theirs(_HINTS, _HINTS | {"kubectl.kubernetes.io/default-logs-container": "kube-apiserver"}),
        what="Hints for other tools: which container `logs` means, that its CPUs may come from the management share, "
        "and an old mark of its order. Nothing on the bootstrap machine reads them.",
        breaks="`oc logs` on the mirror pod would ask which container, if there were more than one",
    ),
    _api_has(
        name="host-ip",
        aspect=f"{API}env.HOST_IP",
        accept=is_theirs({"fieldRef": {"fieldPath": "status.hostIP"}}),
        what="The operator does not know on which machine its pod will run and asks the kubelet for the address.",
        breaks="no effect: ours has the address of the plan in the flag itself",
    ),
    ours_alone(
        name="admission-folder",
        operator="kube-apiserver",
        aspect=f"{API}mounts./tmp",
        accept=is_ours({"readOnly": False, "volume": {"emptyDir": {"medium": "Memory"}}}),
        what="It writes the settings of admission plugins, which it finds in its configuration file, into a file of "
        "its own below /tmp; our image is read-only.",
        breaks="it exits: read-only file system",
        source=kubernetes_fork("openshift-kube-apiserver/openshiftkubeapiserver/flags.go"),
    ),
    _plane_has(
        name="cloud-folder",
        aspect="containers.*.mounts./etc/kubernetes/cloud",
        accept=is_theirs({"readOnly": True, "from": "/etc/kubernetes/cloud", "type": ""}),
        what="Where a cloud provider's settings would lie, from the days when the control plane read them.",
        breaks="no effect: there is no cloud on platform none",
    ),
    _plane_has(
        name="trust-store",
        aspect="containers.*.mounts./etc/ssl/certs",
        accept=is_theirs({"readOnly": True, "from": "/etc/ssl/certs", "type": ""}),
        what="The machine's own trust store, for connections to servers outside: webhooks, clouds, identity "
        "providers with a private CA.",
        breaks="until the pivot such a server is not trusted; the image's own store has public CAs, and neither kind "
        "of server exists before the operators run",
    ),
    _plane_has(
        name="log-folder",
        aspect="containers.*.mounts./var/log/bootstrap-control-plane",
        accept=is_theirs({"readOnly": False, "from": "/var/log/bootstrap-control-plane", "type": ""}),
        what="A folder for logs that the gather script collects. The program logs to its output anyway.",
        breaks="no effect: `crictl logs` and the kubelet's log folder have it",
    ),
    _api_has(
        name="insecure-readyz",
        aspect="containers.kube-apiserver-insecure-readyz",
        what="Answers on port 6080, over plain HTTP, whether /readyz is ok: for cloud load balancers that cannot "
        "check over TLS.",
        breaks="such a balancer sees no healthy machine; ours asks /readyz on 6443 over TLS",
    ),
    _api_has(
        name="audit-permissions",
        aspect="initContainers.setup",
        what="Before the start it makes the audit log readable by root alone, whatever an older release left behind.",
        breaks="no effect on a machine that starts empty: the API server makes the file 0600 itself",
    ),
    both_differ(
        name="client-labels",
        operator=CLIENTS,
        aspect="labels.k8s-app|labels.openshift.io/component|labels.openshift.io/control-plane",
        accept=lambda theirs, ours: (
            (theirs == ABSENT and ours in CLIENTS.split("|"))
            or (theirs in ("controller-manager", "scheduler", "true") and ours == ABSENT)
        ),
        what="Other labels for the same purpose: to be found by people. The Services of the running cluster select by "
        "labels of its own pods, not by these.",
        breaks="no effect",
        source=f"{KCMO}, {KSO}",
    ),
    _manager_has(
        name="policy-controller",
        aspect="containers.cluster-policy-controller",
        what="Gives every namespace its ranges of user ids and SELinux levels, which SecurityContextConstraints read. "
        "Ours has it too once the release has been read: the built-in catalogue has no digest of its image.",
        breaks="pods of a namespace without ranges are refused; a cluster is never started from the catalogue alone",
    ),
    both_differ(
        name="policy-names",
        operator=MANAGER,
        aspect=f"{POLICY}env.POD_NAME|{POLICY}env.POD_NAMESPACE",
        accept=lambda theirs, ours: isinstance(theirs, dict) and theirs.keys() == {"fieldRef"} and bool(ours),
        what="The operator asks the kubelet for the pod's name and namespace; ours has both from the plan.",
        breaks="no effect: the values are the same",
        source=KCMO,
    ),
    ours_alone(
        name="policy-file",
        operator=MANAGER,
        aspect=f"{POLICY}mounts./etc/kubernetes/config/*",
        accept=is_ours(
            {
                "readOnly": True,
                "from": "/etc/kubernetes/bootstrap-configs/cluster-policy-controller-config.yaml",
                "type": "File",
            }
        ),
        what="Its configuration file alone, not the folder with those of others.",
        breaks="it sees the API server's settings too",
        source="CIS Kubernetes Benchmark 1.11, section 5.4",
    ),
    ours_alone(
        name="policy-kubeconfig",
        operator=MANAGER,
        aspect=f"{POLICY}mounts.{KUBECONFIG}",
        accept=is_ours({"readOnly": True, "from": KUBECONFIG, "type": "File"}),
        what="The administrator's kubeconfig is beside the folder of secrets, and only this container of the pod has "
        "it.",
        breaks="the controller-manager could use it too",
        source="CIS Kubernetes Benchmark 1.11, section 5.4",
    ),
    ours_alone(
        name="policy-serving-folder",
        operator=MANAGER,
        aspect=f"{POLICY}mounts./tmp",
        accept=is_ours({"readOnly": False, "volume": {"emptyDir": {"medium": "Memory"}}}),
        what="It makes a certificate for its own port at every start and writes it there; our image is read-only, and "
        "a key belongs in memory. Theirs shows the controller-manager's client certificate.",
        breaks="it exits: read-only file system",
        source=source("library-go", "pkg/controller/controllercmd"),
    ),
    theirs_alone(
        name="whole-secrets-folder",
        operator=CLIENTS,
        aspect=f"containers.*.mounts.{SECRETS}",
        accept=is_theirs({"readOnly": True, "from": HOST, "type": ""}),
        what="The operators mount the whole folder of keys and certificates into each pod.",
        breaks="no effect; with it the scheduler can read the key that signs tokens",
        source=f"{KCMO}, {KSO}",
    ),
    ours_alone(
        name="single-files",
        operator=CLIENTS,
        aspect=f"containers.*.mounts.{SECRETS}/*",
        accept=_is_file,
        what="Ours mount the files that the program is told about, one by one.",
        breaks="each pod sees the keys of all the others",
        source="CIS Kubernetes Benchmark 1.11, section 5.4",
    ),
    _manager_has(
        name="config-folder",
        aspect="containers.*.mounts./etc/kubernetes/config",
        accept=is_theirs({"readOnly": True, "from": "/etc/kubernetes/bootstrap-configs", "type": ""}),
        what="The folder with the configuration file that --openshift-config names.",
        breaks="no effect: our controller-manager has no such file, and the policy controller its own alone",
    ),
    ours_alone(
        name="serving-folder",
        operator=CLIENTS,
        aspect="containers.*.mounts./var/run/kubernetes",
        accept=is_ours({"readOnly": False, "volume": {"emptyDir": {"medium": "Memory"}}}),
        what="The program makes a certificate for its own port at every start and writes it there; our image is "
        "read-only, and a key belongs in memory.",
        breaks="it exits: read-only file system",
        source=kubernetes("staging/src/k8s.io/apiserver/pkg/server/options/serving.go"),
    ),
    ours_alone(
        name="last-words",
        operator=CLIENTS,
        aspect="containers.*.terminationMessagePolicy",
        accept=values("File", "FallbackToLogsOnError"),
        what="If the program exits without a message, its last log lines become the reason that the kubelet reports.",
        breaks="a crash shows as an exit code and nothing else",
        source=kubernetes("pkg/kubelet/kuberuntime"),
    ),
    _manager_has(
        name="client-ports",
        aspect="containers.*.ports.10257|containers.*.ports.10357",
        accept=is_theirs(*({"containerPort": port, "protocol": "TCP"} for port in (10257, 10357))),
        what="The port is listed; on the host's network that opens nothing.",
        breaks="no effect",
    ),
    both_differ(
        name="probe-host",
        operator=MANAGER,
        aspect="containers.*Probe.httpGet.host",
        accept=lambda theirs, ours: ours == "127.0.0.1",
        what="Ours listens on the loopback address only, so the kubelet probes there: the policy controller's by "
        "address instead of by name.",
        breaks="the kubelet probes the machine's address, finds the port closed and restarts the program",
        source=KCMO,
    ),
    both_differ(
        name="probe-times",
        operator=MANAGER,
        aspect="|".join(f"containers.*Probe.{name}" for name in TIMES),
        accept=lambda theirs, ours: (theirs, ours) in [(45, 0), (10, 0), (3, 10), (10, 5), (3, 30)],
        what="Theirs wait a fixed time before the first probe; ours probe at once, and the startup probe allows up "
        "to two and a half minutes.",
        breaks="on a slow disk the program is killed while it starts (F37)",
        source=KCMO,
    ),
    theirs_alone(
        name="machine-config-pod",
        operator="machine-config",
        aspect="pod",
        what="Its controller merges a node's configuration and its server serves it on port 22623. Ours is merged "
        "before anything boots: every node has its whole configuration in its own Ignition file.",
        breaks="a node that boots with the installer's pointer file waits for the server without end",
        source=MCO,
    ),
)
