"""hardway build: make what is missing or stale."""

from __future__ import annotations

from pathlib import Path

import click

from hardway.cli.naming import naming_release
from hardway.cli.options import (
    chosen,
    complete_from,
    complete_words,
    counted,
    output_option,
    print_json,
    print_warnings,
    stages_argument,
)
from hardway.cli.terminal.text import show, tell
from hardway.cli.terminal.work import watchers, working


def complete_rotation(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    from hardway.pipeline.select import rotatable

    return complete_from(ctx, incomplete, rotatable)


def complete_manifest(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    return complete_from(ctx, incomplete, lambda workspace: [a for a in workspace.graph if a.startswith("manifest/")])


@naming_release
@click.command()
@stages_argument
@click.option(
    "--rotate",
    multiple=True,
    metavar="ADDRESS",
    shell_complete=complete_rotation,
    help="Replace this key (cert/NAME, key/NAME), all keys that are `missing`, or all certificates that are `expired`.",
)
@click.option(
    "--keys",
    "key_kind",
    metavar="KIND",
    shell_complete=complete_words("rsa-2048", "rsa-4096", "ecdsa-p256"),
    help="rsa-2048, rsa-4096 or ecdsa-p256, for keys that are not there yet.",
)
@click.option("--short-lived", metavar="TIME", help="Lifetime of what openshift-install gives 24 hours, as 168h or 7d.")
@click.option(
    "--comments",
    metavar="HOW",
    shell_complete=complete_words("none", "short", "full"),
    help="Reasons in the emitted YAML: none, short or full.",
)
@click.option("--mco", type=click.Path(path_type=Path, file_okay=False), help="Folder with MCO's rendered configs.")
@click.option(
    "--replace",
    multiple=True,
    metavar="ADDRESS",
    shell_complete=complete_manifest,
    help="Let a document in your folder manifests/ stand in for this one of hardway's (manifest/NAME).",
)
@click.option(
    "--allow-unsigned", is_flag=True, help="Take a release (stage 04) that has no known digest and no signature."
)
@click.option("--dry-run", is_flag=True, help="Say what would be built and why; build nothing.")
@output_option
@click.pass_obj
def build(
    folder: Path,
    stages: tuple[str, ...],
    rotate: tuple[str, ...],
    key_kind: str | None,
    short_lived: str | None,
    comments: str | None,
    mco: Path | None,
    replace: tuple[str, ...],
    allow_unsigned: bool,
    dry_run: bool,
    output: str,
) -> None:
    """Build stages (default: all) into ./assets.

    Files that are up to date are kept. For each file that is rebuilt, the reason is printed. Keys are never replaced,
    except by --rotate, which replaces a key and everything derived from it, in every stage.

    Stage 04 uses a registry and podman, so it runs only if it is named, here or by a release in hardway.yaml.
    Without it the image names come from the embedded catalogue of {release}, and masters and workers have no
    Ignition yet.

    \b
    Examples:
      hardway build                                everything
      hardway build 05                             the PKI only
      hardway build 04                             read the release, and let MCO render the nodes
      hardway build --rotate cert/kubelet-signer   a new signer, and everything derived from it
      hardway build --rotate expired               new certificates with the same keys, for all that have expired

    Your folder manifests/ may have a document in place of one of hardway's:

    \b
      hardway build --replace manifest/cluster-scheduler-02-config.yml
    """
    from hardway.model.entropy import SystemEntropy
    from hardway.model.settings.file import Options
    from hardway.pipeline.build import Request, plan, run
    from hardway.pipeline.select import Summary

    request = Request(
        folder=folder,
        options=Options(keys=key_kind, short_lived=short_lived, comments=comments, allow_unsigned=allow_unsigned),
        stages=chosen(stages),
        named=bool(stages),
        rotate=rotate,
        mco=mco,
        replace=replace,
    )
    entropy = SystemEntropy()
    if dry_run:
        workspace, due = plan(request, entropy)
        print_warnings(workspace.loaded.warnings)
        _print_plan(due, output, reads=request.wants_release)
        return
    with working() as work:
        result = run(request, entropy, watchers(work))
    print_warnings(result.workspace.loaded.warnings)
    given = {"--keys": key_kind, "--short-lived": short_lived, "--comments": comments, "--mco": mco}
    once = (*(f"{name} {value}" for name, value in given.items() if value), *(f"--replace {word}" for word in replace))
    summary = Summary(
        workspace=result.workspace,
        outcome=result.outcome,
        now=entropy.now(),
        once=once,
        stages=request.stages if stages and not rotate else (),  # a rotation reaches every stage
    )
    if output == "json":
        print_json(summary.as_dict() | ({"release": result.release.as_dict()} if result.release else {}))
    else:
        tell(summary.as_text(*(() if result.release is None else (result.release.as_text(),))))


def _print_plan(plan: dict[str, str], output: str, *, reads: bool) -> None:
    if output == "json":
        print_json(plan)
        return
    if reads:
        show("would read the release if it is missing, and let MCO render if its inputs have changed")
    for address, reason in plan.items():
        show(f"would make {address}: {reason}")
    show(f"{counted(len(plan), 'file')} would be made; nothing was changed")
