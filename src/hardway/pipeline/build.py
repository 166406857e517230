"""A whole build: the release first if it is wanted, then what the graph makes, with MCO's render in its place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from hardway.graph.build import Builder, Outcome
from hardway.model.entropy import Entropy
from hardway.model.settings.file import Options, read_settings
from hardway.pipeline import select
from hardway.release.catalogue import versions
from hardway.stages.row import Stage
from hardway.stages.table import find
from hardway.workspace.code import code_digest
from hardway.workspace.folder import Workspace, open_workspace, read_text
from hardway.workspace.names import ASSETS, RELEASE, SETTINGS

if TYPE_CHECKING:
    from hardway.pipeline.release import ReleaseOutcome

EMBEDS = find("ignition").number  # the stage whose files embed MCO's render


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What the user asks for."""

    folder: Path
    options: Options
    stages: Sequence[Stage]
    named: bool  # whether the stages were named, or are all that there are
    rotate: tuple[str, ...] = ()
    mco: Path | None = None
    replace: tuple[str, ...] = ()  # manifests of ours that the user's documents stand in for

    def open(self) -> Workspace:
        return open_workspace(self.folder, options=self.options, mco=self.mco, replace=self.replace)

    @property
    def wants_release(self) -> bool:
        """It comes from a registry, so it is read when its stage is named, was done before, or cannot be avoided."""
        asked = any(stage.brings for stage in self.stages)
        return asked and (self.named or (self.folder / ASSETS / RELEASE).is_dir() or self._names_a_release())

    def _names_a_release(self) -> bool:
        settings, _ = read_settings(read_text(self.folder / SETTINGS), SETTINGS, self.options)
        return settings.release not in versions()


@dataclass(frozen=True, slots=True, kw_only=True)
class Watchers:
    """Who is told about progress."""

    made: Callable[[str, int, int], None]  # keys and files, as the graph counts them
    fetched: Callable[[str, int, int], None]  # bytes
    say: Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    workspace: Workspace
    outcome: Outcome
    release: ReleaseOutcome | None = None


def run(request: Request, entropy: Entropy, watchers: Watchers) -> Result:
    if not request.wants_release:
        workspace = request.open()
        return Result(workspace=workspace, outcome=_build(workspace, request, entropy, watchers))
    return _with_release(request, entropy, watchers)


def _with_release(request: Request, entropy: Entropy, watchers: Watchers) -> Result:
    from hardway.pipeline.release import bring_release, needed, render

    reading = bring_release(
        request.folder, request.options, watchers.fetched, named=request.named, replace=request.replace
    )
    workspace = request.open()
    first = _build(workspace, request, entropy, watchers, before_render=needed(workspace))
    release = render(workspace, reading=reading, say=watchers.say)
    workspace = request.open()  # with the render, the nodes' files can be made
    second = builder_of(workspace, entropy).build(_named(workspace, request), progress=watchers.made)
    return Result(workspace=workspace, outcome=_both(first, second), release=release)


def _build(
    workspace: Workspace,
    request: Request,
    entropy: Entropy,
    watchers: Watchers,
    before_render: Sequence[str] = (),
) -> Outcome:
    builder = builder_of(workspace, entropy)
    rotated = select.rotation(workspace, builder, request.rotate, entropy.now())
    wanted = select.wanted(workspace, list(request.stages), rotated)
    if before_render:
        wanted = [*(a for a in wanted if workspace.graph[a].stage != EMBEDS), *before_render]
    return builder.build(wanted, rotate=rotated, progress=watchers.made)


def plan(request: Request, entropy: Entropy) -> tuple[Workspace, dict[str, str]]:
    """What a build would make and why."""
    workspace = request.open()
    builder = builder_of(workspace, entropy)
    rotated = select.rotation(workspace, builder, request.rotate, entropy.now())
    wanted = select.wanted(workspace, list(request.stages), rotated)
    return workspace, builder.plan(wanted, rotate=rotated)


def builder_of(workspace: Workspace, entropy: Entropy) -> Builder:
    return Builder(
        graph=workspace.graph,
        cluster=workspace.loaded.cluster,
        store=workspace.store,
        entropy=entropy,
        code=code_digest(),
        spared=select.spared(workspace),
        expired=select.ended(workspace, entropy.now()),
    )


def _named(workspace: Workspace, request: Request) -> list[str]:
    return select.wanted(workspace, list(request.stages))


def _both(first: Outcome, second: Outcome) -> Outcome:
    return Outcome(
        made={**second.made, **first.made},
        kept=[a for a in dict.fromkeys((*first.kept, *second.kept)) if a not in first.made and a not in second.made],
        removed=first.removed + second.removed,
        saved=first.saved | second.saved,
        fault=first.fault,
        seconds={s: first.seconds.get(s, 0) + second.seconds.get(s, 0) for s in {*first.seconds, *second.seconds}},
    )
