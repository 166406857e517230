"""hardway init: a cluster folder with an install-config.yaml, from options, from questions, or with every default."""

from __future__ import annotations

import json
import shlex
import sys
from contextlib import closing, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hardway.cli.asking import someone_there
from hardway.cli.naming import naming_release
from hardway.cli.options import in_folder, output_option, print_json, print_warnings
from hardway.cli.terminal.text import show, tell
from hardway.model.errors import ConfigError, HardwayError, ToolError

if TYPE_CHECKING:
    from hardway.model.problem import Problem
    from hardway.workspace.start import Choices

SSH_KEYS = ("id_ed25519.pub", "id_ecdsa.pub", "id_rsa.pub")


@naming_release
@click.command()
@click.argument("folder", required=False, metavar="[DIR]")
@click.option("--name", metavar="NAME", help="The cluster's name, the first label of its names in DNS. [default: ocp4]")
@click.option("--domain", metavar="DOMAIN", help="The domain that the cluster is in. [default: example.com]")
@click.option(
    "--masters", metavar="NUMBER", help="Use 1, 3 or 5: etcd needs a majority; 3 survive the loss of one. [default: 3]"
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
    help="A public key for logging in to the nodes as core. [default: the build makes one, assets/ssh/login]",
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
def init(here: Path, /, folder: str | None, dry_run: bool, output: str, **given: str | None) -> None:
    """Make a cluster folder with an install-config.yaml to start from.

    On a terminal and without options, it asks for each value. Without a terminal it never asks: a value without
    an option has its default. With every default it is the cluster of the guide: ocp4.example.com, OpenShift
    {release}, three masters, two workers, 192.168.126.0/24.

    hosts.yaml and hardway.yaml hold every override, commented out. An existing install-config is never changed.
    An invalid value is refused, and then nothing is written; what `hardway build` would warn of is printed.

    \b
    Examples:
      hardway init demo
      hardway init small --name small --masters 1 --workers 0
      hardway init other --name other --network 192.168.133.0/24
      hardway init real --domain example.org --pull-secret pull-secret.json \\
        --ssh-key ~/.ssh/id_ed25519.pub
    """
    from hardway.workspace.start import start

    target = in_folder(_target(here, folder))
    if (target / "install-config.yaml").exists():
        raise ConfigError(
            f"{target / 'install-config.yaml'} exists already.\n"
            "    fix: use it as it is (`hardway build`), or name another folder"
        )
    silent = dry_run or output == "json" or any(value is not None for value in given.values()) or not someone_there()
    told: list[Problem] = []
    choices, wrong = _chosen(given) if silent else (_asked(target, told), [])
    try:
        begun = start(choices, target)
    except ConfigError as error:
        wrong.append(str(error))
    if wrong:
        raise ConfigError("\n".join(wrong))
    print_warnings(warning for warning in begun.warnings if warning not in told)
    new = {target / name: text for name, text in begun.files.items() if not (target / name).exists()}
    if not dry_run:
        _write(new)
    state = "would write" if dry_run else "wrote"
    done = {target / name: state if target / name in new else "kept" for name in begun.files}
    if output == "json":
        print_json({"files": [{"path": str(path), "state": state} for path, state in done.items()]})
        return
    say = show if dry_run else tell
    for path, state in done.items():
        say(f"{state:9} {path}")
    if not dry_run:
        tell(_next(target, choices))


def _target(here: Path, folder: str | None) -> Path:
    if folder == "":
        raise ConfigError("DIR: is empty.\n    fix: name a folder, or leave it out to use this one")
    target = here / folder if folder else here
    for path in (target, *target.parents):
        if path.exists() and not path.is_dir():
            raise ConfigError(f"{path}: is a file, not a folder.\n    fix: name another folder")
    return target


def _asked(target: Path, told: list[Problem]) -> Choices:
    """Each answer is judged at once, together with those before it. A wrong one is asked for again with the reason;
    a warning follows the answer, and is added to what was told."""
    try:
        return _answers(target, told)
    except click.Abort:
        raise click.Abort("nothing was written.\n    fix: run the same command again") from None


def _answers(target: Path, told: list[Problem]) -> Choices:
    from hardway.workspace.start import Choices, option, start

    keys = [path for name in SSH_KEYS if (path := Path.home() / ".ssh" / name).is_file()]
    choices = Choices()

    def judged(name: str, answer: str) -> Choices:
        try:
            tried = replace(choices, **{name: "" if answer == "none" else _read(name, answer)})
            new = [warning for warning in start(tried, target).warnings if warning not in told]
            print_warnings(new)
            told.extend(new)
        except ConfigError as error:
            own = [problem for problem in error.problems if problem.path == option(name)]
            if own or not error.problems:
                raise click.UsageError("\n".join(f"{p.message}\n    fix: {p.fix}" for p in own) or str(error)) from None
        return tried

    for name, text, default in (
        ("name", "Name of the cluster", "ocp4"),
        ("domain", "Domain", "example.com"),
        ("masters", "Masters: 1, 3 or 5", "3"),
        ("workers", "Workers", "2"),
        ("network", "Network of the machines", "192.168.126.0/24"),
        ("ssh_key", "File with your public SSH key", str(keys[0]) if keys else "none"),
        ("pull_secret", "File with the pull secret, or - to paste it", "none"),
    ):
        choices = click.prompt(text, default=default, err=True, value_proc=partial(judged, name))
    return choices


def _chosen(given: dict[str, str | None]) -> tuple[Choices, list[str]]:
    """With the contents of the files that are named, and what is wrong with those."""
    from hardway.workspace.start import Choices, option

    values: dict[str, str] = {}
    wrong = [f"{option(name)}: is empty.\n    fix: leave it out" for name in given if given[name] == ""]
    for name, value in given.items():
        try:
            values |= {name: _read(name, value)} if value else {}
        except ConfigError as error:
            wrong.append(f"{option(name)}: {error}")
    return Choices(**values), wrong


def _read(name: str, value: str) -> str:
    """What the option stands for: of some options, the content of a file."""
    readers = {"ssh_key": _read_key, "pull_secret": _read_secret, "release": _read_release}
    return readers[name](value) if name in readers else value


def _read_key(name: str) -> str:
    from hardway.model.config.ssh import find_key

    text = _content(name).strip()
    if "PRIVATE KEY" in text:
        raise ConfigError(f"{name} is a private key.\n    fix: give the public one, {name}.pub")
    if find_key(text) is None:
        raise ConfigError(f"{name} is not a public key.\n    fix: give a .pub file, such as ~/.ssh/id_ed25519.pub")
    return text


def _read_release(name: str) -> str:
    """A registry is not asked yet. What is on this machine must be there; its path shall hold in every folder."""
    from hardway.registry.layout import Layout
    from hardway.release.reference import Local, parse

    named = parse(name)
    if not isinstance(named, Local):
        return name
    try:
        with closing(Layout(named)) as image:
            image.find()
    except HardwayError as error:
        raise ConfigError(str(error)) from None
    return str(replace(named, path=str(Path(named.path).absolute())))


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
            f"{'standard input' if name == '-' else name} is not JSON.\n"
            "    fix: download it from console.redhat.com/openshift, or take what `podman login` writes to auth.json"
        ) from None


