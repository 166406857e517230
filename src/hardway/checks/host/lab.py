"""What a machine must have to carry a lab: the facts that are looked at, and THE TABLE of checks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from hardway.model.check import Check, Flaw, never
from hardway.model.cluster import Network
from hardway.model.why import because

PROGRAMS = {
    "dnsmasq": "dnsmasq-base",
    "docker-registry": "docker-registry",
    "haproxy": "haproxy",
    "ip": "iproute2",
    "journalctl": "systemd",
    "mmdebstrap": "mmdebstrap",
    "mount": "mount",
    "nsenter": "util-linux",
    "setsid": "util-linux",
    "skopeo": "skopeo",
    "sysctl": "procps",
    "systemd-nspawn": "systemd-container",
    "useradd": "passwd",
}
"""Program to the Debian package that has it."""
DEVICES = ("bridge", "veth")
ADMIN_SOCKET_SIZE = 80  # a socket's path may have 107 characters, and HAProxy adds to it while it starts
WATCHERS = 1024  # every systemd, CRI-O, kubelet and pod that watches files takes some, and all nodes are one user's


@dataclass(frozen=True, slots=True, kw_only=True)
class LabHost:
    """This machine, as far as a lab depends on it, and what the lab is to have on it."""

    root: bool
    programs: frozenset[str]  # those of PROGRAMS that are there
    overlay: bool  # the kernel's filesystem
    bridge_filter: bool  # packets on a bridge pass the kernel's rules
    watchers: int  # how many times one user's programs may watch files
    devices: Mapping[str, bool] | None  # whether each of DEVICES can be made; None if nobody could try
    groups: Literal["v1", "v2"] | None  # the control groups that are mounted
    systemd_group: Path | None  # where the hierarchy of systemd belongs and is not
    folder: Path  # the lab's own
    closed: tuple[Path, ...]  # folders above it that let nobody through
    on_overlay: Path | None  # the folder that exists, if it is on an overlay itself
    link: str  # the lab's interface
    mark: str  # what the lab writes on it
    marked: str | None  # what is written on it; None if there is no such interface
    networks: tuple[Network, ...]  # the machine networks of the plan
    routes: tuple[tuple[Network, str], ...] | None  # networks that this machine reaches, and by which device


def root(host: LabHost) -> Iterator[Flaw]:
    if not host.root:
        message = "is not root: only root can create namespaces, mounts and control groups"
        yield Flaw(subject="the user", message=message, fix="run it with sudo")


def programs(host: LabHost) -> Iterator[Flaw]:
    for name, package in PROGRAMS.items():
        if name not in host.programs:
            fix = f"apt-get install {package}; /usr/sbin must be on PATH"
            yield Flaw(subject="programs", message=f"the program {name} is missing", fix=fix, package=package)


def overlay(host: LabHost) -> Iterator[Flaw]:
    if not host.overlay:
        yield _module("overlay", "has no overlay filesystem")


def bridge_filter(host: LabHost) -> Iterator[Flaw]:
    if not host.bridge_filter:
        yield _module("br_netfilter", "does not filter bridged packets")


def devices(host: LabHost) -> Iterator[Flaw]:
    for kind, there in (host.devices or {}).items():
        if not there:
            yield _module(kind, f"has no network devices of type {kind}")


def _module(name: str, message: str) -> Flaw:
    return Flaw(subject="the kernel", message=message, fix=f"modprobe {name}", commands=(("modprobe", name),))


def _not_tried(host: LabHost) -> str:
    return "only root can try them, with unshare" if host.devices is None else ""


def inotify(host: LabHost) -> Iterator[Flaw]:
    if host.watchers < WATCHERS:
        setting = "fs.inotify.max_user_instances"
        command = ("sysctl", "--write", f"{setting}={8 * WATCHERS}")
        message = f"is {host.watchers}; the kubelets need {WATCHERS}"
        yield Flaw(subject=setting, message=message, fix=" ".join(command), commands=(command,))


def groups(host: LabHost) -> Iterator[Flaw]:
    place = host.systemd_group
    if host.groups is None:
        fix = "mount -t cgroup2 none /sys/fs/cgroup"
        yield Flaw(subject="control groups", message="none are mounted", fix=fix)
    elif place is not None:
        fix = f"mkdir {place} && mount -t cgroup -o none,name=systemd systemd {place}"
        yield Flaw(subject="control groups", message="the hierarchy of systemd is not mounted", fix=fix)


def socket_path(host: LabHost) -> Iterator[Flaw]:
    if len(str(host.folder)) > ADMIN_SOCKET_SIZE:
        fix = f"name a folder with at most {ADMIN_SOCKET_SIZE} characters"
        yield Flaw(subject=str(host.folder), message="the path is too long for sockets in it", fix=fix)


def way_in(host: LabHost) -> Iterator[Flaw]:
    for folder in host.closed:
        message = "is closed to other users, and Ignition writes each user's files as that user"
        yield Flaw(subject=str(folder), message=message, fix=f"chmod o+x {folder}, or name another folder")


def disk(host: LabHost) -> Iterator[Flaw]:
    if host.on_overlay is not None:
        fix = "name a folder on a disk, or mount a volume there"
        yield Flaw(subject=str(host.on_overlay), message="is on an overlay itself, and nodes cannot be", fix=fix)


def interface(host: LabHost) -> Iterator[Flaw]:
    if host.marked not in (None, host.mark):
        message = f"the interface belongs to another lab: {host.marked or 'unknown'}"
        yield Flaw(subject=host.link, message=message, fix="give this lab another name, or remove that one")


def network(host: LabHost) -> Iterator[Flaw]:
    for there, device in host.routes or ():
        for mine in host.networks:
            if device != host.link and there.version == mine.version and there.overlaps(mine):
                message = f"the machine network overlaps with {there}, which this machine reaches through {device}"
                fix = "set networking.machineNetwork in install-config.yaml to a network that is not in use"
                yield Flaw(subject=str(mine), message=message, fix=fix)


def _no_routes(host: LabHost) -> str:
    return "the program ip is missing, which lists this machine's routes" if host.routes is None else ""


def _row(
    name: str,
    run: Callable[[LabHost], Iterable[Flaw]],
    what: str,
    readers: str,
    breaks: str,
    source: str,
    *,
    skip: Callable[[LabHost], str] = never,
) -> Check[LabHost]:
    why = because(what, readers=readers, breaks=breaks, source=source)
    return Check(name=f"lab.{name}", stage="01", run=run, why=why, skip=skip)


TABLE: tuple[Check[LabHost], ...] = (
    _row(
        "root",
        root,
        "The user who starts a lab is root.",
        "every command of `hardway lab`",
        "`hardway lab up` stops at the first namespace: Operation not permitted",
        "namespaces(7), mount(2)",
    ),
    _row(
        "programs",
        programs,
        "Every program that the lab runs is installed.",
        "the lab's network, names, load balancer, registry and nodes",
        "the lab stops half-way, after minutes of compiling",
        "the lab's own calls of programs",
    ),
    _row(
        "overlay",
        overlay,
        "The kernel has the overlay filesystem.",
        "every node's root, and CRI-O in it",
        "no node gets a root filesystem: mount: unknown filesystem type 'overlay'",
        "docs.kernel.org/filesystems/overlayfs",
    ),
    _row(
        "bridge-filter",
        bridge_filter,
        "Packets between pods of one node pass the rules of kube-proxy.",
        "kube-proxy on every node",
        "pods on one node cannot reach each other's Services",
        "kubernetes.io: network plugin requirements",
    ),
    _row(
        "devices",
        devices,
        "The kernel can make bridges and pairs of virtual cards.",
        "the lab's network, and every pod's",
        "the lab has no network: RTNETLINK answers: Operation not supported",
        "ip-link(8)",
        skip=_not_tried,
    ),
    _row(
        "inotify",
        inotify,
        "fs.inotify.max_user_instances is high enough for all nodes together.",
        "systemd, CRI-O, kubelets and pods of all nodes, which the kernel counts as one user",
        "kubelets end with `too many open files` when the third node starts",
        "inotify(7)",
    ),
    _row(
        "control-groups",
        groups,
        "Control groups are mounted, and systemd's own hierarchy among them.",
        "systemd-nspawn, and the systemd inside each node",
        "a node's systemd does not start: Failed to mount cgroup",
        "systemd: the new control group interfaces",
    ),
    _row(
        "socket-path",
        socket_path,
        "The path of the lab's folder is short enough for sockets in it.",
        "HAProxy's admin socket",
        "HAProxy exits: cannot bind UNIX socket: path too long",
        "unix(7)",
    ),
    _row(
        "way-in",
        way_in,
        "Other users may enter the lab's folder and the folders above it.",
        "Ignition, which writes a user's files as that user",
        "Ignition fails with permission denied",
        "coreos/ignition: users' SSH keys",
    ),
    _row(
        "disk",
        disk,
        "The lab's folder is not on an overlay filesystem.",
        "every node's root, which is an overlay",
        "no node gets a root filesystem: the kernel refuses an overlay on an overlay (mount: wrong fs type)",
        "docs.kernel.org/filesystems/overlayfs",
    ),
    _row(
        "interface",
        interface,
        "No other lab or program uses the name of the lab's interface.",
        "the lab's network",
        "two labs of one name share an interface, and removing one breaks the other",
        "the mark that each lab writes on its interface",
    ),
    _row(
        "network",
        network,
        "The machine network does not overlap with a network that this machine reaches in another way.",
        "this machine's routing table",
        "traffic for the lab goes to another network, or that network is cut off",
        "ip-route(8)",
        skip=_no_routes,
    ),
)
