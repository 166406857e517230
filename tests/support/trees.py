"""Whole trees, built once in a test run with fixed entropy, and copied for whoever wants to change one."""

from __future__ import annotations

import json
import shutil
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from hardway.checks.files.artifacts import Artifacts
from hardway.io.lock import in_turn
from hardway.pipeline.build import builder_of
from hardway.workspace.folder import Workspace, open_workspace
from hardway.workspace.names import ASSETS, RELEASE
from hardway.workspace.release import RECORD, record_of
from tests.support.clusters import VARIANTS, install_config, load_cluster, made_by
from tests.support.edited import dumped
from tests.support.entropy import NOW, FixedEntropy
from tests.support.lent import lent
from tests.support.scratch import SCRATCH

MCO_BASE = Path(__file__).parent.parent / "data" / "mco"


def write_folder(
    folder: Path, config: dict[str, Any], *, mco: bool = True, operators: tuple[str, ...] | None = None, **settings: Any
) -> Path:
    """`operators`: as if stage 04 had read a release that deploys these and no other."""
    folder.mkdir(parents=True, exist_ok=True)
    if operators is not None:
        release = made_by(load_cluster(config).cluster, *operators).release
        (folder / ASSETS / RELEASE).mkdir(parents=True)
        (folder / ASSETS / RELEASE / RECORD).write_text(json.dumps(record_of(release.version, release)))
    (folder / "install-config.yaml").write_text(dumped(config))
    if mco:
        settings["mco"] = str(MCO_BASE)
    (folder / "hardway.yaml").write_text(dumped(settings))
    return folder


def build_folder(folder: Path, entropy: FixedEntropy | None = None) -> Workspace:
    """Build everything in a folder, with fixed entropy."""
    workspace = open_workspace(folder)
    builder_of(workspace, entropy or FixedEntropy()).build(workspace.graph)
    return workspace


@cache
def built(variant: str = "default") -> Workspace:
    """A tree to read; never change it."""
    return _built_once(variant, variant, FixedEntropy())


@cache
def built_now(variant: str = "default", keys: str = "rsa-2048", operators: tuple[str, ...] | None = None) -> Workspace:
    """A tree whose certificates are valid at this moment, for real handshakes."""
    now = FixedEntropy(now=datetime.now(UTC).replace(microsecond=0))
    name = "-".join(("now", variant, keys, *(("of", *operators) if operators is not None else ())))
    return _built_once(name, variant, now, keys, operators)


def _built_once(
    name: str,
    variant: str,
    entropy: FixedEntropy,
    keys: str = "rsa-2048",
    operators: tuple[str, ...] | None = None,
) -> Workspace:
    """By the worker that is the first to ask; the others find it built."""
    folder, done = SCRATCH / "trees" / name, SCRATCH / "trees" / f"{name}.done"
    with in_turn(folder, lambda holder: None):
        if done.exists():
            return open_workspace(folder)
        config = install_config(**VARIANTS[variant])
        workspace = build_folder(write_folder(folder, config, operators=operators, keys=keys), entropy)
        done.touch()
        return workspace


def spare(variant: str = "default") -> Artifacts:
    """A tree to change until the same one is asked for again, as verification sees it."""
    workspace = built(variant)
    return Artifacts(root=lent(workspace.store.root), cluster=workspace.loaded.cluster, now=NOW)


def copy_of(variant: str, to: Path) -> Artifacts:
    """A tree to change that is the caller's own."""
    workspace = built(variant)
    shutil.copytree(workspace.store.root, to / "assets", symlinks=True, copy_function=shutil.copy)
    return Artifacts(root=to / "assets", cluster=workspace.loaded.cluster, now=NOW)
