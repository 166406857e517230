"""Pods of the controller-manager and the scheduler, the two that talk to the API server and to nothing else."""

from __future__ import annotations

from typing import Any

from hardway.compare.rendered.row import Row, is_ours, is_theirs, values
from hardway.compare.row import ABSENT, PRESENT
from hardway.lines.sources import kubernetes, source
from hardway.model.why import because

KCMO = source("cluster-kube-controller-manager-operator", "bindata/bootkube/bootstrap-manifests")
KSO = source("cluster-kube-scheduler-operator", "bindata/bootkube/bootstrap-manifests")
CLIENTS = "kube-controller-manager|kube-scheduler"
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


CLIENT_PODS: tuple[Row, ...] = (
    Row(
        name="client-labels",
        area="pods",
        kind="other",
        operator=CLIENTS,
        aspect="labels.k8s-app|labels.openshift.io/component|labels.openshift.io/control-plane",
        accept=lambda theirs, ours: (
            (theirs, ours)
            in [
                (ABSENT, "kube-controller-manager"),
                (ABSENT, "kube-scheduler"),
                ("controller-manager", ABSENT),
                ("scheduler", ABSENT),
                ("true", ABSENT),
            ]
        ),
        why=because(
            "Other labels for the same purpose: to be found by people. The Services of the running cluster select by "
            "labels of its own pods, not by these.",
            breaks="nothing",
            source=f"{KCMO}, {KSO}",
        ),
    ),
    Row(
        name="policy-controller",
        area="pods",
        kind="operator",
        operator="kube-controller-manager",
        aspect="containers.cluster-policy-controller",
        accept=values(PRESENT, ABSENT),
        why=because(
            "Gives every namespace its ranges of user ids and SELinux levels, which SecurityContextConstraints read, "
            "counts quotas over several projects, and labels namespaces for pod security.",
            breaks="with OpenShift's admission on, pods of a namespace without ranges are refused; our API server has "
            "that admission off until the pivot",
            source=KCMO,
        ),
    ),
    Row(
        name="whole-secrets-folder",
        area="pods",
        kind="operator",
        operator=CLIENTS,
        aspect=f"containers.*.mounts.{SECRETS}",
        accept=is_theirs({"readOnly": True, "from": HOST, "type": ""}),
        why=because(
            "The operators mount the whole folder of keys and certificates into each pod.",
            breaks="nothing; with it the scheduler can read the key that signs tokens",
            source=f"{KCMO}, {KSO}",
        ),
    ),
    Row(
        name="single-files",
        area="pods",
        kind="hand",
        operator=CLIENTS,
        aspect=f"containers.*.mounts.{SECRETS}/*",
        accept=_is_file,
        why=because(
            "Ours mount the files that the program is told about, one by one.",
            breaks="each pod sees the keys of all the others",
            source="CIS Kubernetes Benchmark 1.11, section 5.4",
        ),
    ),
    Row(
        name="config-folder",
        area="pods",
        kind="operator",
        operator="kube-controller-manager",
        aspect="containers.*.mounts./etc/kubernetes/config",
        accept=is_theirs({"readOnly": True, "from": "/etc/kubernetes/bootstrap-configs", "type": ""}),
        why=because(
            "The folder with the configuration file that --openshift-config names.",
            breaks="nothing: ours has no such file",
            source=KCMO,
        ),
    ),
    Row(
        name="serving-folder",
        area="pods",
        kind="hand",
        operator=CLIENTS,
        aspect="containers.*.mounts./var/run/kubernetes",
        accept=is_ours({"readOnly": False, "volume": {"emptyDir": {"medium": "Memory"}}}),
        why=because(
            "The program makes a certificate for its own port at every start and writes it there; our image is "
            "read-only, and a key belongs in memory.",
            breaks="it exits: read-only file system",
            source=kubernetes("staging/src/k8s.io/apiserver/pkg/server/options/serving.go"),
        ),
    ),
    Row(
        name="last-words",
        area="pods",
        kind="hand",
        operator=CLIENTS,
        aspect="containers.*.terminationMessagePolicy",
        accept=values("File", "FallbackToLogsOnError"),
        why=because(
            "If the program dies without a word, its last log lines become the reason that the kubelet reports.",
            breaks="a crash shows as an exit code and nothing else",
            source=kubernetes("pkg/kubelet/kuberuntime"),
        ),
    ),
    Row(
        name="client-ports",
        area="pods",
        kind="operator",
        operator="kube-controller-manager",
        aspect="containers.*.ports.10257",
        accept=is_theirs({"containerPort": 10257, "protocol": "TCP"}),
        why=because("The port is listed; on the host's network that opens nothing.", breaks="nothing", source=KCMO),
    ),
    Row(
        name="probe-host",
        area="pods",
        kind="other",
        operator="kube-controller-manager",
        aspect="containers.*Probe.httpGet.host",
        accept=is_ours("127.0.0.1"),
        why=because(
            "Ours listens on the loopback address alone, so that is where the kubelet asks.",
            breaks="the kubelet asks at the machine's address, finds the port closed and restarts the program",
            source=KCMO,
        ),
    ),
    Row(
        name="probe-times",
        area="pods",
        kind="other",
        operator="kube-controller-manager",
        aspect="|".join(f"containers.*Probe.{name}" for name in TIMES),
        accept=lambda theirs, ours: (theirs, ours) in [(45, 0), (10, 0), (3, 10), (10, 5), (3, 30)],
        why=because(
            "Theirs wait a fixed time before they ask; ours ask at once and let the startup probe take up to two and "
            "a half minutes.",
            breaks="on a slow disk the program is killed while it starts (F37)",
            source=KCMO,
        ),
    ),
)
