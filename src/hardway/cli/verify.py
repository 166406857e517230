"""hardway verify: read the artifacts back and check them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from hardway.cli.options import chosen, counted, ignore_option, output_option, print_json, stages_argument
from hardway.cli.report import print_checks, print_report
from hardway.cli.terminal.text import tell
from hardway.cli.terminal.work import busy
from hardway.model.errors import CheckError, ConfigError

if TYPE_CHECKING:
    from hardway.stages.row import Stage


@click.command()
@stages_argument
@click.option(
    "--assets", type=click.Path(path_type=Path, file_okay=False), help="Another folder of artifacts to check."
)
@click.option("--list", "list_checks", is_flag=True, help="List the checks instead of running them.")
@ignore_option
@output_option
@click.pass_obj
def verify(
    folder: Path,
    stages: tuple[str, ...],
    assets: Path | None,
    list_checks: bool,
    ignore: frozenset[str],
    output: str,
) -> None:
    """Read the artifacts of the given stages (or all) back from disk and check them.

    Checks read files and do not use the build's records, so they also work on artifacts that another program made.
    Stage 01 checks this machine instead. All defects are shown at once, each with its place, its failure id and its
    fix. A check whose files do not exist is skipped with a reason. Without stages, those that were never built are
    skipped. Exit code 4 if there is an error.
    """
    from hardway.pipeline.partial import IGNITION, partial
    from hardway.pipeline.verify import file_checks, is_empty, machine_checks, unbuilt
    from hardway.pipeline.verify import verify as verify_stages

    named = chosen(stages)
    without = [s for s in named if not (machine_checks([s]) or file_checks([s]))]
    if without:
        raise ConfigError("\n".join(map(_nothing, without)))
    checks = (*machine_checks(named), *file_checks(named))
    if list_checks:
        print_checks(checks, output)
        return
    if assets is not None and not assets.is_dir():
        raise ConfigError(f"{assets}: there is no such folder.\n    fix: name a folder with artifacts")
    from hardway.workspace.folder import open_workspace
    from hardway.workspace.names import RELEASE

    workspace = open_workspace(folder)
    root = assets or workspace.store.root
    if all(s.brings for s in named) and not (root / RELEASE).is_dir():
        message = f"there is nothing to verify yet.\n    fix: read the release first, with `{named[0].run}`"
        raise ConfigError(f"{named[0].label}: {message}")
    if file_checks(named) and is_empty(root):
        fix = "name a folder with artifacts" if assets else "run `hardway build`"
        raise CheckError(f"{root}: nothing is built yet.\n    fix: {fix}")
    with busy("checking what was built"):
        left = unbuilt(workspace, named) if assets is None and not stages else []
        report = verify_stages(workspace, named, assets, without=left).ignoring(ignore)
    lacks = partial(workspace.loaded.cluster, root) if IGNITION in named else None
    if output == "json":
        print_json(report.as_dict() | {"partial": [lacks.as_dict()] if lacks else []})
    else:
        print_report(report)
        if lacks:
            tell(f"stage {lacks.stage} is partial: {lacks.reason}")
    if not report.ok:
        raise CheckError(f"verification failed: {counted(len(report.errors), 'error')}")


def _nothing(stage: Stage) -> str:
    fix = f"{stage.fix}; both verify it" if stage.runs else f"run `{stage.status or stage.machines}`"
    return f"stage {stage.label} has no files to verify.\n    fix: {fix}"
