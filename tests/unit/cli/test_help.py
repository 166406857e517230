"""The help of the groups: everything is on one line, and nothing is imported for it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from inspect import cleandoc

import click
import pytest
from click.testing import CliRunner

from hardway.cli.lab.group import SECTIONS as LAB
from hardway.cli.lab.group import lab
from hardway.cli.main import SECTIONS, cli
from hardway.cli.terminal.text import GAP, READABLE
from tests.unit.cli.test_grammar import COMMANDS

WIDTH = 80


@pytest.mark.parametrize(("group", "sections"), [(cli, SECTIONS), (lab, LAB)])
def test_every_command_is_there_with_its_summary_on_one_line(group, sections):
    text = group.get_help(click.Context(group, info_name="hardway", terminal_width=WIDTH, max_content_width=WIDTH))
    lines = text.splitlines()
    for title, rows in sections.items():
        assert f"{title}:" in lines
        for name, place in rows.items():
            (line,) = [line for line in lines if line.split()[:1] == [name] and place.summary in line]
            assert len(line) <= WIDTH
            assert group.get_command(click.Context(group), name).short_help == place.summary


def groups(group: click.Group = cli) -> Iterator[click.Group]:
    yield group
    for name in group.list_commands(click.Context(group)):
        command = group.get_command(click.Context(group), name)
        if isinstance(command, click.Group):
            yield from groups(command)


@pytest.mark.parametrize("group", list(groups()), ids=lambda group: group.name)
def test_no_summary_is_cut(group):
    ctx = click.Context(group, info_name="hardway", terminal_width=WIDTH, max_content_width=WIDTH)
    lines = group.get_help(ctx).splitlines()
    assert [line for line in lines if line.endswith("...") and not line.startswith("Usage:")] == []
    for name in group.list_commands(ctx):
        summary = group.get_command(ctx, name).get_short_help_str(WIDTH)
        assert [line for line in lines if line.split()[:1] == [name] and line.endswith(summary)], name


@pytest.mark.parametrize("name", COMMANDS)
def test_in_a_pipe_help_has_eighty_columns(name):
    done = CliRunner().invoke(cli, [*name.split(), "--help"])
    long = [line for line in done.stdout.splitlines() if len(line) > WIDTH]
    assert [line for line in long if len(line.split()) > 1] == []  # one word is not broken


def test_help_imports_no_command():
    code = """
import sys
from hardway.cli.main import cli
cli(["--help"], standalone_mode=False)
print(*(m for m in sys.modules if m.startswith("hardway.")), file=sys.stderr)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    needed = {
        "hardway.cli",
        "hardway.cli.everywhere",
        "hardway.cli.lazy",
        "hardway.cli.main",
        "hardway.cli.naming",
        "hardway.cli.terminal",
        "hardway.cli.terminal.help",
        "hardway.cli.terminal.settings",
        "hardway.cli.terminal.text",
        "hardway.io",
        "hardway.io.harmless",
        "hardway.model",
        "hardway.model.errors",
    }
    assert {module for module in done.stderr.split() if not module.startswith("hardway.lines")} == needed


@pytest.mark.parametrize(("typed", "meant"), [("verfy", "verify"), ("stauts", "status"), ("explian", "explain")])
def test_a_mistyped_command_is_suggested(typed, meant):
    with pytest.raises(click.UsageError, match=f"No such command '{typed}'. Did you mean {meant}"):
        cli([typed], standalone_mode=False)


def as_it_is(text: str) -> Iterator[str]:
    """The lines of the blocks that click leaves as they are."""
    return (line for block in text.split("\n\n") if "\b" in block for line in block.split("\n"))


@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_only_a_second_column_is_broken_where_lines_are_kept(name):
    """Prose in such a block would be broken twice: by its author, and by the terminal's width."""
    command: click.Command = cli
    for word in name.split():
        assert isinstance(command, click.Group)
        command = command.get_command(click.Context(command), word) or cli
    long = [line for line in as_it_is(cleandoc(command.help or "")) if len(f"  {line}") > WIDTH]
    assert [line for line in long if not (found := GAP.match(f"  {line}")) or found.end(1) > WIDTH - READABLE] == []
