"""The API server's pod; and what the pods of the control plane have in common with it."""

from __future__ import annotations

from hardway.compare.rendered.row import Row, is_theirs, values
from hardway.compare.row import ABSENT, PRESENT
from hardway.lines.sources import source
from hardway.model.why import because

KASO = source("cluster-kube-apiserver-operator", "bindata/bootkube/bootstrap-manifests")
CONTROL_PLANE = "kube-apiserver|kube-controller-manager|kube-scheduler"
API = "containers.kube-apiserver."
MANAGEMENT = "target.workload.openshift.io/management"
_HINTS = {"openshift.io/run-level": "0", MANAGEMENT: '{"effect": "PreferredDuringScheduling"}'}

API_POD: tuple[Row, ...] = (
    Row(
        name="pod-annotations",
        area="pods",
        kind="operator",
        operator=CONTROL_PLANE,
        aspect="annotations",
        accept=is_theirs(_HINTS, _HINTS | {"kubectl.kubernetes.io/default-logs-container": "kube-apiserver"}),
        why=because(
            "Hints for others: which container `logs` means, that its CPUs may come from the management's share, and "
            "an old mark of how early it belongs. Nothing on the bootstrap machine reads them.",
            breaks="`oc logs` on the mirror pod would ask which container, if there were more than one",
            source=KASO,
        ),
    ),
    Row(
        name="host-ip",
        area="pods",
        kind="operator",
        operator="kube-apiserver",
        aspect=f"{API}env.HOST_IP",
        accept=is_theirs({"fieldRef": {"fieldPath": "status.hostIP"}}),
        why=because(
            "The operator does not know on which machine its pod will run and asks the kubelet for the address.",
            breaks="nothing: ours has the address of the plan in the flag itself",
            source=KASO,
        ),
    ),
    Row(
        name="cloud-folder",
        area="pods",
        kind="operator",
        operator=CONTROL_PLANE,
        aspect="containers.*.mounts./etc/kubernetes/cloud",
        accept=is_theirs({"readOnly": True, "from": "/etc/kubernetes/cloud", "type": ""}),
        why=because(
            "Where a cloud provider's settings would lie, from the days when the control plane read them.",
            breaks="nothing: there is no cloud on platform none",
            source=KASO,
        ),
    ),
    Row(
        name="trust-store",
        area="pods",
        kind="operator",
        operator=CONTROL_PLANE,
        aspect="containers.*.mounts./etc/ssl/certs",
        accept=is_theirs({"readOnly": True, "from": "/etc/ssl/certs", "type": ""}),
        why=because(
            "The machine's own trust store, for calls to servers outside: webhooks, clouds, identity providers under "
            "a private authority.",
            breaks="until the pivot such a server is not believed; the image's own store knows public authorities, "
            "and neither kind of server exists before the operators run",
            source=KASO,
        ),
    ),
    Row(
        name="log-folder",
        area="pods",
        kind="operator",
        operator=CONTROL_PLANE,
        aspect="containers.*.mounts./var/log/bootstrap-control-plane",
        accept=is_theirs({"readOnly": False, "from": "/var/log/bootstrap-control-plane", "type": ""}),
        why=because(
            "A folder for logs that the gather script picks up. The program logs to its output all the same.",
            breaks="nothing: `crictl logs` and the kubelet's log folder have it",
            source=KASO,
        ),
    ),
    Row(
        name="insecure-readyz",
        area="pods",
        kind="operator",
        operator="kube-apiserver",
        aspect="containers.kube-apiserver-insecure-readyz",
        accept=values(PRESENT, ABSENT),
        why=because(
            "Answers on port 6080, in plain HTTP, whether /readyz is well: for load balancers of clouds that cannot "
            "check over TLS.",
            breaks="such a balancer sees no healthy machine; ours asks /readyz on 6443 over TLS",
            source=KASO,
        ),
    ),
    Row(
        name="audit-permissions",
        area="pods",
        kind="operator",
        operator="kube-apiserver",
        aspect="initContainers.setup",
        accept=values(PRESENT, ABSENT),
        why=because(
            "Before the start it makes the audit log readable by root alone, whatever an older release left behind.",
            breaks="nothing on a machine that starts empty: the API server makes the file 0600 itself",
            source=KASO,
        ),
    ),
)
