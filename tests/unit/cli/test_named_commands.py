"""Every `hardway …` that a message, a fix or a help text names in backticks is a command that exists, with the options
that it has."""

from __future__ import annotations

import ast
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

import hardway
from hardway.cli.main import cli
from hardway.stages.table import TABLE

SOURCE = Path(hardway.__file__).parent
VALUE = "VALUE"  # what an f-string fills in


def texts() -> Iterator[tuple[str, str]]:
    for path in sorted(SOURCE.rglob("*.py")):
        tree = ast.parse(path.read_text())
        inside = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
        for node in ast.walk(tree):
            if isinstance(node, ast.JoinedStr):
                parts = (p.value if isinstance(p, ast.Constant) else VALUE for p in node.values)
                yield f"{path.relative_to(SOURCE)}:{node.lineno}", "".join(map(str, parts))
            elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in inside:
                yield f"{path.relative_to(SOURCE)}:{node.lineno}", node.value


def named() -> dict[str, str]:
    """Where each command is named, by the command."""
    found = {
        command: place for place, text in texts() for command in re.findall(r"`(hardway(?: [^`]*)?)`", text, re.DOTALL)
    }
    return found | {command: f"stage {s.number}" for s in TABLE for command in (s.run, s.lab, s.status) if command}


NAMED = named()


def parse(words: list[str]) -> None:
    """As click would, without the values: an unknown command or option, or an option without its value, is an error."""
    command: click.Command = cli
    ctx = click.Context(cli, info_name="hardway")
    while True:
        _, rest, _ = command.make_parser(ctx).parse_args(args=list(words))
        if not isinstance(command, click.Group) or not rest:
            return
        _, found, words = command.resolve_command(ctx, rest)
        assert found
        command = found
        ctx = click.Context(command, info_name=command.name, parent=ctx)


def test_there_are_many():
    assert len(NAMED) > 60


@pytest.mark.parametrize("command", sorted(NAMED))
def test_a_named_command_exists_with_its_options(command):
    parse(shlex.split(command.replace("…", VALUE))[1:])


@pytest.mark.parametrize(
    "command", ["hardway buidl", "hardway build --rotat x", "hardway lab release bild", "hardway build --rotate"]
)
def test_one_that_does_not_exist_is_found(command):
    with pytest.raises(click.UsageError):
        parse(shlex.split(command)[1:])
