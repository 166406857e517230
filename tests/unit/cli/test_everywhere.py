"""Options that stand before or after the command."""

from __future__ import annotations

import click
import pytest

from hardway.cli.lab.group import lab
from hardway.cli.main import cli
from hardway.cli.terminal.settings import chosen


@pytest.mark.parametrize("words", [["-q", "--color", "never", "guide"], ["guide", "-q", "--color", "never"]])
def test_before_and_after_the_command_they_mean_the_same(words, capsys):
    cli(words, standalone_mode=False)
    assert (chosen.quiet, chosen.color) == (True, "never")
    assert "01-prerequisites" in capsys.readouterr().out


def test_a_command_line_does_not_know_of_the_one_before():
    cli(["-q", "guide"], standalone_mode=False)
    cli(["guide"], standalone_mode=False)
    assert (chosen.quiet, chosen.verbose, chosen.color) == (False, False, "auto")


@pytest.mark.parametrize("name", ["kubectl", "exec"])
def test_what_is_for_another_program_is_left_to_it(name):
    command = lab.get_command(click.Context(lab), name)
    assert {"-C"} == {word for param in command.params for word in param.opts if word.startswith("-")}
