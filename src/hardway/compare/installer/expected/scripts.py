"""What scripts, texts and the list of users say that is different on purpose; and bootkube.sh stage by stage."""

from __future__ import annotations

from hardway.compare.contents import commands
from hardway.compare.installer.meaning import BOOTKUBE, KUBELET, SCRIPT, stages
from hardway.compare.row import ABSENT, ONLY_THEIRS, Row, values

RECORDS = [".", "/usr/local/bin/bootstrap-service-record.sh"]
_STAGES: dict[str, str] = {
    "openshift-manifests": "Copies the folder openshift/ into manifests/. Our script reads both folders.",
    "api-bootstrap": "Renders 22 CRDs, and the status of the FeatureGate. Stage 04 takes the same CRDs out of the "
    "release, and the status is written with the FeatureGate. Without stage 04 no CRD is on the machine, and manifests "
    "of these types wait for the cluster-version operator.",
    "config-bootstrap": "Renders settings of a cloud; on platform none the installer copies nothing of it anywhere.",
    "cvo-bootstrap": "Renders the cluster-version operator's static pod, two CRDs, and what it runs from later. Ours "
    "has the pod; stage 04 has the CRDs; the rest is in the operator's own image, and it applies that itself.",
    "etcd-bootstrap": "Makes etcd's certificates and its first member's pod. Ours are made before the machine boots.",
    "kube-apiserver-bootstrap": "Renders the API server's pod with OpenShift's configuration, the signers' Secrets, "
    "and all SecurityContextConstraints. Ours has a pod with flags and a file for what flags cannot say, the "
    "same Secrets and the same constraints.",
    "kube-controller-manager-bootstrap": "Renders the controller-manager's pod, and cluster-policy-controller in it. "
    "Ours has both, made before the machine boots.",
    "kube-scheduler-bootstrap": "Renders the scheduler's pod. Ours is made before the machine boots.",
    "ingress-operator-bootstrap": "Renders the type IngressController and a namespace. Ours come with the release, "
    "later.",
    "node-tuning-bootstrap": "Renders MachineConfigs for performance profiles and for CPU partitioning. Ours has "
    "those of cpuPartitioningMode AllNodes among its manifests. The operator renders a profile later, in the cluster, "
    "and the nodes reboot then.",
    "cmdbootline-nto-bootstrap": "For a single node that is its own bootstrap machine, which hardway does not build.",
    "mco-bootstrap": "Renders the nodes' configuration and starts the server that hands it out. Stage 04 runs the same "
    "render, and every node has the whole of it in its own Ignition file.",
    "cco-bootstrap": "Starts the cloud-credential operator and brings its types. Platform none has no cloud; the "
    "release brings operator and types later.",
    "wait-for-etcd": "Waits for etcd. Our script begins with the same wait.",
    "cb-bootstrap": "Starts the pods, creates the manifests, waits for the masters, and then removes the pods. Here "
    "the kubelet starts the pods at boot and our script creates and waits. Where the "
    "release has an etcd operator, it removes all of them but etcd's before it reports the end; otherwise they run "
    "until stage 13.",
    "cvo-overrides": "Gives the cluster-version operator back what it was told to leave alone. Our script does the "
    "same.",
    "wait-for-ceo": "Waits until etcd runs on the masters. Our script asks the operator too; where the release "
    "has no etcd operator, it counts etcd's pods.",
}
STAGES = tuple(_STAGES)
"""What the installer's bootkube.sh does. Another list is another script, which nobody has held against ours."""


def _just_starts_it(script: str) -> bool:
    """Whether a script of the installer does nothing but start the kubelet; its flags are compared one by one."""
    said = [words for words in commands(script) if words != RECORDS]
    return [words[0] for words in said] == [KUBELET]


def _flag(name: str, flag: str, theirs: tuple[str, ...], what: str) -> Row:
    return Row(
        name=name,
        thing=SCRIPT,
        aspect=f"flag {flag}",
        accept=lambda said, ours: said in theirs and ours != ABSENT,
        what=what,
    )


FLAGS: tuple[Row, ...] = (
    _flag(
        "kubelet-address",
        "--node-ip",
        (ABSENT, "::"),
        "The plan knows the address; the installer says nothing of it, or only that it be an IPv6 one.",
    ),
    _flag(
        "kubelet-pause-image",
        "--pod-infra-container-image",
        ("${MACHINE_CONFIG_INFRA_IMAGE}",),
        "Known by digest when the file is made; the installer's machine looks it up when it boots.",
    ),
    Row(
        name="kubelet-socket",
        thing=SCRIPT,
        aspect="flag --container-runtime-endpoint",
        accept=lambda theirs, ours: ours == f"unix://{theirs}",
        what="The same socket as a URL, without which the kubelet warns.",
    ),
    Row(
        name="kubelet-read-only",
        thing=SCRIPT,
        aspect="flag --read-only-port",
        accept=values(ABSENT, "0"),
        what="Without it the kubelet also serves a port without authentication.",
    ),
)

TEXTS: tuple[Row, ...] = (
    Row(
        name="motd",
        thing="/etc/motd",
        aspect="content",
        accept=lambda theirs, ours: "bootkube" in theirs and "bootkube" in ours,
        what="Our own text, for the same purpose.",
    ),
    Row(
        name="bootkube-script",
        thing=BOOTKUBE,
        aspect="content",
        accept=lambda theirs, ours: stages(theirs) == STAGES,
        what="Our script renders nothing: it waits, creates and reports. The rows per stage say what replaces each "
        "stage of the installer.",
    ),
    Row(
        name="kubelet-script",
        thing=SCRIPT,
        aspect="content",
        accept=lambda theirs, ours: _just_starts_it(theirs),
        what="The same standalone kubelet, written again: what depends on the cluster comes from a file beside it.",
    ),
    Row(
        name="made-login",
        thing="passwd",
        aspect="core.sshAuthorizedKeys[0]",
        accept=lambda theirs, ours: theirs == "" and bool(ours),
        what="Without an sshKey the build makes a key to log in with; the installer lists an empty one.",
    ),
)

STAGE_BY_STAGE: tuple[Row, ...] = tuple(
    Row(name=f"stage-{name}", thing=BOOTKUBE, aspect=f"stage {name}", accept=ONLY_THEIRS, what=what)
    for name, what in _STAGES.items()
)
