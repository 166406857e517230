"""One stage alone: what must be there before, its work, and what can be seen of it afterwards."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from hardway.drive.decide import decide
from hardway.drive.observe import observe
from hardway.lab import cgroups, ignite, owner, services
from hardway.lab.prepared import Prepared, Progress, opened, paths_of, planned, prepare
from hardway.lab.up import LAID_OUT, Watch, forward, live_cluster, verify
from hardway.model.check import Check, Report
from hardway.model.errors import ConfigError
from hardway.pipeline.build import Watchers
from hardway.pipeline.verify import verify_files
from hardway.stages.row import Stage, Work
from hardway.workspace.folder import open_workspace

IN_ONE_GO = ("infrastructure", "build")  # made in one go: each of these stages needs the others' results


@dataclass(frozen=True, slots=True, kw_only=True)
class Verified:
    """Something that was looked at after the stage."""

    name: str
    text: str
    state: Literal["ok", "WRONG", "skipped", "ignored"]

    @property
    def ok(self) -> bool:
        return self.state != "WRONG"


def _seen(name: str, text: str, *, ok: bool) -> Verified:
    return Verified(name=name, text=text, state="ok" if ok else "WRONG")


def run(folder: Path, stage: Stage, progress: Progress, watchers: Watchers | None, watch: Watch) -> None:
    """The stage's work; what is done already stays as it is. The first has none: it is asked before every stage."""
    if stage.work in IN_ONE_GO:
        prepare(folder, progress=progress, watchers=watchers)
    elif stage.work != "examine":
        prepared = _prepared(folder)
        _in_order(prepared, int(stage.number))
        if stage.work != "final":
            forward(prepared, int(stage.number), watch)


def _prepared(folder: Path) -> Prepared:
    paths = paths_of(planned(folder), folder)
    if owner.marked(paths) != paths.mark or not (folder / "assets" / "bootstrap.ign").exists():
        raise _early(
            f"lab {paths.name} is not prepared: network, names, registry and the nodes' files are missing", LAID_OUT - 1
        )
    return opened(folder)


def _in_order(prepared: Prepared, number: int) -> None:
    """A stage builds on those before it."""
    if number == LAID_OUT:
        return
    if prepared.cluster.bootstrap.name not in prepared.paths.laid_out():
        raise _early(f"lab {prepared.paths.name} has no nodes yet", LAID_OUT)
    if number > LAID_OUT + 1:
        found = decide(observe(live_cluster(prepared)), prepared.cluster, number - 1)
        if row := found.waiting:
            raise _early(f"stage {number} comes after {row.name}, which waits for {found.missing}", int(row.stage))


def _early(what: str, stage: int) -> ConfigError:
    return ConfigError(f"{what}.\n    fix: `hardway lab run {stage:02}` first")


def verified(folder: Path, stage: Stage, watch: Watch, machine: Report, ignore: Collection[str] = ()) -> list[Verified]:
    """Looked at anew, and not taken from what the stage has said; of the machine, what was just found."""
    looking: dict[Work, Callable[[], Iterator[Verified]]] = {
        "examine": lambda: _found(machine, stage.checks("lab")),
        "infrastructure": lambda: _standing(folder),
        "build": lambda: _checked(folder, stage, ignore),
        "install": lambda: _laid_out(folder),
        "drive": lambda: _reached(folder, stage),
        "final": lambda: _found(verify(opened(folder), watch, ignore), stage.checks("live")),
    }
    return list(looking[stage.work]())


def _standing(folder: Path) -> Iterator[Verified]:
    paths = paths_of(planned(folder), folder)
    yield _seen("network", f"the interface {paths.link}", ok=owner.marked(paths) == paths.mark)
    for name in (services.NAMES, services.LOAD, services.IMAGES):
        yield _seen(name, "runs, and answers over the bridge", ok=cgroups.runs(paths, name))


def _checked(folder: Path, stage: Stage, ignore: Collection[str]) -> Iterator[Verified]:
    checks = stage.checks("files")
    return _found(verify_files(open_workspace(folder), checks).ignoring(ignore), checks)


def _found(report: Report, checks: Sequence[Check[Any]]) -> Iterator[Verified]:
    for check in checks:
        wrong, ignored = (
            "; ".join(f"{f.subject}: {f.message}" for f in findings if f.check == check.name)
            for findings in (report.errors, report.ignored)
        )
        if reason := report.skipped.get(check.name):
            yield Verified(name=check.name, text=reason, state="skipped")
        elif ignored:
            yield Verified(name=check.name, text=ignored, state="ignored")
        else:
            yield _seen(check.name, wrong or check.why.what, ok=not wrong)


def _laid_out(folder: Path) -> Iterator[Verified]:
    prepared = opened(folder)
    for row in prepared.cluster.nodes:
        done = ignite.done(prepared.paths.node(row.name) / "ignition")
        yield _seen(row.name, f"its root has everything that {row.name}.ign contains", ok=done)


def _reached(folder: Path, stage: Stage) -> Iterator[Verified]:
    prepared = opened(folder)
    seen = observe(live_cluster(prepared))
    for row in stage.reaches:
        missing = row.missing(seen, prepared.cluster)
        yield _seen(row.name, missing or f"{row.why.what} Seen in: {row.observed}.", ok=not missing)
