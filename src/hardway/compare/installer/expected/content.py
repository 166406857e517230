"""What certificates and documents say that is different on purpose."""

from __future__ import annotations

from hardway.compare.certificates import enciphers_no_key, is_an_hour_more, is_of_other_kind
from hardway.compare.places import TLS
from hardway.compare.row import ABSENT, Row, values
from hardway.manifests.cluster_config import HOST_NOT_CHECKED

GATES = "/opt/openshift/openshift/99_feature-gate.yaml"
SHORT = 24  # hours: what the installer gives the certificates of the first day


def _own_subject(name: str) -> Row:
    component = name.removeprefix("kube-control-plane-").removesuffix("-client")
    return Row(
        name=f"{component}-identity",
        thing=f"{TLS}{name}.crt",
        aspect="certificate[0].subject",
        accept=values("CN=system:admin,O=system:masters", f"CN=system:{component}"),
        what="The component has its own identity, with the role that Kubernetes has for it, and is not an "
        "administrator.",
    )


CERTIFICATES: tuple[Row, ...] = (
    Row(
        name="backdated",
        thing="*",
        aspect="*certificate[*].lifetime_hours",
        accept=is_an_hour_more,
        what="Valid since an hour before it was made: a machine whose clock is behind accepts it too (F02).",
    ),
    Row(
        name="long-day",
        thing="*",
        aspect="*certificate[*].lifetime_hours",
        accept=lambda theirs, ours: theirs == SHORT and ours > SHORT + 1,
        what="24 hours are short for building a cluster step by step; the lifetime is a setting, by default a week "
        "(F01).",
    ),
    Row(
        name="default-face-addresses",
        thing=f"{TLS}kube-apiserver-service-network-server.crt",
        aspect="certificate[0].sans",
        added=lambda planned: planned.api | planned.control_plane,
        what="The VIP and every control-plane address in addition: a client that sends no name gets this certificate "
        "(F07).",
    ),
    Row(
        name="localhost-names",
        thing=f"{TLS}kube-apiserver-localhost-server.crt",
        aspect="certificate[0].sans",
        added=lambda planned: {"localhost-recovery"},
        what="localhost-recovery in addition, the name that the recovery kubeconfig uses.",
    ),
    Row(
        name="mcs-names",
        thing=f"{TLS}machine-config-server.crt|/opt/openshift/manifests/machine-config-server-tls-secret.yaml",
        aspect="certificate[0].sans|data.tls.crt: certificate[0].sans",
        added=lambda planned: planned.api,
        what="The VIP in addition, as the installer itself has it on platforms with VIPs.",
    ),
    _own_subject("kube-control-plane-kube-controller-manager-client"),
    _own_subject("kube-control-plane-kube-scheduler-client"),
    Row(
        name="key-kind",
        thing="*",
        aspect="*certificate[*].key|*key.kind",
        accept=is_of_other_kind,
        what="The kind of keys is a setting here; the installer supports RSA 2048 only. The running operators sign "
        "with RSA only: they take over an elliptic-curve signer but cannot issue certificates with it.",
    ),
    Row(
        name="key-usage",
        thing="*",
        aspect="*certificate[*].key_usage",
        accept=enciphers_no_key,
        what="Only RSA keys can encipher a key, so a certificate for an elliptic-curve key does not say it may.",
    ),
)

DOCUMENTS: tuple[Row, ...] = (
    Row(
        name="gates-status",
        thing=GATES,
        aspect="status.featureGates",
        accept=lambda theirs, ours: theirs is None and isinstance(ours, list),
        what="Resolved here for the release; the installer leaves it empty and a program fills it in on the machine, "
        "before anything reads it.",
    ),
    Row(
        name="gates-profile",
        thing=GATES,
        aspect="metadata.annotations",
        accept=lambda theirs, ours: (
            theirs == ABSENT and list(ours) == ["include.release.openshift.io/self-managed-high-availability"]
        ),
        what="Written by the same program on the machine.",
    ),
    Row(
        name="host-not-checked",
        thing="/opt/openshift/manifests/cluster-config.yaml",
        aspect=f"data.install-config#metadata.annotations|data.install-config#metadata.annotations.{HOST_NOT_CHECKED}",
        accept=lambda theirs, ours: theirs == ABSENT and ours in ("true", {HOST_NOT_CHECKED: "true"}),
        what="Under FIPS the installer checks whether it runs on a machine in FIPS mode. hardway does not, and says "
        "so with the mark that the installer leaves when the check is skipped.",
    ),
)
