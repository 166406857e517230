"""Files on the bootstrap machine, and the machine on which the rendering was done."""

from __future__ import annotations

from hardway.compare.row import Row, both_differ, theirs_alone
from hardway.lines.sources import source

CEO = source("cluster-etcd-operator", "pkg/cmd/render")
CERTS = "/etc/kubernetes/static-pod-resources/etcd-member/etcd-all-certs/"

FILES: tuple[Row, ...] = (
    theirs_alone(
        name="signers-key-on-disk",
        operator="etcd",
        thing=f"{CERTS}etcd-signer.*|{CERTS}etcd-metric-signer.*",
        aspect="file",
        what="The render writes every pair that it made into the member's folder, including the signers' keys. etcd "
        "does not read those.",
        breaks="no effect; with them, an attacker on the member can make certificates for every other member",
        source=CEO,
    ),
    theirs_alone(
        name="unread-pairs",
        operator="etcd",
        thing=f"{CERTS}etcd-client.*|{CERTS}etcd-metric-client.*|{CERTS}etcd-serving-metrics-*",
        aspect="file",
        what="Pairs of other programs: clients of etcd, and the metrics proxy that runs on masters only. The "
        "bootstrap member's pod names none of them.",
        breaks="no effect: our cluster finds them in the Secrets",
        source=CEO,
    ),
    theirs_alone(
        name="configuration-files",
        operator="kube-controller-manager|kube-scheduler",
        thing="config",
        aspect="file",
        what="Configuration files: the controller-manager's, whose content is given as flags all the same, and the "
        "scheduler's, which no pod mounts.",
        breaks="no effect",
        source=source("installer", "bootkube.sh.template"),
    ),
    theirs_alone(
        name="cloud-settings",
        operator="config",
        thing="cloud-provider-config-generated.yaml",
        aspect="file",
        what="The settings of a cloud, as the operator would keep them. On platform none they are empty, and bootkube "
        "copies nothing of this render anywhere.",
        breaks="no effect",
        source=source("installer", "bootkube.sh.template (config-bootstrap)"),
    ),
    both_differ(
        name="rendered-elsewhere",
        operator="etcd",
        thing="rendering machine",
        aspect="name|address",
        what="The etcd operator writes name and address of the machine it renders on. On another machine than the "
        "bootstrap node its output is only for reading, and is compared as if it had been rendered there.",
        breaks="a member that starts from it announces an address that is not its own",
        source=CEO,
    ),
)
