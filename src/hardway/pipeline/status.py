"""Which stages are built, verified, stale, and why."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from hardway.graph.asset import digest
from hardway.graph.build import Builder
from hardway.graph.store import RECORD, Store
from hardway.model.entropy import SystemEntropy
from hardway.pipeline.build import builder_of
from hardway.pipeline.partial import IGNITION, partial
from hardway.stages.row import Stage
from hardway.stages.table import BY_NUMBER, TABLE
from hardway.workspace.folder import Workspace
from hardway.workspace.names import VERIFIED

Here = Literal["not built", "partial", "stale", "built", "verified", "faulty"]
Elsewhere = Literal["not recorded", "not run", "reached", "in the lab"]
State = Here | Elsewhere


@dataclass(frozen=True, slots=True, kw_only=True)
class StageStatus:
    stage: Stage
    state: State
    files: int
    reasons: tuple[str, ...]
    missing: tuple[str, ...] = ()  # addresses that belong to the stage and could not be made
    own: int = 0  # how many of its files are the user's own documents

    def as_dict(self) -> dict[str, Any]:
        return {
            "stage": self.stage.number,
            "name": self.stage.name,
            "title": self.stage.title,
            "state": self.state,
            "files": self.files,
            "reasons": list(self.reasons),
            "missing": list(self.missing),
            "own": self.own,
        }


def status(workspace: Workspace, *, lab: bool = False, past: frozenset[str] | None = None) -> list[StageStatus]:
    """`lab` says whether this machine has a lab of the cluster; `past` are the milestones that it has reached
    elsewhere, None if it runs nowhere yet."""
    builder = builder_of(workspace, SystemEntropy())
    verified = _read(workspace.store)
    return [
        _of(stage, workspace, builder, verified) if stage.work == "build" else _elsewhere(stage, lab=lab, past=past)
        for stage in TABLE
    ]


def record_line(workspace: Workspace) -> str:
    """What is wrong with the record of the build, and what the next build does about it; empty if nothing is."""
    fault = builder_of(workspace, SystemEntropy()).fault()
    what = "makes the files again with the same keys, and saves in edited/ those that differ"
    return f"record    {RECORD} {fault}. `hardway build` {what}" if fault else ""


def _elsewhere(stage: Stage, *, lab: bool, past: frozenset[str] | None) -> StageStatus:
    """A stage that leaves no files here."""
    if lab and stage.work != "examine":
        return StageStatus(stage=stage, state="in the lab", files=0, reasons=("hardway lab status",))
    if past is not None and stage.runs:
        done = bool(stage.reaches) and all(row.name in past for row in stage.reaches)
        return StageStatus(
            stage=stage, state="reached" if done else "not run", files=0, reasons=() if done else (stage.machines,)
        )
    state: State = "not run" if stage.runs else "not recorded"
    return StageStatus(stage=stage, state=state, files=0, reasons=(stage.status or stage.run,))


def _of(stage: Stage, workspace: Workspace, builder: Builder, verified: dict[str, Any]) -> StageStatus:
    addresses = workspace.of_stage(stage.number)
    if stage.brings:
        return _release(stage, workspace, verified)
    reasons = {a: builder.reason(workspace.graph[a]) for a in addresses}
    due = {a: reason for a, reason in reasons.items() if reason}
    there = [a for a in addresses if workspace.store.read(workspace.graph[a].path) is not None]
    built, own = len(there), sum(document.address in there for document in workspace.loaded.cluster.own)
    if due:
        state: State = "not built" if built == 0 else "stale"
        return StageStatus(stage=stage, state=state, files=built, reasons=_summary(due) if built else (), own=own)
    seen = _seen(stage, workspace, verified)
    lacks = partial(workspace.loaded.cluster, workspace.store.root) if stage == IGNITION else None
    if lacks is None:
        return StageStatus(stage=stage, state=seen, files=built, reasons=(), own=own)
    return StageStatus(
        stage=stage,
        state="faulty" if seen == "faulty" else "partial",
        files=built,
        reasons=(lacks.reason,),
        missing=tuple(f"ignition/{node}" for node in lacks.missing),
    )


def _release(stage: Stage, workspace: Workspace, verified: dict[str, Any]) -> StageStatus:
    """It comes from outside, so there is no graph to ask: what counts is what the folder has."""
    files = len(brought(stage, workspace.store.root))
    release = workspace.loaded.cluster.release
    if release.origin == "catalogue":
        reasons = (f"the embedded catalogue of {release.version} is used until `{stage.run}` reads the release",)
        return StageStatus(stage=stage, state="not built", files=files, reasons=reasons)
    if workspace.base is None:
        reasons = (f"the release is read; MCO's render is missing: `{stage.run}`",)
        return StageStatus(stage=stage, state="partial", files=files, reasons=reasons)
    return StageStatus(stage=stage, state=_seen(stage, workspace, verified), files=files, reasons=())


def brought(stage: Stage, root: Path) -> list[Path]:
    return sorted(p for name in stage.brings for p in (root / name).rglob("*") if p.is_file())


def _seen(stage: Stage, workspace: Workspace, verified: dict[str, Any]) -> State:
    seen = verified.get(stage.number, {})
    if seen.get("digest") != stage_digest(workspace, stage):
        return "built"
    return "faulty" if seen["errors"] else "verified"


def _summary(due: dict[str, str]) -> tuple[str, ...]:
    """One line per cause, the first thing it hit and how many more."""
    causes: dict[str, list[str]] = {}
    for address, reason in due.items():
        causes.setdefault(reason, []).append(address)
    return tuple(
        f"{reason}: {hit[0]}" + (f" and {len(hit) - 1} more" if len(hit) > 1 else "") for reason, hit in causes.items()
    )


def stage_digest(workspace: Workspace, stage: Stage) -> str:
    """A stage's files as they are on disk: verification is void when one of them changes."""
    if stage.brings:
        paths = [str(path.relative_to(workspace.store.root)) for path in brought(stage, workspace.store.root)]
    else:
        paths = [workspace.graph[address].path for address in workspace.of_stage(stage.number)]
    contents = (workspace.store.read(path) or b"" for path in paths)
    return digest("".join(digest(content) for content in contents).encode())


def record_verified(workspace: Workspace, number: str, errors: int) -> None:
    known = _read(workspace.store)
    known[number] = {"digest": stage_digest(workspace, BY_NUMBER[number]), "errors": errors}
    workspace.store.write(VERIFIED, json.dumps(known, indent=1, sort_keys=True).encode(), 0o600)


def _read(store: Store) -> dict[str, Any]:
    try:
        known = json.loads(store.read(VERIFIED) or b"{}")
    except (ValueError, RecursionError):
        return {}
    return known if isinstance(known, dict) else {}
