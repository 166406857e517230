"""Options that stand before or after the command."""

from __future__ import annotations

import json

import click
import pytest

from hardway import __version__
from hardway.cli.lab.group import lab
from hardway.cli.main import cli
from hardway.cli.terminal.settings import chosen
from tests.support.forked import hardway


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


@pytest.mark.parametrize("words", [["-o", "json", "guide"], ["guide", "-o", "json"]])
def test_data_is_asked_for_before_or_after_the_command(words, capsys):
    cli(words, standalone_mode=False)
    assert json.loads(capsys.readouterr().out)[0]["chapter"] == "01-prerequisites"
    assert chosen.output == "json"


@pytest.mark.parametrize("words", [["-o", "json", "--version"], ["--version", "-o", "json"], ["-ojson", "--version"]])
def test_the_version_as_data(words, capsys):
    cli(words, standalone_mode=False)
    assert json.loads(capsys.readouterr().out) == {"version": __version__}


def test_the_version_as_text(capsys):
    cli(["--version"], standalone_mode=False)
    assert capsys.readouterr().out == f"hardway, version {__version__}\n"


@pytest.mark.parametrize("words", ["completion bash", "lab kubectl get nodes"])
def test_a_command_without_data_says_so(words):
    with pytest.raises(click.UsageError, match="has no option -o"):
        cli(["-o", "json", *words.split()], standalone_mode=False)


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (["-C", "FILE", "guide"], "Invalid value for '-C': Directory 'FILE' is a file.\n    fix: name another folder"),
        (["verify", "--assets", "FILE"], "'--assets': Directory 'FILE' is a file.\n    fix: name another folder"),
        (["network", "files", "--to", "FILE"], "'--to': Directory 'FILE' is a file.\n    fix: name another folder"),
        (["install", "--iso", "/nope"], "File '/nope' does not exist.\n    fix: name a file that can be read"),
        (["compare-installer", "/nope"], "File '/nope' does not exist.\n    fix: name a file that can be read"),
        (["-q", "-v", "guide"], "--verbose and --quiet exclude each other.\n    fix: give one of them"),
        (["lab", "stop"], "Missing argument 'NODE'.\n    fix: see `hardway lab stop --help`"),
        (["approve", "--replace"], "requires an argument.\n    fix: see `hardway approve --help`"),
        (["lab", "up", "--release"], "requires an argument.\n    fix: see `hardway lab up --help`"),
        (["--color"], "requires an argument.\n    fix: see `hardway --help`"),
    ],
)
def test_a_wrong_command_line_has_one_style(words, wanted, tmp_path):
    file = tmp_path / "file"
    file.touch()
    done = hardway(*(word.replace("FILE", str(file)) for word in words))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith(wanted.replace("FILE", str(file)) + "\n")
    assert "Usage:" not in done.stderr
    assert "Error:" not in done.stderr
