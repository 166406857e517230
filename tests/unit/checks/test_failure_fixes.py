"""Each known failure says what to do, and the commands that it names exist."""

from __future__ import annotations

import re

import click
import pytest

from hardway.checks.failures import TABLE
from hardway.cli.main import cli


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.id)
def test_a_failure_has_a_fix_of_one_sentence(row):
    assert re.fullmatch(r"[A-Z][^\n]{20,}[^.]\.", row.fix)
    assert ". " not in row.fix


@pytest.mark.parametrize("words", [w for row in TABLE for w in re.findall(r"`hardway ([^`]+)`", row.fix)])
def test_a_command_in_a_fix_exists(words):
    command, rest = cli, words.split()
    while isinstance(command, click.Group):
        command = command.get_command(click.Context(command), rest.pop(0))
    assert command is not None
    known = {name for param in command.params for name in param.opts}
    assert {word for word in rest if word.startswith("--")} <= known
