"""Whole trees, built once in a test run with fixed entropy, and copied for whoever wants to change one."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from hardway.checks.files.artifacts import Artifacts
from hardway.io.lock import in_turn
from hardway.pipeline.build import builder_of
from hardway.workspace.folder import Workspace, open_workspace
from tests.support.clusters import VARIANTS, install_config
from tests.support.entropy import NOW, FixedEntropy
from tests.support.scratch import SCRATCH

MCO_BASE = Path(__file__).parent.parent / "data" / "mco"


def write_folder(folder: Path, config: dict[str, Any], *, mco: bool = True, **settings: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "install-config.yaml").write_text(yaml.safe_dump(config))
    if mco:
        settings["mco"] = str(MCO_BASE)
    (folder / "hardway.yaml").write_text(yaml.safe_dump(settings))
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
def built_now(variant: str = "default", keys: str = "rsa-2048") -> Workspace:
    """A tree whose certificates are valid at this moment, for real handshakes."""
    now = FixedEntropy(now=datetime.now(UTC).replace(microsecond=0))
    return _built_once(f"now-{variant}-{keys}", variant, now, keys=keys)


def _built_once(name: str, variant: str, entropy: FixedEntropy, keys: str = "rsa-2048") -> Workspace:
    """By the worker that is the first to ask; the others find it built."""
    folder, done = SCRATCH / "trees" / name, SCRATCH / "trees" / f"{name}.done"
    with in_turn(folder, lambda holder: None):
        if done.exists():
            return open_workspace(folder)
        workspace = build_folder(write_folder(folder, install_config(**VARIANTS[variant]), keys=keys), entropy)
        done.touch()
        return workspace


def copy_of(variant: str, to: Path) -> Artifacts:
    """A tree to change, as verification sees it."""
    workspace = built(variant)
    shutil.copytree(workspace.store.root, to / "assets", symlinks=True, copy_function=shutil.copy)
    return Artifacts(root=to / "assets", cluster=workspace.loaded.cluster, now=NOW)
