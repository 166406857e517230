"""hardway init: a cluster folder with an install-config.yaml, from options, from questions, or with every default."""

from __future__ import annotations

import json
import os
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hardway.cli.asking import someone_there
from hardway.cli.naming import naming_release
from hardway.cli.options import output_option, print_json
from hardway.cli.terminal.text import show
from hardway.model.errors import ConfigError, ToolError

if TYPE_CHECKING:
    from hardway.workspace.start import Choices

SSH_KEYS = ("id_ed25519.pub", "id_ecdsa.pub", "id_rsa.pub")


@naming_release
@click.command()
@click.argument("folder", required=False, metavar="[DIR]", type=click.Path(path_type=Path, file_okay=False))
@click.option("--name", metavar="NAME", help="The cluster's name, the first label of its names in DNS. [default: ocp4]")
@click.option("--domain", metavar="DOMAIN", help="The domain that the cluster is in. [default: example.com]")
@click.option(
    "--masters", metavar="NUMBER", help="1, 3 or 5. etcd needs a majority: 3 survive the loss of one. [default: 3]"
)
@click.option("--workers", metavar="NUMBER", help="With 0, masters run the workloads too. [default: 2]")
@click.option(
    "--network",
    metavar="CIDR",
    help="The machines' network; their addresses and the VIPs are taken from it. [default: 192.168.126.0/24]",
)
@click.option(
    "--ssh-key",
    metavar="FILE",
    help="A public key for logging in to the nodes as core. [default: none; nobody can log in]",
)
@click.option(
    "--pull-secret",
    metavar="FILE",
    help="The registries' credentials; - reads standard input. [default: a placeholder, which registries refuse]",
)
@click.option(
    "--release",
    metavar="RELEASE",
    help="The release: a version, a pull spec, oci:FOLDER or oci-archive:FILE. [default: the built-in one]",
)
@click.option("--dry-run", is_flag=True, help="Say what would be written, and write nothing.")
@output_option
@click.pass_obj
def init(here: Path, /, folder: Path | None, dry_run: bool, output: str, **given: str | None) -> None:
    """Make a cluster folder with an install-config.yaml to start from.

    On a terminal and without options, it asks for each value. Without a terminal it never asks: a value without
    an option has its default. With every default it is the cluster of the guide: ocp4.example.com, OpenShift
    {release}, three masters, two workers, 192.168.126.0/24.

    hosts.yaml and hardway.yaml hold every override, commented out. An existing install-config is never changed.
    An invalid value is refused, and then nothing is written.

    \b
    Examples:
      hardway init demo
      hardway init small --name small --masters 1 --workers 0 --network 192.168.133.0/24
      hardway init real --domain example.org --ssh-key ~/.ssh/id_ed25519.pub --pull-secret pull-secret.json
    """
    from hardway.workspace.start import first_files

    target = folder or here
    if (target / "install-config.yaml").exists():
        raise ConfigError(
            f"{target / 'install-config.yaml'} exists already.\n"
            "    fix: use it as it is (`hardway build`), or name another folder"
        )
    silent = dry_run or output == "json" or any(value is not None for value in given.values()) or not someone_there()
    choices, wrong = _chosen(given if silent else _asked())
    try:
        files = first_files(choices, target)
    except ConfigError as error:
        wrong.append(str(error))
    if wrong:
        raise ConfigError("\n".join(wrong))
    done = {target / name: _put(target / name, text, dry_run=dry_run) for name, text in files.items()}
    if output == "json":
        print_json({"files": [{"path": str(path), "state": state} for path, state in done.items()]})
        return
    for path, state in done.items():
        show(f"{state:9} {path}")
    if not dry_run:
        show(_next(target, choices))


def _put(path: Path, text: str, *, dry_run: bool) -> str:
    if path.exists():
        return "kept"
    if dry_run:
        return "would write"
    _write(path, text)
    return "wrote"


def _asked() -> dict[str, str | None]:
    def ask(text: str, default: str) -> str | None:
        answer: str = click.prompt(text, default=default, err=True)
        return None if answer == "none" else answer

    keys = [path for name in SSH_KEYS if (path := Path.home() / ".ssh" / name).is_file()]
    return {
        "name": ask("Name of the cluster", "ocp4"),
        "domain": ask("Domain", "example.com"),
        "masters": ask("Masters: 1, 3 or 5", "3"),
        "workers": ask("Workers", "2"),
        "network": ask("Network of the machines", "192.168.126.0/24"),
        "ssh_key": ask("File with your public SSH key", str(keys[0]) if keys else "none"),
        "pull_secret": ask("File with the pull secret, or - to paste it", "none"),
    }


def _chosen(given: dict[str, str | None]) -> tuple[Choices, list[str]]:
    """With the contents of the files that are named, and what is wrong with those."""
    from hardway.workspace.start import Choices

    values = {name: value for name, value in given.items() if value}
    wrong = [f"--{name.replace('_', '-')}: is empty.\n    fix: leave it out" for name in given if given[name] == ""]
    for name, read in (("ssh_key", _read_key), ("pull_secret", _read_secret)):
        try:
            if value := values.pop(name, ""):
                values[name] = read(value)
        except ConfigError as error:
            wrong.append(f"--{name.replace('_', '-')}: {error}")
    return Choices(**values), wrong


def _read_key(name: str) -> str:
    text = _content(name).strip()
    if "PRIVATE KEY" in text:
        raise ConfigError(f"{name} is a private key.\n    fix: give the public one, {name}.pub")
    return text


def _read_secret(name: str) -> str:
    """As compact JSON, if it is JSON: on one line. It is shown nowhere, on the terminal neither."""
    if name.lstrip().startswith("{"):
        raise ConfigError(
            "is the secret itself, and every user of this machine can read a command line.\n"
            "    fix: save it in a file and name that, or give - and write it to standard input"
        )
    if name == "-":
        text = click.prompt("Pull secret", hide_input=True, err=True) if sys.stdin.isatty() else sys.stdin.read()
    else:
        text = _content(name)
    try:
        return json.dumps(json.loads(text), separators=(",", ":"), ensure_ascii=False)
    except (ValueError, RecursionError):
        raise ConfigError(
            "is not JSON.\n"
            "    fix: download it from console.redhat.com/openshift, or take what `podman login` writes to auth.json"
        ) from None


def _content(name: str) -> str:
    from hardway.workspace.folder import read_text

    text = read_text(Path(name))
    if text is None:
        raise ConfigError(f"{name}: there is no such file.\n    fix: give a file that can be read")
    return text


def _write(path: Path, text: str) -> None:
    """Only its owner may read it: there can be a pull secret in it."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w") as stream:
            stream.write(text)
    except OSError as error:
        raise ToolError(f"cannot write {path}: {error.strerror}.\n    fix: name a folder you may write to") from None


def _next(target: Path, choices: Choices) -> str:
    missing = [*(["pull secret"] if not choices.pull_secret else []), *(["ssh key"] if not choices.ssh_key else [])]
    todo = f"put your {' and '.join(missing)} into install-config.yaml" if missing else ""
    if not choices.pull_secret:
        todo += " (the pull secret there is a placeholder:\ngood for building and learning, not for installing)"
    step = "" if target == Path() else f"  cd {shlex.quote(str(target))}\n"
    return f"\nNext:{f' {todo}, then:' if todo else ''}\n\n{step}  hardway build\n"
