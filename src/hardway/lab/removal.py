"""Takes a lab down: everything it made and nothing else, read back from the machine and not from memory."""

from __future__ import annotations

from pathlib import Path

from hardway.lab import cgroups, mounts, network, owner, tree
from hardway.lab.paths import LabPaths
from hardway.model.errors import ToolError

LEFT_BY_NSPAWN = ("/run/systemd/nspawn/propagate", "/run/systemd/nspawn/unix-export")


def remove(paths: LabPaths) -> None:
    """Processes, mounts, namespaces, the link, control groups, and the folder; also what a crash left half done."""
    owner.demand(paths)
    cgroups.end(paths)
    mounts.remove_below(paths.folder)
    network.down(paths)
    cgroups.remove(paths)
    for folder in _left_by_nspawn(paths):
        tree.delete(folder)
    _delete(paths.folder)
    if left := remains(paths):
        raise ToolError(f"lab {paths.name}: could not be removed completely: {', '.join(left)}.\n    fix: try again")


def _delete(folder: Path) -> None:
    """The mark last: as long as something is left, it is known whose it is."""
    for path in folder.iterdir() if folder.exists() else ():
        if path.name != owner.MARK:
            tree.delete(path)
    tree.delete(folder)


def _left_by_nspawn(paths: LabPaths) -> list[Path]:
    return [folder for place in LEFT_BY_NSPAWN for folder in Path(place).glob(f"{paths.prefix}*")]


def remains(paths: LabPaths) -> list[str]:
    """What of the lab is on the machine; nothing after a removal."""
    found = [f"process {pid}" for pid in sorted(cgroups.members(paths))]
    found += [f"mount {target}" for target in mounts.below(paths.folder)]
    found += [f"namespace {name}" for name in network.namespaces(paths)]
    found += [f"interface {paths.link}"] if owner.marked(paths) is not None else []
    found += [f"group {group}" for group in cgroups.groups(paths, "") if group.exists()]
    found += [f"folder {folder}" for folder in _left_by_nspawn(paths)]
    return [*found, f"folder {paths.folder}"] if paths.folder.exists() else found
