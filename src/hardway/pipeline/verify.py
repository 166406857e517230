"""Verifies stages with nothing but the cluster's folder and this machine, and remembers what was found."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from hardway.checks.all import tables
from hardway.checks.files.artifacts import Artifacts
from hardway.model.check import Check, Report, run
from hardway.model.entropy import SystemEntropy
from hardway.model.errors import ToolError
from hardway.pipeline.status import record_verified
from hardway.stages.row import Stage
from hardway.workspace.folder import Workspace

Checks = Sequence[Check[Any]]


def machine_checks(stages: Iterable[Stage]) -> Checks:
    return [check for stage in stages for check in stage.checks("host")]


def file_checks(stages: Iterable[Stage]) -> Checks:
    """In the order of their table."""
    wanted = {check.name for stage in stages for check in stage.checks("files")}
    return [check for check in tables()["files"] if check.name in wanted]


def verify(workspace: Workspace, stages: Sequence[Stage], assets: Path | None = None) -> Report:
    """The workspace's own artifacts, or another folder's; and the machine, if one of the stages asks for it."""
    reports = [_machine(workspace)] if machine_checks(stages) else []
    checks = file_checks(stages)
    report = Report.merge([*reports, verify_files(workspace, checks, assets)])
    if assets is None:
        _remember(workspace, report, checks)
    return report


def _machine(workspace: Workspace) -> Report:
    from hardway.checks.host.examine import prerequisites
    from hardway.libvirt.choices import choose

    loaded = workspace.loaded
    choices = choose(loaded.settings.infra)
    return prerequisites(loaded.cluster, workspace.store.root, choices=choices, hosts=loaded.hosts)


def verify_files(workspace: Workspace, checks: Checks, assets: Path | None = None) -> Report:
    root = assets or workspace.store.root
    return run(checks, Artifacts(root=root, cluster=workspace.loaded.cluster, now=SystemEntropy().now()))


def is_empty(root: Path) -> bool:
    """Whether no stage has left anything there."""
    return not root.is_dir() or all(path.name.startswith(".") for path in root.iterdir())


def _remember(workspace: Workspace, report: Report, checks: Checks) -> None:
    """For `status`, of each stage that was looked at. A folder that cannot be written has been verified all the
    same."""
    for number in sorted({c.stage for c in checks if c.name in report.ran}):
        names = {c.name for c in checks if c.stage == number}
        errors = [f for f in report.findings if f.check in names and f.severity == "error"]
        with suppress(ToolError):
            record_verified(workspace, number, len(errors))
