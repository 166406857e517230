"""What systemd units say that is different on purpose, setting by setting; and units that ours does without."""

from __future__ import annotations

from functools import partial
from typing import Any

from hardway.compare.places import TLS
from hardway.compare.row import ABSENT, ONLY_THEIRS, Row, values

GATEWAY = "/usr/lib/systemd/systemd-journal-gatewayd"


def _setting(unit: str, name: str, aspect: str, theirs: Any, ours: Any, what: str) -> Row:
    """Both values are told, so that the row says nothing of any other."""
    return Row(name=name, thing=unit, aspect=aspect, accept=values(theirs, ours), what=what)


def _no_unit(name: str, unit: str, what: str) -> Row:
    return Row(name=name, thing=unit, aspect="unit", accept=ONLY_THEIRS, what=what)


_kubelet, _bootkube = partial(_setting, "kubelet.service"), partial(_setting, "bootkube.service")
_gateway, _zincati = partial(_setting, "systemd-journal-gatewayd.service"), partial(_setting, "zincati.service")

SETTINGS: tuple[Row, ...] = (
    Row(
        name="unit-words",
        thing="kubelet.service|bootkube.service",
        aspect="settings.Unit.Description",
        accept=lambda theirs, ours: ABSENT not in (theirs, ours),
        what="Our own text for what the unit does; only people read it.",
    ),
    _kubelet(
        "kubelet-wants",
        "settings.Unit.Wants",
        ("rpc-statd.service crio.service release-image.service",),
        ("crio.service network-online.target",),
        "No release image is fetched first, and this machine needs no NFS locks. The network must be online, because "
        "the kubelet gets the machine's address as --node-ip.",
    ),
    _kubelet(
        "kubelet-after",
        "settings.Unit.After",
        ("crio.service release-image.service",),
        ("crio.service network-online.target",),
        "After the units that it wants, which differ here.",
    ),
    _kubelet(
        "kubelet-timeout",
        "settings.Service.Environment",
        ("KUBELET_RUNTIME_REQUEST_TIMEOUT=10m",),
        ABSENT,
        "The time limit is in the script itself; the flag is compared, and is the same.",
    ),
    _kubelet(
        "kubelet-environment",
        "settings.Service.EnvironmentFile",
        ("-/etc/kubernetes/kubelet-env", "-/etc/kubernetes/kubelet-pause-image-override"),
        ("/etc/hardway/kubelet.env", "-/etc/kubernetes/kubelet-env"),
        "The pause image is in our own file and known before; the installer's is written when the machine boots.",
    ),
    _kubelet(
        "kubelet-before",
        "settings.Service.ExecStartPre",
        (
            "/bin/mkdir --parents /etc/kubernetes/manifests",
            "/bin/mkdir --parents /etc/kubernetes/kubelet-plugins/volume/exec",
            "/usr/local/bin/kubelet-pause-image.sh",
        ),
        ("/usr/bin/mkdir -p /etc/kubernetes/manifests /etc/kubernetes/kubelet-plugins/volume/exec",),
        "The same two folders; the pause image need not be looked up.",
    ),
    Row(
        name="bootkube-enabled",
        thing="bootkube.service",
        aspect="enabled",
        accept=values(None, True),
        what="Started by the system itself; the installer's has no install section and is pulled in by other units.",
    ),
    _bootkube(
        "bootkube-install",
        "settings.Install",
        ABSENT,
        {"WantedBy": ("multi-user.target",)},
        "A unit that is enabled must name its target; the installer's is pulled in by other units.",
    ),
    _bootkube(
        "bootkube-requires",
        "settings.Unit.Requires",
        ("crio-configure.service",),
        ABSENT,
        "crio-configure.service writes CRI-O's settings at boot; here they are a file.",
    ),
    _bootkube(
        "bootkube-after",
        "settings.Unit.After",
        ("kubelet.service crio-configure.service",),
        ("kubelet.service",),
        "crio-configure.service writes CRI-O's settings at boot; here they are a file: nothing to wait for.",
    ),
    _bootkube(
        "bootkube-pause",
        "settings.Service.RestartSec",
        ("5s",),
        ("10",),
        "Our script waits by itself, so that a second run is rare and need not come at once.",
    ),
    _gateway(
        "gateway-credentials",
        "overrides.Service.LoadCredential",
        ABSENT,
        (f"key:{TLS}journal-gatewayd.key", f"cert:{TLS}journal-gatewayd.crt", f"trust:{TLS}root-ca.crt"),
        "systemd reads the files as root and hands them over, so that the key need not belong to the service's user.",
    ),
    _gateway(
        "gateway-command",
        "overrides.Service.ExecStart",
        (
            "",
            f"{GATEWAY} --key={TLS}journal-gatewayd.key --cert={TLS}journal-gatewayd.crt --trust={TLS}root-ca.crt",
        ),
        ("", f"{GATEWAY} --key=%d/key --cert=%d/cert --trust=%d/trust"),
        "The same three files, where systemd puts them for the service.",
    ),
    _zincati(
        "zincati-dropin",
        "dropins[0]",
        "okd-machine-os-disabled.conf",
        "never.conf",
        "The same condition that never holds, under another file name.",
    ),
    _zincati(
        "zincati-condition",
        "overrides.Unit.ConditionPathExists",
        ("/enoent",),
        ("!/",),
        "Neither condition is ever true: one requires a file that nothing creates, ours that there is no root folder.",
    ),
)

LEFT_OUT: tuple[Row, ...] = (
    _no_unit("approve-all-unit", "approve-csr.service", "Starts the script that approves every request."),
    _no_unit(
        "key-owner-unit",
        "chown-gatewayd-key.service",
        "systemd passes the journal's key to the service, so the file still belongs to root.",
    ),
    _no_unit("crio-unit", "crio-configure.service", "Runs a script whose result is a file here."),
    _no_unit("progress-unit", "progress.service", "Runs a script whose work is bootkube.sh's last step here."),
    _no_unit(
        "image-units",
        "release-image.service|release-image-pivot.service",
        "Fetch the release image at boot; here images are known before.",
    ),
)
