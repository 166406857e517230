"""What certificates and documents say that is different on purpose."""

from __future__ import annotations

from hardway.compare.places import TLS
from hardway.compare.row import ABSENT, Row
from hardway.manifests.cluster_config import HOST_NOT_CHECKED

GATES = "/opt/openshift/openshift/99_feature-gate.yaml"
SHORT = 24  # hours: what the installer gives the certificates of the first day
BACKDATED = 1  # hour


def _one_hour_more(theirs: int, ours: int) -> bool:
    return ours == theirs + BACKDATED


def _long_day(theirs: int, ours: int) -> bool:
    return theirs == SHORT and ours > SHORT + BACKDATED


def _with_kind(theirs: str, ours: str) -> bool:
    return ours in (theirs.replace("rsa-2048", kind) for kind in ("ecdsa-p256", "rsa-4096"))


def _own_subject(name: str) -> Row:
    component = name.removeprefix("kube-control-plane-").removesuffix("-client")
    return Row(
        name=f"{component}-identity",
        path=f"{TLS}{name}.crt",
        aspect="certificate[0].subject",
        accept=lambda theirs, ours: (theirs, ours) == ("CN=system:admin,O=system:masters", f"CN=system:{component}"),
        why="The program is itself, with the role that Kubernetes has for it, and not an administrator who may do "
        "anything.",
    )


CERTIFICATES: tuple[Row, ...] = (
    Row(
        name="backdated",
        path="*",
        aspect="*certificate[*].lifetime_hours",
        accept=_one_hour_more,
        why="Valid since an hour before it was made: a machine whose clock is behind accepts it too (F02).",
    ),
    Row(
        name="long-day",
        path="*",
        aspect="*certificate[*].lifetime_hours",
        accept=_long_day,
        why="24 hours are short for building a cluster step by step; how long is a setting, a week unless said "
        "otherwise (F01).",
    ),
    Row(
        name="default-face-addresses",
        path=f"{TLS}kube-apiserver-service-network-server.crt",
        aspect="certificate[0].sans",
        added=lambda known: known.api | known.control_plane,
        why="The VIP and every control-plane address in addition: who asks for no name gets this certificate (F07).",
    ),
    Row(
        name="localhost-names",
        path=f"{TLS}kube-apiserver-localhost-server.crt",
        aspect="certificate[0].sans",
        added=lambda known: {"localhost-recovery"},
        why="localhost-recovery in addition, the name that the recovery kubeconfig asks for.",
    ),
    Row(
        name="mcs-names",
        path=f"{TLS}machine-config-server.crt|/opt/openshift/manifests/machine-config-server-tls-secret.yaml",
        aspect="certificate[0].sans|data.tls.crt: certificate[0].sans",
        added=lambda known: known.api,
        why="The VIP in addition, as the installer itself has it on platforms with VIPs.",
    ),
    _own_subject("kube-control-plane-kube-controller-manager-client"),
    _own_subject("kube-control-plane-kube-scheduler-client"),
    Row(
        name="key-kind",
        path="*",
        aspect="*certificate[*].key|*key.kind",
        accept=_with_kind,
        why="The kind of keys is a setting here; the installer knows RSA 2048 alone. The running operators sign with "
        "RSA alone: they adopt an elliptic-curve signer and can issue nothing under it.",
    ),
    Row(
        name="key-usage",
        path="*",
        aspect="*certificate[*].key_usage",
        accept=lambda theirs, ours: set(theirs) - {"key_encipherment"} == set(ours),
        why="Only RSA keys can encipher a key, so a certificate for an elliptic-curve key does not say it may.",
    ),
)

DOCUMENTS: tuple[Row, ...] = (
    Row(
        name="gates-status",
        path=GATES,
        aspect="status.featureGates",
        accept=lambda theirs, ours: theirs is None and isinstance(ours, list),
        why="Resolved here for the release; the installer leaves it empty and a program fills it in on the machine, "
        "before anything reads it.",
    ),
    Row(
        name="gates-profile",
        path=GATES,
        aspect="metadata.annotations",
        accept=lambda theirs, ours: (
            theirs == ABSENT and list(ours) == ["include.release.openshift.io/self-managed-high-availability"]
        ),
        why="Written by the same program on the machine.",
    ),
    Row(
        name="host-not-checked",
        path="/opt/openshift/manifests/cluster-config.yaml",
        aspect=f"data.install-config#metadata.annotations|data.install-config#metadata.annotations.{HOST_NOT_CHECKED}",
        accept=lambda theirs, ours: theirs == ABSENT and ours in ("true", {HOST_NOT_CHECKED: "true"}),
        why="Under FIPS the installer checks whether it runs on a machine in FIPS mode. We do not, and say so with the "
        "mark that it leaves itself when the check is skipped.",
    ),
)
