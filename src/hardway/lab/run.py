"""One stage alone: what must be there before, its work, and what can be seen of it afterwards."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from pathlib import Path

from hardway.drive.decide import decide
from hardway.drive.observe import observe
from hardway.lab import cgroups, ignite, owner, services
from hardway.lab.paths import LabPaths
from hardway.lab.prepared import Prepared, Progress, opened, paths_of, prepare
from hardway.lab.up import LAID_OUT, Watch, forward, live_cluster, verify
from hardway.model.check import Report
from hardway.model.errors import ConfigError
from hardway.pipeline.build import Watchers
from hardway.pipeline.verify import verify_files
from hardway.places.verified import Verified, found, reached, seen
from hardway.stages.row import Stage, Work
from hardway.workspace.folder import open_workspace, planned

IN_ONE_GO = ("infrastructure", "build")  # made in one go: each of these stages needs the others' results


def demand_lab(paths: LabPaths, stage: Stage) -> None:
    """A stage alone makes no lab: it would start servers and change hardway.yaml where nobody expects it."""
    if stage.work != "examine" and owner.owner(paths) is None:
        before = max(int(stage.number), LAID_OUT) - 1
        raise ConfigError(
            f"lab {paths.name}: no lab is up here, so stage {stage.number} cannot run.\n"
            f"    fix: `hardway lab up --until {before:02}` first; with --dry-run it says what it makes and changes"
        )


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
        before = decide(observe(live_cluster(prepared)), prepared.cluster, number - 1)
        if row := before.waiting:
            raise _early(f"stage {number} comes after {row.name}, which waits for {before.missing}", int(row.stage))


def _early(what: str, stage: int) -> ConfigError:
    return ConfigError(f"{what}.\n    fix: `hardway lab run {stage:02}` first")


def verified(folder: Path, stage: Stage, watch: Watch, machine: Report, ignore: Collection[str] = ()) -> list[Verified]:
    """Looked at anew, and not taken from what the stage has said; of the machine, what was just found."""
    looking: dict[Work, Callable[[], Iterator[Verified]]] = {
        "examine": lambda: found(machine, stage.checks("lab")),
        "infrastructure": lambda: _standing(folder),
        "build": lambda: _checked(folder, stage, ignore),
        "install": lambda: _laid_out(folder),
        "drive": lambda: reached(live_cluster(opened(folder)), stage),
        "final": lambda: found(verify(opened(folder), watch, ignore), stage.checks("live")),
    }
    return list(looking[stage.work]())


def _standing(folder: Path) -> Iterator[Verified]:
    paths = paths_of(planned(folder), folder)
    yield seen("network", f"the interface {paths.link}", ok=owner.marked(paths) == paths.mark)
    for name in (services.NAMES, services.LOAD, services.IMAGES):
        yield seen(name, "runs, and answers over the bridge", ok=cgroups.runs(paths, name))


def _checked(folder: Path, stage: Stage, ignore: Collection[str]) -> Iterator[Verified]:
    checks = stage.checks("files")
    return found(verify_files(open_workspace(folder), checks).ignoring(ignore), checks)


def _laid_out(folder: Path) -> Iterator[Verified]:
    prepared = opened(folder)
    for row in prepared.cluster.nodes:
        done = ignite.done(prepared.paths.node(row.name) / "ignition")
        yield seen(row.name, f"its root has everything that {row.name}.ign contains", ok=done)