def _content(name: str) -> str:
    from hardway.io import plain
    from hardway.workspace.folder import read_text

    text = read_text(Path(name), plain.given)
    if text is None:
        raise ConfigError(f"{name}: there is no such file.\n    fix: give a file that can be read")
    return text


def _write(texts: dict[Path, str]) -> None:
    """All of them or none. Only their owner may read them: there can be a pull secret in one."""
    from hardway.io import atomic

    try:
        for path, text in texts.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            atomic.write(path, text.encode())
    except BaseException as error:
        for made in texts:
            with suppress(OSError):
                made.unlink()
        if not isinstance(error, OSError):
            raise
        raise ToolError(f"cannot write {path}: {error.strerror}.\n    fix: name a folder you may write to") from None


def _next(target: Path, choices: Choices) -> str:
    missing = [*(["pull secret"] if not choices.pull_secret else []), *(["ssh key"] if not choices.ssh_key else [])]
    todo = f" put your {' and '.join(missing)} into install-config.yaml, then:" if missing else ""
    note = (
        ""
        if choices.pull_secret
        else "\nThe pull secret is a placeholder: enough to build and learn, not to install.\n"
    )
    step = "" if target == Path() else f"  cd {shlex.quote(str(target))}\n"
    return f"{note}\nNext:{todo}\n\n{step}  hardway build\n"
