"""hardway init: a folder with an install-config.yaml to start from."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

import click

from hardway.model.errors import ConfigError, ToolError
from hardway.workspace.folder import example

FILES = ("install-config.yaml", "hosts.yaml", "hardway.yaml")


@click.command()
@click.argument("folder", required=False, metavar="[DIR]", type=click.Path(path_type=Path, file_okay=False))
@click.option("--dry-run", is_flag=True, help="Say what would be written, and write nothing.")
@click.pass_obj
def init(here: Path, folder: Path | None, dry_run: bool) -> None:
    """Make a cluster folder with an install-config.yaml to start from.

    The install-config is the default cluster of the guide: ocp4.example.com, three masters, two workers,
    192.168.126.0/24. hosts.yaml and hardway.yaml hold every override, commented out. An install-config that is
    already there is never touched.
    """
    target = folder or here
    present = [name for name in FILES if (target / name).exists()]
    if "install-config.yaml" in present:
        raise ConfigError(
            f"{target / 'install-config.yaml'} is there already.\n"
            "    fix: use it as it is (`hardway build`), or name another folder"
        )
    for name in FILES:
        if name in present:
            click.echo(f"kept      {target / name}")
            continue
        if not dry_run:
            _write(target / name, example(name))
        click.echo(f"{'would write' if dry_run else 'wrote'}     {target / name}")
    if not dry_run:
        click.echo(_next(target))


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w") as stream:
            stream.write(text)
    except OSError as error:
        raise ToolError(f"cannot write {path}: {error.strerror}.\n    fix: name a folder you may write to") from None


def _next(target: Path) -> str:
    step = "" if target == Path() else f"  cd {shlex.quote(str(target))}\n"
    return (
        "\nNext: put your pull secret and ssh key into install-config.yaml (the pull secret there is a placeholder:\n"
        f"good for building and learning, not for installing), then:\n\n{step}  hardway build\n"
    )
