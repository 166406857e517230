"""Runs checks over a cluster folder and remembers what they said."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from hardway.checks.files.artifacts import Artifacts
from hardway.model.check import Check, Report, run
from hardway.model.entropy import SystemEntropy
from hardway.model.errors import ToolError
from hardway.pipeline.status import record_verified
from hardway.workspace.folder import Workspace


def verify_folder(workspace: Workspace, checks: Sequence[Check[Artifacts]], assets: Path | None = None) -> Report:
    """Check the workspace's own artifacts, or another folder's."""
    root = assets or workspace.store.root
    return run(checks, Artifacts(root=root, cluster=workspace.loaded.cluster, now=SystemEntropy().now()))


def is_empty(root: Path) -> bool:
    """Whether no stage has left anything there."""
    return not root.is_dir() or all(path.name.startswith(".") for path in root.iterdir())


def remember(workspace: Workspace, report: Report, checks: Sequence[Check[Artifacts]]) -> None:
    """For `status`, of each stage that was looked at; a defect that was ignored is still one. A folder that cannot be
    written has been verified all the same."""
    for number in sorted({c.stage for c in checks if c.name in report.ran}):
        names = {c.name for c in checks if c.stage == number}
        errors = [f for f in report.findings if f.check in names and f.severity == "error"]
        with suppress(ToolError):
            record_verified(workspace, number, len(errors))
