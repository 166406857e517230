"""Files on the bootstrap machine, and the machine on which the rendering was done."""

from __future__ import annotations

from hardway.compare.rendered.row import Row, values, whatever
from hardway.compare.row import ABSENT, PRESENT
from hardway.lines.sources import source
from hardway.model.why import because

CEO = source("cluster-etcd-operator", "pkg/cmd/render")
CERTS = "/etc/kubernetes/static-pod-resources/etcd-member/etcd-all-certs/"

FILES: tuple[Row, ...] = (
    Row(
        name="signers-key-on-disk",
        area="files",
        kind="operator",
        operator="etcd",
        thing=f"{CERTS}etcd-signer.*|{CERTS}etcd-metric-signer.*",
        aspect="file",
        accept=values(PRESENT, ABSENT),
        why=because(
            "The render lays every pair that it made into the member's folder, the signers' keys among them. etcd does "
            "not read those.",
            breaks="nothing; with them, whoever breaks into the member can make certificates for every other one",
            source=CEO,
        ),
    ),
    Row(
        name="unread-pairs",
        area="files",
        kind="operator",
        operator="etcd",
        thing=f"{CERTS}etcd-client.*|{CERTS}etcd-metric-client.*|{CERTS}etcd-serving-metrics-*",
        aspect="file",
        accept=values(PRESENT, ABSENT),
        why=because(
            "Pairs of other programs: clients of etcd, and the metrics proxy that runs on masters only. The bootstrap "
            "member's pod names none of them.",
            breaks="nothing: our cluster finds them in the Secrets",
            source=CEO,
        ),
    ),
    Row(
        name="configuration-files",
        area="files",
        kind="operator",
        operator="kube-controller-manager|kube-scheduler",
        thing="config|cpc-config",
        aspect="file",
        accept=values(PRESENT, ABSENT),
        why=because(
            "Configuration files in place of flags: the controller-manager's, which is given as flags all the same, "
            "cluster-policy-controller's, and the scheduler's, which no pod mounts.",
            breaks="nothing: ours are told everything by flags, and cluster-policy-controller does not run here",
            source=source("installer", "bootkube.sh.template"),
        ),
    ),
    Row(
        name="cloud-settings",
        area="files",
        kind="operator",
        operator="config",
        thing="cloud-provider-config-generated.yaml",
        aspect="file",
        accept=values(PRESENT, ABSENT),
        why=because(
            "The settings of a cloud, as the operator would keep them. On platform none they are empty, and bootkube "
            "copies nothing of this render anywhere.",
            breaks="nothing",
            source=source("installer", "bootkube.sh.template (config-bootstrap)"),
        ),
    ),
    Row(
        name="rendered-elsewhere",
        area="files",
        kind="other",
        operator="etcd",
        thing="rendering machine",
        aspect="name|address",
        accept=whatever,
        why=because(
            "The etcd operator writes name and address of the machine it renders on. On another machine than the "
            "bootstrap one its output is fit for looking at, and here it is read as if rendered there.",
            breaks="a member that starts from it announces an address that is not its own",
            source=CEO,
        ),
    ),
)
