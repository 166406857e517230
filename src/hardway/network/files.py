"""The generated files as a set, and how they are written: whole, only when changed, never over somebody else's work."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from hardway.io import atomic, links, plain
from hardway.model.cluster import Cluster
from hardway.model.errors import ConfigError, ToolError
from hardway.network.dns import bind, dnsmasq, etc_hosts
from hardway.network.haproxy import config
from hardway.network.mark import is_edited, is_ours, sealed

FOLDER = "network"
ASIDE = "edited"  # below the folder: files that were changed by hand, as they were before they were made again


def texts(cluster: Cluster, *, socket: str = config.SOCKET, without: tuple[str, ...] = ()) -> dict[str, str]:
    """File name to content."""
    return {
        config.NAME: config.config(cluster, socket=socket, without=without),
        dnsmasq.NAME: dnsmasq.config(cluster),
        **bind.files(cluster),
        etc_hosts.NAME: etc_hosts.lines(cluster),
    }


def write(folder: Path, wanted: Mapping[str, str], *, dry_run: bool = False) -> dict[Path, str]:
    """What happened to each file: wrote, changed or kept; saved, for the copy of one that had been changed by hand. All
    or nothing if one of them is not ours."""
    texts = {folder / name: sealed(text) for name, text in wanted.items()}
    present = {path: _present(path) for path in texts}
    changed = {path: text for path, text in present.items() if text is not None and text != texts[path]}
    aside = {folder / ASIDE / path.name: text for path, text in changed.items() if is_edited(text)}
    if aside:
        links.refuse(folder / ASIDE)
    plan = dict.fromkeys(aside, "saved") | {path: _fate(present[path], text) for path, text in texts.items()}
    if dry_run:
        return plan
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path, fate in plan.items():
            if fate != "kept":
                path.parent.mkdir(exist_ok=True)
                atomic.write(path, (aside | texts)[path].encode(errors="surrogateescape"), atomic.PUBLIC)
    except OSError as error:
        raise ToolError(
            f"{error.filename or folder}: {error.strerror}.\n    fix: name a folder you can write"
        ) from None
    return plan


def _present(path: Path) -> str | None:
    try:
        present = plain.text(path, errors="surrogateescape")
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ToolError(f"{path}: {error.strerror}.\n    fix: name a folder you can write") from None
    if not is_ours(present):
        raise ConfigError(
            f"{path}: hardway did not make this file, and left it as it is; nothing was written.\n"
            "    fix: name another folder, or move the file away"
        )
    return present


def _fate(present: str | None, text: str) -> str:
    return "wrote" if present is None else "kept" if present == text else "changed"
