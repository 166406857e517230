"""Whose lab it is: what is written on its interface and in its folder. Only its own cluster's folder may touch it."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from hardway.io import atomic, links
from hardway.lab.paths import NAME, LabPaths, lab_paths
from hardway.model.errors import ConfigError
from hardway.workspace.names import ASSETS

MARK = ".hardway-lab"  # the file that makes a folder a lab's
INFRA_ID = "plan/infra-id"  # below assets


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner:
    lab: str
    cluster: str = ""  # the cluster's folder
    id: str = ""  # the cluster's infrastructure name; empty until stage 03 is built


def owner(lab: LabPaths) -> Owner | None:
    """As the lab's folder says; None where there is no mark. One of an earlier version has the lab's name alone."""
    try:
        text = (lab.folder / MARK).read_text()
    except FileNotFoundError:
        return None
    try:
        found = json.loads(text)
        return Owner(lab=found["lab"], cluster=found["cluster"], id=found["id"])
    except (ValueError, TypeError, KeyError):
        return Owner(lab=text.strip())


def has_lab(name: str, cluster: Path) -> bool:
    """Whether this machine has a lab of the cluster in that folder, up or not."""
    found = owner(lab_paths(name)) if NAME.fullmatch(name) else None
    return found is not None and Path(found.cluster) == cluster.resolve()


def marked(lab: LabPaths) -> str | None:
    """What is written on the lab's interface; None if there is no such interface."""
    alias = Path("/sys/class/net", lab.link, "ifalias")
    return alias.read_text().strip() if alias.exists() else None


def demand(lab: LabPaths) -> None:
    """The lab of this name is this cluster's, or nobody's yet. Without a cluster's folder, the name is enough."""
    if (mark := marked(lab)) not in (None, lab.mark):
        raise ConfigError(
            f"lab {lab.name}: the interface {lab.link} belongs to another one: {mark or 'unknown'}.\n"
            "    fix: use that lab's XDG_STATE_HOME, give this cluster another metadata.name, or remove that lab"
        )
    found = owner(lab)
    if found is None and lab.folder.exists() and any(lab.folder.iterdir()):
        raise ConfigError(
            f"{lab.folder}: has files that are not a lab's, and was left as it is.\n"
            "    fix: name an empty folder, or one that does not exist"
        )
    if found is not None and not _same(lab, found):
        raise ConfigError(
            f"lab {lab.name}: belongs to the cluster in {found.cluster or 'an unknown folder'}, "
            f"and was left as it is.\n    fix: {_advice(lab, found)}"
        )


def _same(lab: LabPaths, found: Owner) -> bool:
    if found.lab != lab.name:
        return False
    if lab.cluster is None or found.cluster == str(lab.cluster):
        return True
    moved = not Path(found.cluster).exists() and found.id != ""
    return moved and found.id == infra_id(lab.cluster)


def _advice(lab: LabPaths, found: Owner) -> str:
    other = "give this cluster another metadata.name, and another networking.machineNetwork"
    gone = not found.cluster or not Path(found.cluster).exists()
    words = f"--name {lab.name}" if gone else found.cluster
    return f"{other}; or remove that lab first with `hardway lab down {words}`"


def claim(lab: LabPaths) -> None:
    """Make the lab's folder, or find it again; one that is somebody else's is not touched."""
    demand(lab)
    lab.folder.mkdir(parents=True, exist_ok=True)
    lab.folder.chmod(0o711)  # Ignition writes a user's keys as that user, who has to get there
    before = owner(lab)
    cluster = str(lab.cluster) if lab.cluster else before.cluster if before else ""
    _write(lab, Owner(lab=lab.name, cluster=cluster, id=before.id if before else ""))


def settle(lab: LabPaths) -> None:
    """Once the cluster has its infrastructure name: the lab's nodes are this cluster's. A cluster that was planned
    anew in the same folder is another one, and its keys fit none of the nodes that are there."""
    before, now = owner(lab), infra_id(lab.cluster) if lab.cluster else ""
    if before and before.id and before.id != now:
        raise ConfigError(
            f"lab {lab.name}: its nodes are those of the cluster {before.id}; {lab.cluster} has {now or 'none'} now.\n"
            f"    fix: remove the lab with `hardway lab down {lab.cluster}`, then bring it up again"
        )
    _write(lab, Owner(lab=lab.name, cluster=str(lab.cluster or ""), id=now))


def infra_id(cluster: Path) -> str:
    try:
        return links.read(cluster / ASSETS / INFRA_ID, below=cluster / ASSETS).decode(errors="replace").strip()
    except OSError:
        return ""


def _write(lab: LabPaths, found: Owner) -> None:
    atomic.write(lab.folder / MARK, f"{json.dumps(asdict(found))}\n".encode(), atomic.PUBLIC)
