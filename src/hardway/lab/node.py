"""A node as a machine: laid out once, started, entered, stopped, started again."""

from __future__ import annotations

import os
from itertools import chain
from pathlib import Path

from hardway.io import links, rooted
from hardway.lab import cgroups, ignite, image_store, mounts, network, rights, root
from hardway.lab.deviations.row import Given, look
from hardway.lab.launch import last_lines, launch, within
from hardway.lab.paths import LabPaths
from hardway.lab.services import registry
from hardway.labrelease.materials import Materials
from hardway.model.cluster import Cluster, Node
from hardway.model.errors import ToolError
from hardway.tools.patience import Patience
from hardway.tools.run import Done, attempt

ENVIRONMENT = {
    "SYSTEMD_NSPAWN_API_VFS_WRITABLE": "network",  # of /proc/sys and /sys, a node may change what is its own
    "SYSTEMD_NSPAWN_USE_CGNS": "1",
    "SYSTEMD_SECCOMP": "0",  # CRI-O, and pods, use calls that systemd's filter forbids
}
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
VISITORS = "visitors"  # the group of programs that are run on nodes from outside
UP = ("running", "degraded", "starting", "initializing")
SECONDS = 60.0  # in which a node that boots says nothing new


def lay_out(paths: LabPaths, cluster: Cluster, node: Node, config: Path, materials: Materials) -> Path:
    """The node's root from its own Ignition file, and its network card; what is there already stays."""
    paths.node(node.name).mkdir(parents=True, exist_ok=True)
    scratch = paths.node(node.name) / "ignition"
    if not ignite.done(scratch):
        root.clear(paths, node.name)  # Ignition refuses files that it has itself left half-way
        paths.node(node.name).chmod(0o711)  # it writes a user's keys as that user, who has to get there
    given = Given(cluster=cluster, node=node, host=look(), registry=registry(cluster), assets=config.parent)
    place = root.mount(paths, given, [root.programs(materials.programs), root.base()])
    ignite.lay_out(materials.ignition, config, place, scratch)
    network.attach(paths, cluster, node, running=cgroups.runs(paths, node.name))
    return place


def start(paths: LabPaths, node: str) -> None:
    """Boot it, and wait until its systemd answers; a node that runs stays as it is. From here on its files are the
    node's own: no other user of this machine gets to a program that the node has made root's (setuid)."""
    log = console(paths, node)
    if not mounts.below(paths.node(node) / "root"):
        raise ToolError(f"{node}: has no root.\n    fix: create the node's root first, with `hardway lab run 09`")
    image_store.prepare(paths)
    paths.node(node).chmod(0o700)
    launch(paths, node, _command(paths, node), log=log)
    said, patience = 0, Patience(SECONDS)
    while state(paths, node) not in UP:
        if log.exists() and log.stat().st_size > said:
            said, patience = log.stat().st_size, Patience(SECONDS)
        if not cgroups.runs(paths, node) or patience.ended():
            raise ToolError(
                f"{node}: did not boot, and has printed nothing new for {SECONDS:.0f} s. Its console, in {log}:\n"
                f"{last_lines(log)}\n"
                "    fix: read the console; a second start tries again"
            )
        cgroups.pause()


def console(paths: LabPaths, node: str) -> Path:
    return paths.node(node) / "console.log"


def _command(paths: LabPaths, node: str) -> list[str]:
    folder = paths.node(node)
    disks = [f"--bind={folder / name}:{place}" for name, place in root.OWN_DISKS.items()]
    return [
        "env",
        *(f"{name}={value}" for name, value in ENVIRONMENT.items()),
        "systemd-nspawn",
        "--quiet",
        "--boot",
        "--register=no",
        "--keep-unit",
        "--settings=no",
        f"--directory={folder / 'root'}",
        f"--machine={paths.machine(node)}",
        f"--hostname={node}",
        f"--network-namespace-path={network.NAMESPACES / paths.namespace(node)}",
        "--capability=all",
        f"--drop-capability={','.join(row.name for row in rights.TABLE)}",
        "--bind=/dev/null:/dev/kmsg",  # the kubelet insists on a kernel log, and this machine's is not the node's
        "--console=pipe",
        "--link-journal=no",
        "--resolv-conf=off",
        "--timezone=off",
        *disks,
        f"--bind-ro={image_store.folder(paths)}:{image_store.PLACE}",
    ]


def leader(paths: LabPaths, node: str) -> int | None:
    """The node's first process: the only child of the systemd-nspawn in the node's group."""
    for pid in cgroups.supervisors(paths, node):
        if _name(pid) == "systemd-nspawn" and (children := _children(pid)):
            return children[0]
    return None


def _name(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return ""


def _children(pid: int) -> list[int]:
    try:
        return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def state(paths: LabPaths, node: str) -> str:
    """In systemd's words: starting, running, degraded, stopping; off if it does not run."""
    if leader(paths, node) is None:
        return "off"
    done = enter(paths, node, ["systemctl", "is-system-running"])
    return done.output.strip() or "booting"


def command(paths: LabPaths, node: str, words: list[str]) -> list[str]:
    """The command as it has to be called from outside to run on the node, as root there. The program that answers is
    the node's own, whoever calls it: it gets the rights and the devices of the node."""
    pid = leader(paths, node)
    if pid is None:
        raise ToolError(f"{node}: is not running.\n    fix: start it with `hardway lab start {node}`")
    clean = ["env", "-i", f"PATH={PATH}", "HOME=/root", f"TERM={os.environ.get('TERM', 'dumb')}"]
    inside = ["nsenter", f"--target={pid}", "--all", "--wd", "--", *clean, *words]
    return within(paths, VISITORS, rights.without(inside))


def enter(paths: LabPaths, node: str, words: list[str], *, seconds: float = 120) -> Done:
    """Run a program on the node; how it ended is for the caller to judge."""
    return attempt(command(paths, node, words), seconds=seconds)


def journal_folder(paths: LabPaths, node: str) -> Path:
    """Whatever the node has made of the way to it, it is below what the node has written. journalctl reads the files of
    the folder and of those in it, and follows links there: to a journal of this machine, for example."""
    try:
        folder = rooted.real(paths.node(node) / "upper", "/var/log/journal")
        for path in chain(folder.glob("*"), folder.glob("*/*")):
            links.refuse(path)
        return folder
    except OSError as error:
        fix = f"look at it with `hardway lab shell {node}`"
        raise ToolError(f"{node}: {error.filename}: {error.strerror}.\n    fix: {fix}") from None


def journal(paths: LabPaths, node: str, unit: str = "", *, lines: int = 200) -> str:
    """What the node's services have said; of a node that is off, too."""
    words = ["journalctl", f"--directory={journal_folder(paths, node)}", "--no-pager", "--output=short-iso"]
    done = attempt([*words, f"--lines={lines}", *([f"--unit={unit}"] if unit else [])])
    return done.output if done.ok else f"{done.errors.strip()}\n"


def stop(paths: LabPaths, node: str, *, seconds: float = 30) -> None:
    """Power off, as one would a machine; if that takes too long, cut the power."""
    patience = Patience(seconds)
    if leader(paths, node) is not None:
        enter(paths, node, ["systemctl", "poweroff"])
        while cgroups.runs(paths, node) and not patience.ended():
            cgroups.pause()
    cut(paths, node)


def cut(paths: LabPaths, node: str) -> None:
    """Without a word to the node: what a failure of its power would do."""
    cgroups.end(paths, node)
    cgroups.remove(paths, node)
