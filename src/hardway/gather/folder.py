"""A cluster's folder: what the user wrote, the plan, and what was built. Of secret files, that they are there."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from stat import S_IMODE

from hardway.gather.archive import Archive
from hardway.io import links, plain
from hardway.pipeline.status import StageStatus, status
from hardway.workspace.folder import Workspace
from hardway.workspace.names import HOSTS, INSTALL_CONFIG, SETTINGS

PLANS = ("plan/cluster.yaml", "plan/map.md")
PULL_SECRET = re.compile(r"^([ \t]*pullSecret:).*?(?=^\S|\Z)", re.MULTILINE | re.DOTALL)


def folder(archive: Archive, workspace: Workspace, stages: Callable[[Workspace], list[StageStatus]] = status) -> None:
    root = workspace.store.root
    for name in (INSTALL_CONFIG, HOSTS, SETTINGS):
        if (workspace.folder / name).exists():
            archive.attempt(f"folder/{name}", "written by the user", partial(_given, workspace.folder / name))
    for name in PLANS:
        if (root / name).exists():
            archive.attempt(f"folder/{name}", "the plan", partial(links.read, root / name, root))
    archive.attempt("folder/files.json", "what is built, by address", partial(_files, workspace))
    archive.attempt("folder/status.json", "stages: built, verified, stale, and why", partial(_json, stages, workspace))


def _json(stages: Callable[[Workspace], list[StageStatus]], workspace: Workspace) -> str:
    return json.dumps([row.as_dict() for row in stages(workspace)], indent=1)


def _given(path: Path) -> str:
    return PULL_SECRET.sub(r"\1 (hidden)\n", plain.text(path))


def _files(workspace: Workspace) -> str:
    rows = []
    for address, asset in workspace.graph.items():
        path = workspace.store.root / asset.path
        if path.is_file():
            state = path.lstat()
            mode = f"{S_IMODE(state.st_mode):04o}"
            rows.append({"address": address, "path": asset.path, "bytes": state.st_size, "mode": mode})
    return json.dumps(rows, indent=0)
