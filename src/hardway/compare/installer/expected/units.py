"""What systemd units say that is different on purpose, setting by setting."""

from __future__ import annotations

from typing import Any

from hardway.compare.row import ABSENT, Row

TLS = "/opt/openshift/tls/"
GATEWAY = "/usr/lib/systemd/systemd-journal-gatewayd"


def _setting(name: str, unit: str, aspect: str, theirs: Any, ours: Any, why: str) -> Row:
    """Both values are told, so that the row says nothing of any other."""
    return Row(name=name, path=unit, aspect=aspect, accept=lambda t, o: (t, o) == (theirs, ours), why=why)


SETTINGS: tuple[Row, ...] = (
    Row(
        name="unit-words",
        path="kubelet.service|bootkube.service",
        aspect="settings.Unit.Description",
        accept=lambda theirs, ours: ABSENT not in (theirs, ours),
        why="Our own words for what the unit does; nothing but people read them.",
    ),
    _setting(
        "kubelet-wants",
        "kubelet.service",
        "settings.Unit.Wants",
        ("rpc-statd.service crio.service release-image.service",),
        ("crio.service network-online.target",),
        "No release image is fetched first, NFS locks are not needed on this machine, and its address has to be up, "
        "since the kubelet is told it.",
    ),
    _setting(
        "kubelet-after",
        "kubelet.service",
        "settings.Unit.After",
        ("crio.service release-image.service",),
        ("crio.service network-online.target",),
        "After what it wants, which is not the same here.",
    ),
    _setting(
        "kubelet-timeout",
        "kubelet.service",
        "settings.Service.Environment",
        ("KUBELET_RUNTIME_REQUEST_TIMEOUT=10m",),
        ABSENT,
        "The time limit stands in the script itself; the flag is compared and is the same.",
    ),
    _setting(
        "kubelet-environment",
        "kubelet.service",
        "settings.Service.EnvironmentFile",
        ("-/etc/kubernetes/kubelet-env", "-/etc/kubernetes/kubelet-pause-image-override"),
        ("/etc/hardway/kubelet.env", "-/etc/kubernetes/kubelet-env"),
        "The pause image is in our own file and known before; the installer's is written when the machine boots.",
    ),
    _setting(
        "kubelet-before",
        "kubelet.service",
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
        path="bootkube.service",
        aspect="enabled",
        accept=lambda theirs, ours: theirs is None and ours is True,
        why="Started by the system itself; the installer's has no install section and is pulled in by other units.",
    ),
    _setting(
        "bootkube-install",
        "bootkube.service",
        "settings.Install",
        ABSENT,
        {"WantedBy": ("multi-user.target",)},
        "A unit that is enabled has to say where; the installer's is pulled in by other units.",
    ),
    _setting(
        "bootkube-requires",
        "bootkube.service",
        "settings.Unit.Requires",
        ("crio-configure.service",),
        ABSENT,
        "That service writes what is a file here.",
    ),
    _setting(
        "bootkube-after",
        "bootkube.service",
        "settings.Unit.After",
        ("kubelet.service crio-configure.service",),
        ("kubelet.service",),
        "That service writes what is a file here, so there is nothing to wait for.",
    ),
    _setting(
        "bootkube-pause",
        "bootkube.service",
        "settings.Service.RestartSec",
        ("5s",),
        ("10",),
        "Our script waits by itself, so that a second run is rare and need not come at once.",
    ),
    _setting(
        "gateway-credentials",
        "systemd-journal-gatewayd.service",
        "overrides.Service.LoadCredential",
        ABSENT,
        (f"key:{TLS}journal-gatewayd.key", f"cert:{TLS}journal-gatewayd.crt", f"trust:{TLS}root-ca.crt"),
        "systemd reads the files as root and hands them over, so that the key need not belong to the service's user.",
    ),
    _setting(
        "gateway-command",
        "systemd-journal-gatewayd.service",
        "overrides.Service.ExecStart",
        (
            "",
            f"{GATEWAY} --key={TLS}journal-gatewayd.key --cert={TLS}journal-gatewayd.crt --trust={TLS}root-ca.crt",
        ),
        ("", f"{GATEWAY} --key=%d/key --cert=%d/cert --trust=%d/trust"),
        "The same three files, where systemd puts them for the service.",
    ),
    _setting(
        "zincati-dropin",
        "zincati.service",
        "dropins[0]",
        "okd-machine-os-disabled.conf",
        "never.conf",
        "The same condition that never holds, under another file name.",
    ),
    _setting(
        "zincati-condition",
        "zincati.service",
        "overrides.Unit.ConditionPathExists",
        ("/enoent",),
        ("!/",),
        "Neither ever holds: one asks for a file that nobody makes, ours that there be no root folder.",
    ),
)
