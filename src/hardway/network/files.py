"""The generated files as a set, and how they are written: whole, only when changed, never over somebody else's."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from hardway.io import atomic
from hardway.model.cluster import Cluster
from hardway.model.errors import ConfigError, ToolError
from hardway.network.dns import bind, dnsmasq, etc_hosts
from hardway.network.haproxy import config
from hardway.network.mark import is_ours

FOLDER = "network"


def texts(cluster: Cluster, *, socket: str = config.SOCKET, without: tuple[str, ...] = ()) -> dict[str, str]:
    """File name to content."""
    return {
        config.NAME: config.config(cluster, socket=socket, without=without),
        dnsmasq.NAME: dnsmasq.config(cluster),
        **bind.files(cluster),
        etc_hosts.NAME: etc_hosts.lines(cluster),
    }


def write(folder: Path, wanted: Mapping[str, str], *, dry_run: bool = False) -> dict[Path, str]:
    """What happened to each file: wrote, changed or kept. All or nothing if one of them is not ours."""
    plan = {folder / name: _fate(folder / name, text) for name, text in wanted.items()}
    if dry_run:
        return plan
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path, fate in plan.items():
            if fate != "kept":
                atomic.write(path, wanted[path.name].encode(), atomic.PUBLIC)
    except OSError as error:
        raise ToolError(
            f"{error.filename or folder}: {error.strerror}.\n    fix: name a folder you can write"
        ) from None
    return plan


def _fate(path: Path, text: str) -> str:
    try:
        present = path.read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return "wrote"
    except OSError as error:
        raise ToolError(f"{path}: {error.strerror}.\n    fix: name a folder you can write") from None
    if not is_ours(present):
        raise ConfigError(
            f"{path}: hardway did not make this file, and left it as it is; nothing was written.\n"
            "    fix: name another folder, or move the file away"
        )
    return "kept" if present == text else "changed"
