"""Control groups: one for each program of a lab. They fence nodes in, and tell which processes are the lab's."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Literal

from hardway.io.lock import locked
from hardway.lab import devices, mounts
from hardway.lab.paths import LabPaths
from hardway.model.errors import ToolError
from hardway.tools.patience import Patience
from hardway.tools.run import attempt, run

Mode = Literal["v1", "v2"]
ROOT = Path("/sys/fs/cgroup")
SHARED = "hardway"  # below it, a group a lab
HUGETLB = "hugetlb"
OURS = "hardway-hugetlb"  # the source of a mount that a lab made, by which it is known again
CONTROLLERS = ("cpuset", "cpu", "io", "memory", "hugetlb", "pids")
DEPTH = 50  # of groups that are looked into; a pod's container is ten deep
SECONDS, PAUSE = 60.0, 0.1  # without a process less, or a group less
WEIGHTS = {"cpu.shares": "8192", "cpu.weight": "800"}
"""Of all labs together, eight times that of one ordinary process: each is a whole cluster, and its members take a pause
of seconds for the end of one of them."""


def mode() -> Mode:
    """v2 where the unified hierarchy is all there is; v1 where controllers have hierarchies of their own (hybrid)."""
    kinds = {m.target: m.kind for m in mounts.table()}
    if kinds.get(str(ROOT)) == "cgroup2":
        return "v2"
    if "cgroup" in kinds.values():
        return "v1"
    raise ToolError(f"{ROOT}: no control groups are mounted here.\n    fix: mount -t cgroup2 none {ROOT}")


def hierarchies() -> list[Path]:
    """The root of each hierarchy, each once."""
    if mode() == "v2":
        return [ROOT]
    found = {Path(m.target) for m in mounts.table() if m.kind in ("cgroup", "cgroup2")}
    return sorted(p for p in found if p.parent == ROOT)


def groups(paths: LabPaths, what: str) -> list[Path]:
    return [root / SHARED / paths.name / what for root in hierarchies()]


@contextmanager
def _alone() -> Iterator[None]:
    """What labs share is made with the first and removed with the last: one lab at a time."""
    with locked(ROOT):
        yield


def make(paths: LabPaths, what: str) -> list[Path]:
    """The groups for a program, empty, with what the program may hand on to its own children."""
    with _alone():
        if mode() == "v1":
            _mount_hugetlb()
        for root, group in zip(hierarchies(), groups(paths, what), strict=True):
            _make_lab(root / SHARED / paths.name)
            group.mkdir(parents=True, exist_ok=True)
            for path in reversed([group, *(p for p in group.parents if root in p.parents)]):
                _prepare(path)
            _weigh(root / SHARED)
    return groups(paths, what)


def _make_lab(group: Path) -> None:
    """The group of a whole lab. A node sees the groups below it alone, and cannot take back what is denied here."""
    if not group.exists():
        group.mkdir(parents=True)
        devices.restrict(group)


def _prepare(group: Path) -> None:
    """A v1 cpuset is empty until it is told its processors; a v2 group has what its parent hands down."""
    for name in ("cpuset.cpus", "cpuset.mems"):
        own, parent = group / name, group.parent / name
        if own.exists() and parent.exists() and not own.read_text().strip():
            own.write_text(parent.read_text())
    available = group.parent / "cgroup.controllers"
    if available.exists():
        for name in sorted(set(available.read_text().split()) & set(CONTROLLERS)):
            (group.parent / "cgroup.subtree_control").write_text(f"+{name}")


def _weigh(group: Path) -> None:
    for name, weight in WEIGHTS.items():
        if (group / name).exists():
            (group / name).write_text(weight)


def _mount_hugetlb() -> None:
    """CRI-O sets limits for huge pages; a kernel that has the controller may not have it mounted."""
    place = ROOT / HUGETLB
    known = Path("/proc/cgroups").read_text()
    if f"\n{HUGETLB}\t" in known and not any(m.target == str(place) for m in mounts.table()):
        place.mkdir(exist_ok=True)
        run(["mount", "-t", "cgroup", "-o", HUGETLB, OURS, str(place)])


def members(paths: LabPaths, what: str = "") -> set[int]:
    """The processes of a program of the lab and of all it started; of the whole lab if none is named."""
    return {pid for group in groups(paths, what) for pid in _members(group)}


def runs(paths: LabPaths, what: str) -> bool:
    return next(_members(groups(paths, what)[0]), None) is not None


def supervisors(paths: LabPaths, node: str) -> list[int]:
    """Who holds a node from outside: systemd-nspawn, in the hierarchy that is systemd's, beside what it started."""
    home = (ROOT if mode() == "v2" else ROOT / "systemd") / SHARED / paths.name / node
    return [pid for group in (home, home / "supervisor") for pid in _listed(group)]


def _members(group: Path) -> Iterator[int]:
    """A hostile node makes groups as deep as it likes. Those far down are passed over: whoever is in them ends with the
    node's first process, which is not."""
    level = [str(group)]
    for _ in range(DEPTH):
        below: list[str] = []
        for folder in level:
            yield from _listed(Path(folder))
            with suppress(OSError), os.scandir(folder) as entries:
                below += [entry.path for entry in entries if entry.is_dir(follow_symlinks=False)]
        level = below


def _listed(group: Path) -> list[int]:
    try:
        return [int(word) for word in (group / "cgroup.procs").read_text().split()]
    except OSError:
        return []  # there is no such group, or none any more


def end(paths: LabPaths, what: str = "") -> None:
    """End every process in the group, and no other; as long as they become fewer, whatever time it takes."""
    fewest, patience = -1, Patience(SECONDS)
    while found := members(paths, what):
        if not 0 <= fewest <= len(found):
            fewest, patience = len(found), Patience(SECONDS)
        if patience.ended():
            left = ", ".join(map(str, sorted(found)))
            fix = "look at them with ps, then try again"
            raise ToolError(f"lab {paths.name}: some processes do not end: {left}.\n    fix: {fix}")
        for pid in found:
            _kill(pid)
        pause()


def _kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return


def pause() -> None:
    time.sleep(PAUSE)


def remove(paths: LabPaths, what: str = "") -> None:
    """The empty groups; with the last lab, what all labs share."""
    with _alone():
        for group in groups(paths, what):
            _remove(group)
        if not what:
            _remove_shared()


def _remove(group: Path) -> None:
    """With all groups in it, however deep. A process that is dying is not listed any more, and keeps its group busy
    until it is gone."""
    patience = Patience(SECONDS)
    while group.exists():
        done = attempt(["find", str(group), "-depth", "-type", "d", "-delete"])
        if not done.ok and patience.ended():
            raise ToolError(f"{group}: {done.errors.strip().rpartition(': ')[2]}.\n    fix: try again")
        if not done.ok:
            pause()


def _remove_shared() -> None:
    """Others may use the hierarchy of huge pages since it was mounted, and keep it: podman makes groups in each."""
    shared = [root / SHARED for root in hierarchies() if (root / SHARED).is_dir()]
    for group in shared:
        if not any(p.is_dir() for p in group.iterdir()):
            _remove(group)
    place = ROOT / HUGETLB  # not there to be seen where another mount lies over it
    if any(m.source == OURS for m in mounts.table()) and place.is_dir() and not (place / SHARED).exists():
        with suppress(OSError):
            if attempt(["umount", str(place)]).ok:
                place.rmdir()
