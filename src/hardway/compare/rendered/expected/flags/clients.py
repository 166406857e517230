"""Arguments of the controller-manager and the scheduler."""

from __future__ import annotations

from hardway.compare.rendered.expected.flags.row import KCMO, KSO, SECRETS, told
from hardway.compare.rendered.row import Row, is_ours, is_theirs
from hardway.compare.row import ABSENT
from hardway.lines.default import DEFAULT

MANAGER, SCHEDULER = "kube-controller-manager", "kube-scheduler"
KNOWN = {gate.name for gate in DEFAULT.gates}
OWN = (f"{SECRETS}controller-manager.kubeconfig", f"{SECRETS}scheduler.kubeconfig")

CLIENTS: tuple[Row, ...] = (
    told(
        "own-kubeconfigs",
        "other",
        "--kubeconfig|--authentication-kubeconfig|--authorization-kubeconfig",
        lambda theirs, ours: theirs == f"{SECRETS}kubeconfig" and ours in OWN,
        "Theirs is the administrator's, over the loopback address. Ours is the program itself, with the role that "
        "Kubernetes has for it.",
        "a program that goes astray may do anything, and the audit log calls it the administrator",
        f"{KCMO}, {KSO}",
        programs=f"{MANAGER}|{SCHEDULER}",
    ),
    told(
        "loopback",
        "hand",
        "--bind-address",
        is_ours("127.0.0.1", "::1"),
        "Its port is for the kubelet on the same machine.",
        "metrics and health are served to the whole network",
        "CIS Kubernetes Benchmark 1.11, checks 1.3.7 and 1.4.2",
        programs=f"{MANAGER}|{SCHEDULER}",
    ),
    told(
        "manager-config",
        "operator",
        "--openshift-config",
        is_theirs("/etc/kubernetes/config/kube-controller-manager-config.yaml"),
        "Names a configuration file; what is in it is given as flags by now. In a running cluster one setting of "
        "OpenShift's own is left, the authority that signs for Services; at bootstrap there is none.",
        "nothing before that authority exists, which is after the pivot",
        KCMO,
        programs=MANAGER,
    ),
    told(
        "no-recycler",
        "operator",
        "--pv-recycler-pod-template-filepath-*",
        lambda theirs, ours: theirs == "" and ours == ABSENT,
        "Given as empty, to take back what the operator's default names; empty is what Kubernetes has.",
        "nothing",
        KCMO,
        programs=MANAGER,
    ),
    told(
        "scheduler-port",
        "hand",
        "--secure-port",
        is_ours("10259"),
        "Written out what the program takes by default.",
        "nothing",
        KSO,
        programs=SCHEDULER,
    ),
    told(
        "scheduler-gates",
        "hand",
        "--feature-gates",
        lambda theirs, ours: theirs == ABSENT and isinstance(ours, dict) and ours.keys() <= KNOWN,
        "The rendered scheduler runs without the release's gates, and its configuration file is not even mounted; the "
        "running operator's has them.",
        "under a feature set with new kinds of resources the bootstrap scheduler would schedule by other rules than "
        "its successor",
        KSO,
        programs=SCHEDULER,
    ),
)
