"""Whether this machine can carry a lab: its facts are read, nothing is changed, and all defects are said at once."""

from __future__ import annotations

import os
from collections.abc import Collection
from pathlib import Path

from hardway.checks.host.lab import DEVICES, PROGRAMS, TABLE, LabHost
from hardway.lab import cgroups, mounts, network, owner
from hardway.lab.paths import LabPaths
from hardway.model.check import Report, run
from hardway.model.cluster import Cluster
from hardway.model.errors import ToolError
from hardway.tools.run import attempt, have

INOTIFY = Path("/proc/sys/fs/inotify/max_user_instances")


def examine(paths: LabPaths, cluster: Cluster, ignore: Collection[str] = ()) -> Report:
    return run(TABLE, look(paths, cluster)).ignoring(ignore)


def demand(paths: LabPaths, cluster: Cluster, ignore: Collection[str] = ()) -> Report:
    """Raises with the whole list; what is ignored does not count."""
    report = examine(paths, cluster, ignore)
    if not report.ok:
        lines = "\n".join(f"  {f.line}\n    fix: {f.fix}" for f in report.errors)
        raise ToolError(f"this machine cannot run the lab {paths.name} yet:\n{lines}")
    return report


def look(paths: LabPaths, cluster: Cluster) -> LabHost:
    groups = _groups()
    systemd = cgroups.ROOT / "systemd"
    there = [p for p in (paths.folder, *paths.folder.parents) if os.path.isdir(p)]
    return LabHost(
        root=os.geteuid() == 0,
        programs=frozenset(name for name in PROGRAMS if have(name)),
        overlay="overlay" in Path("/proc/filesystems").read_text(),
        bridge_filter=Path("/proc/sys/net/bridge").is_dir(),
        watchers=int(INOTIFY.read_text()),
        devices=_devices(),
        groups=groups,
        systemd_group=systemd if groups == "v1" and not systemd.is_dir() else None,
        folder=paths.folder,
        closed=tuple(p for p in there if p != paths.folder and not p.stat().st_mode & 0o001),
        on_overlay=there[0] if mounts.covering(there[0]).kind == "overlay" else None,
        link=paths.link,
        mark=paths.mark,
        marked=owner.marked(paths),
        networks=cluster.machine_networks,
        routes=tuple(network.routes()) if have("ip") else None,
    )


def _devices() -> dict[str, bool] | None:
    """They are tried in a namespace that ends with the command: nothing of it stays."""
    if os.geteuid() != 0 or not (have("unshare") and have("ip")):
        return None
    words = ("unshare", "--net", "ip", "link", "add", "try", "type")
    return {kind: attempt([*words, kind]).ok for kind in DEVICES}


def _groups() -> cgroups.Mode | None:
    try:
        return cgroups.mode()
    except ToolError:
        return None
