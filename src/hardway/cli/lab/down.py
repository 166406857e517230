"""hardway lab down: everything that the lab made on this machine, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click

from hardway.cli.asking import demand_yes
from hardway.cli.lab.place import as_root, directory_argument, lab_of
from hardway.cli.options import in_folder, output_option, print_json
from hardway.cli.terminal.text import show, tell
from hardway.cli.terminal.work import busy
from hardway.workspace.names import SETTINGS


@click.command()
@directory_argument
@click.option("--name", default="", metavar="NAME", help="The lab's name, if its cluster's folder is gone.")
@click.option("--dry-run", is_flag=True, help="Say what would be removed, and remove nothing.")
@click.option("--yes", is_flag=True, help="Do not ask. Without a terminal nothing is removed unless --yes is given.")
@output_option
@click.pass_obj
def down(folder: Path, directory: Path, name: str, dry_run: bool, yes: bool, output: str) -> None:
    """Remove a lab: its processes, mounts, namespaces, interface, control groups and files.

    It looks at the machine for what to remove, so it works after a crash as well. The cluster's folder stays, with
    install-config.yaml, assets and the lines that the lab added to hardway.yaml, which are printed. Compiled programs
    and images stay too; the next lab uses them.

    \b
    Examples:
      hardway lab down demo --dry-run
      hardway lab down demo             asks before it removes anything
      hardway lab down demo --yes       in a script
      hardway lab down --name demo      the folder demo has been deleted
    """
    from hardway.cli.lab.plan import together
    from hardway.lab import cluster_files, removal
    from hardway.lab.lock import alone
    from hardway.lab.paths import lab_paths

    place = folder / directory
    lab, cluster = (lab_paths(name), None) if name else lab_of(in_folder(place))
    as_root()
    found = removal.remains(lab)
    if output == "text":
        _list(found, lab.name, tell if yes and not dry_run else show)
    if found and not dry_run:
        demand_yes(yes)
        with alone(lab, "`hardway lab down`"), busy(f"removing lab {lab.name}"):
            removal.remove(lab)
    kept = cluster_files.kept_lines(place, cluster) if cluster else []
    if output == "json":
        print_json({"lab": lab.name, "found": found, "removed": bool(found) and not dry_run, "settings": kept})
    elif found:
        if kept:
            tell(f"{place / SETTINGS} keeps the lab's lines: {together(kept)}. Remove them for another release.")
        tell(f"lab {lab.name}: {'nothing was changed' if dry_run else 'removed'}")


def _list(found: list[str], name: str, say: Callable[[str], None]) -> None:
    """Processes are many and say little."""
    if not found:
        tell(f"lab {name}: nothing of it is on this machine")
        return
    processes = sum(row.startswith("process ") for row in found)
    rows = [row for row in found if not row.startswith("process ")]
    say("\n".join([*([f"processes: {processes}"] if processes else []), *rows]))
