"""The folder of a lab's cluster: an install-config for this machine, and the release that the lab serves itself."""

from __future__ import annotations

import re
import stat
from dataclasses import replace
from pathlib import Path
from typing import Any

from yaml import safe_dump

from hardway.io import atomic, links
from hardway.lab.services import REGISTRY_PORT, registry_host
from hardway.labrelease.images.table import Set
from hardway.labrelease.payload.assemble import version
from hardway.model.cluster import Cluster, Road
from hardway.model.errors import ConfigError
from hardway.model.yaml import YamlError, load
from hardway.workspace.folder import example, read_text
from hardway.workspace.names import INSTALL_CONFIG, SETTINGS

TOPOLOGY = re.compile(r"([135])\+(\d+)")
REPOSITORY = "hardway"


def shape(topology: str) -> tuple[int, int]:
    """`3+2`: masters and workers."""
    match = TOPOLOGY.fullmatch(topology)
    if not match or int(match[2]) > 9:
        raise ConfigError(
            f"--topology {topology}: cannot be read.\n"
            "    fix: write masters+workers, as 3+2, 3+0 or 1+0; masters: 1, 3 or 5"
        )
    return int(match[1]), int(match[2])


def write_files(folder: Path, topology: str) -> list[str]:
    """An install-config where there is none; the names of what was written."""
    if (folder / INSTALL_CONFIG).exists():
        return []
    if folder.exists() and any(folder.iterdir()):
        raise ConfigError(
            f"{folder}: has files but no {INSTALL_CONFIG}, and was left as it is.\n"
            "    fix: name a folder that does not exist, or one with a cluster's files"
        )
    masters, workers = shape(topology)
    config = load(example(INSTALL_CONFIG))
    config["metadata"]["name"] = re.sub(r"[^a-z0-9-]+", "-", folder.absolute().name.lower()).strip("-")[:14] or "lab"
    config["controlPlane"]["replicas"] = masters
    config["compute"] = [{"name": "worker", "replicas": workers}]
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / INSTALL_CONFIG
    atomic.write(path, f"# A lab of {masters} + {workers} nodes.\n{safe_dump(config, sort_keys=False)}".encode())
    return [str(path)]


SETS: dict[Road, Set] = {"payload": "core", "hand": "core", "operators": "operators", "rendered": "operators"}
"""The set of the lab's release that a road goes with."""


def on_road(folder: Path, cluster: Cluster, road: Road | None) -> Cluster:
    """The folder's cluster on the road that is asked for. One that was begun on another stays: much was made on it."""
    begun = bool(said_of(folder).get("release"))
    taken: Road = "hand" if cluster.road == "payload" else cluster.road  # the lab's own release has no operators
    if road and road != taken and (begun or cluster.road != "payload"):
        raise ConfigError(
            f"--road {road}: {folder / SETTINGS} has the road {taken}, and was left as it is.\n"
            "    fix: leave --road out, or name another folder"
        )
    return replace(cluster, road=road or taken)


def new_lines(folder: Path, cluster: Cluster) -> list[str]:
    """What the lab adds to hardway.yaml: the road, if one is taken, and the lab's release."""
    release = reference(registry_host(cluster), SETS[cluster.road])
    road = [] if cluster.road in ("payload", said_of(folder).get("road")) else [f"road: {cluster.road}"]
    lines = [*road, *_naming(folder, release)]
    _demand_room(folder, lines)
    return lines


def _demand_room(folder: Path, lines: list[str]) -> None:
    """A file in braces, or with an end mark, takes no line after its last one."""
    try:
        load(_with(folder / SETTINGS, lines))
    except YamlError:
        raise ConfigError(
            f"{folder / SETTINGS}: the lab's lines cannot be added at its end, and it was left as it is.\n"
            "    fix: write each setting on a line of its own, as `keys: rsa-2048`, without braces around them"
        ) from None


def adopt(folder: Path, cluster: Cluster) -> list[str]:
    """hardway.yaml gets the lines that it lacks; these lines."""
    lines = new_lines(folder, cluster)
    _append(folder / SETTINGS, lines)
    return lines


def kept_lines(folder: Path, cluster: Cluster) -> list[str]:
    """Those that are in hardway.yaml as a lab wrote them."""
    release = said_of(folder).get("release")
    if release not in [reference(gateway, SETS[cluster.road]) for gateway in cluster.gateways]:
        return []
    there = (read_text(folder / SETTINGS) or "").splitlines()
    return [line for line in (f"road: {cluster.road}", *_lines(release)) if line in there]


def fits(folder: Path, cluster: Cluster) -> bool:
    """Whether a lab takes the folder's release: it names none, or one that a lab wrote there."""
    release = said_of(folder).get("release")
    known = [reference(gateway, each) for gateway in cluster.gateways for each in SETS.values()]
    return not release or release in known


def said_of(folder: Path) -> dict[str, Any]:
    try:
        said = load(read_text(folder / SETTINGS) or "")
    except YamlError as error:
        place = f"{folder / SETTINGS}:{error.line}:{error.column}"
        raise ConfigError(f"{place}: {error.message}.\n    fix: correct the YAML at this place") from None
    return said if isinstance(said, dict) else {}


def reference(gateway: str, chosen: Set) -> str:
    """The release as the lab's own registry has it."""
    return f"{gateway}:{REGISTRY_PORT}/{REPOSITORY}:{version(chosen)}-x86_64"


def point_at(folder: Path, release: str) -> None:
    """hardway.yaml names the lab's release."""
    _append(folder / SETTINGS, _naming(folder, release))


def _naming(folder: Path, release: str) -> list[str]:
    """The lines that name the release, if they are missing. Another release is the user's own choice, and an error."""
    said = said_of(folder)
    if said.get("release") == release and _registry(release) in (said.get("insecureRegistries") or ()):
        return []
    if said.get("release"):
        raise ConfigError(
            f"{folder / SETTINGS}: names the release {said['release']}, the lab has {release}.\n"
            "    fix: remove `release` and `insecureRegistries` there, or use another folder for the lab"
        )
    return _lines(release)


def _lines(release: str) -> list[str]:
    return [f'release: "{release}"', f'insecureRegistries: ["{_registry(release)}"]']


def _registry(release: str) -> str:
    return release.split("/", 1)[0]


def _append(path: Path, lines: list[str]) -> None:
    if not lines:
        return
    links.refuse(path)
    mode = stat.S_IMODE(path.stat().st_mode) if path.exists() else atomic.PRIVATE
    atomic.write(path, _with(path, lines).encode(), mode)


def _with(path: Path, lines: list[str]) -> str:
    text = read_text(path) or ""
    ended = text if not text or text.endswith("\n") else f"{text}\n"
    return ended + "".join(f"{line}\n" for line in lines)
