"""Every `hardway …` that a message, a fix or a help text names in backticks is a command that exists, with the options
that it has."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import pytest

from hardway.cli.main import cli
from hardway.stages.table import TABLE
from tests.support.texts import FILLED_IN, SOURCE, texts

ROOT = Path(__file__).parents[3]
VALUE = "VALUE"  # what an f-string fills in


def named() -> dict[str, str]:
    """Where each command is named, by the command."""
    modules = [path for path in sorted(SOURCE.rglob("*.py")) if "`hardway" in path.read_text()]
    found = {
        command: text.place
        for path in modules
        for text in texts(path)
        for command in re.findall(r"`(hardway(?: [^`]*)?)`", text.words, re.DOTALL)
    }
    return found | {command: f"stage {s.number}" for s in TABLE for command in (s.run, s.lab, s.status) if command}


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


def error(command: str) -> str:
    try:
        parse(shlex.split(command.replace(FILLED_IN, VALUE))[1:])
    except click.UsageError as wrong:
        return wrong.message
    return ""


def test_every_named_command_exists_with_its_options():
    commands = named()
    assert len(commands) > 60
    assert [(place, command, why) for command, place in commands.items() if (why := error(command))] == []


PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
SEVERAL = re.compile(r"\\\||…|\bkubectl\b")  # several commands in one, an open end, options of another program


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_command_that_a_sentence_of_a_page_names_exists_with_its_options(page):
    found = [" ".join(command.split()) for command in re.findall(r"`(hardway(?:\s[^`]*)?)`", page.read_text())]
    commands = [command for command in found if not SEVERAL.search(command)]
    assert [(command, why) for command in commands if (why := error(command))] == []


@pytest.mark.parametrize(
    "command", ["hardway buidl", "hardway build --rotat x", "hardway lab release bild", "hardway build --rotate"]
)
def test_one_that_does_not_exist_is_found(command):
    assert error(command)
