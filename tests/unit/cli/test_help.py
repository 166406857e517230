"""The help of the groups: everything is on one line, and nothing is imported for it."""

from __future__ import annotations

import subprocess
import sys

import click
import pytest

from hardway.cli.lab.group import SECTIONS as LAB
from hardway.cli.lab.group import lab
from hardway.cli.main import SECTIONS, cli

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
        "hardway.cli.terminal.settings",
        "hardway.model",
        "hardway.model.errors",
    }
    assert {module for module in done.stderr.split() if not module.startswith("hardway.lines")} == needed


@pytest.mark.parametrize(("typed", "meant"), [("verfy", "verify"), ("stauts", "status"), ("explian", "explain")])
def test_a_mistyped_command_is_suggested(typed, meant):
    with pytest.raises(click.UsageError, match=f"No such command '{typed}'. Did you mean {meant}"):
        cli([typed], standalone_mode=False)
