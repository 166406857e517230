"""All pages as files: they open without a server, and can be put on a static host. No secret is in them."""

from __future__ import annotations

from pathlib import Path

from hardway.io import folder as folders
from hardway.io import plain
from hardway.model.errors import ConfigError
from hardway.page.frame import MARK, Frame, assets
from hardway.page.site import Site
from hardway.page.table import pages


def files(site: Site) -> dict[str, bytes]:
    """Every file by its path."""
    frame = Frame(cluster=site.workspace.loaded.cluster.domain)
    return {**assets(), **{page.path: frame.whole(page).encode() for page in pages(site)}}


def require_place(folder: Path) -> None:
    """An export may replace an older one, and nothing else."""
    if not folder.resolve().parent.is_dir():
        raise ConfigError(f"{folder}: there is no folder {folder.resolve().parent}.\n    fix: make it, or name another")
    if folder.is_symlink() or (folder.exists() and not _is_ours(folder)):
        raise ConfigError(
            f"{folder}: has something that is not an export of the guide, and was left as it is.\n"
            "    fix: name a folder that does not exist, or an empty one"
        )


def _is_ours(folder: Path) -> bool:
    if not folder.is_dir():
        return False
    index = folder / "index.html"
    return not any(folder.iterdir()) or (index.is_file() and f'content="{MARK}"'.encode() in plain.read(index)[:1000])


def export(site: Site, folder: Path) -> int:
    """Writes all of them, or nothing; how many there are."""
    made = files(site)
    target = folder.resolve()
    with folders.beside(target) as scratch:
        folders.fill(scratch / "made", made)
        folders.make_public(scratch / "made")
        folders.put(scratch / "made", target)
    return len(made)
