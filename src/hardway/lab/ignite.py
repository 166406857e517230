"""Ignition, the real one, on a node's root: it does before the first boot what it does in RHCOS' initial RAM disk."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from hardway.model.errors import ToolError
from hardway.tools.run import attempt, explain

STAGES = ("fetch", "files")
DONE = "laid-out"


def done(scratch: Path) -> bool:
    return (scratch / DONE).exists()


def lay_out(program: Path, config: Path, root: Path, scratch: Path) -> None:
    """Files, units and users of the config, into the root; once, as on a machine."""
    if done(scratch):
        return
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True, mode=0o700)
    for stage in STAGES:
        _run(program, stage, config, root, scratch)
    (scratch / "cache.json").unlink()  # the whole config, secrets included
    (scratch / DONE).touch()


def _run(program: Path, stage: str, config: Path, root: Path, scratch: Path) -> None:
    command = [
        str(program),
        "--platform=file",
        f"--stage={stage}",
        f"--root={root}",
        f"--config-cache={scratch / 'cache.json'}",
        f"--state-file={scratch / 'state'}",
        f"--neednet={scratch / 'neednet'}",
        "--log-to-stdout",
    ]
    done = attempt(command, environment={**os.environ, "IGNITION_CONFIG_FILE": str(config)})
    if not done.ok:
        raise ToolError(
            f"{explain(done)}\n"
            f"    fix: read Ignition's messages about {config}; `hardway verify 08` checks the same file"
        )
