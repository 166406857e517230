"""One name for one thing, in every command: the whole tree of commands is walked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete

from hardway.cli.main import cli
from hardway.model.errors import EXIT_CODES

WITHOUT_JSON = {
    "completion": "prints a script for a shell",
    "exec": "the output is the other program's",
    "logs": "the output is journalctl's",
    "kubectl": "the output is kubectl's, which has -o json itself",
    "lab exec": "the output is the other program's",
    "lab shell": "the output is the other program's",
    "ssh": "the output is the other program's",
    "lab logs": "the output is journalctl's or tail's",
    "lab kubectl": "the output is kubectl's, which has -o json itself",
}
FORBIDDEN = {
    "--insecure": "--insecure-registry HOST",
    "--authfile": "--pull-secret FILE",
    "--auth-file": "--pull-secret FILE",
    "--ca": "--trust-bundle FILE",
    "--ca-file": "--trust-bundle FILE",
    "--plan": "--dry-run",
    "--check": "--dry-run",
    "--force": "--again or --yes",
    "--output-dir": "--to DIR",
}
SHAPES = {"--dry-run": True, "--again": True, "--yes": True, "--all": True, "--list": True, "--pull-secret": False}


def walk(group: click.Group, path: str = "") -> Iterator[tuple[str, click.Command]]:
    ctx = click.Context(group)
    for name in group.list_commands(ctx):
        command = group.get_command(ctx, name)
        assert command
        whole = f"{path} {name}".strip()
        if isinstance(command, click.Group):
            yield from walk(command, whole)
        else:
            yield whole, command


COMMANDS = dict(walk(cli))


def options(command: click.Command, *, hidden: bool = False) -> dict[str, click.Option]:
    return {
        name: param
        for param in command.params
        if isinstance(param, click.Option) and (hidden or not param.hidden)
        for name in param.opts
    }


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_prints_json_or_has_a_reason(name):
    option = options(COMMANDS[name]).get("--output")
    assert (option is None) == (name in WITHOUT_JSON), name
    if option:
        assert isinstance(option.type, click.Choice)
        assert "json" in option.type.choices


def test_every_reason_has_its_command():
    assert set(WITHOUT_JSON) <= set(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_an_option_has_its_one_name(name):
    assert [wrong for wrong in options(COMMANDS[name]) if wrong in FORBIDDEN] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_an_option_has_one_shape(name):
    found = options(COMMANDS[name])
    assert [o for o, flag in SHAPES.items() if o in found and found[o].is_flag != flag] == []


def test_a_positional_folder_is_the_clusters():
    """Folders that are written to are given with --to."""
    with_folder = {
        name
        for name, command in COMMANDS.items()
        for param in command.params
        if isinstance(param, click.Argument) and "DIR" in (param.metavar or "").replace("NAME=DIR", "")
    }
    assert with_folder == {"init", "compare", "render", "bootkube", "lab up", "lab down", "lab status"}


NODES = [
    (name, param.nargs)
    for name, command in COMMANDS.items()
    for param in command.params
    if isinstance(param, click.Argument) and param.name in ("node", "nodes")
]


def test_commands_with_nodes_are_those_that_are_known():
    assert {name for name, _ in NODES} == {
        "deliver",
        "install",
        "ssh",
        "infra plan",
        "infra up",
        "infra down",
        "network take-out",
        "exec",
        "logs",
        "stop",
        "start",
        "bmc boot",
        "bmc eject",
        "lab exec",
        "lab shell",
        "lab logs",
        "lab stop",
        "lab start",
    }


@pytest.mark.parametrize("name", [name for name, _ in NODES])
def test_names_of_nodes_complete(name, tmp_path):
    """They follow from the plan, also before the release is read."""
    cli(["init", str(tmp_path / "c")], standalone_mode=False)
    with (tmp_path / "c" / "hardway.yaml").open("a") as settings:
        settings.write("release: 4.18.7\n")
    words = ["-C", str(tmp_path / "c"), *name.split()]
    found = ShellComplete(cli, {}, "hardway", "_HARDWAY_COMPLETE").get_completions(words, "mas")
    assert [item.value for item in found] == ["master-0", "master-1", "master-2"]


def test_readme_and_help_have_every_exit_code():
    readme = (Path(__file__).parents[3] / "README.md").read_text()
    table = readme.partition("| exit code | |")[2].partition("\n\n")[0]
    rows = dict(re.findall(r"^\| (\d+) \| (.+) \|$", table, re.MULTILINE))
    assert {int(code): meaning.replace("\\|", "|") for code, meaning in rows.items()} == EXIT_CODES
    said = cli.get_help(click.Context(cli, info_name="hardway"))
    assert dict(re.findall(r"^ +(\d+) +(.+)$", said, re.MULTILINE)) == {str(c): m for c, m in EXIT_CODES.items()}
