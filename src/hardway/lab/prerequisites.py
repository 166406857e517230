"""What a machine must have to carry a lab: everything that is missing, at once, each with its remedy."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from hardway.lab import cgroups, mounts
from hardway.lab.site import Site
from hardway.model.errors import ToolError
from hardway.tools.run import attempt, have

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

ADMIN_SOCKET_SIZE = 80  # a socket's path may have 107 characters, and HAProxy adds to it while it starts

INOTIFY, WATCHERS = Path("/proc/sys/fs/inotify/max_user_instances"), 1024
"""Every systemd, CRI-O, kubelet and pod that watches files takes some of them, and all nodes are one user's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Missing:
    what: str
    fix: str


def check(site: Site) -> None:
    """Nothing is changed; raises with the whole list."""
    found = list(missing(site))
    if found:
        lines = "\n".join(f"  {row.what}\n    fix: {row.fix}" for row in found)
        raise ToolError(f"this machine cannot carry the lab {site.name} yet:\n{lines}")


def missing(site: Site) -> Iterator[Missing]:
    yield from _root()
    yield from _programs()
    yield from _kernel()
    yield from _groups()
    yield from _folder(site)


def _root() -> Iterator[Missing]:
    if os.geteuid() != 0:
        yield Missing(
            what="nodes have namespaces, mounts and control groups, which only root can make", fix="run it with sudo"
        )


def _programs() -> Iterator[Missing]:
    for name, package in PROGRAMS.items():
        if not have(name):
            fix = f"apt-get install {package}; /usr/sbin must be on PATH"
            yield Missing(what=f"the program {name} is missing", fix=fix)


def _kernel() -> Iterator[Missing]:
    """Network devices are tried in a namespace that ends with the command: nothing of it stays."""
    if "overlay" not in Path("/proc/filesystems").read_text():
        yield Missing(what="the kernel has no overlay filesystem", fix="modprobe overlay")
    if not Path("/proc/sys/net/bridge").is_dir():
        yield Missing(what="pods on one node cannot reach each other's Services", fix="modprobe br_netfilter")
    if int(INOTIFY.read_text()) < WATCHERS:
        what = f"programs of one user may watch files {INOTIFY.read_text().strip()} times, and kubelets would not start"
        yield Missing(what=what, fix=f"sysctl --write fs.inotify.max_user_instances={8 * WATCHERS}")
    for kind in ("bridge", "veth") if os.geteuid() == 0 and have("unshare") else ():
        if not attempt(["unshare", "--net", "ip", "link", "add", "try", "type", kind]).ok:
            yield Missing(what=f"the kernel has no network devices of type {kind}", fix=f"modprobe {kind}")


def _groups() -> Iterator[Missing]:
    try:
        mode = cgroups.mode()
    except ToolError as error:
        yield Missing(what="no control groups are mounted", fix=str(error).rpartition("fix: ")[2])
        return
    if mode == "v1" and not (cgroups.ROOT / "systemd").is_dir():
        place = cgroups.ROOT / "systemd"
        fix = f"mkdir {place} && mount -t cgroup -o none,name=systemd systemd {place}"
        yield Missing(what="the control group hierarchy of systemd is not mounted", fix=fix)


def _folder(site: Site) -> Iterator[Missing]:
    if len(str(site.folder)) > ADMIN_SOCKET_SIZE:
        fix = f"name one with at most {ADMIN_SOCKET_SIZE} characters"
        yield Missing(what=f"the path of the lab's folder is too long for sockets: {site.folder}", fix=fix)
    there = [p for p in (site.folder, *site.folder.parents) if os.path.isdir(p)]
    for closed in (p for p in there if p != site.folder and not p.stat().st_mode & 0o001):
        what = f"{closed} lets nobody through, and Ignition writes users' files as these users"
        yield Missing(what=what, fix=f"chmod o+x {closed}, or name another folder")
    if mounts.covering(there[0]).kind == "overlay":
        what = f"{there[0]} is on an overlay itself, and nodes cannot be"
        yield Missing(what=what, fix="name a folder on a disk, or mount a volume there")
