"""hardway render: what the release's operators render for the bootstrap node."""

from __future__ import annotations

from pathlib import Path

import click

from hardway.cli.naming import naming_release
from hardway.cli.options import counted, output_option, print_json
from hardway.cli.terminal.text import show, tell
from hardway.cli.terminal.work import working
from hardway.model.errors import ConfigError


def _complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    from hardway.bootkube.operators.table import BY_NAME

    return [name for name in BY_NAME if name.startswith(incomplete)]


@naming_release
@click.command()
@click.argument("words", nargs=-1, metavar="[OPERATOR]... [DIR]", shell_complete=_complete)
@click.option("--all", "everyone", is_flag=True, help="Every operator that bootkube calls.")
@click.option("--files", "every_file", is_flag=True, help="Every file that was rendered, and what it is for.")
@click.option(
    "--allow-unsigned", is_flag=True, help="Run the programs of a release that has no known digest and no signature."
)
@click.option("--dry-run", is_flag=True, help="Print the calls, each flag with its reason, and run nothing.")
@output_option
@click.pass_obj
def render(
    folder: Path,
    words: tuple[str, ...],
    everyone: bool,
    every_file: bool,
    allow_unsigned: bool,
    dry_run: bool,
    output: str,
) -> None:
    """Run the renders of the release's own operators, as bootkube does on the bootstrap node.

    Each operator gets the same call as in bootkube.sh of {minor}, in a container of the release's image, with
    /opt/openshift made from our own tables. The output is kept below assets/rendered/OPERATOR. It is rendered again
    only when an input has changed. If the release has no image for an operator, the reason and the call are printed.

    The etcd operator reads the name and address of its machine: it runs in a network namespace with those of the
    bootstrap node, which needs root.

    Operators: api, config, cvo, etcd, kube-apiserver, kube-controller-manager, kube-scheduler, ingress,
    node-tuning, machine-config, cloud-credential.

    \b
    Examples:
      hardway render --all                         all operators
      hardway render etcd kube-apiserver --files   two operators, and what each file is for
      hardway render kube-apiserver --dry-run      the call, and why each flag is in it
    """
    from hardway.bootkube.operators import table
    from hardway.model.settings.file import Options
    from hardway.render.operators import report
    from hardway.render.operators.all import render_all
    from hardway.render.operators.inputs import facts
    from hardway.workspace.folder import open_workspace

    names, place = _split(folder, words)
    if everyone and names:
        raise ConfigError(f"--all and {' '.join(names)} are both given.\n    fix: leave one of them out")
    if not everyone and not names:
        raise ConfigError("no operator is named.\n    fix: name one or more, or give --all; `hardway render --help`")
    rows = [table.find(name) for name in names] or list(table.TABLE)
    workspace = open_workspace(place, options=Options(allow_unsigned=allow_unsigned))
    if dry_run:
        known = facts(workspace)
        if output == "json":
            print_json([report.call_as_dict(row, known) for row in rows])
        else:
            show("\n\n".join(report.call_text(row, known) for row in rows))
        return
    with working() as work:
        done = render_all(workspace, rows, work.begin)
    if output == "json":
        print_json([report.as_dict(outcome) for outcome in done])
        return
    (show if every_file else tell)(report.text(done, every_file=every_file))
    absent = [outcome for outcome in done if outcome.state == "absent"]
    tell(f"{counted(len(done) - len(absent), 'operator')} rendered, {len(absent)} not available")


def _split(folder: Path, words: tuple[str, ...]) -> tuple[tuple[str, ...], Path]:
    """The last word may be the cluster's folder: it is one if it is no operator's name and a folder is there."""
    from hardway.bootkube.operators.table import BY_NAME

    if words and words[-1] not in BY_NAME and (folder / words[-1]).is_dir():
        return words[:-1], folder / words[-1]
    return words, folder
