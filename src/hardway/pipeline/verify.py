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


def verify(
    workspace: Workspace, stages: Sequence[Stage], assets: Path | None = None, without: Sequence[Stage] = ()
) -> Report:
    """The workspace's own artifacts, or another folder's; and the machine, if one of the stages asks for it. The
    checks of stages that are not built can be left out, with that reason."""
    reports = [_machine(workspace)] if machine_checks(stages) else []
    checks = file_checks(stage for stage in stages if stage not in without)
    reasons = {check.name: _not_built(stage) for stage in without for check in file_checks([stage])}
    left = Report(ran=(), findings=(), skipped=reasons)
    report = Report.merge([*reports, verify_files(workspace, checks, assets), left])
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


def unbuilt(workspace: Workspace, stages: Iterable[Stage]) -> list[Stage]:
    """The stages that no build has made, and of which there is no file. One whose files are gone is not among them."""
    return [s for s in stages if s.work == "build" and not s.brings and not _begun(workspace, s)]


def _begun(workspace: Workspace, stage: Stage) -> bool:
    store, graph = workspace.store, workspace.graph
    return any(store.entry(a) or store.read(graph[a].path) is not None for a in workspace.of_stage(stage.number))


def _not_built(stage: Stage) -> str:
    return f"stage {stage.number} is not built; `{stage.run}` builds it"


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
