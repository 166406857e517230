"""Files that one bootstrap node has and the other has not, or elsewhere, or with another mode, on purpose."""

from __future__ import annotations

from hardway.compare.places import DOCUMENTS, PLACES, SECRETS, TLS
from hardway.compare.row import ONLY_OURS, ONLY_THEIRS, Row, values

BIN = "/usr/local/bin/"


def _only_ours(name: str, path: str, what: str) -> Row:
    return Row(name=name, thing=path, aspect="file", accept=ONLY_OURS, what=what)


def _not_ours(name: str, path: str, what: str) -> Row:
    return Row(name=name, thing=path, aspect="file", accept=ONLY_THEIRS, what=what)


NEW: tuple[Row, ...] = (
    _only_ours("host-name", "/etc/hostname", "The plan names the machine; the installer leaves that to DHCP or DNS."),
    _only_ours(
        "ssh-host-key",
        "/etc/ssh/ssh_host_*_key",
        "The build makes each machine's SSH host key, so that the first login is verified; the installer's machine "
        "makes one at its first boot, and the first login trusts what is shown.",
    ),
    _only_ours(
        "static-network",
        "/etc/NetworkManager/system-connections/*.nmconnection",
        "The plan fixes its addresses; the installer leaves them to DHCP or to kernel arguments.",
    ),
    _only_ours(
        "script-settings",
        "/etc/hardway/*",
        "The values that the scripts need of this cluster are in files beside them; the installer writes them into "
        "each script.",
    ),
    _only_ours(
        "pause-image",
        "/etc/crio/crio.conf.d/50-bootstrap-override.conf",
        "The release's images are known when the file is made, so this can be written at once; the installer's machine "
        "looks them up when it boots.",
    ),
    _only_ours(
        "audit-policy",
        "/etc/kubernetes/bootstrap-configs/audit-policy.yaml",
        "Our API server gets its settings as flags, and an audit policy can only be a file; the operator's rendering "
        "has it inside one large configuration.",
    ),
    _only_ours(
        "configuration-files",
        "/etc/kubernetes/bootstrap-configs/kube-apiserver-config.yaml"
        "|/etc/kubernetes/bootstrap-configs/cluster-policy-controller-config.yaml",
        "What the API server cannot be told by flags, and the policy controller's settings; else operators render "
        "both on the machine.",
    ),
    _only_ours(
        "pki-at-boot",
        f"{SECRETS}etcd-ca-bundle.crt|{SECRETS}etcd-client.*|{SECRETS}bound-service-account-signing-key.*",
        "etcd's client and the keys of bound tokens are made with all the others; the installer leaves them to "
        "operators, on the machine.",
    ),
    _only_ours(
        "pod-kubeconfigs",
        f"{SECRETS}controller-manager.kubeconfig|{SECRETS}scheduler.kubeconfig",
        "Each of the two has a kubeconfig of its own; the operators' rendering gives them one of the administrator's.",
    ),
    _only_ours(
        "cvo-kubeconfig",
        "/etc/kubernetes/kubeconfig",
        "Where the cluster-version operator's pod expects it; the installer's bootkube.sh copies it there.",
    ),
    _only_ours(
        "static-pods",
        "/etc/kubernetes/manifests/*",
        "The pods are written by hand and are there from the first boot; the installer has operators render them on "
        "the machine.",
    ),
    _only_ours(
        "etcd-certificates",
        "/etc/kubernetes/static-pod-resources/etcd-member/*",
        "etcd's certificates are made with all the others; the installer leaves them to its operator, on the machine.",
    ),
    _only_ours(
        "crds",
        "/opt/openshift/crds/*",
        "The types that the bootstrap needs come along as files; the installer's machine takes them out of an image. "
        "Manifests of other types, MachineConfig for one, wait until the release brings theirs.",
    ),
    _only_ours(
        "namespaces",
        f"{DOCUMENTS}0000_00_namespace-*",
        "Namespaces that our objects need; there the operators' rendering and the release bring them.",
    ),
    _only_ours(
        "etcd-objects",
        f"{DOCUMENTS}*etcd-*",
        "What etcd's operator must find; in an ordinary installation the same operator writes it on the machine.",
    ),
    _only_ours(
        "handed-over-keys",
        f"{DOCUMENTS}secret-*",
        "Signers and token keys for the operators; in an ordinary installation they render these from the same files.",
    ),
    _only_ours(
        "handed-over-trust",
        f"{DOCUMENTS}configmap-*",
        "CAs and public keys for the operators; in an ordinary installation they render these from the same files.",
    ),
    _only_ours(
        "kubelet-trust",
        f"{DOCUMENTS}kube-apiserver-serving-ca-configmap.yaml",
        "The client bundle for the machine-config operator, which in an ordinary installation writes it itself.",
    ),
    _only_ours(
        "node-rights",
        f"{DOCUMENTS}csr-bootstrap-role-binding.yaml",
        "Lets new kubelets request certificates; in an ordinary installation the machine-config operator renders it.",
    ),
    _only_ours(
        "kubelet-rights",
        f"{DOCUMENTS}cluster-role-*",
        "Lets the API server call kubelets; in an ordinary installation the kube-apiserver operator renders it.",
    ),
    _only_ours(
        "constraints",
        f"{DOCUMENTS}0000_20_kube-apiserver-operator_00_*",
        "The SecurityContextConstraints, with the roles that let others use each; else the kube-apiserver operator "
        "renders them.",
    ),
    _only_ours(
        "policy-rights",
        f"{DOCUMENTS}00_namespace-security-allocation-controller-*|{DOCUMENTS}00_podsecurity-admission-label-*",
        "What the policy controller's controllers may do; else the kube-controller-manager operator renders it.",
    ),
    _only_ours(
        "cpu-partitioning",
        f"{DOCUMENTS}01_01-*-cpu-partitioning_workload_pinning_machineconfig.yaml",
        "CPU partitioning of the nodes; in an ordinary installation the node-tuning operator renders it on the "
        "machine.",
    ),
    _only_ours(
        "operator-network",
        f"{DOCUMENTS}cluster-network-03-config.yml",
        "The network operator's working copy is always written, so that both can be read before anything runs; the "
        "installer writes it only to move the join network, and else the operator makes the same one.",
    ),
)

