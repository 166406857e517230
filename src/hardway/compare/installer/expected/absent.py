"""Files and units of the installer's bootstrap node that ours does without, on purpose."""

from __future__ import annotations

from hardway.compare.places import TLS
from hardway.compare.row import Row, is_absent_here

BIN = "/usr/local/bin/"


def _not_ours(name: str, path: str, why: str) -> Row:
    return Row(name=name, path=path, aspect="file", accept=is_absent_here, why=why)


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
        "Read by cluster-policy-controller alone, which does not run on our bootstrap machine.",
    ),
    _not_ours(
        "kubelet-credential",
        f"{TLS}kubelet-client.crt|{TLS}kubelet-client.key",
        "The bootstrap kubelet has no API and no machine-config server runs here; every node has the credential in its "
        "own Ignition config.",
    ),
    _not_ours(
        "kubelet-kubeconfig",
        "/opt/openshift/auth/kubeconfig-kubelet",
        "For the machine-config server, which does not run here; every node has it in its own Ignition config.",
    ),
    _not_ours(
        "approve-all",
        f"{BIN}approve-csr.sh",
        "Approves every request. Nothing on our machine approves: the lab's stages 11 and 15 approve the requests that "
        "the plan expects, and on other machines you do, with oc.",
    ),
    _not_ours(
        "gather",
        f"{BIN}installer-gather.sh|{BIN}installer-masters-gather.sh|{BIN}bootstrap-cluster-gather.sh",
        "Collect the logs of this machine and of the masters for openshift-install gather. Nothing of ours replaces "
        "them: the logs are read on each machine, with journalctl and crictl.",
    ),
    _not_ours(
        "service-records",
        f"{BIN}bootstrap-service-record.sh",
        "Records of each service's start and end, for the same gather; here the journal has them.",
    ),
    _not_ours(
        "image-scripts",
        f"{BIN}release-image.sh|{BIN}release-image-download.sh",
        "Pull the release image and look images up in it when the machine boots; here they are known by digest before.",
    ),
    _not_ours(
        "pause-scripts",
        f"{BIN}kubelet-pause-image.sh",
        "Finds the pause image when the machine boots; here it is known by digest before.",
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


def _no_unit(name: str, unit: str, why: str) -> Row:
    return Row(name=name, path=unit, aspect="unit", accept=is_absent_here, why=why)


UNITS: tuple[Row, ...] = (
    _no_unit("approve-all-unit", "approve-csr.service", "Starts the script that approves every request."),
    _no_unit("key-owner-unit", "chown-gatewayd-key.service", "systemd hands the journal's key over; it stays root's."),
    _no_unit("crio-unit", "crio-configure.service", "Runs a script whose result is a file here."),
    _no_unit("progress-unit", "progress.service", "Runs a script whose work is bootkube.sh's last step here."),
    _no_unit(
        "image-units",
        "release-image.service|release-image-pivot.service",
        "Fetch the release image at boot; here images are known before.",
    ),
)
