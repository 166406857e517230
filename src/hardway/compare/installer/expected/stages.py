"""What each stage of the installer's bootkube.sh does, and where that is done here, or that it is not."""

from __future__ import annotations

from hardway.compare.row import Row, is_absent_here
from hardway.compare.scripts import BOOTKUBE

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
    "and all SecurityContextConstraints. Ours has a pod with flags and the same Secrets. It has no SCCs and no SCC "
    "admission: until an API server of the operator serves, a pod that must not run as root and whose image names no "
    "numeric user does not start.",
    "kube-controller-manager-bootstrap": "Renders the controller-manager's pod, and cluster-policy-controller in it. "
    "Ours runs without that controller: namespaces get no ranges of user ids before the operator's pod runs on a "
    "master.",
    "kube-scheduler-bootstrap": "Renders the scheduler's pod. Ours is made before the machine boots.",
    "ingress-operator-bootstrap": "Renders the type IngressController and a namespace. Ours come with the release, "
    "later.",
    "node-tuning-bootstrap": "Renders MachineConfigs for performance profiles and for reserved CPUs. Nothing here "
    "does: with cpuPartitioningMode AllNodes the Infrastructure says so, and the MachineConfigs are missing.",
    "cmdbootline-nto-bootstrap": "For a single node that is its own bootstrap machine, which hardway does not build.",
    "mco-bootstrap": "Renders the nodes' configuration and starts the server that hands it out. Stage 04 runs the same "
    "render, and every node has the whole of it in its own Ignition file.",
    "cco-bootstrap": "Starts the cloud-credential operator and brings its types. Platform none has no cloud; the "
    "release brings operator and types later.",
    "wait-for-etcd": "Waits for etcd. Our script begins with the same wait.",
    "cb-bootstrap": "Starts the pods, creates the manifests, waits for the masters, and then removes the pods. Here "
    "the kubelet starts the pods at boot and our script creates and waits. It removes the pods on the road of the "
    "operators only; on the others they run until the machine is switched off.",
    "cvo-overrides": "Gives the cluster-version operator back what it was told to leave alone. Our script does the "
    "same.",
    "wait-for-ceo": "Waits until etcd runs on the masters. Our script asks the operator too, and counts pods where "
    "there is none.",
}
STAGES = tuple(_STAGES)
"""What the installer's bootkube.sh does. Another list is another script, which nobody has held against ours."""

ROWS: tuple[Row, ...] = tuple(
    Row(name=f"stage-{name}", path=BOOTKUBE, aspect=f"stage {name}", accept=is_absent_here, why=why)
    for name, why in _STAGES.items()
)
