"""Takes a lab down: everything it made and nothing else, read back from the machine and not from memory."""

from __future__ import annotations

import shutil
from pathlib import Path

from hardway.lab import cgroups, mounts, network
from hardway.lab.site import MARK, Site, owned
from hardway.model.errors import ConfigError, ToolError

LEFT_BY_NSPAWN = ("/run/systemd/nspawn/propagate", "/run/systemd/nspawn/unix-export")


def remove(site: Site) -> None:
    """Processes, mounts, namespaces, the link, control groups, and the folder; also what a crash left half done."""
    _check(site)
    cgroups.end(site)
    mounts.remove_below(site.folder)
    network.down(site)
    cgroups.remove(site)
    for folder in _left_by_nspawn(site):
        shutil.rmtree(folder)
    _delete(site.folder)
    if left := remains(site):
        raise ToolError(f"lab {site.name}: could not be removed wholly: {', '.join(left)}.\n    fix: try again")


def _delete(folder: Path) -> None:
    """The mark last: as long as something is left, it is known whose it is."""
    for path in folder.iterdir() if folder.exists() else ():
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        elif path.name != MARK:
            path.unlink()
    if folder.exists():
        shutil.rmtree(folder)


def _left_by_nspawn(site: Site) -> list[Path]:
    return [folder for place in LEFT_BY_NSPAWN for folder in Path(place).glob(f"{site.prefix}*")]


def _check(site: Site) -> None:
    """The interface tells whose lab of this name it is, and the folder whether it is a lab's at all."""
    if (mark := network.marked(site)) not in (None, site.mark):
        raise ConfigError(
            f"lab {site.name}: the interface {site.link} belongs to another one: {mark or 'unknown'}.\n"
            "    fix: name that lab's folder"
        )
    if not owned(site):
        raise ConfigError(
            f"{site.folder}: is not the folder of a lab {site.name}, and was left as it is.\n"
            "    fix: name that lab's folder"
        )


def remains(site: Site) -> list[str]:
    """What of the lab is on the machine; nothing after a removal."""
    found = [f"process {pid}" for pid in sorted(cgroups.members(site))]
    found += [f"mount {target}" for target in mounts.below(site.folder)]
    found += [f"namespace {name}" for name in network.namespaces(site)]
    found += [f"interface {site.link}"] if network.marked(site) is not None else []
    found += [f"group {group}" for group in cgroups.groups(site, "") if group.exists()]
    found += [f"folder {folder}" for folder in _left_by_nspawn(site)]
    return [*found, f"folder {site.folder}"] if site.folder.exists() else found