MOVED: tuple[Row, ...] = (
    Row(
        name="pki-moved",
        thing=f"{TLS}*",
        aspect="place",
        accept=lambda theirs, ours: ours == SECRETS + theirs.removeprefix(TLS),
        what="The same file, where the static pods mount it from.",
    ),
    Row(
        name="pki-inside",
        thing=f"{TLS}*",
        aspect="place",
        accept=lambda theirs, ours: ours == PLACES.get(theirs),
        what="Nothing on the machine reads this file, so there is none: it is inside the document that hands it to "
        "its operator, or inside the kubeconfig of the one program that uses it.",
    ),
    Row(
        name="manifest-mode",
        thing=f"{DOCUMENTS}*|/opt/openshift/openshift/*|/opt/openshift/original_cvo_overrides.patch",
        aspect="mode",
        accept=values("0o644", "0o600"),
        what="Several manifests hold keys, and nobody but root has to read anything below these folders.",
    ),
    Row(
        name="root-ca-mode",
        thing=f"{TLS}root-ca.crt",
        aspect="mode",
        accept=values("0o644", "0o600"),
        what="No secret, but only root reads it, as everything else in its folder.",
    ),
    Row(
        name="script-mode",
        thing=f"{BIN}bootkube.sh|{BIN}kubelet.sh",
        aspect="mode",
        accept=values("0o555", "0o755"),
        what="The usual mode of a program; root could write it either way.",
    ),
)

LEFT_OUT: tuple[Row, ...] = (
    _not_ours(
        "old-front-proxy",
        f"{TLS}aggregator-ca.crt|{TLS}aggregator-ca.key",
        "The older front-proxy signer: our API server presents a certificate of the newer one, which extension servers "
        "are told to trust.",
    ),
    _not_ours(
        "old-front-proxy-client",
        f"{TLS}apiserver-proxy.crt|{TLS}apiserver-proxy.key",
        "The client of the older front-proxy signer; our API server does not present it.",
    ),
    _not_ours(
        "control-plane-bundle",
        f"{TLS}kube-control-plane-ca-bundle.crt",
        "Read by cluster-policy-controller alone, to know callers of its port by their certificates. Ours listens on "
        "the loopback address and asks the API server.",
    ),
    _not_ours(
        "kubelet-credential",
        f"{TLS}kubelet-client.crt|{TLS}kubelet-client.key",
        "The bootstrap kubelet has no API and no machine-config server runs here; every node has the credential in its "
        "own Ignition config, where it lives as long as an installation takes and not for ten years.",
    ),
    _not_ours(
        "kubelet-kubeconfig",
        "/opt/openshift/auth/kubeconfig-kubelet",
        "For the machine-config server, which does not run here; every node has it in its own Ignition config.",
    ),
    _not_ours(
        "approve-all",
        f"{BIN}approve-csr.sh",
        "Approves every request. Nothing on our machine approves: stages 11 and 15 approve the requests that the plan "
        "expects, in the lab and on other machines, and `hardway approve` does so alone.",
    ),
    _not_ours(
        "gather",
        f"{BIN}installer-gather.sh|{BIN}installer-masters-gather.sh|{BIN}bootstrap-cluster-gather.sh",
        "Collect the logs of this machine and of the masters for openshift-install gather. Our machine needs no "
        "script for that: `hardway gather` asks each machine, in the lab or by SSH, and leaves secrets out.",
    ),
    _not_ours(
        "service-records",
        f"{BIN}bootstrap-service-record.sh",
        "Records of each service's start and end, for the same gather; here the journal has them.",
    ),
    _not_ours(
        "image-scripts",
        f"{BIN}release-image.sh|{BIN}release-image-download.sh",
        "Pull the release image and look images up in it when the machine boots; here images are already known by "
        "digest.",
    ),
    _not_ours(
        "pause-scripts",
        f"{BIN}kubelet-pause-image.sh",
        "Finds the pause image when the machine boots; here the image is already known by digest.",
    ),
    _not_ours(
        "crio-script", f"{BIN}crio-configure.sh", "Writes CRI-O's settings when the machine boots; ours are a file."
    ),
    _not_ours("pivot-script", f"{BIN}bootstrap-pivot.sh", "Empty except on OKD."),
    _not_ours(
        "progress-script",
        f"{BIN}report-progress.sh",
        "Reports completion; bootkube.sh does that itself as its last step.",
    ),
    _not_ours("ha-script", f"{BIN}wait-for-ha-api.sh", "Waits for a second API server; bootkube.sh waits itself."),
    _not_ours(
        "url-script",
        f"{BIN}bootstrap-verify-api-server-urls.sh",
        "Logs whether api and api-int resolve and answer. Our bootkube.sh ends with steps through api-int; of api it "
        "says nothing. Before anything boots, `hardway network check` asks for both names, when you run it.",
    ),
)
